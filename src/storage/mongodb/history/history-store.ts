/** The store of history: the port's calls. Records are read when the writes of their calls are closed (calls.ts). */

import type { HistoryStore } from '../../storage.ts';
import type { Database } from '../database.ts';
import type { MapWrites } from '../writes/map-writes.ts';
import { removeOldHistory } from './expiry.ts';
import { changesOfCall, findCreation, findHistory, listHistory } from './records.ts';
import { restoreAll } from './restore.ts';
import { findTrashed, listTrash, purgeAll } from './trash.ts';
import { findReplaced, listVersions } from './versions.ts';

export function historyStore(database: Database, writes: MapWrites): HistoryStore {
  return {
    listHistory: (mapId, page, filter, scope) =>
      database.run(async (collections) => {
        await writes.settle(mapId);
        return listHistory(collections, mapId, page, filter);
      }, scope),
    findHistory: (mapId, ids, scope) =>
      database.run(async (collections) => {
        await writes.settle(mapId);
        return findHistory(collections, mapId, ids);
      }, scope),
    changesOfCall: (mapId, id, page, scope) =>
      database.run(async (collections) => {
        await writes.settle(mapId);
        return changesOfCall(collections, mapId, id, page);
      }, scope),
    findCreation: (mapId, location, scope) =>
      database.run(async (collections) => {
        await writes.settle(mapId);
        return findCreation(collections, mapId, location);
      }, scope),
    listVersions: (mapId, locationId, page, scope) =>
      database.run((collections) => listVersions(collections, mapId, locationId, page), scope),
    findReplacedVersions: (mapId, id, locationIds, scope) =>
      database.run((collections) => findReplaced(collections, mapId, id, locationIds), scope),
    listTrash: (mapId, page, options, scope) =>
      database.search((collections) => listTrash(collections, mapId, page, options), scope),
    findTrashed: (mapId, locationIds, scope) =>
      database.run((collections) => findTrashed(collections, mapId, locationIds), scope),
    restoreLocations: (mapId, restores, now, scope) =>
      database.run(
        (collections) => restoreAll({ collections, writes }, restores, { mapId, now, call: scope?.call }),
        scope,
      ),
    purgeLocations: (mapId, locationIds, scope) =>
      database.run((collections) => purgeAll(collections, mapId, locationIds), scope),
    removeOldHistory: (limits, after, limit) =>
      database.run((collections) => removeOldHistory(collections, limits, after, limit)),
  };
}
