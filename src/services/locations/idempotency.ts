/** Idempotency keys (contract §1), shared by GraphQL and /v0. A key belongs to its token and map. */

import { createHash } from 'node:crypto';

import { canonicalDigest } from '../../domain/json/canonical-digest.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { GivenPoint, LocatedPoint } from '../../domain/point.ts';
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

/** One key for all locations of a call, each of which is stored under a key of its own. */
export interface KeyedCall {
  /** Equal for calls with the same locations in the same order. */
  readonly digest: string;
  readonly keyOf: (index: number) => string;
}

/** A location as it was passed. */
interface PassedLocation {
  readonly fields: JsonObject;
  readonly order?: string | null;
  readonly idempotencyKey?: string | null;
  readonly externalId?: string | null;
  readonly position?: GivenPoint | null;
}

/** @throws ServiceError BAD_USER_INPUT */
export function keyedCall(key: string, inputs: readonly PassedLocation[]): KeyedCall {
  assertIdempotencyKey(key, 'idempotencyKey');
  const keyed = inputs.findIndex(({ idempotencyKey = null }) => idempotencyKey !== null);
  if (keyed !== -1) {
    throw badUserInput(
      `locations[${keyed}].idempotencyKey must be omitted: idempotencyKey is that of the whole call.`,
    );
  }
  const bodies = inputs.map(({ fields, order = null, externalId = null, position = null }) => [
    fields,
    order,
    externalId,
    position === null ? null : [position.latitude, position.longitude, position.placeId ?? null],
  ]);
  // A digest, since the numbered keys must not be longer than a key may be.
  const prefix = createHash('sha256').update(key).digest('base64url');
  return { digest: canonicalDigest(bodies), keyOf: (index) => `call ${prefix} ${index}` };
}
