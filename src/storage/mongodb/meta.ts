/** The store's metadata in MongoDB. */

import type { MetaStorage } from '../storage.ts';
import type { Database } from './database.ts';
import { isDuplicateKey } from './errors.ts';

export function metaStore(database: Database): MetaStorage {
  return {
    isEmpty: () =>
      database.run(async ({ owners, tokens, maps }) => {
        const any = { hint: '_id_', projection: { _id: 1 } };
        const found = await Promise.all([
          owners.findOne({}, any),
          tokens.findOne({}, any),
          maps.findOne({}, any),
        ]);
        return found.every((document) => document === null);
      }),

    getMeta: (key) =>
      database.run(async ({ meta }) => (await meta.findOne({ _id: { $eq: key } }))?.value ?? null),

    setMeta: (key, value) =>
      database.run(async ({ meta }) => {
        await meta.updateOne({ _id: key }, { $set: { value } }, { upsert: true });
      }),

    setMetaIfAbsent: (key, value) =>
      database.run(async ({ meta }) => {
        try {
          await meta.insertOne({ _id: key, value });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    removeMeta: (key) =>
      database.run(async ({ meta }) => {
        await meta.deleteOne({ _id: { $eq: key } });
      }),
  };
}
