/** The store's own values. */

import type { MetaStorage } from '../storage.ts';
import type { Database } from './database.ts';
import { textOf } from './engine/statements.ts';

export function metaStore(database: Database): MetaStorage {
  return {
    isEmpty: async () => database.read(() => isEmpty(database)),
    getMeta: async (key) =>
      database.read(() => {
        const row = database.get('SELECT value FROM meta WHERE key = ?', key);
        return row === undefined ? null : textOf(row, 'value');
      }),
    setMeta: (key, value) =>
      database.write(() => {
        database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
      }),
    setMetaIfAbsent: (key, value) =>
      database.write(
        () => database.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING', key, value) === 1,
      ),
    removeMeta: (key) =>
      database.write(() => {
        database.run('DELETE FROM meta WHERE key = ?', key);
      }),
  };
}

function isEmpty(database: Database): boolean {
  const row = database.get(
    'SELECT EXISTS (SELECT 1 FROM owners) OR EXISTS (SELECT 1 FROM tokens) OR EXISTS (SELECT 1 FROM maps) AS used',
  );
  return row?.used === 0;
}
