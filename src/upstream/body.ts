/** JSON bodies of requests to the upstream and of its responses. */

import { randomBytes } from 'node:crypto';

import { isJsonArray } from '../domain/json/json.ts';
import type { JsonValue } from '../domain/json/json.ts';
import { replaceUnsafeIntegers } from '../domain/json/json-integers.ts';
import { JsonText, stringifyJson } from '../domain/json/json-text.ts';

/**
 * Differs from JSON.stringify for two kinds of numbers:
 * - An infinite number would become null, which the upstream would store. It is sent as 1e400, for the upstream to judge.
 * - A double beyond ±(2^53 - 1), such as 1e20, would become an integer, which the upstream refuses. It is sent with an
 *   exponent.
 */
export function writeBody(body: JsonValue): string {
  return stringifyJson(withLargeNumbers(body));
}

function withLargeNumbers(value: JsonValue): unknown {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? large(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value)) return value.map(withLargeNumbers);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withLargeNumbers(member)]));
}

function large(value: number): JsonText {
  if (Number.isFinite(value)) return new JsonText(value.toExponential());
  return new JsonText(value > 0 ? '1e400' : '-1e400');
}

/** Random, so that no string of a response begins with it. */
const MARKER = `integer-${randomBytes(16).toString('hex')}:`;

/**
 * As JSON.parse, but integers that it would round become a {@link JsonText} of their digits, so a gateway passes them on
 * unchanged.
 *
 * @throws Error for invalid JSON
 */
export function readBody(text: string): unknown {
  const { text: marked, paths } = replaceUnsafeIntegers(text, (digits) => `"${MARKER}${digits}"`);
  if (paths.length === 0) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARKER) ? new JsonText(value.slice(MARKER.length)) : value,
  );
}
