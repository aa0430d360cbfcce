/** Tokens in SQLite. */

import type { Storage, TokenRecord, TokenScope, TokenWithOwner } from '../storage.ts';
import type { Connection } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { RowCache } from './caches.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './rows.ts';

type TokenStorage = Pick<
  Storage,
  'insertToken' | 'findTokenByHash' | 'findToken' | 'listTokens' | 'revokeToken' | 'saveTokenUses'
>;

const SELECT_TOKEN = `
  SELECT tokens.*, owners.name AS owner_name FROM tokens JOIN owners ON owners.id = tokens.owner_id`;

/** As SQLite takes it. */
const NO_LIMIT = -1;

export function tokenStore(connection: Connection): TokenStorage {
  const tokens = new RowCache<TokenWithOwner>(connection);
  return {
    insertToken: (token) => connection.write(() => insertToken(connection, token)),

    findTokenByHash: async (hash, scope) =>
      connection.read(() =>
        tokens.get(hash, scope?.readTimestamp, () => {
          const row = connection.get(`${SELECT_TOKEN} WHERE hash = ?`, hash);
          return row === undefined ? null : toToken(row);
        }),
      ),

    findToken: async (id) =>
      connection.read(() => {
        const row = connection.get(`${SELECT_TOKEN} WHERE tokens.id = ?`, id);
        return row === undefined ? null : toToken(row);
      }),

    listTokens: async (ownerId, page) =>
      connection.read(() => {
        const order = 'ORDER BY tokens.created_at, tokens.id';
        if (ownerId === undefined) return connection.all(`${SELECT_TOKEN} ${order}`).map(toToken);
        const after = page?.after ?? null;
        const beyond = after === null ? '' : 'AND (tokens.created_at, tokens.id) > (?, ?)';
        const rows = connection.all(
          `${SELECT_TOKEN} WHERE tokens.owner_id = ? ${beyond} ${order} LIMIT ?`,
          ownerId,
          ...(after === null ? [] : [after.createdAt, after.id]),
          page?.limit ?? NO_LIMIT,
        );
        return rows.map(toToken);
      }),

    revokeToken: (id, revokedAt) =>
      connection.write(
        () =>
          connection.run(
            'UPDATE tokens SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?',
            revokedAt,
            id,
          ) === 1,
      ),

    saveTokenUses: (uses, intervalMs) =>
      connection.write(() => {
        for (const { tokenId, usedAt } of uses) {
          connection.run(
            'UPDATE tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)',
            usedAt,
            tokenId,
            usedAt - intervalMs,
          );
        }
      }),
  };
}

export function insertToken(connection: Connection, token: TokenRecord): void {
  connection.run(
    `INSERT INTO tokens (id, owner_id, hash, name, scope, map_id, created_at, expires_at, revoked_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
  );
}

function toToken(row: SqlRow): TokenWithOwner {
  return { ...toTokenRecord(row), ownerName: textOf(row, 'owner_name') };
}

export function toTokenRecord(row: SqlRow): TokenRecord {
  return {
    id: textOf(row, 'id'),
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
