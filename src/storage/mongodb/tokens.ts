/** Tokens in MongoDB. */

import type { Storage, TokenRecord, TokenWithOwner } from '../storage.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Database } from './database.ts';
import type { TokenDocument } from './documents.ts';

type TokenStorage = Pick<
  Storage,
  'insertToken' | 'findTokenByHash' | 'listTokens' | 'revokeToken' | 'saveTokenUses'
>;

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

    listTokens: (ownerId) =>
      database.run(async ({ tokens }) => {
        const all =
          ownerId === undefined
            ? tokens.find().hint('tokens_by_creation')
            : tokens.find({ ownerId: { $eq: ownerId } }).hint('tokens_by_owner');
        return (await all.sort({ createdAt: 1, _id: 1 }).toArray()).map(toToken);
      }),

    revokeToken: (id, revokedAt) =>
      database.run(async ({ tokens }) => {
        // A pipeline: the first time stays, whoever comes second.
        const { matchedCount } = await tokens.updateOne({ _id: { $eq: id } }, [
          { $set: { revokedAt: { $ifNull: ['$revokedAt', new Date(revokedAt)] } } },
        ]);
        return matchedCount === 1;
      }),

    saveTokenUses: (uses, intervalMs) =>
      database.run(async ({ tokens }) => {
        if (uses.length === 0) return;
        const updates = uses.map(({ tokenId, usedAt }) => ({
          updateOne: {
            filter: { _id: { $eq: tokenId }, lastUsedAt: { $not: { $gt: new Date(usedAt - intervalMs) } } },
            update: { $set: { lastUsedAt: new Date(usedAt) } },
          },
        }));
        await tokens.bulkWrite(updates, { ordered: false });
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
    name: token.name ?? undefined,
    scope: token.scope,
    mapId: token.mapId ?? undefined,
    createdAt: new Date(token.createdAt),
    expiresAt: toDate(token.expiresAt),
    revokedAt: toDate(token.revokedAt),
    lastUsedAt: toDate(token.lastUsedAt),
  };
}

export function toToken(document: TokenDocument): TokenWithOwner {
  return {
    id: document._id,
    ownerId: document.ownerId,
    ownerName: document.ownerName,
    hash: document.hash,
    name: document.name ?? null,
    scope: document.scope,
    mapId: document.mapId ?? null,
    createdAt: document.createdAt.getTime(),
    expiresAt: document.expiresAt?.getTime() ?? null,
    revokedAt: document.revokedAt?.getTime() ?? null,
    lastUsedAt: document.lastUsedAt?.getTime() ?? null,
  };
}
