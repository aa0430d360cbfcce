/** The steps to the versions 1 to 8, in order. A released step is never edited. */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import type { Database } from '../database.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import { indexLocations } from './search-index.ts';

export const VERSIONS_FROM_1 = [
  // Version 1: the first schema.
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
  // Version 2: cached geocodes, and quotas.
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
  // Version 3
  prepareJsonPages,
  // Version 4
  countLocations,
  // Version 5: versions and external ids of locations.
  `
  -- NULL: never changed.
  ALTER TABLE maps ADD COLUMN updated_at INTEGER;
  ALTER TABLE locations ADD COLUMN updated_at INTEGER;
  ALTER TABLE locations ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE locations ADD COLUMN external_id TEXT;
  CREATE UNIQUE INDEX locations_by_external_id ON locations (map_number, external_id) WHERE external_id IS NOT NULL;
  `,
  // Version 6
  indexLocations,
  // Version 7: names and last uses of tokens.
  `
  ALTER TABLE tokens ADD COLUMN name TEXT;
  ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;
  CREATE INDEX tokens_by_owner ON tokens (owner_id, created_at, id);
  `,
  // Version 8: stores the rows of locations by number. Numbers stay, since the word index refers to them.
  `
  CREATE TABLE locations_by_rows (
    number INTEGER PRIMARY KEY,
    map_number INTEGER NOT NULL REFERENCES maps (number),
    order_key TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    id TEXT NOT NULL,
    position TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    -- The plain decimals of both, as JSON holds them.
    lat TEXT NOT NULL,
    lng TEXT NOT NULL,
    properties TEXT NOT NULL,
    external_id TEXT,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- NULL: never changed.
    updated_at INTEGER,
    provider TEXT NOT NULL,
    "precision" TEXT NOT NULL
  ) STRICT;
  INSERT INTO locations_by_rows
    SELECT number, map_number, order_key, sequence, cell, id, position, name, place_id, latitude, longitude, lat, lng,
      properties, external_id, version, created_at, updated_at, provider, "precision"
    FROM locations ORDER BY number;
  DROP TABLE locations;
  ALTER TABLE locations_by_rows RENAME TO locations;
  CREATE UNIQUE INDEX locations_by_sort_key ON locations (map_number, order_key, sequence);
  CREATE UNIQUE INDEX locations_by_id ON locations (id);
  CREATE UNIQUE INDEX locations_by_external_id ON locations (map_number, external_id) WHERE external_id IS NOT NULL;
  -- Holds the point too, so that what is outside of a box is told without reading the location.
  CREATE INDEX locations_by_cell ON locations (map_number, cell, sequence, latitude, longitude, order_key);
`,
];

/** Stores coordinates as plain decimals too, since SQLite formats doubles with 15 digits only. */
function prepareJsonPages(database: Database, onProgress: () => void): void {
  database.exec(`
    ALTER TABLE locations ADD COLUMN lat TEXT NOT NULL DEFAULT '';
    ALTER TABLE locations ADD COLUMN lng TEXT NOT NULL DEFAULT '';
    -- Changes with every write to the map's list, in its transaction.
    ALTER TABLE maps ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  `);
  let last = '';
  for (;;) {
    const rows = database.all(
      'SELECT id, latitude, longitude FROM locations WHERE id > ? ORDER BY id LIMIT 1000',
      last,
    );
    for (const row of rows) {
      last = textOf(row, 'id');
      const decimals = [numberOf(row, 'latitude'), numberOf(row, 'longitude')].map(toPlainDecimal);
      database.run('UPDATE locations SET lat = ?, lng = ? WHERE id = ?', ...decimals, last);
    }
    onProgress();
    if (rows.length < 1000) return;
  }
}

/**
 * Stores each map's number of locations, updated by every write in its transaction. (Triggers would count
 * the writes of any program, but imports take a fifth more processor time.)
 */
function countLocations(database: Database, onProgress: () => void): void {
  database.exec('ALTER TABLE maps ADD COLUMN location_count INTEGER NOT NULL DEFAULT 0');
  for (const row of database.all('SELECT number FROM maps')) {
    const number = numberOf(row, 'number');
    database.run(
      'UPDATE maps SET location_count = (SELECT COUNT(*) FROM locations WHERE map_number = ?) WHERE number = ?',
      number,
      number,
    );
    onProgress();
  }
}
