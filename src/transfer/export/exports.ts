/** Whole maps, written in their order for whoever may read them (capabilities §11). */

import type { ExportFormat } from '../formats.ts';
import { writerOf } from '../formats.ts';
import type { Storage } from '../../storage/storage.ts';
import { readableMap } from '../../services/public-maps.ts';
import type { Scope } from '../../services/scope.ts';
import { walk } from './walk.ts';

export interface ExportRequest extends Omit<ExportFormat, 'fields' | 'isPublic'> {
  readonly mapId: string;
}

export interface MapExport {
  /** Whether it is in the public view, and so anybody's. */
  readonly isPublic: boolean;
  /** Stands for the content as it was at the start: where it is the same, nothing has changed. */
  readonly validator: string;
  /**
   * UTF-8, in pieces. What is there from the first piece to the last is in it once.
   *
   * @param onRead told how many locations were read, piece by piece
   */
  readonly read: (onRead?: (locations: number) => void) => AsyncGenerator<Buffer, void, undefined>;
}

export interface ExportService {
  /**
   * In the owner's view for a caller who may read the map, else in the public one.
   *
   * @throws ServiceError MAP_NOT_FOUND, MAP_DELETED; reading throws what the store throws
   */
  openExport(scope: Scope, request: ExportRequest): Promise<MapExport>;
}

export function createExportService(storage: Storage): ExportService {
  return {
    async openExport(scope, request) {
      const map = await readableMap(storage, scope, request.mapId);
      const isPublic = map.view === 'public';
      const revision = await storage.listRevision(map.id, scope);
      const { mapId: _mapId, ...asked } = request;
      const format: ExportFormat = { ...asked, fields: map.fields.map(({ name }) => name), isPublic };
      return {
        isPublic,
        validator: JSON.stringify([map.id, revision, map.fields, asked, isPublic]),
        read: (onRead) => readAll(storage, map.id, format, scope.signal, onRead),
      };
    },
  };
}

async function* readAll(
  storage: Pick<Storage, 'exportLocations'>,
  mapId: string,
  format: ExportFormat,
  signal: AbortSignal | undefined,
  onRead: (locations: number) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const { head, lead, tail } = writerOf(format);
  const scope = signal === undefined ? {} : { signal };
  let isFirst = true;
  const read = async (page: Parameters<typeof storage.exportLocations>[1]) => {
    const exported = await storage.exportLocations(mapId, page, format, scope);
    onRead(exported.count);
    return exported;
  };
  for await (const text of walk(read, signal)) {
    yield isFirst ? Buffer.concat([Buffer.from(head), text.subarray(Buffer.byteLength(lead))]) : text;
    isFirst = false;
  }
  // Of an empty map there is still the frame.
  const rest = isFirst ? head + tail : tail;
  if (rest !== '') yield Buffer.from(rest);
}
