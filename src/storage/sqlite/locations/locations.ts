/** The store of locations: the port's calls, each run as a read or in a transaction. */

import { readGroups } from '../search/geocoding-groups.ts';
import type { LocationStorage, StorageScope } from '../../storage.ts';
import type { PageCache } from '../caches.ts';
import { RowCache } from '../caches.ts';
import type { Database } from '../database.ts';
import type { DeleteTarget } from './delete.ts';
import { deleteAll, deleteOne } from './delete.ts';
import { numberOf } from '../engine/statements.ts';
import { findByExternalId } from './external-ids.ts';
import { insertAll } from './insert.ts';
import { listLocationsJson, NO_LOCATIONS } from './json-pages.ts';
import { listLocations, locationAt } from './list.ts';
import { getLocation } from './location-records.ts';
import { moveAll } from './move.ts';
import { updateAll } from './update.ts';

/** The columns of a map's row that reading and caching its pages needs. */
interface PagedMap {
  readonly number: number;
  readonly revision: number;
}

export function locationStore(database: Database, pages: PageCache): LocationStorage {
  const maps = new RowCache<PagedMap>(database);
  const findMap = (mapId: string, scope?: StorageScope) =>
    maps.get(mapId, scope?.readTimestamp, () => readPagedMap(database, mapId));
  const deleteFrom = (mapId: string, targets: readonly DeleteTarget[], scope?: StorageScope) =>
    database.write(() => deleteAll(database, mapId, targets, scope?.call), scope);
  return {
    insertLocations: (mapId, inserts, now, scope) =>
      database.write(() => {
        const outcomes = insertAll(database, mapId, inserts, now, scope?.call);
        return 'kind' in outcomes ? outcomes : { kind: 'done', outcomes };
      }, scope),
    getLocations: async (mapId, ids) =>
      database.read(() => ids.map((id) => getLocation(database, mapId, id))),
    findLocationsByExternalIds: async (mapId, externalIds) =>
      database.read(() => externalIds.map((externalId) => findByExternalId(database, mapId, externalId))),
    updateLocations: (mapId, updates, scope) =>
      database.write(() => {
        const outcomes = updateAll(database, mapId, updates, scope?.call);
        return 'kind' in outcomes ? outcomes : { kind: 'done', outcomes };
      }, scope),
    moveLocations: (mapId, move, now, scope) =>
      database.write(() => moveAll(database, mapId, move, now, scope?.call), scope),
    listLocations: async (mapId, page) => database.read(() => listLocations(database, mapId, page)),
    listLocationsJson: async (mapId, page, template, scope) =>
      database.read(() => {
        const map = findMap(mapId, scope);
        if (map === null) return NO_LOCATIONS;
        const read = () => listLocationsJson(database, map.number, page, template);
        // Another process may write between the two reads. The cached page is then newer than its revision, which is
        // safe: no request for that revision must not see it.
        return pages.get(mapId, map.revision, page, template, read);
      }),
    hasLocations: async (mapId, range) =>
      database.read(() => listLocations(database, mapId, { ...range, limit: 1, fromEnd: false }).length > 0),
    locationAt: (mapId, position) => locationAt(database, mapId, position),
    countLocations: async (mapId) =>
      database.read(() => {
        const row = database.get('SELECT location_count FROM maps WHERE id = ?', mapId);
        return row === undefined ? 0 : numberOf(row, 'location_count');
      }),
    countByGeocoding: async (mapId) =>
      database.read(() => {
        const row = database.get('SELECT number FROM maps WHERE id = ?', mapId);
        return row === undefined ? [] : readGroups(database, numberOf(row, 'number'));
      }),
    listRevision: async (mapId, scope) =>
      database.read(() => {
        const map = findMap(mapId, scope);
        return map === null ? '' : String(map.revision);
      }),
    deleteLocation: (mapId, id, scope) =>
      database.write(() => deleteOne(database, mapId, id, scope?.call), scope),
    deleteLocations: (mapId, ids, scope) =>
      deleteFrom(
        mapId,
        ids.map((id) => ({ id })),
        scope,
      ),
    deleteVersions: deleteFrom,
  };
}

function readPagedMap(database: Database, mapId: string): PagedMap | null {
  const row = database.get('SELECT number, revision FROM maps WHERE id = ?', mapId);
  return row === undefined ? null : { number: numberOf(row, 'number'), revision: numberOf(row, 'revision') };
}
