/**
 * Tells of maps whose log has grown in SQLite, whichever process wrote. A look at the store's version is all that is done
 * while nobody writes; where it is another, the watched maps' rows are looked at.
 */

import type { ChangeWatch } from '../changes.ts';
import type { Connection } from './connection.ts';
import { textOf } from './rows.ts';

const LOOK_EVERY_MS = 50;

export function watchChanges(connection: Connection, onChange: (mapId: string) => void): ChangeWatch {
  const watched = new Map<string, Watched>();
  let version: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const seen = version;
    try {
      version = connection.read(() => connection.version());
      if (version === seen) return;
      const states = connection.read(() => readStates(connection, [...watched.keys()]));
      for (const [mapId, map] of watched) {
        const state = states.get(mapId) ?? 'missing';
        if (state === map.state) continue;
        map.state = state;
        onChange(mapId);
      }
    } catch {
      // The store is not to be had just now; whoever reads is told so. The next look tells what was missed.
      version = null;
    }
  }

  function stopWhenIdle(): void {
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(mapId) {
      const known = watched.get(mapId);
      watched.set(mapId, { count: (known?.count ?? 0) + 1, state: null });
      version = null;
      timer ??= setInterval(look, LOOK_EVERY_MS).unref();
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

interface Watched {
  count: number;
  /** What was told last; null where nothing was. */
  state: string | null;
}

function readStates(connection: Connection, mapIds: readonly string[]): ReadonlyMap<string, string> {
  const rows = connection.all(
    `SELECT id, last_change || ' ' || log_id || ' ' || is_deleted AS state FROM maps
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(mapIds),
  );
  return new Map(rows.map((row) => [textOf(row, 'id'), textOf(row, 'state')]));
}
