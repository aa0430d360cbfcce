/** The change log, and the history with former states of locations. */

export const HISTORY = `
  -- The change log: one row for the changes of one transaction to one map, or for a part of them.
  CREATE TABLE changes (
    map_number INTEGER NOT NULL,
    -- The number of the last change in the row.
    last INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    -- JSON array of entries, see storage/change-entries.ts.
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
`;

/**
 * The states of locations before their changes. Rows are numbered in order of time, so that the oldest are removed first.
 */
export const VERSIONS = `
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
