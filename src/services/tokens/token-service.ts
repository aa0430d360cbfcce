/** Owners and tokens. The operator creates and revokes them; every request looks its token or link up. */

import { isMapId, newOwnerId, newTokenId } from '../../domain/ids.ts';
import { memberRole } from '../../domain/members.ts';
import { assertStorable, isLabel } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';
import type {
  OwnerRecord,
  Storage,
  StorageScope,
  TokenRecord,
  TokenScope,
  TokenUse,
  TokenWithOwner,
} from '../../storage/storage.ts';
import type { JwtVerifier } from '../../jwt/jwt.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { mapNotFound, unauthenticated } from '../caller.ts';
import { hashOf, newSecret } from '../secrets/random-secrets.ts';
import { callerOfJwt, looksLikeJwt } from './jwt-callers.ts';
import { LastUses } from '../last-uses.ts';

export type { TokenScope, TokenWithOwner };

const TOKEN_PREFIX = 'mlt_';
const MAX_NAME_LENGTH = 128;

export interface TokenToIssue {
  /** Shown in the owner's list of tokens. */
  readonly name?: string | null;
  readonly scope: TokenScope;
  readonly mapId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

export interface NewToken extends TokenToIssue {
  readonly owner: string;
}

/** The token, which is never shown again, and its stored record. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

export interface TokenServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  /** Null if JWTs are not accepted. */
  readonly jwtVerifier: JwtVerifier | null;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called when times of use could not be stored. */
  readonly onUseFailure: (error: unknown) => void;
}

export class TokenService {
  readonly #storage: Storage;
  readonly #audit: WriteAudit;
  readonly #jwtVerifier: JwtVerifier | null;
  readonly #clock: () => number;
  readonly #uses: LastUses<TokenUse>;

  constructor({ storage, audit, jwtVerifier, clock, onUseFailure }: TokenServiceOptions) {
    this.#storage = storage;
    this.#audit = audit;
    this.#jwtVerifier = jwtVerifier;
    this.#clock = clock;
    this.#uses = new LastUses((uses, intervalMs) => storage.saveTokenUses(uses, intervalMs), onUseFailure);
  }

  async findOrCreateOwner(name: string): Promise<{ owner: OwnerRecord; created: boolean }> {
    assertName(name, 'owner');
    return this.#storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: this.#clock() });
  }

  /** Creates the owner if there is none of that name. */
  createToken(input: NewToken): Promise<IssuedToken & { readonly ownerCreated: boolean }> {
    const { owner: ownerName, mapId } = input;
    const audited = {
      operation: 'createToken',
      subject: { mapId, ids: [] },
      done: ({ record }: IssuedToken) => ok(mapId, [record.id]),
    };
    return this.#audit.runOperator(ownerName, audited, async () => {
      assertName(ownerName, 'owner');
      let ownerCreated = false;
      const issued = await this.issueToken(input, async () => {
        if (mapId !== null) await this.#assertMapOf(ownerName, mapId);
        const { owner, created } = await this.findOrCreateOwner(ownerName);
        ownerCreated = created;
        return owner.id;
      });
      return { ...issued, ownerCreated };
    });
  }

  /** @param ownerIdOf called after all checks; this owner must be a member of the map */
  async issueToken(
    { name = null, scope, mapId, expiresAt }: TokenToIssue,
    ownerIdOf: () => Promise<string>,
  ): Promise<IssuedToken> {
    if (name !== null) assertName(name, 'name');
    if (expiresAt !== null && !(expiresAt > this.#clock()))
      throw badUserInput('The expiry must be in the future.');
    const token = newSecret(TOKEN_PREFIX);
    const record: TokenRecord = {
      id: newTokenId(),
      kind: 'token',
      ownerId: await ownerIdOf(),
      hash: hashOf(token),
      name,
      scope,
      mapId,
      createdAt: this.#clock(),
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    };
    await this.#storage.insertToken(record);
    return { token, record };
  }

  /**
   * Stores the time of use a little later.
   *
   * @throws ServiceError UNAUTHENTICATED for an unknown, expired or revoked token or link; for a JWT also FORBIDDEN and
   *   ISSUER_UNAVAILABLE
   */
  async authenticate(token: string, scope?: StorageScope): Promise<Caller> {
    if (this.#jwtVerifier !== null && looksLikeJwt(token)) {
      return callerOfJwt(token, this.#jwtVerifier, this.#storage, scope);
    }
    const record = await this.#storage.findTokenByHash(hashOf(token), scope);
    const now = this.#clock();
    if (record === null || !isValid(record, now) || !(await this.#isUsable(record, scope))) {
      throw unauthenticated('The token is not valid: it is unknown, expired or revoked.');
    }
    this.#uses.note(record.id, record.lastUsedAt, { tokenId: record.id, usedAt: now });
    const isLink = record.kind === 'link';
    return {
      kind: record.kind,
      ownerId: isLink ? record.id : record.ownerId,
      ownerName: isLink ? `link:${record.name ?? ''}` : record.ownerName,
      scope: record.scope,
      mapId: record.mapId,
      tokenId: record.id,
      sessionId: null,
      expiresAt: record.expiresAt,
      isOwnerStored: true,
    };
  }

  async listTokens(): Promise<readonly TokenWithOwner[]> {
    return (await this.#storage.listTokens()).filter(({ kind }) => kind === 'token');
  }

  /** Takes the token or its id. */
  async findToken(tokenOrId: string): Promise<TokenWithOwner | null> {
    const found = tokenOrId.startsWith(TOKEN_PREFIX)
      ? await this.#storage.findTokenByHash(hashOf(tokenOrId))
      : await this.#storage.findToken(tokenOrId);
    return found?.kind === 'token' ? found : null;
  }

  /** Takes the token or its id. @returns whether the token exists */
  async revokeToken(tokenOrId: string): Promise<boolean> {
    const record = await this.findToken(tokenOrId);
    const subject = { mapId: record?.mapId ?? null, ids: record === null ? [] : [record.id] };
    const audited = {
      operation: 'revokeToken',
      subject,
      done: (isRevoked: boolean) => ({
        ...subject,
        outcome: isRevoked ? ('ok' as const) : ('TOKEN_NOT_FOUND' as const),
      }),
    };
    return this.#audit.runOperator(record?.ownerName ?? null, audited, async () =>
      record === null ? false : this.#storage.revokeToken(record.id, this.#clock()),
    );
  }

  /** Stores pending times of use. Call it before the store is closed. */
  saveUses(): Promise<void> {
    return this.#uses.save();
  }

  /** A link needs its map, and an owner of it who made the link. */
  async #isUsable({ kind, mapId, ownerId }: TokenRecord, scope?: StorageScope): Promise<boolean> {
    if (kind === 'token') return true;
    const [map = null] = mapId === null ? [] : await this.#storage.getMaps([mapId], scope);
    return map !== null && !map.isDeleted && memberRole(map.members, ownerId) === 'owner';
  }

  async #assertMapOf(ownerName: string, mapId: string): Promise<void> {
    const [map = null] = isMapId(mapId) ? await this.#storage.getMaps([mapId]) : [];
    const owner = await this.#storage.findOwnerByName(ownerName);
    if (map === null || owner === null || memberRole(map.members, owner.id) === null) throw mapNotFound();
  }
}

function isValid(record: TokenRecord, now: number): boolean {
  return record.revokedAt === null && (record.expiresAt === null || record.expiresAt > now);
}

/** Whether an owner or a token may have the name. */
export function isOwnerName(name: string): boolean {
  return isLabel(name, MAX_NAME_LENGTH);
}

/** @throws ServiceError BAD_USER_INPUT */
export function assertName(name: string, what: 'owner' | 'name'): void {
  assertStorable(name, what);
  if (!isOwnerName(name)) {
    throw badUserInput(
      `${what} must be 1 to ${MAX_NAME_LENGTH} characters, not blank, without control characters.`,
    );
  }
}
