/**
 * A location's shape: which of its properties exist. All locations of a shape are alike to every `exists`, so one of them
 * tells of all. What has a property is found by its terms; what lacks one has no term that says so, but it has a shape.
 * A map's definition may name other fields at any time, and a shape knows nothing of it.
 */

import { createHash } from 'node:crypto';

import type { JsonObject } from '../json/json.ts';
import { isThere } from './property.ts';

export interface PropertyPresence {
  readonly id: string;
  /** Of the properties that a filter asks about, those that exist. */
  readonly names: ReadonlySet<string>;
}

/**
 * @param properties of a location that has the shape
 * @param asked names of properties
 */
export function presenceWith(
  id: string,
  properties: JsonObject,
  asked: ReadonlySet<string>,
): PropertyPresence {
  const names = [...asked].filter((name) => Object.hasOwn(properties, name) && isThere(properties[name]));
  return { id, names: new Set(names) };
}

/** A map of more is not looked at by its shapes: to ask an index for each would cost too much. */
export const MAX_PRESENCES = 1_000;

/** Hexadecimal: 80 bits, since two shapes of one id would hide locations from a filter. */
const LENGTH = 20;

/** The shape's id, of the characters 0 to 9 and a to f. */
export function presenceOf(properties: JsonObject): string {
  const names: string[] = [];
  let key = '';
  for (const [name, value] of Object.entries(properties)) {
    if (!isThere(value)) continue;
    names.push(name);
    // Its length says where a name ends.
    key += `${name.length} ${name}`;
  }
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const id = hashOf(names.sort());
  if (key.length > LONG_KEY) return id;
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(key, id);
  return id;
}

/** Maps have few shapes, again and again. By the names in their order in a location. */
const KNOWN = new Map<string, string>();
const MAX_KNOWN = 1_000;
/** UTF-16 units; longer ones would take much memory. */
const LONG_KEY = 1_000;

function hashOf(names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, LENGTH);
}
