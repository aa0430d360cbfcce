/** Polls for changes of maps' logs by any process. While nobody writes, a poll only reads the store's version. */

import type { ChangeWatch } from '../changes.ts';
import { WatchedMaps } from '../watched-maps.ts';
import type { Database } from './database.ts';
import { textOf } from './engine/statements.ts';

const POLL_INTERVAL_MS = 50;

export function watchChanges(database: Database, onChange: (mapId: string) => void): ChangeWatch {
  let version: number | null = null;

  function look(): void {
    const previous = version;
    try {
      version = database.read(() => database.version());
      if (version === previous) return;
      const { ids } = watched;
      const states = database.read(() => readStates(database, ids));
      for (const mapId of ids) watched.tell(mapId, states.get(mapId));
    } catch {
      // Readers report that the store is unavailable. The next poll catches up.
      version = null;
    }
  }

  const watched = new WatchedMaps({ lookEveryMs: POLL_INTERVAL_MS, look, onChange });
  return {
    add(mapId) {
      // Forces a poll of the new map even if nobody writes.
      version = null;
      watched.add(mapId);
    },
    remove: (mapId) => watched.remove(mapId),
    close: () => watched.close(),
  };
}

function readStates(database: Database, mapIds: readonly string[]): ReadonlyMap<string, string> {
  const rows = database.all(
    `SELECT id, last_change || ' ' || log_id || ' ' || is_deleted AS state FROM maps
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(mapIds),
  );
  return new Map(rows.map((row) => [textOf(row, 'id'), textOf(row, 'state')]));
}
