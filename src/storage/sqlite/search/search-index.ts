/**
 * The search indexes: words of locations in FTS5, cell sums, and counts by geocoding. They are written once per
 * transaction, before the commit: a location that is updated twice is indexed once, and FTS5 writes one segment.
 *
 * Each word belongs to one map. Besides the terms of domain/filter/terms.ts, `s` and a presence id form a word.
 */

import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { presenceOf, presenceWith } from '../../../domain/filter/property-presence.ts';
import type { Term } from '../../../domain/filter/terms.ts';
import { textOfTerms } from '../../../domain/filter/terms.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { Reader, Writer } from '../engine/statements.ts';
import { textOf } from '../engine/statements.ts';
import type { IndexChange, IndexedText } from '../locations/location-records.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { writeCellSums } from './cell-sums.ts';
import { writeGeocodingCounts } from './geocoding-groups.ts';

/** @param changes already written, in write order */
export function writeIndexes(writer: Writer, changes: readonly IndexChange[]): void {
  const sums = combine(changes);
  writeCellSums(writer, sums);
  writeGeocodingCounts(writer, sums);
  writeWords(writer, sums);
}

/** @param changes one per location */
export function writeWords(writer: Writer, changes: readonly IndexChange<IndexedText>[]): void {
  for (const { number, before, after } of changes) {
    if (before !== null && after !== null && isSameText(before, after)) continue;
    const words = after === null ? null : wordsIn(after);
    if (before !== null && words === wordsIn(before)) continue;
    if (before !== null) writer.run('DELETE FROM location_words WHERE rowid = ?', number);
    if (words !== null) writer.run('INSERT INTO location_words (rowid, words) VALUES (?, ?)', number, words);
  }
}

/** Removes all entries. */
export function removeAllFromIndexes(writer: Writer): void {
  writer.run("INSERT INTO location_words (location_words) VALUES ('delete-all')");
  writer.run('DELETE FROM cell_sums');
  writer.run('DELETE FROM geocoding_counts');
}

/**
 * One change per row number, ascending: FTS5 starts a new segment at a smaller number. A number may have belonged to
 * another location before.
 */
function combine(changes: readonly IndexChange[]): readonly IndexChange[] {
  const sums = new Map<number, IndexChange>();
  for (const change of changes) {
    const earlier = sums.get(change.number);
    sums.set(change.number, earlier === undefined ? change : { ...change, before: earlier.before });
  }
  return [...sums.values()].sort((a, b) => a.number - b.number);
}

/** Comparing texts is far cheaper than computing words, and most updates change something else. */
function isSameText(before: IndexedText, after: IndexedText): boolean {
  return (
    before.mapNumber === after.mapNumber &&
    before.name === after.name &&
    JSON.stringify(before.properties) === JSON.stringify(after.properties)
  );
}

function wordsIn({ mapNumber, ...location }: IndexedText): string {
  return wordsOf(mapNumber, location);
}

/** Inclusive bounds. */
export interface TermRange {
  readonly first: string;
  readonly last: string;
}

/** Base 32 uses digits up to `v`, so `z` ends the number, and no map's prefix is a prefix of another's. */
function startOf(mapNumber: number): string {
  return `${mapNumber.toString(32)}z`;
}

/** The words of a location, separated by spaces. */
export function wordsOf(mapNumber: number, location: Omit<IndexedText, 'mapNumber'>): string {
  const shape = startOfPresences(mapNumber) + presenceOf(location.properties);
  return shape + textOfTerms(location, startOf(mapNumber));
}

/** The prefix of a map's presence words, and of no other words. */
export function startOfPresences(mapNumber: number): string {
  return `${startOf(mapNumber)}s`;
}

export function termOfPresence(id: string): Term {
  return { text: `s${id}`, isPrefix: false };
}

export function rangesOfTerms(mapNumber: number, terms: readonly Term[]): readonly TermRange[] {
  const start = startOf(mapNumber);
  return terms.map(({ text, isPrefix }) => {
    const first = start + text;
    return { first, last: isPrefix ? first + LAST_CHARACTERS : first };
  });
}

/** Sorts after every continuation of a prefix: no term repeats the last Unicode character so often. */
const LAST_CHARACTERS = '\u{10ffff}'.repeat(50);

/** An FTS5 expression: at least one term of each list. Terms contain no quotation marks. */
export function matchExpression(mapNumber: number, lists: readonly (readonly Term[])[]): string {
  const start = startOf(mapNumber);
  return lists
    .map((terms) => {
      const words = terms.map(({ text, isPrefix }) => `"${start}${text}"${isPrefix ? '*' : ''}`);
      return `(${words.join(' OR ')})`;
    })
    .join(' AND ');
}

/** Presences per read. */
const BATCH = 20;

/**
 * The property presences of a map's locations, which only the word index holds.
 * @returns null where there are more than `most`
 */
export function* readPresences(
  reader: Reader,
  { number, presenceNames }: { readonly number: number; readonly presenceNames: ReadonlySet<string> },
  max: number,
): ResumableScan<readonly PropertyPresence[] | null> {
  const start = startOfPresences(number);
  const presences: PropertyPresence[] = [];
  for (let next = start; ;) {
    // Jumps from presence to presence, however many locations each has.
    const row = reader.get(
      `SELECT s.term, l.properties FROM location_words_seen AS s CROSS JOIN locations AS l ON l.number = s.doc
       WHERE s.term >= ? LIMIT 1`,
      next,
    );
    const term = row === undefined ? '' : textOf(row, 'term');
    if (row === undefined || !term.startsWith(start)) return presences;
    if (presences.length >= max) return null;
    const properties = JSON.parse(textOf(row, 'properties')) as JsonObject;
    presences.push(presenceWith(term.slice(start.length), properties, presenceNames));
    // All presence words have the same length, so this skips to the next one.
    next = `${term}0`;
    if (presences.length % BATCH === 0) yield;
  }
}
