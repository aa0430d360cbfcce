/** Authentication by bearer token, looked up for each request, and counting for the rate limit. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import { unauthenticated } from '../../services/caller.ts';
import type { TokenService } from '../../services/tokens/token-service.ts';
import type { StorageScope } from '../../storage/storage.ts';
import { setRateLimitHeaders } from '../limits/rate-headers.ts';
import type { CountRequest } from '../limits/rate-limit.ts';

// RFC 6750: the scheme is case-insensitive; the token has a restricted alphabet.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const NOBODY = Promise.resolve(null);

const REFUSED: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/** Authentication of every endpoint. The methods resolve to null without a token. */
export interface Authentication {
  /**
   * Counts the request and sets the rate limit headers. @throws ServiceError RATE_LIMITED, and what {@link identify}
   * throws
   */
  admit(request: FastifyRequest, reply: FastifyReply, scope: StorageScope): Promise<Caller | null>;
  /** As {@link admit}, but does not count requests without a token: public routes have their own limit. */
  admitPublic(request: FastifyRequest, reply: FastifyReply, scope: StorageScope): Promise<Caller | null>;
  /** @throws ServiceError UNAUTHENTICATED; for a JWT also FORBIDDEN, ISSUER_UNAVAILABLE */
  identify(request: FastifyRequest, scope: StorageScope): Promise<Caller | null>;
  /**
   * For connections that authenticate by message, and their operations. An invalid token counts for the address.
   *
   * @param authorization the header's value; undefined for none
   * @throws ServiceError what {@link identify} throws
   */
  identifyAt(address: string, authorization: string | undefined, scope: StorageScope): Promise<Caller | null>;
  /** Rejects if the token is no longer valid. @throws ServiceError what {@link identify} throws */
  check(authorization: string): Promise<unknown>;
  /** Counts a request of the caller, or of the address without one. @throws ServiceError RATE_LIMITED */
  countAt(address: string, caller: Caller | null): void;
}

/** @param countRequest counts per token, or per address without one */
export function createAuthentication(tokens: TokenService, countRequest: CountRequest): Authentication {
  // Not async: every request passes here, and its callers are. So it may throw instead of rejecting.
  const identifyBy = (authorization: string | undefined, scope: StorageScope): Promise<Caller | null> => {
    const token = tokenOf(authorization);
    return token === null ? NOBODY : tokens.authenticate(token, scope);
  };
  const count = (request: FastifyRequest, reply: FastifyReply, caller: Caller | null) =>
    countRequest(keyOf(request.ip, caller), (rateLimitStatus) =>
      setRateLimitHeaders(reply, 'requests', rateLimitStatus),
    );
  const admit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    scope: StorageScope,
    countsAnonymous: boolean,
  ): Promise<Caller | null> => {
    let caller: Caller | null;
    try {
      caller = await identifyBy(request.headers.authorization, scope);
    } catch (error) {
      // Count invalid tokens for the address, so that tokens cannot be guessed without limit. The same goes for a JWT
      // without scopes.
      if (isRefused(error)) count(request, reply, null);
      throw error;
    }
    if (caller !== null || countsAnonymous) count(request, reply, caller);
    return caller;
  };
  return {
    identify: async ({ headers: { authorization } }, scope) => identifyBy(authorization, scope),
    async identifyAt(address, authorization, scope) {
      try {
        return await identifyBy(authorization, scope);
      } catch (error) {
        if (isRefused(error)) countRequest(keyOf(address, null));
        throw error;
      }
    },
    check: async (authorization) => identifyBy(authorization, {}),
    countAt: (address, caller) => countRequest(keyOf(address, caller)),
    admitPublic: (request, reply, scope) => admit(request, reply, scope, false),
    admit: (request, reply, scope) => admit(request, reply, scope, true),
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && REFUSED.has(error.code);
}

/** @throws ServiceError UNAUTHENTICATED */
export function tokenOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unauthenticated('The Authorization header must be "Bearer <token>".');
  return token;
}

/** The rate limit key of a caller, or of an address without one. */
export function keyOf(address: string, caller: Caller | null): string {
  return caller === null ? `address ${address}` : `token ${caller.tokenId}`;
}
