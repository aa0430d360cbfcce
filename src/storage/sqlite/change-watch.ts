/**
 * Tells of maps whose log has grown in SQLite, whichever process wrote. A look at the store's version is all that is done
 * while nobody writes; where it is another, the watched maps' rows are looked at.
 */

import type { ChangeWatch } from '../changes.ts';
import { WatchedMaps } from '../watched-maps.ts';
import type { Connection } from './database.ts';
import { textOf } from './rows.ts';

const LOOK_EVERY_MS = 50;

export function watchChanges(connection: Connection, onChange: (mapId: string) => void): ChangeWatch {
  let version: number | null = null;

  function look(): void {
    const seen = version;
    try {
      version = connection.read(() => connection.version());
      if (version === seen) return;
      const { ids } = watched;
      const states = connection.read(() => readStates(connection, ids));
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

function readStates(connection: Connection, mapIds: readonly string[]): ReadonlyMap<string, string> {
  const rows = connection.all(
    `SELECT id, last_change || ' ' || log_id || ' ' || is_deleted AS state FROM maps
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(mapIds),
  );
  return new Map(rows.map((row) => [textOf(row, 'id'), textOf(row, 'state')]));
}
