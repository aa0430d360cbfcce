/** Owners, their accounts, sessions and tokens. */

export const ACCOUNTS = `
  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    -- What the identity provider calls the person.
    display_name TEXT
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
`;
