/** Small tools for texts of the pages. */

import { MAX_QUERY_LENGTH, MAX_RUN_LENGTH, MAX_RUNS } from '../../src/domain/filter/search-limits.ts';

/**
 * What a reader typed, as the API's `search`: as much of it as the API accepts, such as the first words of a long address.
 * Null if it has no letter or digit.
 */
export function searchOf(text: string): string | null {
  const characters = [...text.trim()].slice(0, MAX_QUERY_LENGTH);
  for (;;) {
    const search = characters.join('').trim();
    // The API reads the same words or fewer: it joins those around an apostrophe.
    const words = withoutMarks(search).match(/[\p{L}\p{N}]+/gu);
    if (words === null) return null;
    if (words.length <= MAX_RUNS && words.every(({ length }) => length <= MAX_RUN_LENGTH)) return search;
    characters.pop();
  }
}

/** In compatible characters, without accents. */
export function withoutMarks(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** Any value as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return JSON.stringify(value);
}

/** A name within a sentence, isolated by Unicode characters, because it may be written from right to left. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
