/** Accounts, and what signing in needs; sessions are in sessions.ts. */

import { randomUUID } from 'node:crypto';

import type { AccountRecord, AccountStorage, OneTimeSecret, SecretPurpose } from '../accounts.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { numberOf, textOf, textOrNull } from './engine/statements.ts';

type AccountStore = Omit<
  AccountStorage,
  'insertSession' | 'findSessionByHash' | 'listSessions' | 'removeSessions' | 'saveSessionUses'
>;

export function accountStore(database: Database): AccountStore {
  return {
    insertAccount: (account) => database.write(() => insertAccount(database, account) === 1),

    findAccount: async (ownerId) =>
      database.read(() => {
        const row = database.get('SELECT * FROM accounts WHERE owner_id = ?', ownerId);
        return row === undefined ? null : toAccount(row);
      }),

    listAccounts: async () =>
      database.read(() => database.all('SELECT * FROM accounts ORDER BY owner_id').map(toAccount)),

    updateAccount: (ownerId, { passwordHash, isDisabled }, ifPasswordHash) =>
      database.write(() => {
        const row = database.get('SELECT * FROM accounts WHERE owner_id = ?', ownerId);
        const account = row === undefined ? null : toAccount(row);
        if (account === null) return false;
        if (ifPasswordHash !== undefined && account.passwordHash !== ifPasswordHash) return false;
        database.run(
          'UPDATE accounts SET password_hash = ?, is_disabled = ? WHERE owner_id = ?',
          passwordHash === undefined ? account.passwordHash : passwordHash,
          Number(isDisabled ?? account.isDisabled),
          ownerId,
        );
        return true;
      }),

    insertOneTimeSecret: ({ hash, purpose, ownerId, data, expiresAt }) =>
      database.write(() => {
        database.run(
          'INSERT INTO one_time_secrets (hash, purpose, owner_id, data, expires_at) VALUES (?, ?, ?, ?, ?)',
          ...[hash, purpose, ownerId, data, expiresAt],
        );
      }),

    findOneTimeSecret: async (hash, now) => database.read(() => findSecret(database, hash, now)),

    takeOneTimeSecret: (hash, now) =>
      database.write(() => {
        const secret = findSecret(database, hash, now);
        if (secret !== null) database.run('DELETE FROM one_time_secrets WHERE hash = ?', hash);
        return secret;
      }),

    removeOneTimeSecrets: (ownerId) =>
      database.write(() => {
        database.run('DELETE FROM one_time_secrets WHERE owner_id = ?', ownerId);
      }),

    takeAttempts: (names, { most, now, expiresAt }) =>
      database.write(() => {
        for (const name of names) {
          const row = database.get(
            'SELECT COUNT(*) AS count, MIN(expires_at) AS until FROM sign_in_attempts WHERE name = ? AND expires_at > ?',
            name,
            now,
          );
          if (Number(row?.count) >= most) return { kind: 'full', until: Number(row?.until) };
        }
        const attempts = names.map((name) => ({ name, id: randomUUID() }));
        for (const { name, id } of attempts) {
          database.run(
            'INSERT INTO sign_in_attempts (name, id, expires_at) VALUES (?, ?, ?)',
            name,
            id,
            expiresAt,
          );
        }
        return { kind: 'taken', attempts };
      }),

    returnAttempts: (attempts) =>
      database.write(() => {
        for (const { name, id } of attempts) {
          database.run('DELETE FROM sign_in_attempts WHERE name = ? AND id = ?', name, id);
        }
      }),
  };
}

/** @returns the number of accounts stored: 0 if the owner has one */
export function insertAccount(
  database: Database,
  { ownerId, passwordHash, isDisabled, createdAt }: AccountRecord,
): number {
  return database.run(
    `INSERT INTO accounts (owner_id, password_hash, is_disabled, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (owner_id) DO NOTHING`,
    ownerId,
    passwordHash,
    Number(isDisabled),
    createdAt,
  );
}

export function toAccount(row: SqlRow): AccountRecord {
  return {
    ownerId: textOf(row, 'owner_id'),
    passwordHash: textOrNull(row, 'password_hash'),
    isDisabled: numberOf(row, 'is_disabled') === 1,
    createdAt: numberOf(row, 'created_at'),
  };
}

function findSecret(database: Database, hash: string, now: number): OneTimeSecret | null {
  const row = database.get('SELECT * FROM one_time_secrets WHERE hash = ? AND expires_at > ?', hash, now);
  if (row === undefined) return null;
  return {
    hash: textOf(row, 'hash'),
    purpose: textOf(row, 'purpose') as SecretPurpose,
    ownerId: textOrNull(row, 'owner_id'),
    data: textOrNull(row, 'data'),
    expiresAt: numberOf(row, 'expires_at'),
  };
}
