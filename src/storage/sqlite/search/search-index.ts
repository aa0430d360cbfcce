/**
 * Keeps the indexes of a transaction's locations. They are written once, before the commit: a location that is changed
 * twice is indexed once, and FTS5 makes one segment.
 */

import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { presenceOf, presenceWith } from '../../../domain/filter/property-presence.ts';
import type { Term } from '../../../domain/filter/terms.ts';
import { textOfTerms } from '../../../domain/filter/terms.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Reader, Writer } from '../engine/statements.ts';
import { textOf } from '../engine/statements.ts';
import type { IndexChange, IndexedLocation } from '../location-records.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { writeCellSums } from './cell-sums.ts';

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
function isSameText(before: IndexedLocation, after: IndexedLocation): boolean {
  return (
    before.mapNumber === after.mapNumber &&
    before.name === after.name &&
    JSON.stringify(before.properties) === JSON.stringify(after.properties)
  );
}

function wordsIn({ mapNumber, ...location }: IndexedLocation): string {
  return wordsOf(mapNumber, location);
}

/** Terms, both inclusive. */
export interface TermRange {
  readonly first: string;
  readonly last: string;
}

/** A number in digits up to `v` ends at the first `z`, so no map's terms begin with another's. */
function startOf(mapNumber: number): string {
  return `${mapNumber.toString(32)}z`;
}

/** A text whose words are the location's terms. */
export function wordsOf(mapNumber: number, location: Pick<IndexedLocation, 'name' | 'properties'>): string {
  const shape = startOfPresences(mapNumber) + presenceOf(location.properties);
  return shape + textOfTerms(location, startOf(mapNumber));
}

/** What all terms of shapes begin with, and nothing else of the map. */
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

/** After every term that goes on: the last character there is sorts behind all others, and no term repeats it so often. */
const LAST_CHARACTERS = '\u{10ffff}'.repeat(50);

/** An expression of FTS5 that finds what has one of the terms of each list. No term holds a quotation mark. */
export function matchExpression(mapNumber: number, lists: readonly (readonly Term[])[]): string {
  const start = startOf(mapNumber);
  return lists
    .map((terms) => {
      const words = terms.map(({ text, isPrefix }) => `"${start}${text}"${isPrefix ? '*' : ''}`);
      return `(${words.join(' OR ')})`;
    })
    .join(' AND ');
}

/** Shapes that are read at a time. */
const CHUNK = 20;

/** @returns null where there are more than `most` */
export function* readPresences(
  reader: Reader,
  { number, asked }: { readonly number: number; readonly asked: ReadonlySet<string> },
  most: number,
): ResumableScan<readonly PropertyPresence[] | null> {
  const start = startOfPresences(number);
  const presences: PropertyPresence[] = [];
  for (let next = start; ;) {
    // From shape to shape, however many locations each of them has.
    const row = reader.get(
      `SELECT s.term, l.properties FROM location_words_seen AS s CROSS JOIN locations AS l ON l.number = s.doc
       WHERE s.term >= ? LIMIT 1`,
      next,
    );
    const term = row === undefined ? '' : textOf(row, 'term');
    if (row === undefined || !term.startsWith(start)) return presences;
    if (presences.length >= most) return null;
    const properties = JSON.parse(textOf(row, 'properties')) as JsonObject;
    presences.push(presenceWith(term.slice(start.length), properties, asked));
    // All terms of shapes are of one length, so the next one is behind this.
    next = `${term}0`;
    if (presences.length % CHUNK === 0) yield;
  }
}
