import type { TokenKind, TokenRecord, TokenScope, TokenStorage, TokenWithOwner } from '../storage.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { RowCache } from './caches.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './engine/statements.ts';

export const SELECT_TOKEN = `
  SELECT tokens.*, owners.name AS owner_name FROM tokens JOIN owners ON owners.id = tokens.owner_id`;

/** SQLite's value for no limit. */
const NO_LIMIT = -1;

export function tokenStore(database: Database): TokenStorage {
  const tokens = new RowCache<TokenWithOwner>(database);
  return {
    insertToken: (token) => database.write(() => insertToken(database, token)),

    findTokenByHash: async (hash, scope) =>
      database.read(() =>
        tokens.get(hash, scope?.readTimestamp, () => {
          const row = database.get(`${SELECT_TOKEN} WHERE hash = ?`, hash);
          return row === undefined ? null : toToken(row);
        }),
      ),

    findToken: async (id) =>
      database.read(() => {
        const row = database.get(`${SELECT_TOKEN} WHERE tokens.id = ?`, id);
        return row === undefined ? null : toToken(row);
      }),

    listTokens: async (ownerId, page) =>
      database.read(() => {
        const order = 'ORDER BY tokens.created_at, tokens.id';
        if (ownerId === undefined) return database.all(`${SELECT_TOKEN} ${order}`).map(toToken);
        const after = page?.after ?? null;
        const beyond = after === null ? '' : 'AND (tokens.created_at, tokens.id) > (?, ?)';
        const rows = database.all(
          `${SELECT_TOKEN} WHERE tokens.owner_id = ? ${beyond} ${order} LIMIT ?`,
          ownerId,
          ...(after === null ? [] : [after.createdAt, after.id]),
          page?.limit ?? NO_LIMIT,
        );
        return rows.map(toToken);
      }),

    revokeToken: (id, revokedAt) =>
      database.write(
        () =>
          database.run(
            'UPDATE tokens SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?',
            revokedAt,
            id,
          ) === 1,
      ),

    saveTokenUses: (uses, intervalMs) =>
      database.write(() => {
        for (const { tokenId, usedAt } of uses) {
          database.run(
            'UPDATE tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)',
            usedAt,
            tokenId,
            usedAt - intervalMs,
          );
        }
      }),
  };
}

export function insertToken(database: Database, token: TokenRecord): void {
  database.run(
    `INSERT INTO tokens (id, owner_id, hash, name, scope, map_id, created_at, expires_at, revoked_at, last_used_at, kind)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    token.id,
    token.ownerId,
    token.hash,
    token.name,
    token.scope,
    token.mapId,
    token.createdAt,
    token.expiresAt,
    token.revokedAt,
    token.lastUsedAt,
    token.kind,
  );
}

/** Revokes an owner's tokens and links that are limited to a map. */
export function revokeTokensOf(database: Database, ownerId: string, mapId: string, revokedAt: number): void {
  database.run(
    'UPDATE tokens SET revoked_at = ? WHERE owner_id = ? AND map_id = ? AND revoked_at IS NULL',
    ...[revokedAt, ownerId, mapId],
  );
}

/** Revokes the links that an owner has made to a map. */
export function revokeLinksOf(database: Database, ownerId: string, mapId: string, revokedAt: number): void {
  database.run(
    `UPDATE tokens SET revoked_at = ? WHERE map_id = ? AND kind = 'link' AND revoked_at IS NULL AND owner_id = ?`,
    ...[revokedAt, mapId, ownerId],
  );
}

export function toToken(row: SqlRow): TokenWithOwner {
  return { ...toTokenRecord(row), ownerName: textOf(row, 'owner_name') };
}

export function toTokenRecord(row: SqlRow): TokenRecord {
  return {
    id: textOf(row, 'id'),
    kind: textOf(row, 'kind') as TokenKind,
    ownerId: textOf(row, 'owner_id'),
    hash: textOf(row, 'hash'),
    name: textOrNull(row, 'name'),
    scope: textOf(row, 'scope') as TokenScope,
    mapId: textOrNull(row, 'map_id'),
    createdAt: numberOf(row, 'created_at'),
    expiresAt: numberOrNull(row, 'expires_at'),
    revokedAt: numberOrNull(row, 'revoked_at'),
    lastUsedAt: numberOrNull(row, 'last_used_at'),
  };
}
