/** Authentication by bearer token or by the cookie of a session, for each request, and counting for the rate limit. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import { clientNetworkOf } from '../../domain/ip-address.ts';
import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { SessionService } from '../../services/accounts/session-service.ts';
import type { Caller } from '../../services/caller.ts';
import { unauthenticated } from '../../services/caller.ts';
import type { TokenService } from '../../services/tokens/token-service.ts';
import type { StorageScope } from '../../storage/storage.ts';
import { addVary, allowPrivateCaching } from '../caching.ts';
import { setRateLimitHeaders } from '../limits/rate-headers.ts';
import type { CountRequest } from '../limits/rate-limit.ts';
import { assertSafeOrOwn, crossSite } from './csrf.ts';
import type { SecretCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route reads the cookie of a session, besides the header. */
    acceptsSessions?: boolean;
  }
}

// RFC 6750: the scheme is case-insensitive; the token has a restricted alphabet.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const NOBODY = Promise.resolve(null);

const REFUSED: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'CSRF']);

/** What a connection authenticates with. The header wins over the cookie. */
export interface Credentials {
  /** `Authorization`; undefined for none. */
  readonly authorization: string | undefined;
  /** The secret of a session; null for none. */
  readonly session: string | null;
  /** Whether the session may be used: the connection comes from a page of this server. */
  readonly isOwnPage: boolean;
}

/** Authentication of every endpoint. The methods resolve to null without a token and a session. */
export interface Authentication {
  /**
   * Counts the request and sets the rate limit headers. @throws ServiceError RATE_LIMITED, and what {@link identify}
   * throws
   */
  admit(request: FastifyRequest, reply: FastifyReply, scope: StorageScope): Promise<Caller | null>;
  /** As {@link admit}, but does not count requests without a token: public routes have their own limit. */
  admitPublic(request: FastifyRequest, reply: FastifyReply, scope: StorageScope): Promise<Caller | null>;
  /** @throws ServiceError UNAUTHENTICATED; for a JWT also FORBIDDEN, ISSUER_UNAVAILABLE; for a session CSRF */
  identify(request: FastifyRequest, scope: StorageScope): Promise<Caller | null>;
  /**
   * For connections that authenticate by message, and their operations. An invalid token counts for the address.
   *
   * @throws ServiceError what {@link identify} throws
   */
  identifyAt(address: string, credentials: Credentials, scope: StorageScope): Promise<Caller | null>;
  /** The secret of the request's session; null without one, and where cookies are not read. */
  sessionOf(request: FastifyRequest): string | null;
  /** Rejects if the token or session is no longer valid. @throws ServiceError what {@link identify} throws */
  check(credentials: Credentials): Promise<unknown>;
  /** Counts a request of the caller, or of the address without one. @throws ServiceError RATE_LIMITED */
  countAt(address: string, caller: Caller | null): void;
}

export interface SessionSource {
  readonly sessions: SessionService;
  readonly cookie: SecretCookie;
  readonly publicUrl: string | null;
}

/**
 * @param source null for a server without sessions
 * @param countRequest counts per token, or per address without one
 */
export function createAuthentication(
  tokens: TokenService,
  source: SessionSource | null,
  countRequest: CountRequest,
): Authentication {
  const sessionOf = (request: FastifyRequest): string | null => source?.cookie.read(request) ?? null;
  const identifySession = async (
    secret: string,
    scope: StorageScope,
    assertOwn: () => void,
  ): Promise<Caller | null> => {
    const caller = (await source?.sessions.authenticate(secret, scope)) ?? null;
    // Without a valid session, the request is anonymous, which other sites may be.
    if (caller !== null) assertOwn();
    return caller;
  };
  // Not async: every request passes here, and its callers are. So it may throw instead of rejecting.
  const identify = (request: FastifyRequest, scope: StorageScope): Promise<Caller | null> => {
    const token = tokenOf(request.headers.authorization);
    if (token !== null) return tokens.authenticate(token, scope);
    const secret = request.routeOptions.config.acceptsSessions ? sessionOf(request) : null;
    if (secret === null) return NOBODY;
    return identifySession(secret, scope, () => assertSafeOrOwn(request, source?.publicUrl ?? null));
  };
  const identifyBy = (
    { authorization, session, isOwnPage }: Credentials,
    scope: StorageScope,
  ): Promise<Caller | null> => {
    const token = tokenOf(authorization);
    if (token !== null) return tokens.authenticate(token, scope);
    if (session === null) return NOBODY;
    return identifySession(session, scope, () => {
      if (!isOwnPage) throw crossSite();
    });
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
      caller = await identify(request, scope);
    } catch (error) {
      // Count invalid tokens for the address, so that tokens cannot be guessed without limit. The same goes for a JWT
      // without scopes.
      if (isRefused(error)) count(request, reply, null);
      throw error;
    }
    if (caller?.kind === 'session') {
      allowPrivateCaching(reply);
      addVary(reply, 'Cookie');
    }
    if (caller !== null || countsAnonymous) count(request, reply, caller);
    return caller;
  };
  return {
    identify: async (request, scope) => identify(request, scope),
    async identifyAt(address, credentials, scope) {
      try {
        return await identifyBy(credentials, scope);
      } catch (error) {
        if (isRefused(error)) countRequest(keyOf(address, null));
        throw error;
      }
    },
    sessionOf,
    async check(credentials) {
      const caller = await identifyBy(credentials, {});
      if (caller === null) throw unauthenticated('The session has ended.');
    },
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

/** The rate limit key of a caller, or of the network of an address without one. */
export function keyOf(address: string, caller: Caller | null): string {
  return caller === null ? `address ${clientNetworkOf(address)}` : `token ${caller.tokenId}`;
}
