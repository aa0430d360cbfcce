/** Locations in MongoDB. Every query has the map's id, which selects the shard. */

import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { LocationStorage } from '../../storage.ts';
import type { Database } from '../database.ts';
import { deleteAll, deleteOne } from './delete.ts';
import { findByExternalIds } from './external-ids.ts';
import { keyNames } from '../idempotency.ts';
import { insertAll } from './insert.ts';
import { listLocationsJson } from './json-pages.ts';
import { findLocations, hasLocations, listLocations, locationAt, readRevision } from './list.ts';
import type { LocationDocument } from './location-records.ts';
import { toLocation } from './location-records.ts';
import { moveAll } from './move.ts';
import { updateAll } from './update.ts';
import { readCount, readGroups } from '../writes/count.ts';
import type { MapWrites } from '../writes/map-writes.ts';

export function locationStore(database: Database, writes: MapWrites): LocationStorage {
  return { ...locationWrites(database, writes), ...locationReads(database) };
}

function locationReads(database: Database) {
  return {
    getLocations: (mapId, ids, scope) =>
      database.run(async (collections) => {
        const byId = await findLocations(collections, mapId, ids);
        return ids.map((id) => locationOrNull(byId.get(id)));
      }, scope),

    findLocationsByExternalIds: (mapId, externalIds, scope) =>
      database.run(async (collections) => {
        const found = await findByExternalIds(collections, mapId, externalIds);
        return externalIds.map((externalId) => locationOrNull(found.get(externalId)));
      }, scope),

    listLocations: (mapId, page, scope) =>
      database.run((collections) => listLocations(collections, mapId, page, database.pageReads), scope),

    listLocationsJson: (mapId, page, template, scope) =>
      database.run(
        (collections) => listLocationsJson(collections, mapId, page, template, database.pageReads),
        scope,
      ),

    hasLocations: (mapId, range, scope) =>
      database.run((collections) => hasLocations(collections, mapId, range), scope),

    locationAt: (mapId, position, scope) =>
      database.run((collections) => locationAt(collections, mapId, position, database.pageReads), scope),

    countLocations: (mapId, scope) => database.run((collections) => readCount(collections, mapId), scope),
    countByGeocoding: async (mapId, scope) => {
      const groups = await database.run((collections) => readGroups(collections, [mapId]), scope);
      return groups.get(mapId) ?? [];
    },

    listRevision: (mapId, scope) => database.run((collections) => readRevision(collections, mapId), scope),
  } satisfies Partial<LocationStorage>;
}

function locationWrites(database: Database, writes: MapWrites) {
  const withKeys = createKeyedMutex();
  const moving = createKeyedMutex();
  return {
    insertLocations: (mapId, inserts, now, scope) =>
      database.run(
        (collections) =>
          // Serializes this process's requests by key, so that all but the first find a lock.
          withKeys(keyNames(mapId, inserts), () =>
            insertAll({ collections, writes }, mapId, inserts, now, scope?.call),
          ),
        scope,
      ),

    updateLocations: (mapId, updates, scope) =>
      database.run((collections) => updateAll({ collections, writes }, mapId, updates, scope?.call), scope),

    moveLocations: (mapId, move, now, scope) =>
      database.run(
        (collections, time) =>
          // Serializes this process's moves, so that one at a time tries to acquire the lease.
          moving([mapId], () =>
            moveAll({ collections, writes, database }, { ...move, mapId, now, call: scope?.call }, time),
          ),
        scope,
      ),

    deleteLocation: (mapId, id, scope) =>
      database.run((collections) => deleteOne({ collections, writes }, mapId, { id }, scope?.call), scope),

    deleteLocations: (mapId, ids, scope) => {
      const targets = ids.map((id) => ({ id }));
      return database.run(
        (collections) => deleteAll({ collections, writes }, mapId, targets, scope?.call),
        scope,
      );
    },

    deleteVersions: (mapId, versions, scope) =>
      database.run((collections) => deleteAll({ collections, writes }, mapId, versions, scope?.call), scope),
  } satisfies Partial<LocationStorage>;
}

function locationOrNull(document: LocationDocument | undefined) {
  return document === undefined ? null : toLocation(document);
}
