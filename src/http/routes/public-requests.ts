/** Public pages and exports: their rate limit, counted by address, and how their requests begin (capabilities §12). */

import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import { clientNetworkOf } from '../../domain/ip-address.ts';
import { allowAnyOrigin } from '../cors.ts';
import { noSuchPath } from '../errors.ts';
import { setRateLimitHeaders } from '../limits/rate-headers.ts';
import type { SharedCounts } from '../limits/rate-limit.ts';
import { createRateLimit } from '../limits/rate-limit.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { hasEmptySegment } from '../request/request-url.ts';

/** Counts a page or an export for the client's address or network. @throws ServiceError RATE_LIMITED */
export type CountPublic = (request: FastifyRequest, reply: FastifyReply) => void;

/** @param requestsPerMinute per address; 0 for no limit */
export function createPublicRate(requestsPerMinute: number, shared: SharedCounts | null): CountPublic {
  const count = createRateLimit(requestsPerMinute, shared);
  return ({ ip }, reply) =>
    count(clientNetworkOf(ip), (rateLimitStatus) => setRateLimitHeaders(reply, 'public', rateLimitStatus));
}

export interface PublicRequests {
  readonly countPublic: CountPublic;
  readonly requests: RequestLifecycle;
}

/**
 * The first hook of a public route.
 *
 * @param begin `beginPublic` if the route reads tokens, else `beginAnonymous`
 * @param isForAnySite whether pages of every site may read what the route sends without credentials, also errors
 * @throws (the hook) ServiceError NOT_FOUND, RATE_LIMITED, and what `begin` throws
 */
export function admitPublicRequest(
  { countPublic, requests }: PublicRequests,
  begin: 'beginPublic' | 'beginAnonymous',
  { isForAnySite = false } = {},
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { authorization, cookie } = request.headers;
    if (isForAnySite && authorization === undefined && cookie === undefined) allowAnyOrigin(reply);
    if (hasEmptySegment(request.params)) throw noSuchPath();
    countPublic(request, reply);
    await requests[begin](request, reply);
  };
}
