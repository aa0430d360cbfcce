/** The locations in a range of cells, as columns. */

import type { JsonObject } from '../../../domain/json/json.ts';
import { ColumnsCollector } from '../../../domain/tiles/location-columns.ts';
import type { ColumnsQuery } from '../../search.ts';
import { MAP_NUMBER } from '../locations/location-records.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';

/** Locations per read. */
const BATCH = 200;
/** With such a limit, hardly any range holds too many locations, so that the first read comes before a count. */
const HIGH_LIMIT = 10 * BATCH;

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
  const columns = new ColumnsCollector(fields, maxFieldBytes);
  const isTooMany = () => countWithin(reader, mapId, range, limit + 1) > limit;
  let isCounted = limit < HIGH_LIMIT;
  if (isCounted && isTooMany()) return null;
  let [cell, sequence] = [range.first, 0];
  for (;;) {
    const rows = reader.tuples(
      `SELECT id, name, latitude, longitude, properties, cell, sequence FROM locations INDEXED BY locations_by_cell
       WHERE map_number = ${MAP_NUMBER} AND (cell, sequence) > (?, ?) AND cell <= ? ORDER BY cell, sequence LIMIT ${BATCH}`,
      ...[mapId, cell, sequence, range.last],
    ) as unknown as readonly ColumnsRow[];
    for (const [id, name, latitude, longitude, properties] of rows) {
      columns.add({ id, name, latitude, longitude, properties: JSON.parse(properties) as JsonObject });
    }
    const last = rows.at(-1);
    // Between two reads in memory, others may write.
    if (columns.count > limit) return null;
    if (last === undefined || rows.length < BATCH) break;
    if (!isCounted && isTooMany()) return null;
    isCounted = true;
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
  mapId: string,
  { first, last }: ColumnsQuery['range'],
  max: number,
): number {
  const row = reader.get(
    `SELECT count(*) AS count FROM (SELECT 1 FROM locations INDEXED BY locations_by_cell
     WHERE map_number = ${MAP_NUMBER} AND cell BETWEEN ? AND ? LIMIT ?)`,
    ...[mapId, first, last, max],
  );
  return numberOf(row ?? {}, 'count');
}
