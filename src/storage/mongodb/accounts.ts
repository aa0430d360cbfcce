/** Accounts in MongoDB, and what signing in needs; sessions are in sessions.ts. */

import { randomUUID } from 'node:crypto';

import type { AccountRecord, AccountStorage, Attempt, AttemptLimit, OneTimeSecret } from '../accounts.ts';
import type { Database } from './database.ts';
import { isDuplicateKey } from './errors.ts';
import type { AccountDocument, Collections, OneTimeSecretDocument } from './schema.ts';

type AccountStore = Omit<
  AccountStorage,
  'insertSession' | 'findSessionByHash' | 'listSessions' | 'removeSessions' | 'saveSessionUses'
>;

export function accountStore(database: Database): AccountStore {
  return {
    insertAccount: (account) =>
      database.run(async ({ owners, accounts }) => {
        const owner = await owners.findOne({ _id: { $eq: account.ownerId } });
        if (owner === null) throw new Error(`The account's owner ${account.ownerId} does not exist.`);
        try {
          await accounts.insertOne(toAccountDocument(account));
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    findAccount: (ownerId, scope) =>
      database.run(async ({ accounts }) => {
        const found = await accounts.findOne({ _id: { $eq: ownerId } });
        return found === null ? null : toAccount(found);
      }, scope),

    listAccounts: () =>
      database.run(async ({ accounts }) => {
        const found = await accounts.find().sort({ _id: 1 }).hint('_id_').toArray();
        return found.map(toAccount);
      }),

    updateAccount: (ownerId, { passwordHash, isDisabled }, ifPasswordHash) =>
      database.run(async ({ accounts }) => {
        const { matchedCount } = await accounts.updateOne(
          {
            _id: { $eq: ownerId },
            ...(ifPasswordHash !== undefined && { passwordHash: { $eq: ifPasswordHash } }),
          },
          {
            ...(passwordHash === null && { $unset: { passwordHash: true } }),
            $set: {
              ...(typeof passwordHash === 'string' && { passwordHash }),
              ...(isDisabled !== undefined && { isDisabled }),
            },
          },
        );
        return matchedCount === 1;
      }),

    insertOneTimeSecret: (secret) =>
      database.run(async ({ oneTimeSecrets }) => {
        await oneTimeSecrets.insertOne(toSecretDocument(secret));
      }),

    findOneTimeSecret: (hash, now) =>
      database.run(async ({ oneTimeSecrets }) => {
        const found = await oneTimeSecrets.findOne({ _id: { $eq: hash }, expiresAt: { $gt: new Date(now) } });
        return found === null ? null : toSecret(found);
      }),

    takeOneTimeSecret: (hash, now) =>
      database.run(async ({ oneTimeSecrets }) => {
        const found = await oneTimeSecrets.findOneAndDelete({
          _id: { $eq: hash },
          expiresAt: { $gt: new Date(now) },
        });
        return found === null ? null : toSecret(found);
      }),

    removeOneTimeSecrets: (ownerId) =>
      database.run(async ({ oneTimeSecrets }) => {
        await oneTimeSecrets.deleteMany({ ownerId: { $eq: ownerId } }, { hint: 'one_time_secrets_by_owner' });
      }),

    takeAttempts: (names, limit) =>
      database.run(async (collections) => {
        const attempts: Attempt[] = [];
        for (const name of names) {
          const attempt = { name, id: randomUUID() };
          const until = await takeOne(collections, attempt, limit);
          if (until === null) {
            attempts.push(attempt);
            continue;
          }
          // A crash before this counts an attempt too many until it expires; no limit is ever exceeded.
          await uncount(collections, attempts);
          return { kind: 'full', until };
        }
        return { kind: 'taken', attempts };
      }),

    returnAttempts: (attempts) => database.run((collections) => uncount(collections, attempts)),
  };
}

/** @returns null if the attempt counts; else when the first counted one expires */
async function takeOne(
  { signInAttempts }: Collections,
  { name, id }: Attempt,
  { most, now, expiresAt }: AttemptLimit,
): Promise<number | null> {
  const counted = { $ifNull: ['$attempts', []] };
  const added = [{ id: { $literal: id }, until: new Date(expiresAt) }];
  const update = [
    { $set: { attempts: { $filter: { input: counted, cond: { $gt: ['$$this.until', new Date(now)] } } } } },
    {
      $set: {
        attempts: {
          $cond: [
            { $lt: [{ $size: '$attempts' }, most] },
            { $concatArrays: ['$attempts', added] },
            '$attempts',
          ],
        },
        expiresAt: { $max: ['$expiresAt', new Date(expiresAt)] },
      },
    },
  ];
  for (;;) {
    try {
      const found = await signInAttempts.findOneAndUpdate({ _id: { $eq: name } }, update, {
        upsert: true,
        returnDocument: 'after',
      });
      const attempts = found?.attempts ?? [];
      if (attempts.some((attempt) => attempt.id === id)) return null;
      return Math.min(...attempts.map(({ until }) => until.getTime()));
    } catch (error) {
      // Another process has inserted the name a moment ago.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

async function uncount({ signInAttempts }: Collections, attempts: readonly Attempt[]): Promise<void> {
  for (const { name, id } of attempts) {
    await signInAttempts.updateOne({ _id: { $eq: name } }, { $pull: { attempts: { id: { $eq: id } } } });
  }
}

export function toAccountDocument({
  ownerId,
  passwordHash,
  isDisabled,
  createdAt,
}: AccountRecord): AccountDocument {
  return {
    _id: ownerId,
    passwordHash: passwordHash ?? undefined,
    isDisabled,
    createdAt: new Date(createdAt),
  };
}

export function toAccount({ _id, passwordHash, isDisabled, createdAt }: AccountDocument): AccountRecord {
  return { ownerId: _id, passwordHash: passwordHash ?? null, isDisabled, createdAt: createdAt.getTime() };
}

function toSecretDocument({ hash, purpose, ownerId, data, expiresAt }: OneTimeSecret): OneTimeSecretDocument {
  return {
    _id: hash,
    purpose,
    ownerId: ownerId ?? undefined,
    data: data ?? undefined,
    expiresAt: new Date(expiresAt),
  };
}

function toSecret({ _id, purpose, ownerId, data, expiresAt }: OneTimeSecretDocument): OneTimeSecret {
  return {
    hash: _id,
    purpose,
    ownerId: ownerId ?? null,
    data: data ?? null,
    expiresAt: expiresAt.getTime(),
  };
}
