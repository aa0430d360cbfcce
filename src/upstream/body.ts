/** Bodies of requests to the upstream. */

import { isJsonArray } from '../domain/json.ts';
import type { JsonValue } from '../domain/json.ts';
import { JsonText, stringifyJson } from '../domain/json-text.ts';

/**
 * JSON.stringify makes null of a number that is beyond the range of a double, and the upstream would store that. It is
 * sent as a number that is as large: the upstream is to judge it.
 */
export function writeBody(body: JsonValue): string {
  return stringifyJson(withLargeNumbers(body));
}

function withLargeNumbers(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : large(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value)) return value.map(withLargeNumbers);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withLargeNumbers(member)]));
}

function large(value: number): JsonText {
  return new JsonText(value > 0 ? '1e400' : '-1e400');
}
