/** Locations in SQLite. */

import type { LocationRecord } from '../../domain/location.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { VersionHit } from '../search.ts';
import type { Storage, StorageScope } from '../storage.ts';
import type { Connection } from './connection.ts';
import { insertAll } from './insert.ts';
import { changeListHead, readListHead } from './list-head.ts';
import { locationAt } from './location-at.ts';
import {
  findByExternalId,
  getLocation,
  LOCATION_COLUMNS,
  removeLocation,
  toLocation,
} from './location-rows.ts';
import { listLocationsJson, NO_LOCATIONS } from './locations-json.ts';
import { moveAll } from './move.ts';
import type { PageCache } from './page-cache.ts';
import { pageClauses } from './pages.ts';
import type { Reader } from './reader.ts';
import { RowCache } from './row-cache.ts';
import { numberOf } from './rows.ts';
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

/** What a page of a map's list is found and kept by. */
interface MapHead {
  readonly number: number;
  readonly revision: number;
}

export function locationStore(connection: Connection, pages: PageCache): LocationStorage {
  const heads = new RowCache<MapHead>(connection);
  const deleteFrom = (mapId: string, targets: readonly DeleteTarget[], scope?: StorageScope) =>
    connection.write(() => deleteAll(connection, mapId, targets), scope);
  return {
    insertLocations: (mapId, inserts, now, scope) =>
      connection.write(() => {
        const outcomes = insertAll(connection, mapId, inserts, now);
        return 'kind' in outcomes ? outcomes : { kind: 'done', outcomes };
      }, scope),
    getLocations: async (mapId, ids) =>
      connection.read(() => ids.map((id) => getLocation(connection, mapId, id))),
    findLocationsByExternalIds: async (mapId, externalIds) =>
      connection.read(() => externalIds.map((externalId) => findByExternalId(connection, mapId, externalId))),
    updateLocations: (mapId, updates, scope) =>
      connection.write(() => {
        const outcomes = updateAll(connection, mapId, updates);
        return 'kind' in outcomes ? outcomes : { kind: 'done', outcomes };
      }, scope),
    moveLocations: (mapId, move, now, scope) =>
      connection.write(() => moveAll(connection, mapId, move, now), scope),
    listLocations: async (mapId, page) => connection.read(() => listLocations(connection, mapId, page)),
    listLocationsJson: async (mapId, page, template, scope) =>
      connection.read(() => {
        const map = heads.get(mapId, scope?.readTimestamp, () => readHead(connection, mapId));
        if (map === null) return NO_LOCATIONS;
        const read = () => listLocationsJson(connection, map.number, page, template);
        // Another process may write in between. Then the page is newer than its revision, which does no harm: nobody
        // asks for that revision who must not see the newer page.
        return pages.get(mapId, map.revision, page, template, read);
      }),
    hasLocations: async (mapId, range) =>
      connection.read(
        () => listLocations(connection, mapId, { ...range, limit: 1, fromEnd: false }).length > 0,
      ),
    locationAt: (mapId, place) => locationAt(connection, mapId, place),
    countLocations: async (mapId) =>
      connection.read(() => {
        const row = connection.get('SELECT location_count FROM maps WHERE id = ?', mapId);
        return row === undefined ? 0 : numberOf(row, 'location_count');
      }),
    listRevision: async (mapId, scope) =>
      connection.read(() => {
        const map = heads.get(mapId, scope?.readTimestamp, () => readHead(connection, mapId));
        return map === null ? '' : String(map.revision);
      }),
    deleteLocation: (mapId, id, scope) =>
      connection.write(() => {
        const location = getLocation(connection, mapId, id);
        const outcome = deleteAll(connection, mapId, [{ id }]);
        if (outcome.kind !== 'done') return outcome;
        if (location === null) return { kind: 'missing' };
        return { kind: 'deleted', location };
      }, scope),
    deleteLocations: (mapId, ids, scope) =>
      deleteFrom(
        mapId,
        ids.map((id) => ({ id })),
        scope,
      ),
    deleteVersions: deleteFrom,
  };
}

/** What is to be deleted: of that version alone, where one is given. */
type DeleteTarget = Pick<VersionHit, 'id'> & Partial<Pick<VersionHit, 'version'>>;

function deleteAll(
  connection: Connection,
  mapId: string,
  targets: readonly DeleteTarget[],
): Awaited<ReturnType<Storage['deleteLocations']>> {
  const head = readListHead(connection, mapId);
  if ('kind' in head) return head;
  const deletedIds = targets.flatMap((each) => (removeLocation(connection, mapId, each) ? [each.id] : []));
  changeListHead(connection, head, {
    added: -deletedIds.length,
    changes: deletedIds.map((id) => ({ kind: 'deleted', id })),
  });
  return { kind: 'done', deletedIds };
}

function readHead(connection: Connection, mapId: string): MapHead | null {
  const row = connection.get('SELECT number, revision FROM maps WHERE id = ?', mapId);
  return row === undefined ? null : { number: numberOf(row, 'number'), revision: numberOf(row, 'revision') };
}

export function listLocations(reader: Reader, mapId: string, page: PageRequest<SortKey>): LocationRecord[] {
  const { clauses, values } = pageClauses(mapId, page);
  const rows = reader.all(`SELECT ${LOCATION_COLUMNS} FROM locations ${clauses}`, ...values);
  const locations = rows.map((row) => toLocation(row, mapId));
  return page.fromEnd ? locations.reverse() : locations;
}
