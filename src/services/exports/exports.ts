/** Whole maps, written in their order for whoever may read them (capabilities §11). */

import type { MapFormat } from '../../domain/map-format.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { Storage } from '../../storage/storage.ts';
import { admit } from '../access.ts';
import type { Scope } from '../scope.ts';
import type { CsvOptions } from './csv-format.ts';
import { csvWriter } from './csv-format.ts';
import { GEOJSON_WRITER, NDJSON_WRITER } from './json-formats.ts';
import { walk } from './walk.ts';
import type { MapWriter } from './writer.ts';

export interface ExportRequest extends CsvOptions {
  readonly mapId: string;
  readonly format: MapFormat;
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
      return {
        validator: JSON.stringify([map.id, revision, map.fields, request.format, request.isForSpreadsheet]),
        read: () => readAll(storage, map, writerOf(map, request), scope.signal),
      };
    },
  };
}

function writerOf(map: MapRecord, { format, ...options }: ExportRequest): MapWriter {
  if (format === 'csv') return csvWriter(map, options);
  return format === 'geojson' ? GEOJSON_WRITER : NDJSON_WRITER;
}

async function* readAll(
  storage: Storage,
  { id }: MapRecord,
  { head, separator, tail, read }: MapWriter,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let before = head;
  for await (const text of walk((page) => read(storage, id, page), signal)) {
    yield before === '' ? text : Buffer.concat([Buffer.from(before), text]);
    before = separator;
  }
  // Of an empty map there is still the frame; an empty text has no lines.
  const isEmpty = before === head;
  const rest = isEmpty ? (head === '' ? '' : head + tail) : tail;
  if (rest !== '') yield Buffer.from(rest);
}
