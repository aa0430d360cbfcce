/** Bodies of requests to the upstream, and of its responses. */

import { randomBytes } from 'node:crypto';

import { isJsonArray } from '../domain/json/json.ts';
import type { JsonValue } from '../domain/json/json.ts';
import { replaceUnsafeIntegers } from '../domain/json/json-integers.ts';
import { JsonText, stringifyJson } from '../domain/json/json-text.ts';

/**
 * Writes two kinds of numbers otherwise than JSON.stringify:
 * - Of one beyond the range of a double it would make null, and the upstream would store that. It is sent as a number that
 *   is as large: the upstream is to judge it.
 * - Of a double beyond ±(2^53 - 1), such as 1e20, it would make an integer, which the upstream refuses. It is sent with an
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

/** The upstream does not know it, so no string of a response begins with it. */
const MARKER = `integer-${randomBytes(16).toString('hex')}:`;

/**
 * As JSON.parse, but an integer that it would round is a {@link JsonText} of its digits: a gateway passes it on as it is.
 *
 * @throws Error for what is not JSON
 */
export function readBody(text: string): unknown {
  const { text: marked, paths } = replaceUnsafeIntegers(text, (digits) => `"${MARKER}${digits}"`);
  if (paths.length === 0) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARKER) ? new JsonText(value.slice(MARKER.length)) : value,
  );
}
