/** The steps to version 17 and later ones, in order. A released step is never edited. */

/** Former states are found by the sequence number of their location, which deletions now have too. */
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

export const VERSIONS_FROM_17 = [
  // Version 17: keeps the history of locations. It starts with the next change.
  `
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
`,
  // Version 18: what identity providers call people, from their next sign-in on.
  'ALTER TABLE owners ADD COLUMN display_name TEXT',
  // Version 19: links to maps, among the tokens.
  `
  ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'token';
  CREATE INDEX links_by_map ON tokens (map_id, created_at, id) WHERE kind = 'link' AND revoked_at IS NULL;
`,
  // Version 20
  VERSIONS_BY_SEQUENCE,
  // Version 21: the settings of a map's page.
  `
  ALTER TABLE maps ADD COLUMN language TEXT;
  ALTER TABLE maps ADD COLUMN time_zone TEXT;
  ALTER TABLE maps ADD COLUMN theme TEXT;
  ALTER TABLE maps ADD COLUMN categories TEXT;
`,
  // Version 22: published maps, for the sitemap.
  'CREATE INDEX maps_published ON maps (id) WHERE is_published = 1 AND is_deleted = 0',
  // Version 23: logos of maps.
  `
  ALTER TABLE maps ADD COLUMN logo TEXT;
  CREATE TABLE logos (
    map_id TEXT PRIMARY KEY REFERENCES maps (id),
    type TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
`,
  // Version 24: calls under an idempotency key.
  `
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
`,
  // Version 25: the rows in no map's block, for reading in order of sequence numbers.
  'CREATE INDEX locations_outside_blocks ON locations (map_number, sequence) WHERE number < 4294967296',
];
