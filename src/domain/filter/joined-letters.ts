/** For migrations: which locations have other terms since searches ignore apostrophes between letters. */

import type { JsonObject } from '../json/json.ts';
import { textsOf } from './matcher.ts';

/** The three apostrophes, and two characters that NFKD turns into one. */
const APOSTROPHE = /['\u2019\u02bc\u0149\uff07]/;

/** @param properties as stored JSON */
export function hasJoinedLetters(name: string, properties: string): boolean {
  // Fast path: most locations have none.
  if (!APOSTROPHE.test(name) && !APOSTROPHE.test(properties)) return false;
  const read = readObject(properties);
  return read !== null && textsOf({ name, properties: read }).some(({ joints }) => joints.size > 0);
}

/** Null for invalid JSON, which `doctor` reports; it must not prevent opening the store. */
function readObject(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
