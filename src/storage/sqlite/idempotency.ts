import type { LocationRecord } from '../../domain/location.ts';
import type { IdempotencyRecord, IdempotencyScope, IdempotencyStorage, LocationInsert } from '../storage.ts';
import type { Database } from './database.ts';
import { textOf } from './engine/statements.ts';

export function idempotencyStore(database: Database): IdempotencyStorage {
  return {
    findIdempotencyRecords: async (scope, keys, now) =>
      database.read(() => keys.map((key) => findIdempotencyRecord(database, scope, key, now))),
  };
}

/** @returns null where there is none, or it has expired by `now` */
export function findIdempotencyRecord(
  database: Database,
  { tokenId, mapId }: IdempotencyScope,
  key: string,
  now: number,
): IdempotencyRecord | null {
  const row = database.get(
    `SELECT digest, location FROM idempotency_records
     WHERE map_id = ? AND token_id = ? AND key = ? AND expires_at > ?`,
    mapId,
    tokenId,
    key,
    now,
  );
  if (row === undefined) return null;
  return { digest: textOf(row, 'digest'), location: toRecord(textOf(row, 'location')) };
}

/** @param json as stored */
export function toRecord(json: string): LocationRecord {
  const location = JSON.parse(json) as StoredRecord;
  const geocoding = { label: null, isAmbiguous: false, isChecked: false, ...location.geocoding };
  return { externalId: null, version: 1, updatedAt: location.createdAt, ...location, geocoding };
}

/** Records of earlier versions lack some members. */
type StoredRecord = Omit<LocationRecord, Added | 'geocoding'> &
  Partial<Pick<LocationRecord, Added>> & {
    readonly geocoding: Pick<LocationRecord['geocoding'], 'provider' | 'precision'> &
      Partial<LocationRecord['geocoding']>;
  };

type Added = 'externalId' | 'version' | 'updatedAt';

export function insertIdempotencyRecord(
  database: Database,
  { tokenId, key, digest, expiresAt }: NonNullable<LocationInsert['idempotency']>,
  location: LocationRecord,
): void {
  // Replaces an expired record of the same key.
  database.run(
    `INSERT OR REPLACE INTO idempotency_records (map_id, token_id, key, digest, location, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    location.mapId,
    tokenId,
    key,
    digest,
    JSON.stringify(location),
    expiresAt,
  );
}
