/** Terms as the index of words holds them: each belongs to one map. Beside those of terms.ts, `s SHAPE` is one. */

import { presenceOf } from '../../../domain/filter/property-presence.ts';
import type { Term } from '../../../domain/filter/terms.ts';
import { textOfTerms } from '../../../domain/filter/terms.ts';
import type { Indexed } from './index-change.ts';

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
export function wordsOf(mapNumber: number, location: Pick<Indexed, 'name' | 'properties'>): string {
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
