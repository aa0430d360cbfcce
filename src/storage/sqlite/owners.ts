/** Owners in SQLite. */

import type { OwnerRecord, Storage } from '../storage.ts';
import type { Connection } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { RowCache } from './caches.ts';
import { numberOf, textOf } from './rows.ts';

type OwnerStorage = Pick<Storage, 'findOrCreateOwner' | 'findOwnerByName' | 'findOwner' | 'listOwners'>;

export function ownerStore(connection: Connection): OwnerStorage {
  const findBy = (column: 'id' | 'name', value: string): OwnerRecord | null => {
    const row = connection.get(`SELECT * FROM owners WHERE ${column} = ?`, value);
    return row === undefined ? null : toOwner(row);
  };

  // Every request with a JWT asks for its owner.
  const byName = new RowCache<OwnerRecord>(connection);
  return {
    findOrCreateOwner: (owner) =>
      connection.write(() => {
        const found = findBy('name', owner.name);
        if (found !== null) return { owner: found, created: false };
        insertOwner(connection, owner);
        return { owner, created: true };
      }),

    findOwnerByName: async (name, scope) =>
      connection.read(() => byName.get(name, scope?.readTimestamp, () => findBy('name', name))),
    findOwner: async (id) => connection.read(() => findBy('id', id)),
    listOwners: async () =>
      connection.read(() => connection.all('SELECT * FROM owners ORDER BY name').map(toOwner)),
  };
}

export function insertOwner(connection: Connection, { id, name, createdAt }: OwnerRecord): void {
  connection.run('INSERT INTO owners VALUES (?, ?, ?)', id, name, createdAt);
}

export function toOwner(row: SqlRow): OwnerRecord {
  return { id: textOf(row, 'id'), name: textOf(row, 'name'), createdAt: numberOf(row, 'created_at') };
}
