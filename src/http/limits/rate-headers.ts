/**
 * What a client is told of its rate, so that it need not run into it
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
 */

import type { FastifyReply } from 'fastify';

import type { Rate, RateLimitStatus } from './rate-limit.ts';
import { WINDOW_MS } from './rate-limit.ts';

export const RATE_HEADERS = 'RateLimit, RateLimit-Policy';

/** Both headers are lists: a request may count for more than one rate. */
export function setRateLimitHeaders(
  reply: FastifyReply,
  name: Rate,
  { limit, left, resetsInMs }: RateLimitStatus,
): void {
  append(reply, 'ratelimit-policy', `"${name}";q=${limit};w=${WINDOW_MS / 1_000}`);
  append(reply, 'ratelimit', `"${name}";r=${left};t=${Math.ceil(resetsInMs / 1_000)}`);
}

/** For an answer that others get too. */
export function removeRateLimitHeaders(reply: FastifyReply): void {
  reply.removeHeader('ratelimit-policy').removeHeader('ratelimit');
}

function append(reply: FastifyReply, header: string, item: string): void {
  const present = reply.getHeader(header);
  reply.header(header, present === undefined ? item : `${String(present)}, ${item}`);
}
