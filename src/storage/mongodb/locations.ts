/** Locations in MongoDB. Every query names the map, which decides the shard that it goes to. */

import type { Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { deleteAll, deleteOne } from './delete.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { findByExternalIds } from './external-ids.ts';
import { findLocations } from './find-locations.ts';
import { WITHOUT_INDEXED } from './search/indexed.ts';
import { insertAll, keyNames } from './insert.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import type { ListStates } from './list-state.ts';
import { isLive, toLocation } from './location-documents.ts';
import { readRevision } from './list-revision.ts';
import { listLocationsJson } from './locations-json.ts';
import { moveAll } from './move.ts';
import { rangeOf } from './range.ts';
import { readCount } from './read-count.ts';
import { updateAll } from './update.ts';

type LocationStorage = Pick<
  Storage,
  | 'insertLocations'
  | 'getLocations'
  | 'findLocationsByExternalIds'
  | 'updateLocations'
  | 'moveLocations'
  | 'listLocations'
  | 'listLocationsJson'
  | 'hasLocations'
  | 'locationAt'
  | 'countLocations'
  | 'listRevision'
  | 'deleteLocation'
  | 'deleteLocations'
  | 'deleteVersions'
>;

export function locationStore(database: Database, lists: ListStates): LocationStorage {
  const withKeys = createKeyedMutex();
  const moving = createKeyedMutex();
  return {
    insertLocations: (mapId, inserts, now, scope) =>
      database.run(
        (collections) =>
          // Requests of this process under one key wait for one another, so all but the first find a claim.
          withKeys(keyNames(mapId, inserts), () => insertAll({ collections, lists }, mapId, inserts, now)),
        scope,
      ),

    getLocations: (mapId, ids, scope) =>
      database.run(async (collections) => {
        const byId = await findLocations(collections, mapId, ids);
        return ids.map((id) => {
          const document = byId.get(id);
          return document === undefined ? null : toLocation(document);
        });
      }, scope),

    findLocationsByExternalIds: (mapId, externalIds, scope) =>
      database.run(async (collections) => {
        const found = await findByExternalIds(collections, mapId, externalIds);
        return externalIds.map((externalId) => {
          const document = found.get(externalId);
          return document === undefined ? null : toLocation(document);
        });
      }, scope),

    updateLocations: (mapId, updates, scope) =>
      database.run((collections) => updateAll({ collections, lists }, mapId, updates), scope),

    moveLocations: (mapId, move, now, scope) =>
      database.run(
        (collections, time) =>
          // Calls of this process wait for one another here, and ask for the right to move one at a time.
          moving([mapId], () => moveAll({ collections, lists, database }, { ...move, mapId, now }, time)),
        scope,
      ),

    listLocations: (mapId, { after, before, limit, fromEnd }, scope) =>
      database.run(async ({ locations }) => {
        const found = await locations
          .find(rangeOf(mapId, { after, before }), database.pageReads)
          .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
          .sort({ place: fromEnd ? -1 : 1 })
          .hint('locations_in_order')
          .limit(limit)
          .toArray();
        const page = found.filter(isLive).map(toLocation);
        return fromEnd ? page.reverse() : page;
      }, scope),

    listLocationsJson: (mapId, page, template, scope) =>
      database.run(
        (collections) => listLocationsJson(collections, mapId, page, template, database.pageReads),
        scope,
      ),

    hasLocations: (mapId, range, scope) =>
      database.run(async ({ locations }) => {
        const found = await locations.findOne(rangeOf(mapId, range), {
          hint: 'locations_in_order',
          projection: { _id: 0, place: 1 },
        });
        return found !== null;
      }, scope),

    locationAt: (mapId, { skipped, fromEnd }, scope) =>
      database.run(async ({ locations }) => {
        const [found] = await locations
          .find(rangeOf(mapId, { after: null, before: null }), database.pageReads)
          .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
          .sort({ place: fromEnd ? -1 : 1 })
          .hint('locations_in_order')
          .skip(skipped)
          .limit(1)
          .toArray();
        return found !== undefined && isLive(found) ? toLocation(found) : null;
      }, scope),

    countLocations: (mapId, scope) => database.run((collections) => readCount(collections, mapId), scope),

    listRevision: (mapId, scope) => database.run((collections) => readRevision(collections, mapId), scope),

    deleteLocation: (mapId, id, scope) =>
      database.run((collections) => deleteOne({ collections, lists }, mapId, { id }), scope),

    deleteLocations: (mapId, ids, scope) =>
      database.run(
        (collections) =>
          deleteAll(
            { collections, lists },
            mapId,
            ids.map((id) => ({ id })),
          ),
        scope,
      ),

    deleteVersions: (mapId, versions, scope) =>
      database.run((collections) => deleteAll({ collections, lists }, mapId, versions), scope),
  };
}
