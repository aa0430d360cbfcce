/** Parts of whole maps as text, made beside the event loop. */

import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import type { ExportWriter } from '../../transfer/writer.ts';
import type { ExportFormat } from '../../transfer/formats.ts';
import { writerOf } from '../../transfer/formats.ts';
import type { ExportedLocations, Storage } from '../storage.ts';
import type { Connection } from './connection.ts';
import { LOCATION_COLUMNS, toLocation } from './location-rows.ts';
import { queryOf } from './location-sql.ts';
import { ENDS, endsOf } from './locations-json.ts';
import type { PageClauses } from './pages.ts';
import { pageClauses } from './pages.ts';
import type { Reader } from './reader.ts';
import { bytesOf, numberOf } from './rows.ts';
import type { LongReads, ResumableScan } from './threads/long-reads.ts';
import { runWithin } from './threads/run-within.ts';

interface ExportPage {
  readonly mapId: string;
  readonly page: Pick<PageRequest<SortKey>, 'limit' | 'after'>;
  readonly format: ExportFormat;
}

export const EXPORT_TASKS = {
  *exportLocations(reader: Reader, input: ExportPage): ResumableScan {
    yield;
    return readPage(reader, input);
  },
};

/** @param long their own: a search that takes seconds holds up no download, and a download no search */
export function exportStore(connection: Connection, long: LongReads): Pick<Storage, 'exportLocations'> {
  return {
    exportLocations: async (mapId, page, format, scope) => {
      const input: ExportPage = { mapId, page, format };
      // The beginning is short. Of most maps it is all, and no thread is started for them.
      if (page.after === null) return connection.read(() => readPage(connection, input));
      const task: keyof typeof EXPORT_TASKS = 'exportLocations';
      return runWithin<ExportedLocations>(connection, long, { task, input }, scope, scope?.deadline?.storage);
    },
  };
}

function readPage(reader: Reader, { mapId, page, format }: ExportPage): ExportedLocations {
  const writer = writerOf(format);
  const clauses = pageClauses(mapId, { ...page, fromEnd: false, before: null });
  switch (writer.kind) {
    case 'json':
      return readJson(reader, clauses, writer.template);
    case 'records':
      return readRecords(reader, mapId, clauses, writer.textOf);
    case 'lines':
      return readLines(reader, clauses, writer);
  }
}

function readJson(reader: Reader, clauses: PageClauses, template: LocationTemplate): ExportedLocations {
  const { sql, values } = queryOf(template, clauses, textSql);
  const row = reader.get(sql, ...values);
  if (row === undefined) throw new Error('An aggregate without groups has one row.');
  const count = numberOf(row, 'count');
  return { bytes: bytesOf(row, 'json'), count, last: count === 0 ? null : endsOf(row).last };
}

function textSql(rows: string): string {
  return `SELECT ${ENDS}, CAST(coalesce(group_concat(json, ''), '') AS BLOB) AS json FROM (${rows})`;
}

function readRecords(
  reader: Reader,
  mapId: string,
  { clauses, values }: PageClauses,
  textOf: Extract<ExportWriter, { readonly kind: 'records' }>['textOf'],
): ExportedLocations {
  const found = reader
    .all(`SELECT ${LOCATION_COLUMNS} FROM locations ${clauses}`, ...values)
    .map((row) => toLocation(row, mapId));
  const last = found.at(-1);
  return {
    bytes: Buffer.from(found.map((location) => textOf(location, location.properties)).join('')),
    count: found.length,
    last: last === undefined ? null : { orderKey: last.orderKey, sequence: last.sequence },
  };
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

type LineWriter = Extract<ExportWriter, { readonly kind: 'lines' }>;

const CELLS = "id, coalesce(external_id, ''), position, lat, lng, place_id, properties";

/** One text for all cells: to take each of them out of SQLite costs more than all the rest. */
function readLines(
  reader: Reader,
  { clauses, values }: PageClauses,
  { lineOf, hasNames = false }: LineWriter,
): ExportedLocations {
  const sql = `SELECT ${ENDS}, CAST(coalesce(group_concat(cells, char(0)), '') AS BLOB) AS cells FROM (
    SELECT order_key, sequence, concat_ws(char(0), ${CELLS}${hasNames ? ', name' : ''}) AS cells
    FROM locations ${clauses})`;
  const row = reader.get(sql, ...values);
  if (row === undefined) throw new Error('An aggregate without groups has one row.');
  const count = numberOf(row, 'count');
  if (count === 0) return { bytes: new Uint8Array(), count, last: null };
  // No value holds a NUL.
  const cells = UTF8.decode(bytesOf(row, 'cells')).split('\0');
  const lines: string[] = [];
  const width = hasNames ? 8 : 7;
  for (let at = 0; at < cells.length; at += width) {
    const [
      id = '',
      externalId = '',
      order = '',
      lat = '',
      lng = '',
      placeId = '',
      properties = '',
      name = '',
    ] = cells.slice(at, at + width);
    lines.push(lineOf({ id, externalId, order, lat, lng, placeId, properties, name }));
  }
  return { bytes: Buffer.from(lines.join('')), count, last: endsOf(row).last };
}
