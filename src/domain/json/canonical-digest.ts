/** Digest of a JSON value; equal values have equal digests. */

import { createHash } from 'node:crypto';

import { canonicalJson } from './canonical-json.ts';

/**
 * @param value JSON of bounded depth
 * @returns SHA-256 as base64url
 */
export function canonicalDigest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}
