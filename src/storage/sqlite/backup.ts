/** Everything in SQLite, read and written for copies and backups of the store. */

import { randomInt } from 'node:crypto';

import { newLogId } from '../log-id.ts';
import type { Storage, StoredItem } from '../storage.ts';
import type { Connection } from './database.ts';
import { removeAllFromIndexes } from './search/search-index.ts';
import { insertGeocode } from './geocodes.ts';
import { insertIdempotencyRecord } from './idempotency.ts';
import { writeListHeads } from './list.ts';
import { insertLocation } from './location-records.ts';
import { insertMap } from './maps.ts';
import { insertOwner } from './owners.ts';
import type { Reader } from './reader.ts';
import { numberOf } from './rows.ts';
import { snapshot } from './snapshot.ts';
import { insertToken } from './tokens.ts';
import { eachGeocode, eachItem } from './walk.ts';
import { insertWebhook } from './webhooks.ts';

type DumpStorage = Pick<Storage, 'dump' | 'snapshot' | 'load' | 'removeAll'>;

export function dumpStore(connection: Connection): DumpStorage {
  return {
    dump: (expiringAfter) => dump(connection, expiringAfter),
    snapshot: (expiringAfter) => snapshot(connection, expiringAfter),
    load: (items) =>
      connection.write(() => {
        writeListHeads(connection);
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
        writeListHeads(connection);
        for (const table of [
          'changes',
          'quotas',
          'geocodes',
          'webhooks',
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
  const reader = usable(connection);
  yield* eachItem(reader, expiringAfter);
  yield* eachGeocode(reader, expiringAfter);
}

/** Each read by itself fails as a call of the port does. */
function usable(connection: Connection): Reader {
  return {
    get: (...args) => connection.read(() => connection.get(...args)),
    all: (...args) => connection.read(() => connection.all(...args)),
    tuples: (...args) => connection.read(() => connection.tuples(...args)),
    iterate: (...args) => connection.read(() => connection.iterate(...args)),
  };
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
        'UPDATE maps SET last_sequence = ?, largest_number = ?, log_id = ?, revision = ? WHERE id = ?',
        item.end.lastSequence,
        item.end.largestNumber,
        // Nobody goes on reading this log from a place of the one that it was copied from.
        newLogId(),
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
    case 'webhook':
      insertWebhook(connection, item.webhook);
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
