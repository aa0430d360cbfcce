/** The store of history, which keeps none yet: nothing is found, restored or removed. */

import type { HistoryStore } from '../../storage.ts';

export function historyStore(): HistoryStore {
  return {
    listHistory: async () => [],
    findHistory: async (_mapId, ids) => ids.map(() => null),
    changesOfCall: async () => [],
    findCreation: async () => null,
    listVersions: async () => [],
    findReplacedVersions: async (_mapId, _id, locationIds) => locationIds.map(() => []),
    listTrash: async () => [],
    findTrashed: async (_mapId, locationIds) => locationIds.map(() => null),
    restoreLocations: async (_mapId, restores) => ({
      kind: 'done',
      outcomes: restores.map(() => ({ kind: 'missing' })),
    }),
    purgeLocations: async () => ({ kind: 'done', purgedIds: [] }),
    removeOldHistory: async () => ({ removed: 0, next: null }),
  };
}
