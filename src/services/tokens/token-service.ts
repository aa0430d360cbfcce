/** Owners and tokens. The operator makes and revokes them; every request looks its token up. */

import { hash, randomBytes } from 'node:crypto';

import { isMapId, newOwnerId, newTokenId } from '../../domain/ids.ts';
import { assertStorable, countCodePoints, hasControlCharacter, isBlank } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';
import type {
  OwnerRecord,
  Storage,
  StorageScope,
  TokenRecord,
  TokenScope,
  TokenWithOwner,
} from '../../storage/storage.ts';
import type { JwtVerifier } from '../../jwt/jwt.ts';
import type { Caller } from '../caller.ts';
import { mapNotFound, unauthenticated } from '../caller.ts';
import { callerOfJwt, looksLikeJwt } from './jwt-callers.ts';
import { TokenUses } from './token-uses.ts';

export type { TokenScope, TokenWithOwner };

const TOKEN_PREFIX = 'mlt_';
const MAX_NAME_LENGTH = 128;

export interface TokenToIssue {
  /** What its owner calls it, for the list of tokens. */
  readonly name?: string | null;
  readonly scope: TokenScope;
  readonly mapId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

export interface NewToken extends TokenToIssue {
  /** An owner of that name is made when there is none. */
  readonly owner: string;
}

/** The token, which is shown only now, and the record that is stored. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

export interface TokenService {
  createToken(input: NewToken): Promise<IssuedToken & { readonly ownerCreated: boolean }>;
  /** @param ownerIdOf called when nothing refuses the token any more. The map must be this owner's */
  issueToken(input: TokenToIssue, ownerIdOf: () => Promise<string>): Promise<IssuedToken>;
  /**
   * The use is stored a little later.
   *
   * @throws ServiceError UNAUTHENTICATED for an unknown, expired or revoked token; for a JWT also FORBIDDEN and
   *   ISSUER_UNAVAILABLE
   */
  authenticate(token: string, scope?: StorageScope): Promise<Caller>;
  listTokens(): Promise<readonly TokenWithOwner[]>;
  /** Takes the token or its id. */
  findToken(tokenOrId: string): Promise<TokenWithOwner | null>;
  /** Takes the token or its id. Resolves to whether there is such a token. */
  revokeToken(tokenOrId: string): Promise<boolean>;
  findOrCreateOwner(name: string): Promise<{ owner: OwnerRecord; created: boolean }>;
  /** Stores the uses of tokens that are not stored yet. To be called before the store is closed. */
  saveUses(): Promise<void>;
}

export interface TokenServiceOptions {
  readonly storage: Storage;
  /** Null where a JWT is no token. */
  readonly jwtVerifier: JwtVerifier | null;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Told where the last use of tokens could not be stored. */
  readonly onUseFailure: (error: unknown) => void;
}

export function createTokenService(options: TokenServiceOptions): TokenService {
  return new StoredTokens(options);
}

class StoredTokens implements TokenService {
  readonly #storage: Storage;
  readonly #jwtVerifier: JwtVerifier | null;
  readonly #clock: () => number;
  readonly #uses: TokenUses;

  constructor({ storage, jwtVerifier, clock, onUseFailure }: TokenServiceOptions) {
    this.#storage = storage;
    this.#jwtVerifier = jwtVerifier;
    this.#clock = clock;
    this.#uses = new TokenUses(storage, onUseFailure);
  }

  async findOrCreateOwner(name: string): Promise<{ owner: OwnerRecord; created: boolean }> {
    assertName(name, 'owner');
    return this.#storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: this.#clock() });
  }

  async createToken({ owner: ownerName, ...input }: NewToken) {
    assertName(ownerName, 'owner');
    const { mapId } = input;
    let ownerCreated = false;
    const issued = await this.issueToken(input, async () => {
      if (mapId !== null) await this.#assertMapOf(ownerName, mapId);
      const { owner, created } = await this.findOrCreateOwner(ownerName);
      ownerCreated = created;
      return owner.id;
    });
    return { ...issued, ownerCreated };
  }

  async issueToken(
    { name = null, scope, mapId, expiresAt }: TokenToIssue,
    ownerIdOf: () => Promise<string>,
  ): Promise<IssuedToken> {
    if (name !== null) assertName(name, 'name');
    if (expiresAt !== null && !(expiresAt > this.#clock()))
      throw badUserInput('The expiry must be a time to come.');
    const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
    const record: TokenRecord = {
      id: newTokenId(),
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

  async authenticate(token: string, scope?: StorageScope): Promise<Caller> {
    if (this.#jwtVerifier !== null && looksLikeJwt(token)) {
      return callerOfJwt(token, this.#jwtVerifier, this.#storage, scope);
    }
    const record = await this.#storage.findTokenByHash(hashOf(token), scope);
    const now = this.#clock();
    if (record === null || !isValid(record, now)) {
      throw unauthenticated('The token is not valid: it is unknown, expired or revoked.');
    }
    this.#uses.note(record.id, record.lastUsedAt, now);
    return {
      ownerId: record.ownerId,
      ownerName: record.ownerName,
      scope: record.scope,
      mapId: record.mapId,
      tokenId: record.id,
      expiresAt: record.expiresAt,
      isOwnerStored: true,
    };
  }

  listTokens(): Promise<readonly TokenWithOwner[]> {
    return this.#storage.listTokens();
  }

  async findToken(tokenOrId: string): Promise<TokenWithOwner | null> {
    if (tokenOrId.startsWith(TOKEN_PREFIX)) return this.#storage.findTokenByHash(hashOf(tokenOrId));
    return this.#storage.findToken(tokenOrId);
  }

  async revokeToken(tokenOrId: string): Promise<boolean> {
    const id = tokenOrId.startsWith(TOKEN_PREFIX)
      ? (await this.#storage.findTokenByHash(hashOf(tokenOrId)))?.id
      : tokenOrId;
    return id === undefined ? false : this.#storage.revokeToken(id, this.#clock());
  }

  saveUses(): Promise<void> {
    return this.#uses.save();
  }

  async #assertMapOf(ownerName: string, mapId: string): Promise<void> {
    const [map = null] = isMapId(mapId) ? await this.#storage.getMaps([mapId]) : [];
    const owner = await this.#storage.findOwnerByName(ownerName);
    if (map === null || map.ownerId !== owner?.id) throw mapNotFound();
  }
}

function isValid(record: TokenRecord, now: number): boolean {
  return record.revokedAt === null && (record.expiresAt === null || record.expiresAt > now);
}

/** A token has 256 random bits, so nobody can search for it by its hash, and no salt is needed. */
function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}

function assertName(name: string, what: 'owner' | 'name'): void {
  assertStorable(name, what);
  if (isBlank(name) || hasControlCharacter(name) || countCodePoints(name) > MAX_NAME_LENGTH) {
    throw badUserInput(
      `${what} must be 1 to ${MAX_NAME_LENGTH} characters, not blank, without control characters.`,
    );
  }
}
