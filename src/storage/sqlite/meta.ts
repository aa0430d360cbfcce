/** The store's own small values in SQLite. */

import type { Storage } from '../storage.ts';
import type { Connection } from './database.ts';
import { textOf } from './rows.ts';

type MetaStorage = Pick<Storage, 'isEmpty' | 'getMeta' | 'setMeta' | 'setMetaIfAbsent' | 'removeMeta'>;

export function metaStore(connection: Connection): MetaStorage {
  return {
    isEmpty: async () => connection.read(() => isEmpty(connection)),
    getMeta: async (key) =>
      connection.read(() => {
        const row = connection.get('SELECT value FROM meta WHERE key = ?', key);
        return row === undefined ? null : textOf(row, 'value');
      }),
    setMeta: (key, value) =>
      connection.write(() => {
        connection.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
      }),
    setMetaIfAbsent: (key, value) =>
      connection.write(
        () => connection.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING', key, value) === 1,
      ),
    removeMeta: (key) =>
      connection.write(() => {
        connection.run('DELETE FROM meta WHERE key = ?', key);
      }),
  };
}

function isEmpty(connection: Connection): boolean {
  const row = connection.get(
    'SELECT EXISTS (SELECT 1 FROM owners) OR EXISTS (SELECT 1 FROM tokens) OR EXISTS (SELECT 1 FROM maps) AS used',
  );
  return row?.used === 0;
}
