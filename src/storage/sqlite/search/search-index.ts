/**
 * Keeps the indexes of a transaction's locations. They are written once, before the commit: a location that is changed
 * twice is indexed once, and FTS5 makes one segment.
 */

import { writeCellSums } from './cell-sums.ts';
import type { Writer } from '../writer.ts';
import type { IndexChange, Indexed } from './index-change.ts';
import { wordsOf } from './map-terms.ts';

/** @param changes in the order in which they were made; all of them are written already */
export function writeIndexes(writer: Writer, changes: readonly IndexChange[]): void {
  const sums = inSum(changes);
  writeCellSums(writer, sums);
  writeWords(writer, sums);
}

/** @param changes one for each location */
export function writeWords(writer: Writer, changes: readonly IndexChange[]): void {
  for (const { number, before, after } of changes) {
    if (before !== null && after !== null && isSameText(before, after)) continue;
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

/**
 * One change for each number, ascending: FTS5 writes a segment where a number is smaller than the one before. A number may
 * have been another location's before.
 */
function inSum(changes: readonly IndexChange[]): readonly IndexChange[] {
  const sums = new Map<number, IndexChange>();
  for (const change of changes) {
    const earlier = sums.get(change.number);
    sums.set(change.number, earlier === undefined ? change : { ...change, before: earlier.before });
  }
  return [...sums.values()].sort((a, b) => a.number - b.number);
}

/** To compare them costs far less than to work out their words, and most updates change another thing. */
function isSameText(before: Indexed, after: Indexed): boolean {
  return (
    before.mapNumber === after.mapNumber &&
    before.name === after.name &&
    JSON.stringify(before.properties) === JSON.stringify(after.properties)
  );
}

function wordsIn({ mapNumber, ...location }: Indexed): string {
  return wordsOf(mapNumber, location);
}
