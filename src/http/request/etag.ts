/** Validators (RFC 9110, 8.8): an answer that a client already has is not sent again. */

import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** @param parts everything that the answer depends on */
export function etagOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part).update('\0');
  return `"${hash.digest('base64url')}"`;
}

/**
 * Tells the answer's tag. A client that has the answer already gets the status 304; then nothing but the headers is to be
 * sent.
 *
 * @param etag may be weak (`W/"…"`), where two answers with one tag need not be equal to the byte
 * @returns whether the client has it
 */
export function isKnownByTag(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  if (!matchesEtag(request.headers['if-none-match'], etag)) return false;
  reply.code(304);
  return true;
}

/** True when `If-None-Match` holds the tag. The comparison is weak, as RFC 9110 says for GET. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const wanted = opaqueTag(etag);
  return ifNoneMatch.split(',').some((candidate) => opaqueTag(candidate.trim()) === wanted);
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, '');
}
