/** Who sends a request: its bearer token, looked up anew each time, and the rate that token or address may have. */

import type { FastifyRequest } from 'fastify';

import { ServiceError } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import { unauthenticated } from '../services/caller.ts';
import type { TokenService } from '../services/tokens.ts';
import type { CountRequest } from './rate-limit.ts';

// RFC 6750: the scheme in any case, then the token's characters alone.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export type Authenticate = (request: FastifyRequest, tokens: TokenService) => Promise<Caller | null>;

/**
 * Makes the one check of both doors. It resolves to null where the request carries no token.
 *
 * @param countRequest counts for a token, or for an address where there is none
 */
export function createAuthentication(countRequest: CountRequest): Authenticate {
  return async (request, tokens) => {
    let caller: Caller | null;
    try {
      caller = await identify(request, tokens);
    } catch (error) {
      // Guesses at tokens count against their address, so that they cannot be made without end.
      if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED')
        countRequest(keyOf(request, null));
      throw error;
    }
    countRequest(keyOf(request, caller));
    return caller;
  };
}

function identify(request: FastifyRequest, tokens: TokenService): Promise<Caller> | null {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) {
    throw unauthenticated('The Authorization header must be "Bearer <token>".');
  }
  return tokens.authenticate(token);
}

function keyOf(request: FastifyRequest, caller: Caller | null): string {
  return caller === null ? `address ${request.ip}` : `token ${caller.tokenId}`;
}
