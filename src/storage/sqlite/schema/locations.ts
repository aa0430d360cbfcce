/** Locations, their search indexes, and idempotency keys. */

/**
 * Locations, stored by row number: the hits of a search are scattered over a map, and a table clustered by the list's order
 * had pages four times as deep (a page of 100 hits in a million: 1,100 µs, now 480 µs; a page of the list takes the same).
 */
export const LOCATIONS = `
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
export const SEARCH_INDEXES = `
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

export const IDEMPOTENCY = `
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
`;
