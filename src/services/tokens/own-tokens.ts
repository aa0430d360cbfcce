/** The tokens of an owner, for the owner: listed, made and revoked by one of them. */

import { badUserInput, ServiceError } from '../../errors.ts';
import type { Storage, TokenRecord, TokenScope } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import type { Caller } from '../caller.ts';
import { requireCaller, requireWriter } from '../caller.ts';
import { storedOwnerId } from './jwt-callers.ts';
import type { Scope } from '../scope.ts';
import type { TokenService } from './token-service.ts';

/** All that is shown of a token. */
export type OwnToken = Pick<
  TokenRecord,
  'id' | 'name' | 'scope' | 'mapId' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
>;

export interface NewOwnToken {
  readonly name?: string | null;
  readonly scope: TokenScope;
  readonly mapId?: string | null;
  readonly expiresAt?: Date | null;
}

export interface OwnTokenService {
  /** The caller's own; null for a JWT. */
  currentToken(scope: Scope): Promise<OwnToken | null>;
  /**
   * A page of those that are not revoked, in order of creation. A token that may only read, or only one map, sees itself
   * alone.
   *
   * @param page `after` is the id of the token before the page; null for the first page
   * @throws ServiceError BAD_USER_INPUT where `after` is none of the owner's tokens
   */
  listTokens(
    scope: Scope,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly OwnToken[]>;
  /**
   * @returns the token's secret, which is shown only now
   * @throws ServiceError FORBIDDEN where the caller's own token may less than the new one; MAP_NOT_FOUND, MAP_DELETED,
   *   BAD_USER_INPUT
   */
  createToken(scope: Scope, input: NewOwnToken): Promise<{ token: OwnToken; secret: string }>;
  /**
   * Also the caller's own: this request is still answered. Revoking it again changes nothing.
   *
   * @throws ServiceError FORBIDDEN, TOKEN_NOT_FOUND
   */
  revokeToken(scope: Scope, id: string): Promise<void>;
}

export interface OwnTokenOptions {
  readonly storage: Storage;
  readonly tokens: TokenService;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createOwnTokenService({ storage, tokens, clock }: OwnTokenOptions): OwnTokenService {
  return {
    currentToken: (scope) => findCurrent(storage, scope),

    async listTokens(scope, { limit, after }) {
      const { ownerId, ...rights } = requireCaller(scope.caller);
      if (isLimited(rights)) {
        const own = after === null ? await findCurrent(storage, scope) : null;
        return own === null ? [] : [own];
      }
      let last: TokenRecord | null = after === null ? null : await storage.findToken(after, scope);
      if (after !== null && last?.ownerId !== ownerId) throw badUserInput('after is no token of yours.');
      const found: TokenRecord[] = [];
      for (let page: readonly TokenRecord[]; found.length < limit;) {
        page = await storage.listTokens(ownerId, { limit, after: last });
        found.push(...page.filter(({ revokedAt }) => revokedAt === null));
        if (page.length < limit) break;
        last = page.at(-1) ?? null;
      }
      return found.slice(0, limit).map(shownOf);
    },

    async createToken(scope, { name = null, scope: newScope, mapId = null, expiresAt = null }) {
      const caller = requireManager(scope.caller);
      if (mapId !== null) await authorize(storage, scope, mapId, { scope: 'write' });
      const end = expiresAt?.getTime() ?? null;
      assertNoLonger(caller, end);
      const { token, record } = await tokens.issueToken(
        { name, scope: newScope, mapId, expiresAt: end },
        () => storedOwnerId(storage, caller, clock()),
      );
      return { token: shownOf(record), secret: token };
    },

    async revokeToken(scope, id) {
      const { ownerId } = requireManager(scope.caller);
      const token = await storage.findToken(id, scope);
      if (token?.ownerId !== ownerId) throw tokenNotFound();
      await storage.revokeToken(id, clock());
    },
  };
}

async function findCurrent(storage: Storage, scope: Scope): Promise<OwnToken | null> {
  const { ownerId, tokenId } = requireCaller(scope.caller);
  const token = await storage.findToken(tokenId, scope);
  return token?.ownerId === ownerId && token.revokedAt === null ? shownOf(token) : null;
}

/** A token that expires would live on in one that does not. */
function assertNoLonger({ expiresAt: ownEnd }: Caller, end: number | null): void {
  if (ownEnd === null || (end !== null && end <= ownEnd)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `This token expires at ${new Date(ownEnd).toISOString()}; expiresAt must be no later.`,
  );
}

function isLimited({ scope, mapId }: Pick<Caller, 'scope' | 'mapId'>): boolean {
  return scope !== 'write' || mapId !== null;
}

/** @throws ServiceError UNAUTHENTICATED, FORBIDDEN */
function requireManager(caller: Caller | null): Caller {
  const known = requireWriter(caller);
  if (known.mapId !== null) {
    throw new ServiceError(
      'FORBIDDEN',
      'This token is limited to one map; it may not make or revoke tokens.',
    );
  }
  return known;
}

function shownOf({ id, name, scope, mapId, createdAt, expiresAt, lastUsedAt }: TokenRecord): OwnToken {
  return { id, name, scope, mapId, createdAt, expiresAt, lastUsedAt };
}

/** The same error for an unknown token and for another owner's. */
function tokenNotFound(): ServiceError {
  return new ServiceError('TOKEN_NOT_FOUND', 'There is no such token, or it is not yours.');
}
