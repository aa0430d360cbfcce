/** Who sends a request: its bearer token, looked up each time. Also counts the request for its rate. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import { unauthenticated } from '../../services/caller.ts';
import type { TokenService } from '../../services/tokens/token-service.ts';
import type { StorageScope } from '../../storage/storage.ts';
import { setRateLimitHeaders } from '../limits/rate-headers.ts';
import type { CountRequest } from '../limits/rate-limit.ts';

// RFC 6750: the scheme in any case, then only the token's characters.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const REFUSED: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/** The authentication of both doors. The methods resolve to null for a request without a token. */
export interface Authentication {
  /** Counts the request, and tells the client how it stands. @throws ServiceError RATE_LIMITED, and what {@link identify} throws */
  admit(request: FastifyRequest, reply: FastifyReply, scope: StorageScope): Promise<Caller | null>;
  /** As {@link admit}, for what has a rate of its own: nobody's request is not counted. */
  admitAnybody(request: FastifyRequest, reply: FastifyReply, scope: StorageScope): Promise<Caller | null>;
  /** @throws ServiceError UNAUTHENTICATED; for a JWT also FORBIDDEN, ISSUER_UNAVAILABLE */
  identify(request: FastifyRequest, scope: StorageScope): Promise<Caller | null>;
  /**
   * For what is no request: a connection that says who it is, and the operations on it. A wrong token counts for the
   * address.
   *
   * @param authorization as the header's value; undefined for none
   * @throws ServiceError what {@link identify} throws
   */
  identifyAt(address: string, authorization: string | undefined, scope: StorageScope): Promise<Caller | null>;
  /** Whether the token is valid still. @throws ServiceError what {@link identify} throws */
  check(authorization: string): Promise<unknown>;
  /** Counts one for the caller, or for the address of nobody. @throws ServiceError RATE_LIMITED */
  countAt(address: string, caller: Caller | null): void;
}

/** @param countRequest counts for a token, or for the address of a request without one */
export function createAuthentication(tokens: TokenService, countRequest: CountRequest): Authentication {
  const identifyBy = async (
    authorization: string | undefined,
    scope: StorageScope,
  ): Promise<Caller | null> => {
    const token = tokenOf(authorization);
    return token === null ? null : tokens.authenticate(token, scope);
  };
  const identify: Authentication['identify'] = ({ headers: { authorization } }, scope) =>
    identifyBy(authorization, scope);
  const count = (request: FastifyRequest, reply: FastifyReply, caller: Caller | null) =>
    countRequest(keyOf(request.ip, caller), (rateLimitStatus) =>
      setRateLimitHeaders(reply, 'requests', rateLimitStatus),
    );
  const admitAnybody: Authentication['admit'] = async (request, reply, scope) => {
    let caller: Caller | null;
    try {
      caller = await identify(request, scope);
    } catch (error) {
      // A wrong token counts for its address, so that nobody can guess tokens without limit. So does a JWT of no scope.
      if (isRefused(error)) count(request, reply, null);
      throw error;
    }
    if (caller !== null) count(request, reply, caller);
    return caller;
  };
  return {
    identify,
    async identifyAt(address, authorization, scope) {
      try {
        return await identifyBy(authorization, scope);
      } catch (error) {
        if (isRefused(error)) countRequest(keyOf(address, null));
        throw error;
      }
    },
    check: (authorization) => identifyBy(authorization, {}),
    countAt: (address, caller) => countRequest(keyOf(address, caller)),
    admitAnybody,
    async admit(request, reply, scope) {
      const caller = await admitAnybody(request, reply, scope);
      if (caller === null) count(request, reply, null);
      return caller;
    },
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

/** Stands for the caller, or for the address of nobody. */
export function keyOf(address: string, caller: Caller | null): string {
  return caller === null ? `address ${address}` : `token ${caller.tokenId}`;
}
