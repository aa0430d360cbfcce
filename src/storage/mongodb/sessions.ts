/** Sessions in MongoDB. */

import type { AccountStorage, SessionRecord, SessionWithOwner } from '../accounts.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Database } from './database.ts';
import type { SessionDocument } from './schema.ts';

type SessionStorage = Pick<
  AccountStorage,
  'insertSession' | 'findSessionByHash' | 'listSessions' | 'removeSessions' | 'saveSessionUses'
>;

export function sessionStore(database: Database): SessionStorage {
  const findByHash = createBatchedFind(
    database,
    ({ sessions }, hashes) => sessions.find({ hash: { $in: hashes } }).toArray(),
    ({ hash }) => hash,
  );
  return {
    insertSession: (session) =>
      database.run(async ({ owners, sessions }) => {
        const owner = await owners.findOne({ _id: { $eq: session.ownerId } });
        if (owner === null) throw new Error(`The session's owner ${session.ownerId} does not exist.`);
        await sessions.insertOne(toDocument(session, owner.name));
      }),

    findSessionByHash: async (hash, scope) => {
      const found = await findByHash(hash, scope);
      return found === null ? null : toSession(found);
    },

    listSessions: (ownerId, scope) =>
      database.run(async ({ sessions }) => {
        const found = await sessions
          .find({ ownerId: { $eq: ownerId } })
          .sort({ createdAt: 1, _id: 1 })
          .hint('sessions_by_owner')
          .toArray();
        return found.map(toRecord);
      }, scope),

    removeSessions: (ownerId, which) =>
      database.run(async ({ sessions }) => {
        const meant =
          'except' in which
            ? which.except === null
              ? {}
              : { _id: { $ne: which.except } }
            : { _id: { $in: [...which] } };
        const found = await sessions
          .find({ ownerId: { $eq: ownerId }, ...meant })
          .project<Pick<SessionDocument, '_id'>>({ _id: 1 })
          .toArray();
        const removed: string[] = [];
        for (const { _id } of found) {
          const { deletedCount } = await sessions.deleteOne({ _id: { $eq: _id } });
          if (deletedCount === 1) removed.push(_id);
        }
        return removed;
      }),

    saveSessionUses: (uses, intervalMs) =>
      database.run(async ({ sessions }) => {
        if (uses.length === 0) return;
        const updates = uses.map(({ sessionId, usedAt, expiresAt }) => ({
          updateOne: {
            filter: { _id: { $eq: sessionId }, lastUsedAt: { $lte: new Date(usedAt - intervalMs) } },
            update: { $set: { lastUsedAt: new Date(usedAt), expiresAt: new Date(expiresAt) } },
          },
        }));
        await sessions.bulkWrite(updates, { ordered: false });
      }),
  };
}

function toDocument(session: SessionRecord, ownerName: string): SessionDocument {
  return {
    _id: session.id,
    hash: session.hash,
    ownerId: session.ownerId,
    ownerName,
    createdAt: new Date(session.createdAt),
    lastUsedAt: new Date(session.lastUsedAt),
    expiresAt: new Date(session.expiresAt),
    userAgent: session.userAgent ?? undefined,
    idToken: session.idToken ?? undefined,
  };
}

function toRecord(document: SessionDocument): SessionRecord {
  return {
    id: document._id,
    hash: document.hash,
    ownerId: document.ownerId,
    createdAt: document.createdAt.getTime(),
    lastUsedAt: document.lastUsedAt.getTime(),
    expiresAt: document.expiresAt.getTime(),
    userAgent: document.userAgent ?? null,
    idToken: document.idToken ?? null,
  };
}

function toSession(document: SessionDocument): SessionWithOwner {
  return { ...toRecord(document), ownerName: document.ownerName };
}
