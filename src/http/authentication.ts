/** Who sends a request: its bearer token, looked up anew each time, and the rate that token or address may have. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import rateLimit from '@fastify/rate-limit';

import { ServiceError } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import { unauthenticated } from '../services/caller.ts';
import type { TokenService } from '../services/tokens.ts';

// RFC 6750: the scheme in any case, then the token's characters alone.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/**
 * Makes the one check of both doors. It resolves to null where the request carries no token.
 *
 * @param requestsPerMinute for a token, or for an address where there is none; 0 is no limit
 */
export async function createAuthentication(
  app: FastifyInstance,
  tokens: TokenService,
  requestsPerMinute: number,
): Promise<Authenticate> {
  const countRequest = await createRateCounter(app, requestsPerMinute);
  return async (request) => {
    let caller: Caller | null;
    try {
      caller = await identify(request, tokens);
    } catch (error) {
      // Guesses at tokens count against their address, so that they cannot be made without end.
      if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED')
        await countRequest(request, null);
      throw error;
    }
    await countRequest(request, caller);
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

type CountRequest = (request: FastifyRequest, caller: Caller | null) => Promise<void>;

async function createRateCounter(app: FastifyInstance, requestsPerMinute: number): Promise<CountRequest> {
  if (requestsPerMinute === 0) return () => Promise.resolve();
  await app.register(rateLimit, { global: false });
  const callers = new WeakMap<FastifyRequest, Caller>();
  const limiter = app.createRateLimit({
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => {
      const caller = callers.get(request);
      return caller === undefined ? `address ${request.ip}` : `token ${caller.tokenId}`;
    },
  });
  return async (request, caller) => {
    if (caller !== null) callers.set(request, caller);
    const count = await limiter(request);
    if (count.isAllowed || !count.isExceeded) return;
    throw new ServiceError(
      'RATE_LIMITED',
      `Over ${requestsPerMinute} requests a minute; wait and try again.`,
      {
        retryAfterSeconds: count.ttlInSeconds,
      },
    );
  };
}
