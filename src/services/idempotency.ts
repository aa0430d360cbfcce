/** Idempotency keys (contract §1): one space for both doors, a key belonging to its token and map. */

import { createHash } from 'node:crypto';

import type { JsonObject } from '../domain/json.ts';
import type { LocatedPoint } from '../domain/point.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import { canonicalJson } from './canonical-json.ts';

/** How long a key is remembered, milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

const KEY = /^[\x20-\x7e]{1,255}$/;

/** @param label how the message names it: the header or the argument */
export function assertIdempotencyKey(key: string, label: string): void {
  if (!KEY.test(key)) throw badUserInput(`${label} must be 1 to 255 printable ASCII characters.`);
}

export function idempotencyConflict(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'This idempotency key was used with another body in the last 24 hours.',
  );
}

/**
 * Equal for two bodies whose `fields` and `order`, and the point where there is one, are equal as JSON values, whatever
 * the order of their keys.
 */
export function bodyDigest(fields: JsonObject, order: string | null, point: LocatedPoint | null): string {
  // Without a point it is what /v0 says, which knows none: both doors share their keys.
  const body = point === null ? [fields, order] : [fields, order, point];
  return createHash('sha256').update(canonicalJson(body)).digest('base64url');
}
