/** What caches are told, and the rate of what is public (capabilities §12). */

import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import { addVary } from '../cors.ts';
import { noSuchPath } from '../failure.ts';
import { setRateLimitHeaders, removeRateLimitHeaders } from '../limits/rate-headers.ts';
import type { SharedCounts } from '../limits/rate-limit.ts';
import { createRateLimit } from '../limits/rate-limit.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { hasEmptySegment } from '../request/request-url.ts';

/** Counts a page or an export for the request's address. @throws ServiceError RATE_LIMITED */
export type CountPublic = (request: FastifyRequest, reply: FastifyReply) => void;

/** @param requestsPerMinute of an address; 0 is no limit */
export function createPublicRate(requestsPerMinute: number, shared: SharedCounts | null): CountPublic {
  const count = createRateLimit(requestsPerMinute, shared);
  return ({ ip }, reply) =>
    count(ip, (rateLimitStatus) => setRateLimitHeaders(reply, 'public', rateLimitStatus));
}

export interface PublicRequests {
  readonly countPublic: CountPublic;
  readonly requests: RequestLifecycle;
}

/**
 * The first hook of a route for the public.
 *
 * @param begin how its requests begin
 * @throws (the hook) ServiceError NOT_FOUND, RATE_LIMITED, and what the beginning throws
 */
export function beginPublic(
  { countPublic, requests }: PublicRequests,
  begin: 'beginForAnybody' | 'beginWithoutToken',
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (hasEmptySegment(request.params)) throw noSuchPath();
    countPublic(request, reply);
    await requests[begin](request, reply);
  };
}

/** Paths whose answers a cache may keep where they are public. */
const PUBLIC_PATHS = /^\/(?:maps\/|oembed(?:[/?]|$))/;

/** For the beginning of every answer. An error stays so, whatever raised it. */
export function keepNowhere(request: FastifyRequest, reply: FastifyReply): void {
  if (!PUBLIC_PATHS.test(request.url)) return;
  reply.header('cache-control', 'no-store');
  addVary(reply, 'Authorization');
}

/** A cache may give the answer to anybody for a minute. So it does not say how the rate of the one who asked stands. */
export function keepForAll(reply: FastifyReply): void {
  removeRateLimitHeaders(reply);
  reply.header('cache-control', 'public, max-age=60');
}

/** Answers to a token are for its owner only, and caches have to ask again. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache');
  addVary(reply, 'Authorization');
}
