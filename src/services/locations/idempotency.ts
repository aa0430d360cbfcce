/** Idempotency keys (contract §1), shared by GraphQL and /v0. A key belongs to its token and map. */

import { canonicalDigest } from '../../domain/json/canonical-digest.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { LocatedPoint } from '../../domain/point.ts';
import { badUserInput, ServiceError } from '../../errors.ts';

/** How long a key is remembered, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** @param label the key's name in the error message */
export function assertIdempotencyKey(key: string, label: string): void {
  if (!IDEMPOTENCY_KEY.test(key)) throw badUserInput(`${label} must be 1 to 255 printable ASCII characters.`);
}

export function idempotencyConflict(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'This idempotency key was used with another body in the last 24 hours.',
  );
}

/** The part of a request that must be the same for a replay. */
export interface KeyedBody {
  readonly fields: JsonObject;
  readonly order: string | null;
  readonly point: LocatedPoint | null;
  readonly externalId: string | null;
}

/** Equal for bodies that are equal as JSON, regardless of the order of keys. */
export function bodyDigest({ fields, order, point, externalId }: KeyedBody): string {
  // Omitted members stay out of the digest: /v0 does not have them, and earlier releases did not either.
  const body: unknown[] = [fields, order];
  if (point !== null || externalId !== null) body.push(point);
  if (externalId !== null) body.push(externalId);
  return canonicalDigest(body);
}
