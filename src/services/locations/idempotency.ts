/** Idempotency keys (contract §1). Both doors share them. A key belongs to its token and map. */

import { canonicalDigest } from '../../domain/json/canonical-digest.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { LocatedPoint } from '../../domain/point.ts';
import { badUserInput, ServiceError } from '../../errors.ts';

/** How long a key is remembered, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** @param label how the message names it: the header's name or the argument's */
export function assertIdempotencyKey(key: string, label: string): void {
  if (!IDEMPOTENCY_KEY.test(key)) throw badUserInput(`${label} must be 1 to 255 printable ASCII characters.`);
}

export function idempotencyConflict(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'This idempotency key was used with another body in the last 24 hours.',
  );
}

/** What a key is compared with. */
export interface KeyedBody {
  readonly fields: JsonObject;
  readonly order: string | null;
  readonly point: LocatedPoint | null;
  readonly externalId: string | null;
}

/**
 * A digest of the body. It is equal when all of it is equal as JSON values, whatever the order of their keys.
 */
export function bodyDigest({ fields, order, point, externalId }: KeyedBody): string {
  // What /v0 does not know is left out where it is not given: both doors share the keys, and so do earlier releases.
  const body: unknown[] = [fields, order];
  if (point !== null || externalId !== null) body.push(point);
  if (externalId !== null) body.push(externalId);
  return canonicalDigest(body);
}
