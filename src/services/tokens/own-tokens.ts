/** The tokens of an owner, listed, created and revoked with one of them. */

import { badUserInput, ServiceError } from '../../errors.ts';
import type { Storage, TokenRecord, TokenScope } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { authorize } from '../authorization.ts';
import type { Caller } from '../caller.ts';
import { isLimited, requireCaller, requireUnlimited } from '../caller.ts';
import { storedOwnerId } from './jwt-callers.ts';
import type { Scope } from '../scope.ts';
import type { TokenService } from './token-service.ts';

/** The public members of a token. */
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

export interface OwnTokenOptions {
  readonly storage: Storage;
  readonly tokens: TokenService;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class OwnTokenService {
  readonly #options: OwnTokenOptions;

  constructor(options: OwnTokenOptions) {
    this.#options = options;
  }

  /** The caller's own token; null for a JWT, a session or a link. */
  async currentToken(scope: Scope): Promise<OwnToken | null> {
    const { tokenId } = requireCaller(scope.caller);
    const token = await this.#findToken(scope, tokenId);
    return token?.revokedAt === null ? shownOf(token) : null;
  }

  /**
   * A page of the owner's tokens that are not revoked, in order of creation. A caller that may only read, or is limited
   * to one map, gets its own token only.
   *
   * @param page `after` is the id of the token before the page; null for the first page
   * @throws ServiceError BAD_USER_INPUT if `after` is not a token of the owner
   */
  async listTokens(
    scope: Scope,
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly OwnToken[]> {
    const { storage } = this.#options;
    const { ownerId, ...rights } = requireCaller(scope.caller);
    if (isLimited(rights)) {
      const own = after === null ? await this.currentToken(scope) : null;
      return own === null ? [] : [own];
    }
    let last = after === null ? null : await this.#findToken(scope, after);
    if (after !== null && last === null) throw badUserInput('after is not one of your tokens.');
    const found: TokenRecord[] = [];
    for (let page: readonly TokenRecord[]; found.length < limit;) {
      page = await storage.listTokens(ownerId, { limit, after: last });
      found.push(...page.filter(({ kind, revokedAt }) => kind === 'token' && revokedAt === null));
      if (page.length < limit) break;
      last = page.at(-1) ?? null;
    }
    return found.slice(0, limit).map(shownOf);
  }

  /**
   * @returns the token's secret, which is never shown again
   * @throws ServiceError FORBIDDEN if the new token would have more rights than the caller's; MAP_NOT_FOUND,
   *   MAP_DELETED, BAD_USER_INPUT
   */
  createToken(scope: Scope, input: NewOwnToken): Promise<{ token: OwnToken; secret: string }> {
    const { name = null, mapId = null, expiresAt = null } = input;
    const audited = {
      operation: 'createToken',
      subject: { mapId, ids: [] },
      done: ({ token }: { token: OwnToken }) => ok(token.mapId, [token.id]),
    };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, tokens, clock } = this.#options;
      const caller = requireUnlimited(scope.caller, 'manage tokens');
      if (mapId !== null) await authorize(storage, scope, mapId, { role: 'viewer', scope: 'write' });
      const end = expiresAt?.getTime() ?? null;
      assertNoLonger(caller, end);
      const { token, record } = await tokens.issueToken(
        { name, scope: input.scope, mapId, expiresAt: end },
        () => storedOwnerId(storage, caller, clock()),
      );
      return { token: shownOf(record), secret: token };
    });
  }

  /**
   * Callers may revoke their own token; the current request still succeeds. Revoking a token twice changes nothing.
   *
   * @throws ServiceError FORBIDDEN, TOKEN_NOT_FOUND
   */
  revokeToken(scope: Scope, id: string): Promise<void> {
    const audited = { operation: 'revokeToken', subject: { mapId: null, ids: [id] } };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, clock } = this.#options;
      requireUnlimited(scope.caller, 'manage tokens');
      if ((await this.#findToken(scope, id)) === null) throw tokenNotFound();
      await storage.revokeToken(id, clock());
    });
  }

  /** Null for another owner's token, and for a link. */
  async #findToken(scope: Scope, id: string): Promise<TokenRecord | null> {
    const { ownerId } = requireCaller(scope.caller);
    const token = await this.#options.storage.findToken(id, scope);
    return token?.kind === 'token' && token.ownerId === ownerId ? token : null;
  }
}

/** Otherwise a token could outlive its expiry through the tokens it creates. */
function assertNoLonger({ expiresAt: ownEnd }: Caller, end: number | null): void {
  if (ownEnd === null || (end !== null && end <= ownEnd)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `This token expires at ${new Date(ownEnd).toISOString()}; expiresAt must be no later.`,
  );
}

function shownOf({ id, name, scope, mapId, createdAt, expiresAt, lastUsedAt }: TokenRecord): OwnToken {
  return { id, name, scope, mapId, createdAt, expiresAt, lastUsedAt };
}

/** The same error for an unknown token and for another owner's. */
function tokenNotFound(): ServiceError {
  return new ServiceError('TOKEN_NOT_FOUND', 'There is no such token, or it is not yours.');
}
