/** The points of ranges of cells, by their index alone. It holds their places too. */

import type { CellRange } from '../../../domain/filter/cell.ts';
import type { Cover } from '../../../domain/filter/covers.ts';
import type { SqlRow } from '../driver.ts';
import type { Reader } from '../reader.ts';
import { numberOf } from '../rows.ts';
import type { Candidate } from './candidate.ts';
import { toPointCandidate } from './candidate.ts';
import type { StoredMap } from './searched-map.ts';
import type { Steps } from './steps.ts';

/** Points that are read at a time. */
const CHUNK = 1_000;

/**
 * Rows of `cell`, `number`, `latitude` and `longitude`, some at a time; in the order of the cells.
 *
 * @param also further columns
 */
export function* pointsOf(
  reader: Reader,
  mapNumber: number,
  { first, last }: CellRange,
  also = '',
): Generator<readonly SqlRow[]> {
  let [cell, number] = [first, 0];
  for (;;) {
    const rows = reader.all(
      `SELECT cell, number, latitude, longitude${also} FROM locations INDEXED BY locations_by_cell
       WHERE map_number = ? AND (cell, number) > (?, ?) AND cell <= ? ORDER BY cell, number LIMIT ${CHUNK}`,
      ...[mapNumber, cell, number, last],
    );
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < CHUNK) return;
    [cell, number] = [numberOf(end, 'cell'), numberOf(end, 'number')];
  }
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
  const rows = reader.all(
    `SELECT l.order_key, l.sequence, l.latitude, l.longitude FROM json_each(?) AS r
     CROSS JOIN locations AS l INDEXED BY locations_by_cell
     WHERE l.map_number = ? AND l.cell BETWEEN r.value ->> 'first' AND r.value ->> 'last' LIMIT ?`,
    ...[JSON.stringify(cells), map.number, limit + 1],
  );
  return rows.length > limit ? null : rows.map(toPointCandidate).filter(map.accepts);
}

/** As {@link pointsWithin}, of any cover, some at a time. */
export function* visitPoints(
  reader: Reader,
  map: StoredMap,
  { cells }: Cover,
  visit: (points: readonly Candidate[]) => boolean,
): Steps<void> {
  for (const range of cells) {
    for (const rows of pointsOf(reader, map.number, range, ', order_key, sequence')) {
      if (visit(rows.map(toPointCandidate).filter(map.accepts))) return;
      yield;
    }
  }
}
