/** Exports whole maps, in list order, to callers who may read them. */

import { categoryFieldOf } from '../../domain/map.ts';
import type { MapView } from '../../domain/public-view.ts';
import { badUserInput } from '../../errors.ts';
import type { AttributionSources } from '../../services/maps/attributions.ts';
import { attributionsOfMap } from '../../services/maps/attributions.ts';
import type { ExportFormat, MapFormat } from '../formats.ts';
import { formatOf, MAP_FORMATS, writerOf } from '../formats.ts';
import type { Storage } from '../../storage/storage.ts';
import { readableMap } from '../../services/maps/public-maps.ts';
import type { ExportCategories } from '../writer.ts';
import type { Scope } from '../../services/scope.ts';
import { exportBatches } from './batches.ts';

export interface ExportRequest extends Omit<
  ExportFormat,
  'fields' | 'isPublic' | 'attributions' | 'categories'
> {
  readonly mapId: string;
}

export interface MapExport {
  /** True for the public view. */
  readonly isPublic: boolean;
  /** Changes whenever the content changes; an ETag is made of it. */
  readonly validator: string;
  /**
   * Streams the file. Locations that exist from start to end are in it once.
   *
   * @param onRead called with the number of locations in each piece
   */
  readonly read: (onRead?: (locations: number) => void) => AsyncGenerator<Buffer, void, undefined>;
}

export interface ExportService {
  /**
   * Exports the owner's view to a caller who may read the map, else the public view.
   *
   * @throws ServiceError MAP_NOT_FOUND, MAP_DELETED; BAD_USER_INPUT for more locations than the format allows
   */
  openExport(scope: Scope, request: ExportRequest): Promise<MapExport>;
}

export function createExportService(
  storage: Storage,
  geocoder: AttributionSources['geocoder'],
): ExportService {
  return {
    async openExport(scope, request) {
      const map = await readableMap(storage, scope, request.mapId);
      const isPublic = map.view === 'public';
      await assertLocationLimit(storage, map.id, request.format, scope);
      const revision = await storage.listRevision(map.id, scope);
      const attributions = await attributionsOfMap({ storage, geocoder }, map.id, scope);
      const { mapId: _mapId, ...options } = request;
      const fields = map.fields.map(({ name }) => name);
      const categories = exportCategories(map);
      const format: ExportFormat = {
        ...{ ...options, fields, isPublic, attributions },
        ...(categories !== null && { categories }),
      };
      return {
        isPublic,
        validator: JSON.stringify([
          ...[map.id, revision, map.fields, options, isPublic, ...attributions],
          ...(categories?.colors ?? []),
        ]),
        read: (onRead) => readFile(storage, map.id, format, scope.signal, onRead),
      };
    },
  };
}

/** Null if the map has no category field. */
function exportCategories({ fields, categories }: MapView): ExportCategories | null {
  const field = categoryFieldOf(fields);
  if (field === undefined) return null;
  return {
    field,
    colors: categories.flatMap(({ value, color }) => (color === null ? [] : [[value, color] as const])),
  };
}

/** @throws ServiceError BAD_USER_INPUT */
async function assertLocationLimit(
  storage: Storage,
  mapId: string,
  format: MapFormat,
  scope: Scope,
): Promise<void> {
  const { label, maxLocations } = formatOf(format);
  if (maxLocations === undefined) return;
  const count = await storage.countLocations(mapId, scope);
  if (count <= maxLocations) return;
  const others = MAP_FORMATS.filter((name) => formatOf(name).maxLocations === undefined);
  throw badUserInput(
    `The map has ${count} locations; ${label} allows at most ${maxLocations}. Export it as ${others.join(', ')}.`,
  );
}

type OnRead = (locations: number) => void;

async function* readFile(
  storage: Pick<Storage, 'exportLocations'>,
  mapId: string,
  format: ExportFormat,
  signal: AbortSignal | undefined,
  onRead: OnRead = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const { survey, pack } = formatOf(format.format);
  const properties = () => readText(storage, mapId, { ...format, isSurvey: true }, signal, () => {});
  const options = survey === undefined ? format : await survey(format, properties());
  const text = readText(storage, mapId, { ...format, ...options }, signal, onRead);
  if (pack === undefined) yield* text;
  else
    for await (const { buffer, byteOffset, length } of pack(text))
      yield Buffer.from(buffer, byteOffset, length);
}

async function* readText(
  storage: Pick<Storage, 'exportLocations'>,
  mapId: string,
  format: ExportFormat,
  signal: AbortSignal | undefined,
  onRead: OnRead,
): AsyncGenerator<Buffer, void, undefined> {
  const { head, lead, tail } = writerOf(format);
  const scope = signal === undefined ? {} : { signal };
  let isFirst = true;
  const read = async (page: Parameters<typeof storage.exportLocations>[1]) => {
    const exported = await storage.exportLocations(mapId, page, format, scope);
    onRead(exported.count);
    return exported;
  };
  for await (const text of exportBatches(read, signal)) {
    yield isFirst ? Buffer.concat([Buffer.from(head), text.subarray(Buffer.byteLength(lead))]) : text;
    isFirst = false;
  }
  // An empty map still has a head and a tail.
  const rest = isFirst ? head + tail : tail;
  if (rest !== '') yield Buffer.from(rest);
}
