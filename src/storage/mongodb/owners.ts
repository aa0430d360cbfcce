/** Owners in MongoDB. */

import type { OwnerRecord, OwnerStorage } from '../storage.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Database } from './database.ts';
import type { OwnerDocument } from './schema.ts';
import { isDuplicateKey } from './errors.ts';

export function ownerStore(database: Database): OwnerStorage {
  // Every request with a JWT looks up its owner.
  const findByName = createBatchedFind(
    database,
    ({ owners }, names) => owners.find({ name: { $in: names } }).toArray(),
    ({ name }) => name,
  );
  return {
    findOrCreateOwner: (owner) =>
      database.run(async ({ owners }) => {
        const found = await owners.findOne({ name: { $eq: owner.name } });
        if (found !== null) return { owner: toOwner(found), created: false };
        try {
          const created = { ...owner, displayName: null };
          await owners.insertOne(toOwnerDocument(created));
          return { owner: created, created: true };
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // Another process has inserted it meanwhile.
        const other = await owners.findOne({ name: { $eq: owner.name } });
        if (other === null) throw new Error('The owner was deleted during findOrCreateOwner.');
        return { owner: toOwner(other), created: false };
      }),

    findOwnerByName: async (name, scope) => {
      const found = await findByName(name, scope);
      return found === null ? null : toOwner(found);
    },

    findOwner: (id) =>
      database.run(async ({ owners }) => {
        const found = await owners.findOne({ _id: { $eq: id } });
        return found === null ? null : toOwner(found);
      }),

    findOwners: (ids, scope) =>
      database.run(async ({ owners }) => {
        const found = await owners.find({ _id: { $in: [...ids] } }).toArray();
        const byId = new Map(found.map((document) => [document._id, toOwner(document)]));
        return ids.map((id) => byId.get(id) ?? null);
      }, scope),
    renameOwner: (id, name) =>
      database.run(async ({ owners, tokens, sessions }) => {
        try {
          const { matchedCount } = await owners.updateOne({ _id: { $eq: id } }, { $set: { name } });
          if (matchedCount === 0) return false;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
        // A crash before this leaves copies with the former name, which are only shown.
        const copies = { $set: { ownerName: name } };
        await tokens.updateMany({ ownerId: { $eq: id } }, copies);
        await sessions.updateMany({ ownerId: { $eq: id } }, copies);
        return true;
      }),

    setDisplayName: (ownerId, displayName) =>
      database.run(async ({ owners }) => {
        await owners.updateOne(
          { _id: { $eq: ownerId } },
          displayName === null ? { $unset: { displayName: true } } : { $set: { displayName } },
        );
      }),

    listOwners: () =>
      database.run(async ({ owners }) => {
        const found = await owners.find().sort({ name: 1 }).hint('owners_by_name').toArray();
        return found.map(toOwner);
      }),
  };
}

export function toOwnerDocument({ id, name, displayName, createdAt }: OwnerRecord): OwnerDocument {
  return { _id: id, name, displayName: displayName ?? undefined, createdAt: new Date(createdAt) };
}

export function toOwner({ _id, name, displayName, createdAt }: OwnerDocument): OwnerRecord {
  return { id: _id, name, displayName: displayName ?? null, createdAt: createdAt.getTime() };
}
