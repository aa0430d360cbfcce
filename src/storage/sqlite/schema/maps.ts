/** Maps, their logos, members and invitations. */

export const MAPS = `
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
  CREATE INDEX maps_published ON maps (id) WHERE is_published = 1 AND is_deleted = 0;

  -- Files of logos. In base64, so that dumps have the same text.
  CREATE TABLE logos (
    map_id TEXT PRIMARY KEY REFERENCES maps (id),
    type TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;

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
`;
