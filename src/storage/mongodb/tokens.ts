/** Tokens in MongoDB. */

import type { Filter } from 'mongodb';

import type { TokenRecord, TokensPage, TokenStorage, TokenWithOwner } from '../storage.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Database } from './database.ts';
import type { Collections, TokenDocument } from './schema.ts';
import { toDate } from './schema.ts';

export function tokenStore(database: Database): TokenStorage {
  const findByHash = createBatchedFind(
    database,
    ({ tokens }, hashes) => tokens.find({ hash: { $in: hashes } }).toArray(),
    ({ hash }) => hash,
  );
  return {
    insertToken: (token) => database.run((collections) => insertToken(collections, token)),

    findTokenByHash: async (hash, scope) => {
      const found = await findByHash(hash, scope);
      return found === null ? null : toToken(found);
    },

    findToken: (id, scope) =>
      database.run(async ({ tokens }) => {
        const found = await tokens.findOne({ _id: { $eq: id } });
        return found === null ? null : toToken(found);
      }, scope),

    listTokens: (ownerId, page) =>
      database.run(async ({ tokens }) => {
        const found =
          ownerId === undefined
            ? tokens.find().hint('tokens_by_creation')
            : tokens
                .find({ ownerId: { $eq: ownerId }, ...afterFilter(page?.after ?? null) })
                .hint('tokens_by_owner')
                .limit(page?.limit ?? 0);
        return (await found.sort({ createdAt: 1, _id: 1 }).toArray()).map(toToken);
      }),

    revokeToken: (id, revokedAt) =>
      database.run(async ({ tokens }) => {
        // A pipeline, so that the first revocation's time stays.
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

export async function insertToken({ owners, tokens }: Collections, token: TokenRecord): Promise<void> {
  const owner = await owners.findOne({ _id: { $eq: token.ownerId } });
  if (owner === null) throw new Error(`The token's owner ${token.ownerId} does not exist.`);
  await tokens.insertOne(toTokenDocument(token, owner.name));
}

/** Revokes an owner's tokens and links that are limited to a map. */
export async function revokeTokensOf(
  { tokens }: Pick<Collections, 'tokens'>,
  ownerId: string,
  mapId: string,
  revokedAt: number,
): Promise<void> {
  await tokens.updateMany(
    { ownerId: { $eq: ownerId }, mapId: { $eq: mapId }, revokedAt: { $exists: false } },
    { $set: { revokedAt: new Date(revokedAt) } },
    { hint: 'tokens_by_owner' },
  );
}

/** Revokes the links that an owner has made to a map. */
export async function revokeLinksOf(
  { tokens }: Pick<Collections, 'tokens'>,
  ownerId: string,
  mapId: string,
  revokedAt: number,
): Promise<void> {
  await tokens.updateMany(
    { mapId: { $eq: mapId }, kind: 'link', ownerId: { $eq: ownerId }, revokedAt: { $exists: false } },
    { $set: { revokedAt: new Date(revokedAt) } },
    { hint: 'links_by_map' },
  );
}

/** A range of times for the index; ids decide among equal times. */
function afterFilter(after: TokensPage['after']): Filter<TokenDocument> {
  if (after === null) return {};
  const createdAt = new Date(after.createdAt);
  return {
    createdAt: { $gte: createdAt },
    $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gt: after.id } }],
  };
}

export function toTokenDocument(token: TokenRecord, ownerName: string): TokenDocument {
  return {
    _id: token.id,
    kind: token.kind === 'link' ? token.kind : undefined,
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
    kind: document.kind ?? 'token',
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
