/** Whole maps, written in their order for whoever may read them (capabilities §11). */

import type { ExportFormat } from '../../formats/export-format.ts';
import { writerOf } from '../../formats/writer-of.ts';
import type { Storage } from '../../storage/storage.ts';
import { admit } from '../access.ts';
import type { Scope } from '../scope.ts';
import { walk } from './walk.ts';

export interface ExportRequest extends Omit<ExportFormat, 'fields'> {
  readonly mapId: string;
}

export interface MapExport {
  /** Stands for the content as it was at the start: where it is the same, nothing has changed. */
  readonly validator: string;
  /** UTF-8, in pieces. What is there from the first piece to the last is in it once. */
  readonly read: () => AsyncGenerator<Buffer, void, undefined>;
}

export interface ExportService {
  /** @throws ServiceError UNAUTHENTICATED, MAP_NOT_FOUND, MAP_DELETED; reading throws what the store throws */
  openExport(scope: Scope, request: ExportRequest): Promise<MapExport>;
}

export function createExportService(storage: Storage): ExportService {
  return {
    async openExport(scope, request) {
      const { map } = await admit(storage, scope, request.mapId, { scope: 'read' });
      const revision = await storage.listRevision(map.id, scope);
      const { format, isForSpreadsheet } = request;
      const fields = map.fields.map(({ name }) => name);
      return {
        validator: JSON.stringify([map.id, revision, map.fields, format, isForSpreadsheet]),
        read: () => readAll(storage, map.id, { format, fields, isForSpreadsheet }, scope.signal),
      };
    },
  };
}

async function* readAll(
  storage: Pick<Storage, 'exportLocations'>,
  mapId: string,
  format: ExportFormat,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const { head, lead, tail } = writerOf(format);
  const scope = signal === undefined ? {} : { signal };
  let isFirst = true;
  for await (const text of walk((page) => storage.exportLocations(mapId, page, format, scope), signal)) {
    yield isFirst ? Buffer.concat([Buffer.from(head), text.subarray(Buffer.byteLength(lead))]) : text;
    isFirst = false;
  }
  // Of an empty map there is still the frame.
  const rest = isFirst ? head + tail : tail;
  if (rest !== '') yield Buffer.from(rest);
}
