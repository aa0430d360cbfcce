/** Webhooks, and leases. */

export const WEBHOOKS = `
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
`;
