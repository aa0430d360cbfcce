/**
 * Keeps the indexes of a transaction's locations. They are written once, before the commit: a location that is changed
 * twice is indexed once, and FTS5 makes one segment, where it would make one for each savepoint.
 */

import { shapeOf } from '../../../domain/filter/shape.ts';
import { termsOf } from '../../../domain/filter/terms.ts';
import { writeCellSums } from './cell-sums.ts';
import type { IndexChange, Indexed, Writer } from './index-change.ts';
import { termOfShape, wordsOf } from './map-terms.ts';

/** @param changes in the order in which they were made */
export function writeIndexes(writer: Writer, changes: readonly IndexChange[]): void {
  const sums = inSum(changes);
  writeCellSums(writer, sums);
  for (const { number, before, after } of sums) {
    const words = after === null ? null : wordsIn(after);
    if (before !== null && words === wordsIn(before)) continue;
    if (before !== null) writer.run('DELETE FROM location_words WHERE rowid = ?', number);
    if (words !== null) writer.run('INSERT INTO location_words (rowid, words) VALUES (?, ?)', number, words);
  }
}

/** Forgets every location. */
export function removeAllFromIndexes(writer: Writer): void {
  writer.run("INSERT INTO location_words (location_words) VALUES ('delete-all')");
  writer.run('DELETE FROM cell_sums');
}

/** One change for each number. A number may have been another location's before. */
function inSum(changes: readonly IndexChange[]): readonly IndexChange[] {
  const sums = new Map<number, IndexChange>();
  for (const change of changes) {
    const earlier = sums.get(change.number);
    sums.set(change.number, earlier === undefined ? change : { ...change, before: earlier.before });
  }
  return [...sums.values()];
}

function wordsIn({ mapNumber, name, properties }: Indexed): string {
  return wordsOf(mapNumber, [termOfShape(shapeOf(properties)).text, ...termsOf({ name, properties })]);
}
