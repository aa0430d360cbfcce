/** The steps to the versions 9 to 16, in order. A released step is never edited. */

import { joinLetters } from './search-index.ts';

export const VERSIONS_FROM_9 = [
  // Version 9: the change log.
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
  // Version 10: webhooks, and leases.
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
  // Version 11
  joinLetters,
  // Version 12: how locations were geocoded, and the area of a map.
  `
  ALTER TABLE locations ADD COLUMN label TEXT;
  ALTER TABLE locations ADD COLUMN is_ambiguous INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE locations ADD COLUMN is_checked INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE maps ADD COLUMN geocoding TEXT;
  `,
  // Version 13: an index and counts by geocoding.
  `
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
`,
  // Version 14: members of maps; until then, a map had its owner only.
  `
  ALTER TABLE maps ADD COLUMN members TEXT;
  CREATE TABLE map_members (
    owner_id TEXT NOT NULL REFERENCES owners (id),
    created_at INTEGER NOT NULL,
    map_id TEXT NOT NULL REFERENCES maps (id),
    PRIMARY KEY (owner_id, created_at, map_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO map_members SELECT owner_id, created_at, id FROM maps;
  DROP INDEX maps_by_owner;
`,
  // Version 15: accounts, with sessions and attempts to sign in.
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
  // Version 16: invitations to maps.
  `
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
`,
];
