/** A digest that equal JSON values share. */

import { createHash } from 'node:crypto';

import { canonicalJson } from './canonical-json.ts';

/**
 * @param value as of {@link canonicalJson}
 * @returns SHA-256 as base64url
 */
export function canonicalDigest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}
