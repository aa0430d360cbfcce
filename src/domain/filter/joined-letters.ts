/** Which locations a search finds by other words since it reads over apostrophes between letters: for the migrations. */

import type { JsonObject } from '../json/json.ts';
import { textsOf } from './matcher.ts';

/** The three apostrophes, and the two characters of which NFKD makes one. */
const APOSTROPHE = /['\u2019\u02bc\u0149\uff07]/;

/** @param properties as JSON, as both stores keep it */
export function hasJoinedLetters(name: string, properties: string): boolean {
  // Most locations have none, and are not parsed.
  if (!APOSTROPHE.test(name) && !APOSTROPHE.test(properties)) return false;
  const read = readObject(properties);
  return read !== null && textsOf({ name, properties: read }).some(({ joints }) => joints.size > 0);
}

/** Null for damaged text: it must not keep a store from being opened, and `doctor` reports it. */
function readObject(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
