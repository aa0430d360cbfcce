/** Validators (RFC 9110, 8.8): an answer that a client already has is not sent again. */

import { createHash } from 'node:crypto';

/** @param parts everything that the answer depends on */
export function etagOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part).update('\0');
  return `"${hash.digest('base64url')}"`;
}

/** True when `If-None-Match` holds the tag. The comparison is weak, as RFC 9110 says for GET. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
