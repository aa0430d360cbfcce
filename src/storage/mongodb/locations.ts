/** Locations in MongoDB. Every query names the map, which decides the shard that it goes to. */

import type { Storage } from '../storage.ts';
import type { Collections, Database } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { insertAll, keyNames } from './insert.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import type { ListStates } from './list-state.ts';
import { isLive, toLocation } from './location-documents.ts';
import { listLocationsJson } from './locations-json.ts';
import { rangeOf } from './range.ts';
import { readCount } from './read-count.ts';

type LocationStorage = Pick<
  Storage,
  | 'insertLocations'
  | 'getLocations'
  | 'listLocations'
  | 'listLocationsJson'
  | 'hasLocations'
  | 'countLocations'
  | 'deleteLocation'
>;

/**
 * How long a tombstone is kept after its key has expired, and after it was made. It is longer than any request that read
 * the key before, and than the clocks of the gateways and of the server, which removes it, are apart.
 */
export const TOMBSTONE_GRACE_MS = 60 * 60 * 1000;

export function locationCalls(database: Database, lists: ListStates): LocationStorage {
  const withKeys = createKeyedMutex();
  return {
    insertLocations: (mapId, inserts, now, scope) =>
      database.run(
        (collections) =>
          // Requests of this process under one key wait for one another, so all but the first find a claim.
          withKeys(keyNames(mapId, inserts), () => insertAll({ collections, lists }, mapId, inserts, now)),
        scope,
      ),

    getLocations: (mapId, ids, scope) =>
      database.run(async ({ locations }) => {
        const found = await locations
          .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } })
          .hint('_id_')
          .toArray();
        const byId = new Map(found.filter(isLive).map((document) => [document._id, document]));
        return ids.map((id) => {
          const document = byId.get(id);
          return document === undefined ? null : toLocation(document);
        });
      }, scope),

    listLocations: (mapId, { after, before, limit, fromEnd }, scope) =>
      database.run(async ({ locations }) => {
        const found = await locations
          .find(rangeOf(mapId, { after, before }))
          .sort({ place: fromEnd ? -1 : 1 })
          .hint('locations_in_order')
          .limit(limit)
          .toArray();
        const page = found.filter(isLive).map(toLocation);
        return fromEnd ? page.reverse() : page;
      }, scope),

    listLocationsJson: (mapId, page, template, scope) =>
      database.run((collections) => listLocationsJson(collections, mapId, page, template), scope),

    hasLocations: (mapId, range, scope) =>
      database.run(async ({ locations }) => {
        const found = await locations.findOne(rangeOf(mapId, range), {
          hint: 'locations_in_order',
          projection: { _id: 0, place: 1 },
        });
        return found !== null;
      }, scope),

    countLocations: (mapId, scope) => database.run((collections) => readCount(collections, mapId), scope),

    deleteLocation: (mapId, id, scope) =>
      database.run(async (collections) => {
        const announced = await lists.announceRemoval(mapId, id);
        if (announced.kind === 'nothing') return { kind: 'missing' };
        if (announced.kind !== 'announced') return announced;
        announced.write.assertTimely();
        const removed = await remove(collections, mapId, id);
        announced.write.done();
        return removed === null ? { kind: 'missing' } : { kind: 'deleted', location: toLocation(removed) };
      }, scope),
  };
}

/** Each way is one statement on one document. So of several deletions at once, one finds the location. */
async function remove(
  { locations }: Collections,
  mapId: string,
  id: string,
): Promise<LocationDocument | null> {
  const unclaimed = await locations.findOneAndDelete({
    mapId: { $eq: mapId },
    _id: { $eq: id },
    place: { $gt: '' },
    claimedUntil: { $exists: false },
  });
  if (unclaimed !== null) return isLive(unclaimed) ? unclaimed : null;
  // Leaves its id taken for as long as a retry under its key may try to store it again.
  const claimed = await locations.findOneAndUpdate(
    { mapId: { $eq: mapId }, _id: { $eq: id }, place: { $gt: '' } },
    [
      {
        $replaceWith: {
          _id: '$_id',
          mapId: '$mapId',
          removeAfter: { $add: [{ $max: ['$claimedUntil', new Date()] }, TOMBSTONE_GRACE_MS] },
        },
      },
    ],
    { returnDocument: 'before' },
  );
  return claimed !== null && isLive(claimed) ? claimed : null;
}
