/** Owners and tokens: made and revoked by the operator, looked up at every request. */

import { hash, randomBytes } from 'node:crypto';

import { isMapId, newOwnerId, newTokenId } from '../domain/ids.ts';
import { assertStorable, countCodePoints, hasControlCharacter, isBlank } from '../domain/text.ts';
import { badUserInput } from '../errors.ts';
import type { OwnerRecord, Storage, TokenRecord, TokenScope, TokenWithOwner } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { mapNotFound, unauthenticated } from './caller.ts';

export type { TokenScope, TokenWithOwner };

const TOKEN_PREFIX = 'mlt_';
const MAX_OWNER_NAME_LENGTH = 128;

export interface NewToken {
  /** An owner of that name is made where there is none. */
  readonly owner: string;
  readonly scope: TokenScope;
  readonly mapId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

export interface TokenService {
  /** @returns the token, shown this once, and the record that stays */
  createToken(input: NewToken): Promise<{ token: string; record: TokenRecord; ownerCreated: boolean }>;
  /** @throws ServiceError UNAUTHENTICATED for a token unknown, expired or revoked */
  authenticate(token: string): Promise<Caller>;
  listTokens(): Promise<readonly TokenWithOwner[]>;
  /** Takes the token itself or its id; resolves to whether there is such a token. */
  revokeToken(tokenOrId: string): Promise<boolean>;
  findOrCreateOwner(name: string): Promise<{ owner: OwnerRecord; created: boolean }>;
}

export function createTokenService(storage: Storage, clock: () => number): TokenService {
  const findOrCreateOwner: TokenService['findOrCreateOwner'] = async (name) => {
    assertOwnerName(name);
    return storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: clock() });
  };

  const assertMapOf = async (ownerName: string, mapId: string): Promise<void> => {
    const [map = null] = isMapId(mapId) ? await storage.getMaps([mapId]) : [];
    const owner = await storage.findOwnerByName(ownerName);
    if (map === null || map.ownerId !== owner?.id) throw mapNotFound();
  };

  return {
    findOrCreateOwner,

    async createToken({ owner: name, scope, mapId, expiresAt }) {
      assertOwnerName(name);
      if (expiresAt !== null && !(expiresAt > clock())) throw badUserInput('expires must be a time to come.');
      if (mapId !== null) await assertMapOf(name, mapId);
      const { owner, created } = await findOrCreateOwner(name);
      const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
      const record: TokenRecord = {
        id: newTokenId(),
        ownerId: owner.id,
        hash: hashOf(token),
        scope,
        mapId,
        createdAt: clock(),
        expiresAt,
        revokedAt: null,
      };
      await storage.insertToken(record);
      return { token, record, ownerCreated: created };
    },

    async authenticate(token) {
      const record = await storage.findTokenByHash(hashOf(token));
      if (record === null || !isValid(record, clock())) {
        throw unauthenticated('The token is not valid: it is unknown, expired or revoked.');
      }
      return {
        ownerId: record.ownerId,
        ownerName: record.ownerName,
        scope: record.scope,
        mapId: record.mapId,
        tokenId: record.id,
      };
    },

    listTokens: () => storage.listTokens(),

    async revokeToken(tokenOrId) {
      const id = tokenOrId.startsWith(TOKEN_PREFIX)
        ? (await storage.findTokenByHash(hashOf(tokenOrId)))?.id
        : tokenOrId;
      return id === undefined ? false : storage.revokeToken(id, clock());
    },
  };
}

function isValid(record: TokenRecord, now: number): boolean {
  return record.revokedAt === null && (record.expiresAt === null || record.expiresAt > now);
}

/** The tokens carry 256 random bits, so a plain hash cannot be searched; no salt is needed. */
function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}

function assertOwnerName(name: string): void {
  assertStorable(name, 'owner');
  if (isBlank(name) || hasControlCharacter(name) || countCodePoints(name) > MAX_OWNER_NAME_LENGTH) {
    throw badUserInput(
      `owner must be 1 to ${MAX_OWNER_NAME_LENGTH} characters, not blank, without control characters.`,
    );
  }
}
