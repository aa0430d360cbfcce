/** Parts of whole maps in an export format, rendered off the event loop. */

import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { ExportWriter } from '../../../transfer/writer.ts';
import type { ExportFormat } from '../../../transfer/formats.ts';
import { writerOf } from '../../../transfer/formats.ts';
import type { ExportedLocations, ExportStorage } from '../../storage.ts';
import type { Database } from '../database.ts';
import { LOCATION_COLUMNS, toLocation } from './location-records.ts';
import { ENDS, endsOf, pageQuery } from './json-pages.ts';
import type { PageClauses } from './list.ts';
import { pageClauses } from './list.ts';
import type { Reader } from '../engine/statements.ts';
import { bytesOf, numberOf } from '../engine/statements.ts';
import type { LongReads, ResumableScan } from '../threads/long-reads.ts';
import { runWithin } from '../threads/long-reads.ts';

interface ExportPage {
  readonly mapId: string;
  readonly page: Pick<PageRequest<SortKey>, 'limit' | 'after'>;
  readonly format: ExportFormat;
}

/** The task of reader threads. */
export function* exportLocations(reader: Reader, input: ExportPage): ResumableScan {
  yield;
  return readPage(reader, input);
}

/** @param long separate from searches, so that slow searches do not delay downloads, nor downloads searches */
export function exportStore(database: Database, long: LongReads): ExportStorage {
  return {
    exportLocations: async (mapId, page, format, scope) => {
      const input: ExportPage = { mapId, page, format };
      // The first part is short. Most maps have no other, and so need no thread.
      if (page.after === null) return database.read(() => readPage(database, input));
      const task = { task: 'exportLocations', input };
      return runWithin<ExportedLocations>(database, long, task, scope, scope?.deadline?.storage);
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
  const { sql, values } = pageQuery(template, clauses, textSql);
  const row = reader.get(sql, ...values);
  if (row === undefined) throw new Error('An aggregate query without GROUP BY must return one row.');
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

/** All cells as one text: reading each from SQLite would cost more than everything else. */
function readLines(
  reader: Reader,
  { clauses, values }: PageClauses,
  { lineOf, hasNames = false }: LineWriter,
): ExportedLocations {
  const sql = `SELECT ${ENDS}, CAST(coalesce(group_concat(cells, char(0)), '') AS BLOB) AS cells FROM (
    SELECT order_key, sequence, concat_ws(char(0), ${CELLS}${hasNames ? ', name' : ''}) AS cells
    FROM locations ${clauses})`;
  const row = reader.get(sql, ...values);
  if (row === undefined) throw new Error('An aggregate query without GROUP BY must return one row.');
  const count = numberOf(row, 'count');
  if (count === 0) return { bytes: new Uint8Array(), count, last: null };
  // No value contains a NUL.
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
