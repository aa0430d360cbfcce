/**
 * The schema, as steps that are never edited once released. `user_version` counts the steps that a file has had. The
 * steps that it lacks run in one transaction, together with that count. So a start that is interrupted leaves the whole
 * old version behind.
 */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import type { StorageNotice } from '../../storage.ts';
import { IncompatibleStorageError } from '../../incompatible.ts';
import type { Connection } from '../database.ts';
import { indexLocations, joinLetters } from './search-index.ts';
import { ROWS_BY_NUMBER } from './rows-by-number.ts';
import { numberOf, textOf } from '../rows.ts';

/** `MLOC`: tells a file of ours from another program's (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4d4c4f43;

/** Milliseconds after which a migration, or the wait for another process's, says that it takes long. */
const LONG_MS = 1_000;

/** SQL, or work that SQL cannot do. Such work calls `onProgress` now and then. */
type Migration = string | ((connection: Connection, onProgress: () => void) => void);

const MIGRATIONS: readonly Migration[] = [
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
];

/** The version that this program writes. */
export const NEWEST_VERSION = MIGRATIONS.length;

const FIRST_TABLES = ['meta', 'owners', 'maps', 'tokens', 'locations', 'idempotency_records'];
const TABLES = [...FIRST_TABLES, 'geocodes', 'quotas'];

/** The tables of the versions that had no application id. */
export const TABLES_OF_VERSION: ReadonlyMap<number, readonly string[]> = new Map([
  [1, FIRST_TABLES],
  [2, TABLES],
  [3, TABLES],
]);

/**
 * For pages as JSON. Coordinates are kept as the plain decimals that JSON holds, since SQLite's own text of a double has
 * only 15 digits.
 */
function prepareJsonPages(connection: Connection, onProgress: () => void): void {
  connection.exec(`
    ALTER TABLE locations ADD COLUMN lat TEXT NOT NULL DEFAULT '';
    ALTER TABLE locations ADD COLUMN lng TEXT NOT NULL DEFAULT '';
    -- Changes with every write to the map's list, in its transaction.
    ALTER TABLE maps ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  `);
  let last = '';
  for (;;) {
    const rows = connection.all(
      'SELECT id, latitude, longitude FROM locations WHERE id > ? ORDER BY id LIMIT 1000',
      last,
    );
    for (const row of rows) {
      last = textOf(row, 'id');
      const decimals = [numberOf(row, 'latitude'), numberOf(row, 'longitude')].map(toPlainDecimal);
      connection.run('UPDATE locations SET lat = ?, lng = ? WHERE id = ?', ...decimals, last);
    }
    onProgress();
    if (rows.length < 1000) return;
  }
}

/**
 * A map's number of locations, so that nobody has to count them. Every write to the map's list changes it in its
 * transaction. (Triggers would count for every program; they take a fifth more processor time in an import.)
 */
function countLocations(connection: Connection, onProgress: () => void): void {
  connection.exec('ALTER TABLE maps ADD COLUMN location_count INTEGER NOT NULL DEFAULT 0');
  for (const row of connection.all('SELECT number FROM maps')) {
    const number = numberOf(row, 'number');
    connection.run(
      'UPDATE maps SET location_count = (SELECT COUNT(*) FROM locations WHERE map_number = ?) WHERE number = ?',
      number,
      number,
    );
    onProgress();
  }
}

/** @throws IncompatibleStorageError when a newer release has written the file */
export function assertKnownVersion(version: number): void {
  if (version <= NEWEST_VERSION) return;
  throw new IncompatibleStorageError(
    `The database is of version ${version}, written by a newer release; this one knows versions up to ${NEWEST_VERSION}. It was left as it is.`,
  );
}

/**
 * Brings the file to the newest version. Several processes may start on it at once: the others wait for the one that does
 * it, however long that takes.
 *
 * @param onNotice told of a migration, while it is made where it takes longer than `longMs`, and of a wait that takes long
 * @throws IncompatibleStorageError when a newer release has written the file
 */
export async function migrate(
  connection: Connection,
  onNotice: (notice: StorageNotice) => void = () => {},
  longMs = LONG_MS,
): Promise<void> {
  if (connection.read(() => versionOf(connection)) === NEWEST_VERSION) return;
  const tell = (message: string) => onNotice({ level: 'info', message });
  const waiting = setTimeout(
    tell,
    LONG_MS,
    'Another process is writing to the database, perhaps to bring it to a newer version; waiting for it.',
  );
  const made = { from: 0, begun: 0, isMentioned: false };
  try {
    await connection.write(
      () => {
        clearTimeout(waiting);
        const begun = performance.now();
        // Read again: another process may have been quicker.
        const version = versionOf(connection);
        assertKnownVersion(version);
        if (version < NEWEST_VERSION) Object.assign(made, { from: version, begun });
        runSteps(connection, version, () => {
          if (made.isMentioned || version === 0 || performance.now() - begun < longMs) return;
          made.isMentioned = true;
          tell(
            `The database is being brought from version ${version} to ${NEWEST_VERSION}, which takes a while.`,
          );
        });
      },
      { timeoutMs: Infinity },
    );
  } finally {
    clearTimeout(waiting);
  }
  // A file that is new, or that another process has brought to the newest version.
  if (made.from === 0) return;
  const seconds = ((performance.now() - made.begun) / 1000).toFixed(1);
  tell(`The database was brought from version ${made.from} to ${NEWEST_VERSION} in ${seconds} s.`);
}

function runSteps(connection: Connection, version: number, onProgress: () => void): void {
  if (version === NEWEST_VERSION) return;
  for (const migration of MIGRATIONS.slice(version)) {
    if (typeof migration === 'string') connection.exec(migration);
    else migration(connection, onProgress);
  }
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  connection.exec(`PRAGMA user_version = ${NEWEST_VERSION}`);
}

function versionOf(connection: Connection): number {
  return Number(connection.get('PRAGMA user_version')?.user_version);
}
