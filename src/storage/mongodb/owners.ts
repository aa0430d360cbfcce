/** Owners and their tokens in MongoDB. */

import type { OwnerRecord, Storage, TokenRecord, TokenWithOwner } from '../storage.ts';
import type { Database } from './database.ts';
import type { OwnerDocument, TokenDocument } from './documents.ts';
import { isDuplicateKey } from './failures.ts';
import { findTogether } from './together.ts';

type OwnerStorage = Pick<
  Storage,
  | 'findOrCreateOwner'
  | 'findOwnerByName'
  | 'findOwner'
  | 'listOwners'
  | 'insertToken'
  | 'findTokenByHash'
  | 'listTokens'
  | 'revokeToken'
>;

export function ownerCalls(database: Database): OwnerStorage {
  const findToken = findTogether(
    database,
    ({ tokens }, hashes) => tokens.find({ hash: { $in: hashes } }).toArray(),
    ({ hash }) => hash,
  );
  return {
    findOrCreateOwner: (owner) =>
      database.run(async ({ owners }) => {
        const found = await owners.findOne({ name: { $eq: owner.name } });
        if (found !== null) return { owner: toOwner(found), created: false };
        try {
          await owners.insertOne(toOwnerDocument(owner));
          return { owner, created: true };
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // Somebody else was quicker, a moment ago.
        const other = await owners.findOne({ name: { $eq: owner.name } });
        if (other === null) throw new Error('An owner was there and is not.');
        return { owner: toOwner(other), created: false };
      }),

    findOwnerByName: (name) =>
      database.run(async ({ owners }) => {
        const found = await owners.findOne({ name: { $eq: name } });
        return found === null ? null : toOwner(found);
      }),

    findOwner: (id) =>
      database.run(async ({ owners }) => {
        const found = await owners.findOne({ _id: { $eq: id } });
        return found === null ? null : toOwner(found);
      }),

    listOwners: () =>
      database.run(async ({ owners }) => {
        const found = await owners.find().sort({ name: 1 }).hint('owners_by_name').toArray();
        return found.map(toOwner);
      }),

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

export function toOwnerDocument({ id, name, createdAt }: OwnerRecord): OwnerDocument {
  return { _id: id, name, createdAt: new Date(createdAt) };
}

export function toOwner({ _id, name, createdAt }: OwnerDocument): OwnerRecord {
  return { id: _id, name, createdAt: createdAt.getTime() };
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
