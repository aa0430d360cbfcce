/**
 * Reads all records, for copies and backups of the store.
 *
 * A snapshot is read on a separate connection in one transaction, which excludes concurrent writes. SQLite cannot
 * truncate its log before that ends.
 */

import type { LocationRecord } from '../../../domain/location.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { yieldIfDue } from '../../../lib/cooperative-scheduler.ts';
import { MOST_TOGETHER } from '../../change-entries.ts';
import type { DumpStorage, StoredItem } from '../../storage.ts';
import { toAccount } from '../accounts.ts';
import type { Database } from '../database.ts';
import type { SqlRow, SqlValue } from '../engine/driver.ts';
import { FileReader } from '../engine/file-reader.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf, textOrNull } from '../engine/statements.ts';
import { toGeocode } from '../geocodes.ts';
import { changesOfCall, toHistoryRecord } from '../history/records.ts';
import { toVersion, VERSION_COLUMNS } from '../history/versions.ts';
import { toRecord } from '../idempotency.ts';
import { listInvitations } from '../invitations.ts';
import { listLocations } from '../locations/list.ts';
import { getLogo } from '../logos.ts';
import { toMap } from '../maps.ts';
import { toOwner } from '../owners.ts';
import { toTokenRecord } from '../tokens.ts';
import { webhooksById } from '../webhooks.ts';

export function dumpStore(database: Database): DumpStorage {
  return {
    dump: (expiringAfter) => dump(database, expiringAfter),
    snapshot: (expiringAfter) => snapshot(database, expiringAfter),
  };
}

async function* dump(database: Database, expiringAfter: number): AsyncGenerator<StoredItem> {
  const reader = guarded(database);
  yield* eachItem(reader, expiringAfter);
  yield* eachGeocode(reader, expiringAfter);
}

/** Each read fails as a call of the port does. */
function guarded(database: Database): Reader {
  return {
    get: (...args) => database.read(() => database.get(...args)),
    all: (...args) => database.read(() => database.all(...args)),
    tuples: (...args) => database.read(() => database.tuples(...args)),
    iterate: (...args) => database.read(() => database.iterate(...args)),
  };
}

/** Rows per read: bounds memory, and lets other work run between two reads. */
const BATCH = 500;

/** Every record but geocodes, in the order of `DumpStorage.dump`. */
function* eachItem(reader: Reader, expiringAfter: number): Generator<StoredItem> {
  for (const row of eachRow(reader, 'meta', 'key')) {
    yield { kind: 'meta', key: textOf(row, 'key'), value: textOf(row, 'value') };
  }
  for (const row of eachRow(reader, 'owners', 'id')) yield { kind: 'owner', owner: toOwner(row) };
  for (const row of eachRow(reader, 'accounts', 'owner_id'))
    yield { kind: 'account', account: toAccount(row) };
  for (const row of eachRow(reader, 'maps', 'id')) {
    const end = {
      lastSequence: numberOf(row, 'last_sequence'),
      largestNumber: textOrNull(row, 'largest_number'),
    };
    const map = toMap(row);
    yield { kind: 'map', map, end };
    const logo = map.logo === null ? null : getLogo(reader, map.id, map.logo.hash);
    if (logo !== null) yield { kind: 'logo', logo };
    for (const location of eachLocation(reader, map.id)) yield { kind: 'location', location };
    yield* eachIdempotencyRecord(reader, map.id, expiringAfter);
    for (const webhook of webhooksById(reader, map.id)) yield { kind: 'webhook', webhook };
    yield* eachHistoryItem(reader, map.id, numberOf(row, 'number'));
    for (const invitation of listInvitations(reader, map.id, expiringAfter)) {
      yield { kind: 'invitation', invitation };
    }
  }
  for (const row of eachRow(reader, 'tokens', 'id')) yield { kind: 'token', token: toTokenRecord(row) };
}

function* eachGeocode(reader: Reader, expiringAfter: number): Generator<StoredItem> {
  for (const row of eachRow(reader, 'geocodes', 'key')) {
    const geocode = toGeocode(row);
    if (geocode.expiresAt === null || geocode.expiresAt > expiringAfter) yield { kind: 'geocode', geocode };
  }
}

/** All rows of a table, by its text key. */
function* eachRow(reader: Reader, table: string, key: string): Generator<SqlRow> {
  let rows: SqlRow[] = [];
  do {
    const last = rows.at(-1);
    const [condition, values]: [string, SqlValue[]] =
      last === undefined ? ['', []] : [`WHERE ${key} > ?`, [textOf(last, key)]];
    rows = reader.all(`SELECT * FROM ${table} ${condition} ORDER BY ${key} LIMIT ${BATCH}`, ...values);
    yield* rows;
  } while (rows.length === BATCH);
}

function* eachLocation(reader: Reader, mapId: string): Generator<LocationRecord> {
  let page: PageRequest<SortKey> = { after: null, before: null, limit: BATCH, fromEnd: false };
  for (;;) {
    const locations = listLocations(reader, mapId, page);
    yield* locations;
    const last = locations.at(-1);
    if (last === undefined || locations.length < BATCH) return;
    page = { ...page, after: last };
  }
}

function* eachIdempotencyRecord(reader: Reader, mapId: string, expiringAfter: number): Generator<StoredItem> {
  let last = { tokenId: '', key: '' };
  for (;;) {
    const rows = reader.all(
      `SELECT * FROM idempotency_records WHERE map_id = ? AND (token_id, key) > (?, ?) AND expires_at > ?
       ORDER BY token_id, key LIMIT ${BATCH}`,
      mapId,
      last.tokenId,
      last.key,
      expiringAfter,
    );
    for (const row of rows) {
      last = { tokenId: textOf(row, 'token_id'), key: textOf(row, 'key') };
      yield {
        kind: 'idempotency',
        scope: { mapId, tokenId: last.tokenId },
        key: last.key,
        record: {
          digest: textOf(row, 'digest'),
          location: toRecord(textOf(row, 'location')),
        },
        expiresAt: numberOf(row, 'expires_at'),
      };
    }
    if (rows.length < BATCH) return;
  }
}

function* eachHistoryItem(reader: Reader, mapId: string, mapNumber: number): Generator<StoredItem> {
  let last = '';
  for (;;) {
    const rows = reader.all(
      `SELECT * FROM history WHERE map_number = ? AND id > ? ORDER BY id LIMIT ${BATCH}`,
      mapNumber,
      last,
    );
    for (const row of rows) {
      const history = toHistoryRecord(row, mapId);
      last = history.id;
      yield { kind: 'history', history };
      yield* eachChange(reader, mapId, last);
    }
    if (rows.length < BATCH) break;
  }
  yield* eachVersion(reader, mapId, mapNumber);
}

function* eachChange(reader: Reader, mapId: string, historyId: string): Generator<StoredItem> {
  let after = 0;
  for (;;) {
    const changes = changesOfCall(reader, mapId, historyId, { limit: MOST_TOGETHER, after });
    if (changes.length > 0) yield { kind: 'changes', mapId, historyId, changes };
    if (changes.length < MOST_TOGETHER) return;
    after = changes.at(-1)?.number ?? after;
  }
}

/** Locations whose versions are read at once: some megabytes at most. */
const VERSIONS_OF = 100;
/** SQL: the locations of a map between two ids, and those in its trash, by id. */
const WITH_VERSIONS = `SELECT id, sequence FROM locations WHERE id > ?1 AND id < ?2
  UNION SELECT id, sequence FROM versions WHERE is_in_trash = 1 AND id > ?1 AND id < ?2
  ORDER BY id LIMIT ${VERSIONS_OF}`;

/** By location and version. No index has that order. */
function* eachVersion(reader: Reader, mapId: string, mapNumber: number): Generator<StoredItem> {
  if (reader.get('SELECT 1 FROM versions WHERE map_number = ? LIMIT 1', mapNumber) === undefined) return;
  // Ids of locations begin with the id of their map.
  const [start, end] = [`${mapId}_`, `${mapId}_~`];
  for (let last = start; ;) {
    const ids = reader.all(WITH_VERSIONS, last, end);
    const rows = reader.all(
      `SELECT ${VERSION_COLUMNS} FROM versions WHERE number IN (
         WITH listed AS MATERIALIZED (${WITH_VERSIONS})
         SELECT versions.number FROM listed CROSS JOIN versions
         WHERE versions.map_number = ?3 AND versions.sequence = listed.sequence AND versions.id = listed.id
       ) ORDER BY id, version`,
      last,
      end,
      mapNumber,
    );
    for (const row of rows) yield { kind: 'version', mapId, version: toVersion(row, mapId) };
    const final = ids.at(-1);
    if (final === undefined || ids.length < VERSIONS_OF) return;
    last = textOf(final, 'id');
  }
}

async function* snapshot(database: Database, expiringAfter: number): AsyncGenerator<StoredItem> {
  database.assertUsable();
  if (database.path === null) {
    // Only this connection sees a database in memory, so all of it is read before other writes can run.
    yield* database.read(() => [...eachItem(database, expiringAfter)]);
    return;
  }
  let reader: FileReader | null = null;
  try {
    reader = new FileReader(database.path);
    // The path may lead to another file by now.
    database.assertFileInPlace();
    reader.begin();
    for (const item of eachItem(reader, expiringAfter)) {
      database.assertUsable();
      yield item;
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    throw database.failure(error);
  } finally {
    reader?.end();
    reader?.close();
  }
}
