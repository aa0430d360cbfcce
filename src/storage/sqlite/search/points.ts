/** The points in ranges of cells, read from their index alone, which also holds the sort keys. */

import type { CellRange } from '../../../domain/filter/cell.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import type { SqlValue } from '../engine/driver.ts';
import { nearlyExactReal } from '../engine/driver.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import type { Candidate } from './projection.ts';
import { emptyCandidate } from './projection.ts';
import type { SearchedMapRow } from './searched-map.ts';
import type { ResumableScan } from '../threads/long-reads.ts';

/** Points per read. */
const BATCH = 1_000;

/** An entry of the cell index, with doubles, not decimals. */
export type PointRow = readonly [
  number: number,
  orderKey: string,
  sequence: number,
  latitude: number,
  longitude: number,
  cell: number,
];

const COLUMNS = 'l.number, l.order_key, l.sequence, l.latitude, l.longitude, l.cell';

/** In batches, in cell order. */
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
       WHERE map_number = ? AND (cell, sequence) > (?, ?) AND cell <= ? ORDER BY cell, sequence LIMIT ${BATCH}`,
      ...[mapNumber, cell, sequence, last],
    );
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < BATCH) return;
    [, , sequence, , , cell] = end;
  }
}

/** SQL: points of a map (?1) in ranges of cells (?2, JSON), at most ?3. */
function ofRanges(columns: string): string {
  return `SELECT ${columns} FROM json_each(?2) AS r CROSS JOIN locations AS l INDEXED BY locations_by_cell
    WHERE l.map_number = ?1 AND l.cell BETWEEN r.value ->> 'first' AND r.value ->> 'last' LIMIT ?3`;
}

/** SQL that returns {@link PointRow}s. */
export const POINTS_OF_RANGES = ofRanges(COLUMNS);

export function pointRows(reader: Reader, sql: string, ...values: readonly SqlValue[]): readonly PointRow[] {
  return reader.tuples(sql, ...values) as unknown as readonly PointRow[];
}

/** Whether the cell index has everything that the search needs to know about the lookup's candidates. */
export function isPointLookup(
  { needsOnlyPoints }: SearchedMapRow,
  { ids, externalIds, terms }: IndexLookup,
): boolean {
  return needsOnlyPoints && ids.length + externalIds.length + terms.length === 0;
}

/**
 * Candidates in a lookup's cells.
 *
 * @returns null where the index holds more than `limit` points
 */
export function pointsWithin(
  reader: Reader,
  map: SearchedMapRow,
  { cells }: IndexLookup,
  limit: number,
): readonly Candidate[] | null {
  const rows = pointRows(reader, POINTS_OF_RANGES, map.number, JSON.stringify(cells), limit + 1);
  return rows.length > limit ? null : rows.map(toCandidate).filter(map.accepts);
}

/** Points outside the circle or box are less than half of those in its cells. */
const ENTRIES_OF_A_HIT = 3;

export interface Nearby {
  readonly numbers: readonly number[];
  /** Whether all of them are known to match the filter. */
  readonly areMatches: boolean;
}

/**
 * Row numbers of the candidates in a lookup's cells.
 *
 * @returns null for a filter without a point test, or more than `most` candidates
 */
export function numbersNearby(
  reader: Reader,
  { number, pointTest }: SearchedMapRow,
  { cells }: IndexLookup,
  max: number,
): Nearby | null {
  if (pointTest === null) return null;
  const { measure, values, inside, outside, isAll } = pointTest;
  const limit = ENTRIES_OF_A_HIT * max;
  // The LIMIT in the subquery makes SQLite measure each point once.
  const row = reader.get(
    `SELECT count(*) AS entries, json_group_array(number) FILTER (WHERE measure <= ?5) AS numbers,
      count(*) FILTER (WHERE measure > ?4 AND measure <= ?5) AS unsure
     FROM (${ofRanges(`l.number, ${measure} AS measure`)})`,
    ...[number, JSON.stringify(cells), limit + 1, ...[inside, outside, ...values].map(nearlyExactReal)],
  );
  if (row === undefined || numberOf(row, 'entries') > limit) return null;
  const numbers = JSON.parse(textOf(row, 'numbers')) as number[];
  return numbers.length > max ? null : { numbers, areMatches: isAll && numberOf(row, 'unsure') === 0 };
}

/** As {@link pointsWithin}, in batches and without a limit. */
export function* scanPoints(
  reader: Reader,
  map: SearchedMapRow,
  { cells }: IndexLookup,
  scan: (points: readonly Candidate[]) => boolean,
): ResumableScan<void> {
  for (const range of cells) {
    for (const rows of pointsOf(reader, map.number, range)) {
      if (scan(rows.map(toCandidate).filter(map.accepts))) return;
      yield;
    }
  }
}

function toCandidate([number, orderKey, sequence, latitude, longitude]: PointRow): Candidate {
  const candidate = emptyCandidate(number, orderKey, sequence);
  candidate.latitude = latitude;
  candidate.longitude = longitude;
  return candidate;
}
