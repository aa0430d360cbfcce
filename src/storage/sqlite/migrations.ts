/**
 * The schema, as steps that are never edited once released. `user_version` counts the steps a file has had; each runs
 * with its count in one transaction, so a start that is interrupted leaves a whole version behind.
 */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import { UnfitStorageError } from '../unfit.ts';
import type { Connection } from './connection.ts';
import { numberOf, textOf } from './rows.ts';

/** SQL, or work that SQL cannot do. */
type Migration = string | ((connection: Connection) => void);

const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- number: the short key that locations carry in place of the id; the id is what the outside knows.
  CREATE TABLE maps (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner_id TEXT NOT NULL REFERENCES owners (id),
    name TEXT NOT NULL,
    is_deleted INTEGER NOT NULL,
    is_published INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    provider_map_api_key TEXT,
    geocoding_api_key TEXT,
    fields TEXT NOT NULL,
    last_sequence INTEGER NOT NULL DEFAULT 0,
    largest_number TEXT
  ) STRICT;
  CREATE INDEX maps_by_owner ON maps (owner_id, created_at, id);

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL REFERENCES owners (id),
    hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    map_id TEXT REFERENCES maps (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- The primary key is the order of a page: one walk of the tree reads it, wherever it stands.
  CREATE TABLE locations (
    map_number INTEGER NOT NULL REFERENCES maps (number),
    order_key TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    position TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    properties TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    provider TEXT NOT NULL,
    "precision" TEXT NOT NULL,
    PRIMARY KEY (map_number, order_key, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX locations_by_id ON locations (id);

  -- No reference to tokens: a command of the operator's may use a key without a token.
  CREATE TABLE idempotency_records (
    map_id TEXT NOT NULL REFERENCES maps (id),
    token_id TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    location TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (map_id, token_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expires_at);
  `,
  `
  -- No reference to maps: what is kept for a map goes by its expiry.
  CREATE TABLE geocodes (
    key TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    map_id TEXT,
    place TEXT,
    stored_at INTEGER NOT NULL,
    expires_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX geocodes_by_expiry ON geocodes (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE quotas (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX quotas_by_expiry ON quotas (expires_at);
  `,
  prepareJsonPages,
];

/** For pages as JSON. Coordinates as the plain decimals that JSON holds: SQLite's own text of a double has 15 digits, where 17 may be needed. */
function prepareJsonPages(connection: Connection): void {
  connection.exec(`
    ALTER TABLE locations ADD COLUMN lat TEXT NOT NULL DEFAULT '';
    ALTER TABLE locations ADD COLUMN lng TEXT NOT NULL DEFAULT '';
    -- Changes with every write to the map's list, in its transaction.
    ALTER TABLE maps ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  `);
  let last = '';
  for (;;) {
    const rows = connection.all(
      'SELECT id, latitude, longitude FROM locations WHERE id > ? ORDER BY id LIMIT 1000',
      last,
    );
    for (const row of rows) {
      last = textOf(row, 'id');
      const decimals = [numberOf(row, 'latitude'), numberOf(row, 'longitude')].map(toPlainDecimal);
      connection.run('UPDATE locations SET lat = ?, lng = ? WHERE id = ?', ...decimals, last);
    }
    if (rows.length < 1000) return;
  }
}

/**
 * Brings the file to the newest version; several processes may start on it at once.
 *
 * @throws Error when a newer release has written the file
 */
export async function migrate(connection: Connection): Promise<void> {
  await connection.write(() => {
    const version = Number(connection.get('PRAGMA user_version')?.user_version);
    if (version > MIGRATIONS.length) {
      throw new UnfitStorageError(
        `The database is of version ${version}, written by a newer release; this one knows ${MIGRATIONS.length}.`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) apply(connection, migration);
    connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function apply(connection: Connection, migration: Migration): void {
  if (typeof migration === 'string') connection.exec(migration);
  else migration(connection);
}
