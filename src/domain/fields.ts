/** The rules for a location's free-form fields (contract §4). */

import { badUserInput } from '../errors.ts';
import type { JsonObject, JsonValue } from './json/json.ts';
import { isDeeperThan, isJsonArray } from './json/json.ts';
import { judgeJson } from './json/json-size.ts';
import type { FieldDefinition } from './map.ts';
import { addressFieldOf, nameFieldOf } from './map.ts';
import { assertStorable, isBlank, quote } from './text.ts';

export interface FieldLimits {
  /** Top-level keys. */
  readonly maxKeys: number;
  /** Size as JSON in UTF-8. */
  readonly maxBytes: number;
  /** Levels of nesting; `fields` itself is the first. */
  readonly maxDepth: number;
}

export interface NameAndAddress {
  readonly name: string;
  readonly address: string;
}

/**
 * @throws ServiceError BAD_USER_INPUT for fields that cannot be stored unchanged, or that exceed a limit
 */
export function assertFields(fields: JsonObject, limits: FieldLimits): void {
  const keys = Object.keys(fields).length;
  if (keys > limits.maxKeys) {
    throw badUserInput(`fields has ${keys} keys; at most ${limits.maxKeys} are allowed.`);
  }
  // Measured before any full traversal: GraphQL literals can repeat a large variable thousands of times.
  const verdict = isSurelyWithin(fields, limits.maxBytes) ? 'within' : judgeJson(fields, limits.maxBytes);
  if (verdict === 'longer') {
    throw badUserInput(`fields is over the ${limits.maxBytes} bytes allowed, as JSON.`);
  }
  if (verdict === 'deeper' || isDeeperThan(fields, limits.maxDepth)) {
    throw badUserInput(`fields nests deeper than the ${limits.maxDepth} levels allowed.`);
  }
  assertValues(fields);
}

/** The longest JSON of one UTF-16 unit: `\u0001`. */
const MAX_BYTES_PER_UNIT = 6;
/** Quotes, colon and comma. */
const BYTES_AROUND_MEMBER = 6;

/** Fast path for short texts, which imports consist of: their JSON need not be measured. */
function isSurelyWithin(fields: JsonObject, maxBytes: number): boolean {
  let most = '{}'.length;
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value !== 'string') return false;
    most += (key.length + value.length) * MAX_BYTES_PER_UNIT + BYTES_AROUND_MEMBER;
  }
  return most <= maxBytes;
}

function assertValues(value: JsonValue): void {
  if (typeof value === 'string') return assertStorable(value, 'A value in fields');
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw badUserInput('A number in fields is beyond the range of an IEEE double.');
  }
  if (typeof value !== 'object' || value === null) return;
  if (isJsonArray(value)) return value.forEach(assertValues);
  for (const [key, member] of Object.entries(value)) {
    assertStorable(key, 'A key in fields');
    assertValues(member);
  }
}

/** @throws ServiceError BAD_USER_INPUT unless the map's name and address fields are non-blank strings */
export function readNameAndAddress(
  fields: JsonObject,
  definitions: readonly FieldDefinition[],
): NameAndAddress {
  return {
    name: readText(fields, nameFieldOf(definitions), 'name'),
    address: readAddress(fields, definitions),
  };
}

/** @throws ServiceError BAD_USER_INPUT unless the map's address field is a non-blank string */
export function readAddress(fields: JsonObject, definitions: readonly FieldDefinition[]): string {
  return readText(fields, addressFieldOf(definitions), 'address');
}

function readText(fields: JsonObject, key: string | undefined, role: string): string {
  if (key === undefined) throw badUserInput(`The map defines no ${role} field.`);
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (typeof value !== 'string' || isBlank(value)) {
    throw badUserInput(`fields must hold the map's ${role} field, ${quote(key)}, as a non-blank string.`);
  }
  return value;
}
