import type { OwnerRecord, OwnerStorage } from '../storage.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { RowCache } from './caches.ts';
import { numberOf, textOf, textOrNull } from './engine/statements.ts';

export function ownerStore(database: Database): OwnerStorage {
  const findBy = (column: 'id' | 'name', value: string): OwnerRecord | null => {
    const row = database.get(`SELECT * FROM owners WHERE ${column} = ?`, value);
    return row === undefined ? null : toOwner(row);
  };

  // Every request with a JWT looks up its owner.
  const byName = new RowCache<OwnerRecord>(database);
  return {
    findOrCreateOwner: (owner) =>
      database.write(() => {
        const found = findBy('name', owner.name);
        if (found !== null) return { owner: found, created: false };
        const created = { ...owner, displayName: null };
        insertOwner(database, created);
        return { owner: created, created: true };
      }),

    findOwnerByName: async (name, scope) =>
      database.read(() => byName.get(name, scope?.readTimestamp, () => findBy('name', name))),
    findOwner: async (id) => database.read(() => findBy('id', id)),
    findOwners: async (ids) => database.read(() => ids.map((id) => findBy('id', id))),
    renameOwner: (id, name) =>
      database.write(() => database.run('UPDATE OR IGNORE owners SET name = ? WHERE id = ?', name, id) === 1),
    setDisplayName: (ownerId, displayName) =>
      database.write(() => {
        database.run('UPDATE owners SET display_name = ? WHERE id = ?', displayName, ownerId);
      }),
    listOwners: async () =>
      database.read(() => database.all('SELECT * FROM owners ORDER BY name').map(toOwner)),
  };
}

export function insertOwner(database: Database, { id, name, displayName, createdAt }: OwnerRecord): void {
  database.run(
    'INSERT INTO owners (id, name, created_at, display_name) VALUES (?, ?, ?, ?)',
    ...[id, name, createdAt, displayName],
  );
}

export function toOwner(row: SqlRow): OwnerRecord {
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    displayName: textOrNull(row, 'display_name'),
    createdAt: numberOf(row, 'created_at'),
  };
}
