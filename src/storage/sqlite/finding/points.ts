/** The points of ranges of cells, by their index alone. It holds their places too. */

import type { CellRange } from '../../../domain/filter/cell.ts';
import type { Cover } from '../../../domain/filter/covers.ts';
import type { SqlValue } from '../driver.ts';
import type { Reader } from '../reader.ts';
import type { Candidate } from './candidate.ts';
import { unseenAt } from './candidate.ts';
import type { StoredMap } from './searched-map.ts';
import type { Steps } from './steps.ts';

/** Points that are read at a time. */
const CHUNK = 1_000;

/** A row of the index of cells. It holds doubles, and no decimals. */
export type PointRow = readonly [
  number: number,
  orderKey: string,
  sequence: number,
  latitude: number,
  longitude: number,
  cell: number,
];

const COLUMNS = 'l.number, l.order_key, l.sequence, l.latitude, l.longitude, l.cell';

/** Some at a time, in the order of the cells. */
export function* pointsOf(
  reader: Reader,
  mapNumber: number,
  { first, last }: CellRange,
): Generator<readonly PointRow[]> {
  let [cell, sequence] = [first, 0];
  for (;;) {
    const rows = pointRows(
      reader,
      `SELECT ${COLUMNS} FROM locations AS l INDEXED BY locations_by_cell
       WHERE map_number = ? AND (cell, sequence) > (?, ?) AND cell <= ? ORDER BY cell, sequence LIMIT ${CHUNK}`,
      ...[mapNumber, cell, sequence, last],
    );
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < CHUNK) return;
    [, , sequence, , , cell] = end;
  }
}

/** {@link PointRow}s of a map (?1) in ranges of cells (?2, JSON), as many as ?3 at most. */
export const POINTS_OF_RANGES = `SELECT ${COLUMNS} FROM json_each(?2) AS r
  CROSS JOIN locations AS l INDEXED BY locations_by_cell
  WHERE l.map_number = ?1 AND l.cell BETWEEN r.value ->> 'first' AND r.value ->> 'last' LIMIT ?3`;

export function pointRows(reader: Reader, sql: string, ...values: readonly SqlValue[]): readonly PointRow[] {
  return reader.tuples(sql, ...values) as unknown as readonly PointRow[];
}

/** Whether a search needs nothing but the index of cells to read what the cover finds. */
export function isOfPoints({ isOfPoints: wants }: StoredMap, { ids, externalIds, terms }: Cover): boolean {
  return wants && ids.length + externalIds.length + terms.length === 0;
}

/**
 * What a cover of cells finds; without what stands where the filter lets nothing through.
 *
 * @returns null where the index holds more than `limit` points of the cover
 */
export function pointsWithin(
  reader: Reader,
  map: StoredMap,
  { cells }: Cover,
  limit: number,
): readonly Candidate[] | null {
  const rows = pointRows(reader, POINTS_OF_RANGES, map.number, JSON.stringify(cells), limit + 1);
  return rows.length > limit ? null : rows.map(toCandidate).filter(map.accepts);
}

/** As {@link pointsWithin}, of any cover, some at a time. */
export function* visitPoints(
  reader: Reader,
  map: StoredMap,
  { cells }: Cover,
  visit: (points: readonly Candidate[]) => boolean,
): Steps<void> {
  for (const range of cells) {
    for (const rows of pointsOf(reader, map.number, range)) {
      if (visit(rows.map(toCandidate).filter(map.accepts))) return;
      yield;
    }
  }
}

function toCandidate([number, orderKey, sequence, latitude, longitude]: PointRow): Candidate {
  const candidate = unseenAt(number, orderKey, sequence);
  candidate.latitude = latitude;
  candidate.longitude = longitude;
  return candidate;
}
