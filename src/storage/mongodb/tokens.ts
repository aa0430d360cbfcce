/** Tokens in MongoDB. */

import type { Storage, TokenRecord, TokenWithOwner } from '../storage.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Database } from './database.ts';
import type { TokenDocument } from './documents.ts';

type TokenStorage = Pick<Storage, 'insertToken' | 'findTokenByHash' | 'listTokens' | 'revokeToken'>;

export function tokenCalls(database: Database): TokenStorage {
  const findToken = createBatchedFind(
    database,
    ({ tokens }, hashes) => tokens.find({ hash: { $in: hashes } }).toArray(),
    ({ hash }) => hash,
  );
  return {
    insertToken: (token) =>
      database.run(async ({ owners, tokens }) => {
        const owner = await owners.findOne({ _id: { $eq: token.ownerId } });
        if (owner === null) throw new Error('A token needs an owner.');
        await tokens.insertOne(toTokenDocument(token, owner.name));
      }),

    findTokenByHash: async (hash, scope) => {
      const found = await findToken(hash, scope);
      return found === null ? null : toToken(found);
    },

    listTokens: () =>
      database.run(async ({ tokens }) => {
        const found = await tokens.find().sort({ createdAt: 1, _id: 1 }).hint('tokens_by_creation').toArray();
        return found.map(toToken);
      }),

    revokeToken: (id, revokedAt) =>
      database.run(async ({ tokens }) => {
        // A pipeline: the first time stays, whoever comes second.
        const { matchedCount } = await tokens.updateOne({ _id: { $eq: id } }, [
          { $set: { revokedAt: { $ifNull: ['$revokedAt', new Date(revokedAt)] } } },
        ]);
        return matchedCount === 1;
      }),
  };
}

function toDate(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time);
}

export function toTokenDocument(token: TokenRecord, ownerName: string): TokenDocument {
  return {
    _id: token.id,
    hash: token.hash,
    ownerId: token.ownerId,
    ownerName,
    scope: token.scope,
    mapId: token.mapId ?? undefined,
    createdAt: new Date(token.createdAt),
    expiresAt: toDate(token.expiresAt),
    revokedAt: toDate(token.revokedAt),
  };
}

export function toToken(document: TokenDocument): TokenWithOwner {
  return {
    id: document._id,
    ownerId: document.ownerId,
    ownerName: document.ownerName,
    hash: document.hash,
    scope: document.scope,
    mapId: document.mapId ?? null,
    createdAt: document.createdAt.getTime(),
    expiresAt: document.expiresAt?.getTime() ?? null,
    revokedAt: document.revokedAt?.getTime() ?? null,
  };
}
