/** Everything in SQLite, read and written for copies of the store. */

import { randomInt } from 'node:crypto';

import type { LocationRecord } from '../../domain/location.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { Storage, StoredItem } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow, SqlValue } from './driver.ts';
import { removeAllFromIndexes } from './finding/index-writes.ts';
import { insertGeocode, toGeocode } from './geocodes.ts';
import { insertIdempotencyRecord, toRecord } from './idempotency.ts';
import { insertLocation } from './location-rows.ts';
import { listLocations } from './locations.ts';
import { insertMap, toMap } from './maps.ts';
import { insertOwner, toOwner } from './owners.ts';
import { numberOf, textOf, textOrNull } from './rows.ts';
import { insertToken, toTokenRecord } from './tokens.ts';

type DumpStorage = Pick<Storage, 'dump' | 'load' | 'removeAll'>;

/** Rows that are read at a time, to bound memory and to let other work go on. */
const BATCH = 500;

export function dumpStatements(connection: Connection): DumpStorage {
  return {
    dump: (expiringAfter) => dump(connection, expiringAfter),
    load: (items) =>
      connection.write(() => {
        for (const item of items) loadItem(connection, item);
        for (const [mapId, added] of countByMap(items)) {
          connection.run(
            'UPDATE maps SET location_count = location_count + ?, revision = revision + 1 WHERE id = ?',
            added,
            mapId,
          );
        }
      }),
    removeAll: (keptMetaKeys) =>
      connection.write(() => {
        for (const table of [
          'quotas',
          'geocodes',
          'idempotency_records',
          'locations',
          'tokens',
          'maps',
          'owners',
        ]) {
          connection.run(`DELETE FROM ${table}`);
        }
        removeAllFromIndexes(connection);
        const kept = keptMetaKeys.map(() => '?').join(', ');
        connection.run(`DELETE FROM meta WHERE key NOT IN (${kept})`, ...keptMetaKeys);
      }),
  };
}

async function* dump(connection: Connection, expiringAfter: number): AsyncGenerator<StoredItem> {
  for await (const row of walk(connection, 'meta', 'key')) {
    yield { kind: 'meta', key: textOf(row, 'key'), value: textOf(row, 'value') };
  }
  for await (const row of walk(connection, 'owners', 'id')) yield { kind: 'owner', owner: toOwner(row) };
  for await (const row of walk(connection, 'maps', 'id')) {
    const end = {
      lastSequence: numberOf(row, 'last_sequence'),
      largestNumber: textOrNull(row, 'largest_number'),
    };
    const map = toMap(row);
    yield { kind: 'map', map, end };
    for await (const location of walkLocations(connection, map.id)) yield { kind: 'location', location };
    yield* walkIdempotency(connection, map.id, expiringAfter);
  }
  for await (const row of walk(connection, 'tokens', 'id'))
    yield { kind: 'token', token: toTokenRecord(row) };
  for await (const row of walk(connection, 'geocodes', 'key')) {
    const geocode = toGeocode(row);
    if (geocode.expiresAt === null || geocode.expiresAt > expiringAfter) yield { kind: 'geocode', geocode };
  }
}

/** All rows of a table by its text key. */
async function* walk(connection: Connection, table: string, key: string): AsyncGenerator<SqlRow> {
  let rows: SqlRow[] = [];
  do {
    const last = rows.at(-1);
    const [condition, values]: [string, SqlValue[]] =
      last === undefined ? ['', []] : [`WHERE ${key} > ?`, [textOf(last, key)]];
    rows = connection.read(() =>
      connection.all(`SELECT * FROM ${table} ${condition} ORDER BY ${key} LIMIT ${BATCH}`, ...values),
    );
    yield* rows;
  } while (rows.length === BATCH);
}

async function* walkLocations(connection: Connection, mapId: string): AsyncGenerator<LocationRecord> {
  let page: PageRequest<SortKey> = { after: null, before: null, limit: BATCH, fromEnd: false };
  for (;;) {
    const locations = connection.read(() => listLocations(connection, mapId, page));
    yield* locations;
    const last = locations.at(-1);
    if (last === undefined || locations.length < BATCH) return;
    page = { ...page, after: last };
  }
}

async function* walkIdempotency(
  connection: Connection,
  mapId: string,
  expiringAfter: number,
): AsyncGenerator<StoredItem> {
  let last = { tokenId: '', key: '' };
  for (;;) {
    const rows = connection.read(() =>
      connection.all(
        `SELECT * FROM idempotency_records WHERE map_id = ? AND (token_id, key) > (?, ?) AND expires_at > ?
         ORDER BY token_id, key LIMIT ${BATCH}`,
        mapId,
        last.tokenId,
        last.key,
        expiringAfter,
      ),
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

/** The number of locations of each map. */
function countByMap(items: readonly StoredItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    if (item.kind !== 'location') continue;
    const { mapId } = item.location;
    counts.set(mapId, (counts.get(mapId) ?? 0) + 1);
  }
  return counts;
}

function loadItem(connection: Connection, item: StoredItem): void {
  switch (item.kind) {
    case 'meta':
      connection.run('INSERT INTO meta VALUES (?, ?)', item.key, item.value);
      return;
    case 'owner':
      insertOwner(connection, item.owner);
      return;
    case 'map':
      insertMap(connection, item.map);
      connection.run(
        'UPDATE maps SET last_sequence = ?, largest_number = ?, revision = ? WHERE id = ?',
        item.end.lastSequence,
        item.end.largestNumber,
        // A process may remember pages of this map from before it was removed. This revision is none that it knows.
        randomInt(2 ** 40),
        item.map.id,
      );
      return;
    case 'location':
      insertLocation(connection, mapNumber(connection, item.location.mapId), item.location);
      return;
    case 'idempotency':
      insertIdempotencyRecord(
        connection,
        { ...item.scope, key: item.key, digest: item.record.digest, expiresAt: item.expiresAt },
        item.record.location,
      );
      return;
    case 'token':
      insertToken(connection, item.token);
      return;
    case 'geocode':
      insertGeocode(connection, item.geocode);
      return;
  }
}

function mapNumber(connection: Connection, mapId: string): number {
  const row = connection.get('SELECT number FROM maps WHERE id = ?', mapId);
  if (row === undefined) throw new Error('A location of a dump came before its map.');
  return numberOf(row, 'number');
}
