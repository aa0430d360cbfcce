/** The points of a range of cells, by their index alone. */

import type { CellRange } from '../../../domain/filter/cell.ts';
import type { SqlRow } from '../driver.ts';
import type { Reader } from '../reader.ts';
import { numberOf } from '../rows.ts';

/** Points that are read at a time. */
const CHUNK = 1_000;

/** Rows of `cell`, `number`, `latitude` and `longitude`, some at a time; in the order of the cells. */
export function* pointsOf(
  reader: Reader,
  mapNumber: number,
  { first, last }: CellRange,
): Generator<readonly SqlRow[]> {
  let [cell, number] = [first, 0];
  for (;;) {
    const rows = reader.all(
      `SELECT cell, number, latitude, longitude FROM locations INDEXED BY locations_by_cell
       WHERE map_number = ? AND (cell, number) > (?, ?) AND cell <= ? ORDER BY cell, number LIMIT ${CHUNK}`,
      ...[mapNumber, cell, number, last],
    );
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < CHUNK) return;
    [cell, number] = [numberOf(end, 'cell'), numberOf(end, 'number')];
  }
}
