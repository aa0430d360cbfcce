/** Loads all records, for copies of the store and restores. */

import { randomInt } from 'node:crypto';

import { newLogId } from '../../change-entries.ts';
import type { LoadStorage, StoredItem } from '../../storage.ts';
import { insertAccount } from '../accounts.ts';
import type { Database } from '../database.ts';
import { numberOf } from '../engine/statements.ts';
import { insertGeocode } from '../geocodes.ts';
import { insertChanges } from '../history/calls.ts';
import { insertHistory } from '../history/records.ts';
import { insertVersion } from '../history/versions.ts';
import { insertIdempotencyRecord } from '../idempotency.ts';
import { insertInvitation } from '../invitations.ts';
import { writeListHeads } from '../locations/list.ts';
import { insertLocation } from '../locations/location-records.ts';
import { putLogo } from '../logos.ts';
import { insertMap } from '../maps.ts';
import { insertOwner } from '../owners.ts';
import { removeAllFromIndexes } from '../search/search-index.ts';
import { insertToken } from '../tokens.ts';
import { insertWebhook } from '../webhooks.ts';

export function loadStore(database: Database): LoadStorage {
  return {
    load: (items) =>
      database.write(() => {
        writeListHeads(database);
        for (const item of items) loadItem(database, item);
        for (const [mapId, added] of countByMap(items)) {
          database.run(
            'UPDATE maps SET location_count = location_count + ?, revision = revision + 1 WHERE id = ?',
            added,
            mapId,
          );
        }
      }),
    removeAll: (keptMetaKeys) =>
      database.write(() => {
        writeListHeads(database);
        for (const table of [
          'changes',
          'history',
          'versions',
          'quotas',
          'geocodes',
          'webhooks',
          'idempotency_records',
          'keyed_calls',
          'locations',
          'invitations',
          'tokens',
          'map_members',
          'logos',
          'maps',
          'sessions',
          'one_time_secrets',
          'sign_in_attempts',
          'accounts',
          'owners',
        ]) {
          database.run(`DELETE FROM ${table}`);
        }
        removeAllFromIndexes(database);
        const placeholders = keptMetaKeys.map(() => '?').join(', ');
        database.run(`DELETE FROM meta WHERE key NOT IN (${placeholders})`, ...keptMetaKeys);
      }),
  };
}

/** Number of locations by map id. */
function countByMap(items: readonly StoredItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    if (item.kind !== 'location') continue;
    const { mapId } = item.location;
    counts.set(mapId, (counts.get(mapId) ?? 0) + 1);
  }
  return counts;
}

function loadItem(database: Database, item: StoredItem): void {
  switch (item.kind) {
    case 'meta':
      database.run('INSERT INTO meta VALUES (?, ?)', item.key, item.value);
      return;
    case 'owner':
      insertOwner(database, item.owner);
      return;
    case 'account':
      insertAccount(database, item.account);
      return;
    case 'map':
      insertMap(database, item.map);
      database.run(
        'UPDATE maps SET last_sequence = ?, largest_number = ?, log_id = ?, revision = ? WHERE id = ?',
        item.end.lastSequence,
        item.end.largestNumber,
        // A new log: readers must not continue from offsets of the log that it was copied from.
        newLogId(),
        // Processes may still cache pages of this map from before it was removed, so no earlier revision may be reused.
        randomInt(2 ** 40),
        item.map.id,
      );
      return;
    case 'logo':
      putLogo(database, item.logo);
      return;
    case 'location':
      insertLocation(database, mapNumber(database, item.location.mapId), item.location);
      return;
    case 'idempotency':
      insertIdempotencyRecord(
        database,
        { ...item.scope, key: item.key, digest: item.record.digest, expiresAt: item.expiresAt },
        item.record.location,
      );
      return;
    case 'webhook':
      insertWebhook(database, item.webhook);
      return;
    case 'invitation':
      insertInvitation(database, item.invitation);
      return;
    case 'history':
      insertHistory(database, item.history);
      return;
    case 'changes':
      insertChanges(database, mapNumber(database, item.mapId), item);
      return;
    case 'version':
      insertVersion(database, item.mapId, item.version);
      return;
    case 'token':
      insertToken(database, item.token);
      return;
    case 'geocode':
      insertGeocode(database, item.geocode);
      return;
  }
}

function mapNumber(database: Database, mapId: string): number {
  const row = database.get('SELECT number FROM maps WHERE id = ?', mapId);
  if (row === undefined) throw new Error('A dump must contain a map before its locations.');
  return numberOf(row, 'number');
}
