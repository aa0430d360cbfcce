/**
 * Tells of maps whose log has grown in SQLite, whichever process wrote. A look at the store's version is all that is done
 * while nobody writes; where it is another, the watched maps' rows are looked at.
 */

import type { ChangeWatch } from '../changes.ts';
import { WatchedMaps } from '../watched-maps.ts';
import type { Database } from './database.ts';
import { textOf } from './engine/statements.ts';

const LOOK_EVERY_MS = 50;

export function watchChanges(database: Database, onChange: (mapId: string) => void): ChangeWatch {
  let version: number | null = null;

  function look(): void {
    const seen = version;
    try {
      version = database.read(() => database.version());
      if (version === seen) return;
      const { ids } = watched;
      const states = database.read(() => readStates(database, ids));
      for (const mapId of ids) watched.tell(mapId, states.get(mapId));
    } catch {
      // The store is not to be had just now; whoever reads is told so. The next look tells what was missed.
      version = null;
    }
  }

  const watched = new WatchedMaps({ lookEveryMs: LOOK_EVERY_MS, look, onChange });
  return {
    add(mapId) {
      // It is looked at, though nobody writes.
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
