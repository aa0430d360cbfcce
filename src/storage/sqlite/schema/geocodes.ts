/** Cached geocodes, and quotas of geocoding. */

export const GEOCODES = `
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
`;
