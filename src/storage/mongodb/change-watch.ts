/**
 * Tells of maps whose log has grown in MongoDB, whichever process wrote, by looking at the documents of the maps that are
 * watched: one query, however many they are.
 */

import type { ChangeWatch } from '../changes.ts';
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

interface Watched {
  count: number;
  /** What was told last; null where nothing was. */
  state: string | null;
}

export function watchChanges(
  database: Database,
  lists: ListStates,
  onChange: (mapId: string) => void,
): ChangeWatch {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const mapIds = [...watched.keys()];
      const found = await database.run(({ maps }) =>
        maps
          .find({ _id: { $in: mapIds } })
          .project<Pick<MapDocument, '_id' | 'isDeleted' | 'log'>>(OF_THE_LOG)
          .hint('_id_')
          .toArray(),
      );
      const byId = new Map(found.map((map) => [map._id, map]));
      for (const mapId of mapIds) {
        const map = byId.get(mapId);
        if (map !== undefined) lists.noticeOpen(mapId, map.log?.open ?? []);
        tell(mapId, stateOf(map));
      }
    } catch {
      // The database is not to be had just now; whoever reads is told so. The next look tells what was missed.
    } finally {
      isLooking = false;
    }
  }

  function tell(mapId: string, state: string): void {
    const map = watched.get(mapId);
    if (map === undefined || map.state === state) return;
    map.state = state;
    onChange(mapId);
  }

  function stopWhenIdle(): void {
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(mapId) {
      watched.set(mapId, { count: (watched.get(mapId)?.count ?? 0) + 1, state: null });
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    },
    remove(mapId) {
      const known = watched.get(mapId);
      if (known === undefined) return;
      known.count -= 1;
      if (known.count === 0) watched.delete(mapId);
      stopWhenIdle();
    },
    close() {
      watched.clear();
      stopWhenIdle();
    },
  };
}

/** Another when readers may go further, and when the map comes or goes. */
function stateOf(map: Pick<MapDocument, 'isDeleted' | 'log'> | undefined): string {
  if (map === undefined) return 'missing';
  const { id, last, open } = map.log ?? EMPTY_LOG;
  const end = Math.min(last, ...open.map(({ first }) => first - 1));
  return `${id} ${end} ${String(map.isDeleted)}`;
}
