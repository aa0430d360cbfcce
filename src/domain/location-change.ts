/** Changing a location's properties (capabilities §8). */

import { badUserInput } from '../errors.ts';
import type { JsonObject, JsonValue } from './json/json.ts';
import { isJsonArray, isJsonObject } from './json/json.ts';

export type FieldsMode = 'merge' | 'replace';

export interface PropertiesChange {
  /** Null where none are passed. */
  readonly fields: JsonObject | null;
  readonly mode: FieldsMode;
  /** Keys to remove; one that is not there is nothing. */
  readonly unset: readonly string[];
}

/**
 * A key that stays keeps its place, new ones follow in the order passed; `replace` takes the order passed.
 *
 * @param current bounded in depth, as `fields` is
 * @returns `current` itself where nothing changes; another order of keys alone is no change
 * @throws ServiceError BAD_USER_INPUT
 */
export function changeProperties(current: JsonObject, { fields, mode, unset }: PropertiesChange): JsonObject {
  if (mode === 'replace' && fields === null) {
    throw badUserInput('fieldsMode is replace, which needs fields.');
  }
  const twice = unset.findIndex((key) => fields !== null && Object.hasOwn(fields, key));
  if (twice !== -1) throw badUserInput(`unset[${twice}] is a key of fields too; it can be in one of them.`);
  const removed = new Set(unset);
  const before = mode === 'replace' ? {} : current;
  const changed: JsonObject = Object.fromEntries(
    Object.entries({ ...before, ...fields }).filter(([key]) => !removed.has(key)),
  );
  return isSameJson(current, changed) ? current : changed;
}

/** Whether two values of bounded depth are equal; the order of an object's keys says nothing. */
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
