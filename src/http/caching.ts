/** Response caching: `Cache-Control`, `Vary` and validators (RFC 9110, 8.8; capabilities §12). */

import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { removeRateLimitHeaders } from './limits/rate-headers.ts';

/** Paths whose responses may be cached when they are public. */
const MAP_PAGES = '/maps/';
const OTHER_PUBLIC = /^\/(?:ogc|oembed|sitemap\.xml|robots\.txt)(?:[/?]|$)/;

/** Marks every response of a public path as not cacheable until its route allows more. Errors stay that way. */
export function defaultToNoStore(request: FastifyRequest, reply: FastifyReply): void {
  const { url } = request;
  if (!url.startsWith(MAP_PAGES) && !OTHER_PUBLIC.test(url)) return;
  reply.header('cache-control', 'no-store');
  addVary(reply, 'Authorization');
}

/** Lets shared caches reuse the response for a minute. Rate limit headers would leak the first client's to others. */
export function allowSharedCaching(reply: FastifyReply): void {
  removeRateLimitHeaders(reply);
  reply.header('cache-control', 'public, max-age=60');
  // A member who has a session gets more than the public view.
  if (reply.request.routeOptions.config.acceptsSessions) addVary(reply, 'Cookie');
}

/** For responses to a token: only its owner's cache may store them, and must revalidate. */
export function allowPrivateCaching(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache');
  addVary(reply, 'Authorization');
}

export function addVary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary');
  reply.header('vary', known === undefined ? name : withName(String(known), name));
}

/** Results of {@link withName}. All names are our own, so there are few. */
const lists = new Map<string, Map<string, string>>();

/** Adds a name to a list that may have it already. */
function withName(list: string, name: string): string {
  let longer = lists.get(list);
  if (longer === undefined) lists.set(list, (longer = new Map<string, string>()));
  let result = longer.get(name);
  if (result === undefined) {
    result = list.split(', ').includes(name) ? list : `${list}, ${name}`;
    longer.set(name, result);
  }
  return result;
}

/** @param parts everything that the response depends on */
export function etagOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part).update('\0');
  return `"${hash.digest('base64url')}"`;
}

/**
 * Sets `ETag`, and the status 304 if the client has that response already.
 *
 * @param etag weak (`W/"…"`) if responses with the same tag may differ in their bytes
 * @returns true for 304: send no body
 */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  if (!matchesEtag(request.headers['if-none-match'], etag)) return false;
  reply.code(304);
  return true;
}

/** Compares weakly, as RFC 9110 prescribes for `If-None-Match`. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const wanted = opaqueTag(etag);
  return ifNoneMatch.split(',').some((candidate) => opaqueTag(candidate.trim()) === wanted);
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, '');
}
