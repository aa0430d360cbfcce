/**
 * A location's shape: the set of its existing properties. Every `exists` gives the same result for all locations of a
 * shape. Terms find locations with a property; shapes find those without it. Shapes do not depend on the map's field
 * definitions, which may change.
 */

import { createHash } from 'node:crypto';

import type { JsonObject } from '../json/json.ts';
import { isThere } from './property.ts';

export interface PropertyPresence {
  readonly id: string;
  /** The existing ones of the properties that a filter tests. */
  readonly names: ReadonlySet<string>;
}

/**
 * @param properties of a location with the shape
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

/** Maps with more shapes are not looked up by shape: one index lookup per shape would cost too much. */
export const MAX_PRESENCES = 1_000;

/** Hexadecimal digits: 80 bits, since a collision of two shapes would hide locations from a filter. */
const LENGTH = 20;

/** The shape's id in hexadecimal digits. */
export function presenceOf(properties: JsonObject): string {
  const names: string[] = [];
  let key = '';
  for (const [name, value] of Object.entries(properties)) {
    if (!isThere(value)) continue;
    names.push(name);
    // The length delimits the name.
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

/** Cache: maps have few shapes. By the property names in the order of the location. */
const KNOWN = new Map<string, string>();
const MAX_KNOWN = 1_000;
/** Maximum UTF-16 units of a cached key, to bound memory. */
const LONG_KEY = 1_000;

function hashOf(names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, LENGTH);
}
