/** The store of history: the port's calls, each run as reads or in a transaction. */

import type { HistoryStore } from '../../storage.ts';
import type { Database } from '../database.ts';
import { removeOldHistory } from './expiry.ts';
import { changesOfCall, findCreation, findHistory, listHistory } from './records.ts';
import { findTrashed, listTrash, purgeAll, restoreAll } from './trash.ts';
import { findReplaced, listVersions } from './versions.ts';

export function historyStore(database: Database): HistoryStore {
  return {
    listHistory: (mapId, page, filter) => listHistory(database, mapId, page, filter),
    findHistory: async (mapId, ids) => database.read(() => ids.map((id) => findHistory(database, mapId, id))),
    changesOfCall: async (mapId, id, page) => database.read(() => changesOfCall(database, mapId, id, page)),
    findCreation: async (mapId, location) => database.read(() => findCreation(database, mapId, location)),
    listVersions: async (mapId, locationId, page) =>
      database.read(() => listVersions(database, mapId, locationId, page)),
    findReplacedVersions: async (mapId, id, locationIds) =>
      database.read(() => locationIds.map((locationId) => findReplaced(database, mapId, id, locationId))),
    listTrash: (mapId, page, options) => listTrash(database, mapId, page, options),
    findTrashed: async (mapId, locationIds) =>
      database.read(() => locationIds.map((id) => findTrashed(database, mapId, id))),
    restoreLocations: (mapId, restores, now, scope) =>
      database.write(() => {
        const outcomes = restoreAll(database, mapId, restores, now, scope?.call);
        return 'kind' in outcomes ? outcomes : { kind: 'done', outcomes };
      }, scope),
    purgeLocations: (mapId, locationIds, scope) =>
      database.write(() => purgeAll(database, mapId, locationIds), scope),
    removeOldHistory: (limits, after, limit) => removeOldHistory(database, limits, after, limit),
  };
}
