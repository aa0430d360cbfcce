/** Keeps results short: long values are cut, and rows that do not fit are left to the next page. */

import { cutText } from '../lib/cut-text.ts';

/** Maximum length of a result as JSON text: about 8,000 tokens. */
export const MAX_CHARACTERS = 32_000;

/** Such as `\u0001`. */
const MAX_ESCAPE_LENGTH = 6;

/** Lengths that values are cut to, until their row fits. */
const VALUE_LENGTHS = [8_000, 4_000, 2_000, 1_000, 500, 200, 100, 50];

/** @param maxCharacters of the text as JSON, which escapes some characters as six */
export function shortenText(text: string, maxCharacters: number): string {
  let short = text;
  for (let left = text.length; lengthOf(short) > maxCharacters && left > 0;) {
    left -= Math.max(1, Math.ceil((lengthOf(short) - maxCharacters) / MAX_ESCAPE_LENGTH));
    short = cutText(text, Math.max(0, left));
  }
  return short;
}

export interface ShortFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Names of the fields whose values are cut. */
  readonly cutFields?: string[];
  /** Number of fields that are missing. */
  readonly omittedFields?: number;
}

/** @param maxCharacters of the result as JSON text */
export function shortenFields(fields: Readonly<Record<string, unknown>>, maxCharacters: number): ShortFields {
  if (lengthOf(fields) <= maxCharacters) return { fields };
  for (const maxLength of VALUE_LENGTHS) {
    const short = cutValues(Object.entries(fields), maxLength);
    if (lengthOf(short) <= maxCharacters) return short;
  }
  return keepFirst(Object.entries(fields), maxCharacters);
}

function cutValues(entries: readonly (readonly [string, unknown])[], maxLength: number): ShortFields {
  const cutFields: string[] = [];
  const short = entries.map(([name, value]): [string, unknown] => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length <= maxLength) return [name, value];
    cutFields.push(name);
    return [name, cutText(text, maxLength)];
  });
  return { fields: Object.fromEntries(short), cutFields };
}

/** Even cut values do not fit: some names are long, or there are many. */
function keepFirst(entries: readonly (readonly [string, unknown])[], maxCharacters: number): ShortFields {
  const shortest = VALUE_LENGTHS.at(-1) ?? 0;
  const kept: (readonly [string, unknown])[] = [];
  let characters = 0;
  for (const entry of entries) {
    // The name may stand twice: in `cutFields`, too.
    characters += lengthOf(cutValues([entry], shortest));
    if (characters > maxCharacters) break;
    kept.push(entry);
  }
  return { ...cutValues(kept, shortest), omittedFields: entries.length - kept.length };
}

export interface Row<Value> {
  readonly value: Value;
  /** Of the page that comes after the row. */
  readonly cursor: string;
}

export interface Page<Value> {
  readonly values: Value[];
  /** Null at the end of the list. */
  readonly nextCursor: string | null;
}

/**
 * The rows that fit in a result; at least one.
 *
 * @param around the result without rows
 * @param hasMore whether rows follow those given
 */
export function fitRows<Value>(rows: readonly Row<Value>[], around: object, hasMore: boolean): Page<Value> {
  const longestCursor = Math.max(0, ...rows.map(({ cursor }) => cursor.length));
  let left = MAX_CHARACTERS - lengthOf(around) - longestCursor - '"nextCursor":"",'.length;
  const fitting = rows.findIndex(({ value }) => {
    left -= lengthOf(value) + 1;
    return left < 0;
  });
  const kept = fitting === -1 ? rows : rows.slice(0, Math.max(1, fitting));
  const isLast = kept.length === rows.length && !hasMore;
  return {
    values: kept.map(({ value }) => value),
    nextCursor: isLast ? null : (kept.at(-1)?.cursor ?? null),
  };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
