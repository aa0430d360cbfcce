/** Changes a location's properties (capabilities §8). */

import { badUserInput } from '../errors.ts';
import type { JsonObject, JsonValue } from './json/json.ts';
import { isJsonArray, isJsonObject } from './json/json.ts';

export type FieldsMode = 'merge' | 'replace';

export interface PropertiesChange {
  /** Null if absent. */
  readonly fields: JsonObject | null;
  readonly mode: FieldsMode;
  /** Keys to remove; unknown ones are ignored. */
  readonly unset: readonly string[];
}

/**
 * Existing keys keep their order; new ones follow in the given order. `replace` uses the given order.
 *
 * @param current of bounded depth, like `fields`
 * @returns `current` itself if nothing changes; a different order of keys is no change
 * @throws ServiceError BAD_USER_INPUT
 */
export function changeProperties(current: JsonObject, { fields, mode, unset }: PropertiesChange): JsonObject {
  if (mode === 'replace' && fields === null) {
    throw badUserInput('fieldsMode is replace, which needs fields.');
  }
  const twice = unset.findIndex((key) => fields !== null && Object.hasOwn(fields, key));
  if (twice !== -1)
    throw badUserInput(`unset[${twice}] is also a key of fields; a key must be in only one of them.`);
  const removed = new Set(unset);
  const before = mode === 'replace' ? {} : current;
  const changed: JsonObject = Object.fromEntries(
    Object.entries({ ...before, ...fields }).filter(([key]) => !removed.has(key)),
  );
  return isSameJson(current, changed) ? current : changed;
}

/** Deep equality of values of bounded depth; ignores the order of keys. */
export function isSameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (isJsonArray(a) || isJsonArray(b)) {
    if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSameJson(item, b[index] ?? null));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key] ?? null, b[key] ?? null));
}
