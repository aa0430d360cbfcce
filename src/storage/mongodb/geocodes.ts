/** Cached geocodes and quotas in MongoDB. */

import type { GeocodeStorage, QuotaCount, StoredGeocode } from '../storage.ts';
import type { Database } from './database.ts';
import { isDuplicateKey } from './errors.ts';
import type { Collections, GeocodeDocument } from './schema.ts';
import { toDate } from './schema.ts';

export function geocodeStore(database: Database): GeocodeStorage {
  return {
    getGeocode: (key, now) =>
      database.run(async ({ geocodes }) => {
        const found = await geocodes.findOne({ _id: { $eq: key } });
        if (found === null) return null;
        const geocode = toGeocode(found);
        return geocode.expiresAt === null || geocode.expiresAt > now ? geocode : null;
      }),

    putGeocode: (geocode) =>
      database.run(async ({ geocodes }) => {
        const { _id, ...rest } = toGeocodeDocument(geocode);
        await geocodes.replaceOne({ _id: { $eq: _id } }, rest, { upsert: true });
      }),

    takeQuota: (counts, expiresAt) =>
      database.run(async (collections) => {
        const taken: QuotaCount[] = [];
        for (const count of counts) {
          if (await takeOne(collections, count, expiresAt)) {
            taken.push(count);
            continue;
          }
          // A crash before this counts one too many until the quota expires; no limit is ever exceeded.
          for (const { name } of taken) {
            await collections.quotas.updateOne({ _id: { $eq: name } }, { $inc: { count: -1 } });
          }
          return count.name;
        }
        return null;
      }),
  };
}

/** One upsert: at the limit, its filter matches nothing and its insert fails on the taken id. */
async function takeOne(
  { quotas }: Collections,
  { name, limit }: QuotaCount,
  expiresAt: number,
): Promise<boolean> {
  if (limit < 1) return false;
  const update = { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(expiresAt) } };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await quotas.updateOne({ _id: { $eq: name }, count: { $lt: limit } }, update, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // The first time, another process may have inserted the count a moment ago: try the update again.
      if (attempt === 2) return false;
    }
  }
}

export function toGeocodeDocument(geocode: StoredGeocode): GeocodeDocument {
  return {
    _id: geocode.key,
    provider: geocode.provider,
    mapId: geocode.mapId ?? undefined,
    place: geocode.place ?? undefined,
    storedAt: new Date(geocode.storedAt),
    expiresAt: toDate(geocode.expiresAt),
  };
}

export function toGeocode(document: GeocodeDocument): StoredGeocode {
  return {
    key: document._id,
    provider: document.provider,
    mapId: document.mapId ?? null,
    place: document.place ?? null,
    storedAt: document.storedAt.getTime(),
    expiresAt: document.expiresAt?.getTime() ?? null,
  };
}
