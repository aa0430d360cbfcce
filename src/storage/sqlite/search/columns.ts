/** The locations in a range of cells, as columns. */

import type { JsonObject } from '../../../domain/json/json.ts';
import { ColumnsCollector } from '../../../domain/tiles/location-columns.ts';
import type { ColumnsQuery } from '../../search.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';

/** Locations per read. */
const BATCH = 200;

type ColumnsRow = readonly [
  id: string,
  name: string,
  latitude: number,
  longitude: number,
  properties: string,
  cell: number,
  sequence: number,
];

export function* readColumns(
  reader: Reader,
  { mapId, range, limit, fields, maxFieldBytes }: ColumnsQuery,
): ResumableScan<Uint8Array | null> {
  const map = reader.get('SELECT number FROM maps WHERE id = ?', mapId);
  const columns = new ColumnsCollector(fields, maxFieldBytes);
  if (map === undefined) return toJson(columns);
  const mapNumber = numberOf(map, 'number');
  if (countWithin(reader, mapNumber, range, limit + 1) > limit) return null;
  let [cell, sequence] = [range.first, 0];
  for (;;) {
    const rows = reader.tuples(
      `SELECT id, name, latitude, longitude, properties, cell, sequence FROM locations INDEXED BY locations_by_cell
       WHERE map_number = ? AND (cell, sequence) > (?, ?) AND cell <= ? ORDER BY cell, sequence LIMIT ${BATCH}`,
      ...[mapNumber, cell, sequence, range.last],
    ) as unknown as readonly ColumnsRow[];
    for (const [id, name, latitude, longitude, properties] of rows) {
      columns.add({ id, name, latitude, longitude, properties: JSON.parse(properties) as JsonObject });
    }
    const last = rows.at(-1);
    // Between two reads in memory, others may write.
    if (columns.count > limit) return null;
    if (last === undefined || rows.length < BATCH) break;
    [, , , , , cell, sequence] = last;
    yield;
  }
  return toJson(columns);
}

/** In memory of its own, which a thread can transfer. */
function toJson(columns: ColumnsCollector): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(columns.finish()));
}

/** Reads the index only. */
function countWithin(
  reader: Reader,
  mapNumber: number,
  { first, last }: ColumnsQuery['range'],
  max: number,
): number {
  const row = reader.get(
    `SELECT count(*) AS count FROM (SELECT 1 FROM locations INDEXED BY locations_by_cell
     WHERE map_number = ? AND cell BETWEEN ? AND ? LIMIT ?)`,
    ...[mapNumber, first, last, max],
  );
  return numberOf(row ?? {}, 'count');
}
