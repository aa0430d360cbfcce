/** Who sends a request: its bearer token, looked up anew each time, and the rate that token or address may have. */

import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { ServiceError } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import { unauthenticated } from '../services/caller.ts';
import type { TokenService } from '../services/tokens.ts';

// RFC 6750: the scheme in any case, then the token's characters alone.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const WINDOW_MS = 60_000;
/** Tokens and addresses whose requests are counted at the same time; of more, the longest silent is forgotten. */
const MAX_COUNTED = 100_000;

export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/**
 * Makes the one check of both doors. It resolves to null where the request carries no token.
 *
 * @param requestsPerMinute for a token, or for an address where there is none; 0 is no limit
 */
export function createAuthentication(tokens: TokenService, requestsPerMinute: number): Authenticate {
  const countRequest = createRateCounter(requestsPerMinute);
  return async (request) => {
    let caller: Caller | null;
    try {
      caller = await identify(request, tokens);
    } catch (error) {
      // Guesses at tokens count against their address, so that they cannot be made without end.
      if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED') countRequest(request, null);
      throw error;
    }
    countRequest(request, caller);
    return caller;
  };
}

async function identify(request: FastifyRequest, tokens: TokenService): Promise<Caller | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) {
    throw unauthenticated('The Authorization header must be "Bearer <token>".');
  }
  return tokens.authenticate(token);
}

type CountRequest = (request: FastifyRequest, caller: Caller | null) => void;

interface Window {
  /** Milliseconds, on the monotonic clock. */
  readonly startedAt: number;
  count: number;
}

/** @throws ServiceError RATE_LIMITED, from the count itself: many at once are counted one by one */
function createRateCounter(requestsPerMinute: number): CountRequest {
  if (requestsPerMinute === 0) return () => {};
  const windows = new LRUCache<string, Window>({ max: MAX_COUNTED });
  return (request, caller) => {
    const key = caller === null ? `address ${request.ip}` : `token ${caller.tokenId}`;
    const now = performance.now();
    let window = windows.get(key);
    if (window === undefined || now - window.startedAt >= WINDOW_MS) {
      window = { startedAt: now, count: 0 };
      windows.set(key, window);
    }
    window.count += 1;
    if (window.count <= requestsPerMinute) return;
    throw new ServiceError(
      'RATE_LIMITED',
      `Over ${requestsPerMinute} requests a minute; wait and try again.`,
      { retryAfterSeconds: (window.startedAt + WINDOW_MS - now) / 1_000 },
    );
  };
}
