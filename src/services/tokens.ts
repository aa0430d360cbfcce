/** Owners and tokens. The operator makes and revokes them; every request looks its token up. */

import { hash, randomBytes } from 'node:crypto';

import { isMapId, newOwnerId, newTokenId } from '../domain/ids.ts';
import { assertStorable, countCodePoints, hasControlCharacter, isBlank } from '../domain/text.ts';
import { badUserInput } from '../errors.ts';
import type {
  OwnerRecord,
  Storage,
  StorageScope,
  TokenRecord,
  TokenScope,
  TokenWithOwner,
} from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { mapNotFound, unauthenticated } from './caller.ts';
import { TokenUses } from './token-uses.ts';

export type { TokenScope, TokenWithOwner };

const TOKEN_PREFIX = 'mlt_';
const MAX_NAME_LENGTH = 128;

export interface NewToken {
  /** An owner of that name is made when there is none. */
  readonly owner: string;
  /** What its owner calls it, for the list of tokens. */
  readonly name?: string | null;
  readonly scope: TokenScope;
  readonly mapId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

export interface TokenService {
  /** @returns the token, which is shown only now, and the record that is stored */
  createToken(input: NewToken): Promise<{ token: string; record: TokenRecord; ownerCreated: boolean }>;
  /** The use is stored a little later. @throws ServiceError UNAUTHENTICATED for an unknown, expired or revoked token */
  authenticate(token: string, scope?: StorageScope): Promise<Caller>;
  listTokens(): Promise<readonly TokenWithOwner[]>;
  /** Takes the token or its id. Resolves to whether there is such a token. */
  revokeToken(tokenOrId: string): Promise<boolean>;
  findOrCreateOwner(name: string): Promise<{ owner: OwnerRecord; created: boolean }>;
  /** Stores the uses of tokens that are not stored yet. To be called before the store is closed. */
  saveUses(): Promise<void>;
}

/** @param onUseFailure told where the last use of tokens could not be stored */
export function createTokenService(
  storage: Storage,
  clock: () => number,
  onUseFailure: (error: unknown) => void,
): TokenService {
  return new StoredTokens(storage, clock, onUseFailure);
}

class StoredTokens implements TokenService {
  readonly #storage: Storage;
  readonly #clock: () => number;
  readonly #uses: TokenUses;

  constructor(storage: Storage, clock: () => number, onUseFailure: (error: unknown) => void) {
    this.#storage = storage;
    this.#clock = clock;
    this.#uses = new TokenUses(storage, onUseFailure);
  }

  async findOrCreateOwner(name: string): Promise<{ owner: OwnerRecord; created: boolean }> {
    assertName(name, 'owner');
    return this.#storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: this.#clock() });
  }

  async createToken({ owner: ownerName, name = null, scope, mapId, expiresAt }: NewToken) {
    assertName(ownerName, 'owner');
    if (name !== null) assertName(name, 'name');
    if (expiresAt !== null && !(expiresAt > this.#clock()))
      throw badUserInput('The expiry must be a time to come.');
    if (mapId !== null) await this.#assertMapOf(ownerName, mapId);
    const { owner, created } = await this.findOrCreateOwner(ownerName);
    const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
    const record: TokenRecord = {
      id: newTokenId(),
      ownerId: owner.id,
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
    return { token, record, ownerCreated: created };
  }

  async authenticate(token: string, scope?: StorageScope): Promise<Caller> {
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
    };
  }

  listTokens(): Promise<readonly TokenWithOwner[]> {
    return this.#storage.listTokens();
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
