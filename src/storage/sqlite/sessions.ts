import type { AccountStorage, SessionRecord, SessionWithOwner } from '../accounts.ts';
import { RowCache } from './caches.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { numberOf, textOf, textOrNull } from './engine/statements.ts';

type SessionStorage = Pick<
  AccountStorage,
  'insertSession' | 'findSessionByHash' | 'listSessions' | 'removeSessions' | 'saveSessionUses'
>;

export function sessionStore(database: Database): SessionStorage {
  const sessions = new RowCache<SessionWithOwner>(database);
  const list = (ownerId: string) =>
    database.all('SELECT * FROM sessions WHERE owner_id = ? ORDER BY created_at, id', ownerId).map(toSession);
  return {
    insertSession: (session) =>
      database.write(() => {
        database.run(
          `INSERT INTO sessions (id, hash, owner_id, created_at, last_used_at, expires_at, user_agent, id_token)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[session.id, session.hash, session.ownerId, session.createdAt, session.lastUsedAt],
          ...[session.expiresAt, session.userAgent, session.idToken],
        );
      }),

    findSessionByHash: async (hash, scope) =>
      database.read(() =>
        sessions.get(hash, scope?.readTimestamp, () => {
          const row = database.get(
            `SELECT sessions.*, owners.name AS owner_name FROM sessions JOIN owners ON owners.id = sessions.owner_id
             WHERE hash = ?`,
            hash,
          );
          return row === undefined ? null : { ...toSession(row), ownerName: textOf(row, 'owner_name') };
        }),
      ),

    listSessions: async (ownerId) => database.read(() => list(ownerId)),

    removeSessions: (ownerId, which) =>
      database.write(() => {
        const isMeant = ({ id }: SessionRecord) =>
          'except' in which ? id !== which.except : which.includes(id);
        const ids = list(ownerId)
          .filter(isMeant)
          .map(({ id }) => id);
        for (const id of ids) database.run('DELETE FROM sessions WHERE id = ?', id);
        return ids;
      }),

    saveSessionUses: (uses, intervalMs) =>
      database.write(() => {
        for (const { sessionId, usedAt, expiresAt } of uses) {
          database.run(
            'UPDATE sessions SET last_used_at = ?, expires_at = ? WHERE id = ? AND last_used_at <= ?',
            usedAt,
            expiresAt,
            sessionId,
            usedAt - intervalMs,
          );
        }
      }),
  };
}

function toSession(row: SqlRow): SessionRecord {
  return {
    id: textOf(row, 'id'),
    hash: textOf(row, 'hash'),
    ownerId: textOf(row, 'owner_id'),
    createdAt: numberOf(row, 'created_at'),
    lastUsedAt: numberOf(row, 'last_used_at'),
    expiresAt: numberOf(row, 'expires_at'),
    userAgent: textOrNull(row, 'user_agent'),
    idToken: textOrNull(row, 'id_token'),
  };
}
