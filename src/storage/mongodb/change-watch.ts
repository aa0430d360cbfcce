/**
 * Tells of maps whose log has grown in MongoDB, whichever process wrote, by looking at the documents of the maps that are
 * watched: one query, however many they are. It looks now and then, and at once when the bell rings for one of them.
 */

import type { ChangeWatch } from '../changes.ts';
import { WatchedMaps } from '../watched-maps.ts';
import type { ChangeListener, ChangeStreamNotifier } from './change-stream-notifier.ts';
import type { Database } from './database.ts';
import type { MapDocument } from './documents.ts';
import type { ListStates } from './list-state.ts';
import { EMPTY_LOG } from './map-log.ts';

/** Milliseconds between two looks. */
export interface LookPaces {
  readonly alone: number;
  /** While the bell rings in time, and only a write could bring anything new. */
  readonly withNotifier: number;
}

/**
 * Also where a bell that looks healthy says nothing, a place whose writer died is settled within two seconds: half of one
 * until it is seen, 1.2 until it counts as late (late-writes.ts), and the next look.
 */
const PACES: LookPaces = { alone: 200, withNotifier: 500 };
/** What of the open writes has to be known: their entries may be many. */
const OF_THE_LOG = {
  isDeleted: 1,
  'log.id': 1,
  'log.last': 1,
  'log.open.id': 1,
  'log.open.first': 1,
} as const;

export interface WatchParts {
  readonly database: Pick<Database, 'run'>;
  readonly lists: Pick<ListStates, 'noticeOpen'>;
  readonly notifier: Pick<ChangeStreamNotifier, 'isHealthy' | 'listen' | 'unlisten'>;
  readonly paces?: LookPaces;
}

export function watchChanges(
  { database, lists, notifier, paces = PACES }: WatchParts,
  onChange: (mapId: string) => void,
): ChangeWatch {
  let isLooking = false;
  let hasRung = false;
  /** False until every map was looked at, and while a write is open: that its writer died is only seen by looking. */
  let isSettled = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    do {
      await lookOnce();
      // It may have rung for a change that the query came too early for.
    } while (hasRung);
    isLooking = false;
    setPace();
  }

  async function lookOnce(): Promise<void> {
    hasRung = false;
    // A map may be added meanwhile.
    isSettled = true;
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
        const open = map?.log?.open ?? [];
        if (open.length > 0) isSettled = false;
        if (map !== undefined) lists.noticeOpen(mapId, open);
        watched.tell(mapId, map && stateOf(map));
      }
    } catch {
      // The database is not to be had just now; whoever reads is told so. The next look tells what was missed.
      isSettled = false;
    }
  }

  function setPace(): void {
    watched.lookEvery(notifier.isHealthy && isSettled ? paces.withNotifier : paces.alone);
  }

  function unlistenWhenIdle(): void {
    if (watched.ids.length === 0) notifier.unlisten(listener);
  }

  const watched = new WatchedMaps({ lookEveryMs: paces.alone, look: () => void look(), onChange });
  const listener: ChangeListener = {
    onChange(mapIds) {
      if (!watched.ids.some((mapId) => mapIds.has(mapId))) return;
      hasRung = true;
      void look();
    },
    onHealth: setPace,
  };
  return {
    add(mapId) {
      isSettled = false;
      setPace();
      watched.add(mapId);
      notifier.listen(listener);
    },
    remove(mapId) {
      watched.remove(mapId);
      unlistenWhenIdle();
    },
    close() {
      watched.close();
      unlistenWhenIdle();
    },
  };
}

function stateOf({ log, isDeleted }: Pick<MapDocument, 'isDeleted' | 'log'>): string {
  const { id, last, open } = log ?? EMPTY_LOG;
  const end = Math.min(last, ...open.map(({ first }) => first - 1));
  return `${id} ${end} ${String(isDeleted)}`;
}
