/** Tokens in SQLite. */

import type { Storage, TokenRecord, TokenScope, TokenWithOwner } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { RowMemory } from './row-memory.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './rows.ts';

type TokenStorage = Pick<Storage, 'insertToken' | 'findTokenByHash' | 'listTokens' | 'revokeToken'>;

const SELECT_TOKEN = `
  SELECT tokens.*, owners.name AS owner_name FROM tokens JOIN owners ON owners.id = tokens.owner_id`;

export function tokenStatements(connection: Connection): TokenStorage {
  const tokens = new RowMemory<TokenWithOwner>(connection);
  return {
    insertToken: (token) => connection.write(() => insertToken(connection, token)),

    findTokenByHash: async (hash, scope) =>
      connection.read(() =>
        tokens.get(hash, scope?.asOf, () => {
          const row = connection.get(`${SELECT_TOKEN} WHERE hash = ?`, hash);
          return row === undefined ? null : toToken(row);
        }),
      ),

    listTokens: async () =>
      connection.read(() =>
        connection.all(`${SELECT_TOKEN} ORDER BY tokens.created_at, tokens.id`).map(toToken),
      ),

    revokeToken: (id, revokedAt) =>
      connection.write(
        () =>
          connection.run(
            'UPDATE tokens SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?',
            revokedAt,
            id,
          ) === 1,
      ),
  };
}

export function insertToken(connection: Connection, token: TokenRecord): void {
  connection.run(
    `INSERT INTO tokens (id, owner_id, hash, scope, map_id, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    token.id,
    token.ownerId,
    token.hash,
    token.scope,
    token.mapId,
    token.createdAt,
    token.expiresAt,
    token.revokedAt,
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
    scope: textOf(row, 'scope') as TokenScope,
    mapId: textOrNull(row, 'map_id'),
    createdAt: numberOf(row, 'created_at'),
    expiresAt: numberOrNull(row, 'expires_at'),
    revokedAt: numberOrNull(row, 'revoked_at'),
  };
}
