/**
 * Rate limit headers, so that clients can slow down before they are rejected
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
 */

import type { FastifyReply } from 'fastify';

import type { Rate, RateLimitStatus } from './rate-limit.ts';
import { WINDOW_MS } from './rate-limit.ts';

export const RATE_HEADERS = 'RateLimit, RateLimit-Policy';

/** Appends to both headers: a request may count towards several limits. */
export function setRateLimitHeaders(
  reply: FastifyReply,
  name: Rate,
  { limit, left, resetsInMs }: RateLimitStatus,
): void {
  append(reply, 'ratelimit-policy', `"${name}";q=${limit};w=${WINDOW_MS / 1_000}`);
  append(reply, 'ratelimit', `"${name}";r=${left};t=${Math.ceil(resetsInMs / 1_000)}`);
}

/** For responses that shared caches give to other clients. */
export function removeRateLimitHeaders(reply: FastifyReply): void {
  reply.removeHeader('ratelimit-policy').removeHeader('ratelimit');
}

function append(reply: FastifyReply, header: string, item: string): void {
  const present = reply.getHeader(header);
  reply.header(header, present === undefined ? item : `${String(present)}, ${item}`);
}
