/**
 * Tells of maps whose log has grown in MongoDB, whichever process wrote, by looking at the documents of the maps that are
 * watched: one query, however many they are.
 */

import type { ChangeWatch } from '../changes.ts';
import { WatchedMaps } from '../watched-maps.ts';
import type { Database } from './database.ts';
import type { MapDocument } from './documents.ts';
import type { ListStates } from './list-state.ts';
import { EMPTY_LOG } from './map-log.ts';

const LOOK_EVERY_MS = 200;
/** What of the open writes has to be known: their entries may be many. */
const OF_THE_LOG = {
  isDeleted: 1,
  'log.id': 1,
  'log.last': 1,
  'log.open.id': 1,
  'log.open.first': 1,
} as const;

export function watchChanges(
  database: Database,
  lists: ListStates,
  onChange: (mapId: string) => void,
): ChangeWatch {
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const { ids } = watched;
      const found = await database.run(({ maps }) =>
        maps
          .find({ _id: { $in: [...ids] } })
          .project<Pick<MapDocument, '_id' | 'isDeleted' | 'log'>>(OF_THE_LOG)
          .hint('_id_')
          .toArray(),
      );
      const byId = new Map(found.map((map) => [map._id, map]));
      for (const mapId of ids) {
        const map = byId.get(mapId);
        if (map !== undefined) lists.noticeOpen(mapId, map.log?.open ?? []);
        watched.tell(mapId, map && stateOf(map));
      }
    } catch {
      // The database is not to be had just now; whoever reads is told so. The next look tells what was missed.
    } finally {
      isLooking = false;
    }
  }

  const watched = new WatchedMaps({ lookEveryMs: LOOK_EVERY_MS, look: () => void look(), onChange });
  return {
    add: (mapId) => watched.add(mapId),
    remove: (mapId) => watched.remove(mapId),
    close: () => watched.close(),
  };
}

function stateOf({ log, isDeleted }: Pick<MapDocument, 'isDeleted' | 'log'>): string {
  const { id, last, open } = log ?? EMPTY_LOG;
  const end = Math.min(last, ...open.map(({ first }) => first - 1));
  return `${id} ${end} ${String(isDeleted)}`;
}
