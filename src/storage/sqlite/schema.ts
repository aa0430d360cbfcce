/**
 * The schema of the newest version, which new files are made with. Files of earlier versions reach the same schema by the
 * steps in migrations/; a test compares both. That is why added columns come last.
 *
 * Times are milliseconds since the epoch.
 */

/** Marks a file as ours: `MLOC` in ASCII (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4d4c4f43;

const RECORDS = `
  -- The store's own values.
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    -- What the identity provider calls the person.
    display_name TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE maps (
    -- Short key for references from locations; clients only see the id.
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner_id TEXT NOT NULL REFERENCES owners (id),
    name TEXT NOT NULL,
    is_deleted INTEGER NOT NULL,
    is_published INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- Both keys are sealed.
    provider_map_api_key TEXT,
    geocoding_api_key TEXT,
    -- Field definitions, JSON.
    fields TEXT NOT NULL,
    -- The head of the list (list.ts), written by every transaction that changes the list.
    last_sequence INTEGER NOT NULL DEFAULT 0,
    largest_number TEXT,
    revision INTEGER NOT NULL DEFAULT 0,
    location_count INTEGER NOT NULL DEFAULT 0,
    -- NULL: never changed.
    updated_at INTEGER,
    last_change INTEGER NOT NULL DEFAULT 0,
    last_change_at INTEGER NOT NULL DEFAULT 0,
    log_id TEXT NOT NULL DEFAULT '',
    -- The geocoding area, JSON; NULL: the whole world.
    geocoding TEXT,
    -- Members, JSON; NULL: only the owner, since the creation.
    members TEXT,
    -- NULL: the reader's.
    language TEXT,
    time_zone TEXT,
    -- JSON; NULL: the look of all pages.
    theme TEXT,
    -- Styles of categories, JSON; NULL: none.
    categories TEXT,
    -- What is known of the logo, JSON; NULL: none.
    logo TEXT
  ) STRICT;

  -- Files of logos. In base64, so that dumps have the same text.
  CREATE TABLE logos (
    map_id TEXT PRIMARY KEY REFERENCES maps (id),
    type TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX maps_published ON maps (id) WHERE is_published = 1 AND is_deleted = 0;

  -- The maps of each member, in the order of lists.
  CREATE TABLE map_members (
    owner_id TEXT NOT NULL REFERENCES owners (id),
    -- Of the map.
    created_at INTEGER NOT NULL,
    map_id TEXT NOT NULL REFERENCES maps (id),
    PRIMARY KEY (owner_id, created_at, map_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    map_id TEXT NOT NULL REFERENCES maps (id),
    -- SHA-256 of the secret.
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

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL REFERENCES owners (id),
    -- SHA-256.
    hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    map_id TEXT REFERENCES maps (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    name TEXT,
    last_used_at INTEGER,
    kind TEXT NOT NULL DEFAULT 'token'
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_by_owner ON tokens (owner_id, created_at, id);
  CREATE INDEX links_by_map ON tokens (map_id, created_at, id) WHERE kind = 'link' AND revoked_at IS NULL;

  -- No reference to tokens: operator commands use keys without a token.
  CREATE TABLE idempotency_records (
    map_id TEXT NOT NULL REFERENCES maps (id),
    token_id TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- The location of the first response, JSON.
    location TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (map_id, token_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expires_at);

  -- Calls under an idempotency key, for all their writes.
  CREATE TABLE keyed_calls (
    map_id TEXT NOT NULL REFERENCES maps (id),
    token_id TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    call_id TEXT NOT NULL,
    -- NULL: the call has not ended, or keeps no result.
    result TEXT,
    held_until INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (map_id, token_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keyed_calls_by_expiry ON keyed_calls (expires_at);

  -- No reference to maps: geocodes are removed when they expire.
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

  -- The change log: one row for the changes of one transaction to one map, or for a part of them.
  CREATE TABLE changes (
    map_number INTEGER NOT NULL,
    -- The number of the last change in the row.
    last INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    -- JSON array of ../change-entries.ts.
    entries TEXT NOT NULL,
    -- The calls of the changes, see history/calls.ts. NULL: none has a call.
    calls TEXT,
    PRIMARY KEY (map_number, last)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX changes_by_age ON changes (changed_at);

  -- One row for the changes of one call to one map. Ids sort by time.
  CREATE TABLE history (
    map_number INTEGER NOT NULL,
    id TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT,
    operation TEXT NOT NULL,
    -- Numbers of changes.
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    -- In the change log.
    first_change INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    PRIMARY KEY (map_number, id)
  ) STRICT, WITHOUT ROWID;

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
    -- How far the webhook has delivered the log of its map.
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
`;

/**
 * Locations, stored by row number: the hits of a search are scattered over a map, and a table clustered by the list's order
 * had pages four times as deep (a page of 100 hits in a million: 1,100 µs, now 480 µs; a page of the list takes the same).
 */
const LOCATIONS = `
  CREATE TABLE locations (
    -- See rowNumberFor in location-records.ts. The word index refers to locations by it.
    number INTEGER PRIMARY KEY,
    map_number INTEGER NOT NULL REFERENCES maps (number),
    order_key TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    -- domain/filter/cell.ts
    cell INTEGER NOT NULL,
    id TEXT NOT NULL,
    position TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    -- Plain decimals of both for JSON, since SQLite formats doubles with 15 digits only.
    lat TEXT NOT NULL,
    lng TEXT NOT NULL,
    properties TEXT NOT NULL,
    external_id TEXT,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- NULL: never changed.
    updated_at INTEGER,
    provider TEXT NOT NULL,
    "precision" TEXT NOT NULL,
    label TEXT,
    is_ambiguous INTEGER NOT NULL DEFAULT 0,
    is_checked INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX locations_by_sort_key ON locations (map_number, order_key, sequence);
  CREATE UNIQUE INDEX locations_by_id ON locations (id);
  CREATE UNIQUE INDEX locations_by_external_id ON locations (map_number, external_id) WHERE external_id IS NOT NULL;
  -- Holds the point too, so that locations outside a box are skipped without reading their rows.
  CREATE INDEX locations_by_cell ON locations (map_number, cell, sequence, latitude, longitude, order_key);
  -- Rows in no map's block, see blockOf in location-records.ts.
  CREATE INDEX locations_outside_blocks ON locations (map_number, sequence) WHERE number < 4294967296;
  CREATE INDEX locations_by_geocoding ON locations (
    map_number, is_checked, "precision", is_ambiguous, provider, order_key, sequence
  );
`;

/**
 * The states of locations before their changes. Rows are numbered in order of time, so that the oldest are removed first.
 */
const VERSIONS = `
  CREATE TABLE versions (
    number INTEGER PRIMARY KEY,
    map_number INTEGER NOT NULL,
    -- The location's id and version.
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    -- The call that replaced this state.
    replaced_by TEXT NOT NULL,
    is_in_trash INTEGER NOT NULL,
    -- The other columns of a location that are not derived. All NULL but the sequence number: the location was deleted
    -- then.
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
  CREATE INDEX versions_by_sequence ON versions (map_number, sequence, version);
  CREATE INDEX versions_in_trash_by_id ON versions (id) WHERE is_in_trash = 1;
  CREATE INDEX versions_in_trash ON versions (map_number, replaced_by, id) WHERE is_in_trash = 1;
`;

/**
 * The search indexes.
 *
 * - `location_words` holds the terms (domain/filter/terms.ts) and the property presence of each location as words, and no
 *   text. FTS5 overwrites the words of a deleted location when it next merges their segment, at the latest when a tenth of
 *   the segment is deleted (`deletemerge`). `secure-delete` has no effect on a contentless table, and naming the old words
 *   at each deletion would corrupt the index once another Unicode version splits words differently.
 * - `location_words_seen` reads that index word by word. It stops when its reader does; MATCH first merges all words of a
 *   prefix.
 * - `location_words_counted` gives the number of locations of each word, ten times faster than counting them.
 * - `cell_sums` is described in search/cell-sums.ts.
 * - `geocoding_counts` has the number of each map's locations by how they were geocoded.
 */
const SEARCH_INDEXES = `
  CREATE VIRTUAL TABLE location_words USING fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  CREATE VIRTUAL TABLE location_words_seen USING fts5vocab(location_words, instance);
  CREATE VIRTUAL TABLE location_words_counted USING fts5vocab(location_words, row);

  CREATE TABLE cell_sums (
    map_number INTEGER NOT NULL,
    level INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    count INTEGER NOT NULL,
    latitudes INTEGER NOT NULL,
    longitudes INTEGER NOT NULL,
    -- NULL: unknown.
    south REAL,
    west REAL,
    north REAL,
    east REAL,
    PRIMARY KEY (map_number, level, cell)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE geocoding_counts (
    map_number INTEGER NOT NULL,
    is_checked INTEGER NOT NULL,
    "precision" TEXT NOT NULL,
    is_ambiguous INTEGER NOT NULL,
    provider TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (map_number, is_checked, "precision", is_ambiguous, provider)
  ) STRICT, WITHOUT ROWID;
`;

export const SCHEMA = RECORDS + LOCATIONS + VERSIONS + SEARCH_INDEXES;

/** A statement of `sqlite_schema` without comments, quotes and spacing: equal for equal tables, however they were made. */
export function normalizedSql(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();
}
