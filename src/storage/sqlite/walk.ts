/** Reads everything in SQLite, some rows at a time. */

import type { LocationRecord } from '../../domain/location.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { StoredItem } from '../storage.ts';
import type { SqlRow, SqlValue } from './driver.ts';
import { toGeocode } from './geocodes.ts';
import { toRecord } from './idempotency.ts';
import { listLocations } from './locations.ts';
import { toMap } from './maps.ts';
import { toOwner } from './owners.ts';
import type { Reader } from './reader.ts';
import { numberOf, textOf, textOrNull } from './rows.ts';
import { toTokenRecord } from './tokens.ts';
import { webhooksById } from './webhooks.ts';

/** Rows that are read at a time, to bound memory and to let other work go on. */
const BATCH = 500;

/** Everything but the kept geocodes, in the order of `Storage.dump`. */
export function* eachItem(reader: Reader, expiringAfter: number): Generator<StoredItem> {
  for (const row of eachRow(reader, 'meta', 'key')) {
    yield { kind: 'meta', key: textOf(row, 'key'), value: textOf(row, 'value') };
  }
  for (const row of eachRow(reader, 'owners', 'id')) yield { kind: 'owner', owner: toOwner(row) };
  for (const row of eachRow(reader, 'maps', 'id')) {
    const end = {
      lastSequence: numberOf(row, 'last_sequence'),
      largestNumber: textOrNull(row, 'largest_number'),
    };
    const map = toMap(row);
    yield { kind: 'map', map, end };
    for (const location of eachLocation(reader, map.id)) yield { kind: 'location', location };
    yield* eachIdempotencyRecord(reader, map.id, expiringAfter);
    for (const webhook of webhooksById(reader, map.id)) yield { kind: 'webhook', webhook };
  }
  for (const row of eachRow(reader, 'tokens', 'id')) yield { kind: 'token', token: toTokenRecord(row) };
}

export function* eachGeocode(reader: Reader, expiringAfter: number): Generator<StoredItem> {
  for (const row of eachRow(reader, 'geocodes', 'key')) {
    const geocode = toGeocode(row);
    if (geocode.expiresAt === null || geocode.expiresAt > expiringAfter) yield { kind: 'geocode', geocode };
  }
}

/** All rows of a table by its text key. */
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
