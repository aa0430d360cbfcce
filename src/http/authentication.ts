/** Who sends a request: its bearer token, looked up anew each time, and the rate that token or address may have. */

import type { FastifyRequest } from 'fastify';

import { ServiceError } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import { unauthenticated } from '../services/caller.ts';
import type { TokenService } from '../services/tokens.ts';
import type { StorageScope } from '../storage/storage.ts';
import type { CountRequest } from './rate-limit.ts';

// RFC 6750: the scheme in any case, then the token's characters alone.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The one check of both doors. Both resolve to null where the request carries no token. */
export interface Authentication {
  /** Counts the request. @throws ServiceError UNAUTHENTICATED, RATE_LIMITED */
  admit(request: FastifyRequest, scope: StorageScope): Promise<Caller | null>;
  /** @throws ServiceError UNAUTHENTICATED */
  identify(request: FastifyRequest, scope: StorageScope): Promise<Caller | null>;
}

/** @param countRequest counts for a token, or for an address where there is none */
export function createAuthentication(tokens: TokenService, countRequest: CountRequest): Authentication {
  const identify: Authentication['identify'] = async (request, scope) => {
    const token = tokenOf(request);
    return token === null ? null : tokens.authenticate(token, scope);
  };
  return {
    identify,
    async admit(request, scope) {
      let caller: Caller | null;
      try {
        caller = await identify(request, scope);
      } catch (error) {
        // Guesses at tokens count against their address, so that they cannot be made without end.
        if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED')
          countRequest(keyOf(request, null));
        throw error;
      }
      countRequest(keyOf(request, caller));
      return caller;
    },
  };
}

function tokenOf({ headers: { authorization } }: FastifyRequest): string | null {
  if (authorization === undefined) return null;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unauthenticated('The Authorization header must be "Bearer <token>".');
  return token;
}

function keyOf(request: FastifyRequest, caller: Caller | null): string {
  return caller === null ? `address ${request.ip}` : `token ${caller.tokenId}`;
}
