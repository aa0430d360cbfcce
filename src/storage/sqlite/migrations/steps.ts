/**
 * The steps from one version of the schema to the next. A released step is never edited. ../schema.ts has the result of
 * all steps.
 */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import type { Database } from '../database.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import { indexLocations, joinLetters } from './search-index.ts';

/** SQL, or a function for what SQL cannot do. It calls `onProgress` after each batch. */
type Migration = string | ((database: Database, onProgress: () => void) => void);

/** Version 17: keeps the history of locations. It starts with the next change. */
const KEEP_HISTORY = `
  ALTER TABLE changes ADD COLUMN calls TEXT;
  CREATE TABLE history (
    map_number INTEGER NOT NULL,
    id TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT,
    operation TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    first_change INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    PRIMARY KEY (map_number, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE versions (
    number INTEGER PRIMARY KEY,
    map_number INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    replaced_by TEXT NOT NULL,
    is_in_trash INTEGER NOT NULL,
    name TEXT,
    place_id TEXT,
    latitude REAL,
    longitude REAL,
    properties TEXT,
    external_id TEXT,
    created_at INTEGER,
    updated_at INTEGER,
    provider TEXT,
    "precision" TEXT,
    position TEXT,
    order_key TEXT,
    sequence INTEGER,
    label TEXT,
    is_ambiguous INTEGER,
    is_checked INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX versions_by_location ON versions (id, version);
  CREATE INDEX versions_in_trash ON versions (map_number, replaced_by, id) WHERE is_in_trash = 1;
`;

/** Version 19: links to maps, among the tokens. */
const ADD_MAP_LINKS = `
  ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'token';
  CREATE INDEX links_by_map ON tokens (map_id, created_at, id) WHERE kind = 'link' AND revoked_at IS NULL;
`;

/** Version 22: published maps, for the sitemap. */
const LIST_PUBLISHED_MAPS =
  'CREATE INDEX maps_published ON maps (id) WHERE is_published = 1 AND is_deleted = 0';

/** Version 20: former states are found by the sequence number of their location, which deletions now have too. */
export const VERSIONS_BY_SEQUENCE = `
  UPDATE versions SET sequence = coalesce(
    (SELECT sequence FROM locations WHERE locations.id = versions.id),
    (SELECT state.sequence FROM versions AS state WHERE state.id = versions.id AND state.sequence IS NOT NULL),
    -1
  ) WHERE sequence IS NULL;
  DROP INDEX versions_by_location;
  CREATE INDEX versions_by_sequence ON versions (map_number, sequence, version);
  CREATE INDEX versions_in_trash_by_id ON versions (id) WHERE is_in_trash = 1;
`;

/** Version 21: the settings of a map's page. */
const ADD_PAGE_SETTINGS = `
  ALTER TABLE maps ADD COLUMN language TEXT;
  ALTER TABLE maps ADD COLUMN time_zone TEXT;
  ALTER TABLE maps ADD COLUMN theme TEXT;
  ALTER TABLE maps ADD COLUMN categories TEXT;
`;

/** Version 23: logos of maps. */
const ADD_LOGOS = `
  ALTER TABLE maps ADD COLUMN logo TEXT;
  CREATE TABLE logos (
    map_id TEXT PRIMARY KEY REFERENCES maps (id),
    type TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
`;

/** Version 24: calls under an idempotency key. */
const ADD_KEYED_CALLS = `
  CREATE TABLE keyed_calls (
    map_id TEXT NOT NULL REFERENCES maps (id),
    token_id TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    call_id TEXT NOT NULL,
    result TEXT,
    held_until INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (map_id, token_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keyed_calls_by_expiry ON keyed_calls (expires_at);
`;

/** Version 8: stores the rows of locations by number. Numbers stay, since the word index refers to them. */
const ROWS_BY_NUMBER = `
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
`;

/** Version 13: an index and counts by geocoding. */
const INDEX_GEOCODING = `
  CREATE INDEX locations_by_geocoding ON locations (
    map_number, is_checked, "precision", is_ambiguous, provider, order_key, sequence
  );
  CREATE TABLE geocoding_counts (
    map_number INTEGER NOT NULL,
    is_checked INTEGER NOT NULL,
    "precision" TEXT NOT NULL,
    is_ambiguous INTEGER NOT NULL,
    provider TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (map_number, is_checked, "precision", is_ambiguous, provider)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO geocoding_counts
    SELECT map_number, is_checked, "precision", is_ambiguous, provider, count(*) FROM locations
    GROUP BY map_number, is_checked, "precision", is_ambiguous, provider;
`;

/** Version 14: members of maps; until then, a map had its owner only. */
const ADD_MEMBERS = `
  ALTER TABLE maps ADD COLUMN members TEXT;
  CREATE TABLE map_members (
    owner_id TEXT NOT NULL REFERENCES owners (id),
    created_at INTEGER NOT NULL,
    map_id TEXT NOT NULL REFERENCES maps (id),
    PRIMARY KEY (owner_id, created_at, map_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO map_members SELECT owner_id, created_at, id FROM maps;
  DROP INDEX maps_by_owner;
`;

/** Version 16: invitations to maps. */
const ADD_INVITATIONS = `
  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    map_id TEXT NOT NULL REFERENCES maps (id),
    hash TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    note TEXT,
    max_uses INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    created_by TEXT NOT NULL REFERENCES owners (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX invitations_by_map ON invitations (map_id, created_at, id);
  CREATE INDEX invitations_by_expiry ON invitations (expires_at);
`;

/** The step at index N leads from version N to N + 1. */
export const MIGRATIONS: readonly Migration[] = [
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
  countLocations,
  `
  -- NULL: never changed.
  ALTER TABLE maps ADD COLUMN updated_at INTEGER;
  ALTER TABLE locations ADD COLUMN updated_at INTEGER;
  ALTER TABLE locations ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE locations ADD COLUMN external_id TEXT;
  CREATE UNIQUE INDEX locations_by_external_id ON locations (map_number, external_id) WHERE external_id IS NOT NULL;
  `,
  indexLocations,
  `
  ALTER TABLE tokens ADD COLUMN name TEXT;
  ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;
  CREATE INDEX tokens_by_owner ON tokens (owner_id, created_at, id);
  `,
  ROWS_BY_NUMBER,
  `
  ALTER TABLE maps ADD COLUMN last_change INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE maps ADD COLUMN last_change_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE maps ADD COLUMN log_id TEXT NOT NULL DEFAULT '';
  CREATE TABLE changes (
    map_number INTEGER NOT NULL,
    last INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (map_number, last)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX changes_by_age ON changes (changed_at);
  `,
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    map_id TEXT NOT NULL REFERENCES maps (id),
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    is_enabled INTEGER NOT NULL,
    secret TEXT,
    former_secret TEXT,
    former_secret_until INTEGER,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    place_number INTEGER NOT NULL,
    place_stamp TEXT NOT NULL,
    failures INTEGER NOT NULL,
    failing_since INTEGER,
    next_attempt_at INTEGER,
    last_attempt_at INTEGER,
    last_status INTEGER,
    last_error TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_by_map ON webhooks (map_id, created_at, id);
  CREATE INDEX webhooks_enabled ON webhooks (id) WHERE is_enabled = 1;

  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  joinLetters,
  `
  ALTER TABLE locations ADD COLUMN label TEXT;
  ALTER TABLE locations ADD COLUMN is_ambiguous INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE locations ADD COLUMN is_checked INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE maps ADD COLUMN geocoding TEXT;
  `,
  INDEX_GEOCODING,
  ADD_MEMBERS,
  `
  CREATE TABLE accounts (
    owner_id TEXT PRIMARY KEY REFERENCES owners (id),
    password_hash TEXT,
    is_disabled INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE one_time_secrets (
    -- SHA-256.
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    owner_id TEXT REFERENCES owners (id),
    data TEXT,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX one_time_secrets_by_owner ON one_time_secrets (owner_id) WHERE owner_id IS NOT NULL;
  CREATE INDEX one_time_secrets_by_expiry ON one_time_secrets (expires_at);

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    -- SHA-256.
    hash TEXT NOT NULL UNIQUE,
    owner_id TEXT NOT NULL REFERENCES owners (id),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    user_agent TEXT,
    -- Sealed.
    id_token TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_owner ON sessions (owner_id, created_at, id);
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);

  CREATE TABLE sign_in_attempts (
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (name, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);
  `,
  ADD_INVITATIONS,
  KEEP_HISTORY,
  // Version 18: what identity providers call people, from their next sign-in on.
  'ALTER TABLE owners ADD COLUMN display_name TEXT',
  ADD_MAP_LINKS,
  VERSIONS_BY_SEQUENCE,
  ADD_PAGE_SETTINGS,
  LIST_PUBLISHED_MAPS,
  ADD_LOGOS,
  ADD_KEYED_CALLS,
  // Version 25: the rows in no map's block, for reading in order of sequence numbers.
  'CREATE INDEX locations_outside_blocks ON locations (map_number, sequence) WHERE number < 4294967296',
];

/** Version 4: stores coordinates as plain decimals too, since SQLite formats doubles with 15 digits only. */
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
 * Version 5: stores each map's number of locations, updated by every write in its transaction. (Triggers would count
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
