/**
 * Idempotency locks, in the collection `claims`. A lock says which location a key creates, and is inserted before the
 * location. Every reader of a lock first makes sure that its location is stored.
 */

import { isKeyCounting, judgeKey } from '../../domain/idempotency.ts';
import type {
  IdempotencyRecord,
  IdempotencyScope,
  IdempotencyStorage,
  InsertOutcome,
  LocationInsert,
  StoredItem,
} from '../storage.ts';
import type { Database } from './database.ts';
import { duplicatesOf } from './errors.ts';
import type { LocationDocument, StoredLocation } from './locations/location-records.ts';
import {
  isFence,
  sequenceOf,
  toDocument,
  toLocation,
  TOMBSTONE_GRACE_MS,
  withIndexed,
} from './locations/location-records.ts';
import type { Collections, IdempotencyLockDocument } from './schema.ts';
import type { MapWrites, Writer } from './writes/map-writes.ts';
import type { IntentRecorded } from './writes/requests.ts';
import { reserve } from './writes/reservations.ts';

export type Idempotency = NonNullable<LocationInsert['idempotency']>;
export type InsertOutcomes = ReadonlyMap<LocationInsert, InsertOutcome>;

/** A location to be inserted under a key. */
export interface KeyedDocument {
  readonly document: LocationDocument;
  readonly idempotency: Idempotency;
}

export function idempotencyStore(database: Database, writes: MapWrites): IdempotencyStorage {
  return {
    findIdempotencyRecords: (scope, keys, now, within) =>
      database.run(async (collections) => {
        const locks = await findLocks({ collections, writes }, scope, keys, now);
        return keys.map((key): IdempotencyRecord | null => {
          const found = locks.get(key);
          return found === undefined ? null : { digest: found.digest, location: toLocation(found.location) };
        });
      }, within),
  };
}

/** The names of these inserts' keys. Requests of one process with a name in common run one after another. */
export function keyNames(mapId: string, inserts: readonly LocationInsert[]): readonly string[] {
  return inserts.flatMap(({ idempotency }) =>
    idempotency === null ? [] : [`${mapId} ${nameOf(idempotency)}`],
  );
}

/** A token's id has no space. */
function nameOf({ tokenId, key }: Pick<Idempotency, 'tokenId' | 'key'>): string {
  return `${tokenId} ${key}`;
}

export function isSameKey(a: LocationInsert, b: LocationInsert): boolean {
  if (a.idempotency === null || b.idempotency === null) return false;
  return nameOf(a.idempotency) === nameOf(b.idempotency);
}

/** Drops repetitions of a key; keeps every insert without one. */
export function keepFirstUses(inserts: readonly LocationInsert[]): readonly LocationInsert[] {
  const seen = new Set<string>();
  return inserts.filter(({ idempotency }) => {
    if (idempotency === null) return true;
    const name = nameOf(idempotency);
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  });
}

/** The outcomes of inserts whose keys are locked. */
export async function findOutcomes(
  writer: Writer,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): Promise<InsertOutcomes> {
  const keyed = inserts.flatMap(({ idempotency }) => (idempotency === null ? [] : [idempotency]));
  const found = new Map<string, IdempotencyLockDocument>();
  for (const tokenId of new Set(keyed.map((idempotency) => idempotency.tokenId))) {
    const keys = keyed.filter((idempotency) => idempotency.tokenId === tokenId).map(({ key }) => key);
    const locks = await findLocks(writer, { tokenId, mapId }, keys, now);
    for (const lock of locks.values()) found.set(nameOf(lock), lock);
  }
  return new Map(
    inserts.flatMap((insert) => {
      if (insert.idempotency === null) return [];
      const outcome = replayOutcome(found.get(nameOf(insert.idempotency)), insert.idempotency);
      return outcome === null ? [] : [[insert, outcome] as const];
    }),
  );
}

/** @returns null for a key that was not used before */
function replayOutcome(
  lock: IdempotencyLockDocument | undefined,
  { digest }: Idempotency,
): InsertOutcome | null {
  const use = judgeKey(lock, digest);
  if (use === 'conflict') return { kind: 'conflict' };
  return lock === undefined ? null : { kind: 'replayed', location: toLocation(lock.location) };
}

/** The locks that have not expired by `now`, by key. Their locations are stored when this resolves. */
async function findLocks(
  writer: Writer,
  { mapId, tokenId }: IdempotencyScope,
  keys: readonly string[],
  now: number,
): Promise<Map<string, IdempotencyLockDocument>> {
  if (keys.length === 0) return new Map();
  const found = await writer.collections.claims
    .find({ mapId: { $eq: mapId }, tokenId: { $eq: tokenId }, key: { $in: [...keys] } })
    .hint('claims_by_key')
    .toArray();
  const unexpired = found.filter(({ expiresAt }) => isKeyCounting(expiresAt.getTime(), now));
  const complete = await completeLocks(writer, mapId, unexpired);
  return new Map(complete.map((lock) => [lock.key, lock]));
}

/**
 * Inserts the locations of locks whose writer crashed before it did. Skips locations that exist or have left a tombstone.
 * Deletes a lock, which no response has used yet, if its location is fenced, or if its external id is taken by now.
 *
 * @returns the remaining locks
 */
export async function completeLocks(
  writer: Writer,
  mapId: string,
  locks: readonly IdempotencyLockDocument[],
): Promise<readonly IdempotencyLockDocument[]> {
  if (locks.length === 0) return locks;
  const { collections, writes } = writer;
  const present = await findPresent(collections, mapId, locks);
  const dead = new Set<IdempotencyLockDocument>();
  const missing: { readonly lock: IdempotencyLockDocument; readonly recorded: IntentRecorded }[] = [];
  for (const lock of locks) {
    const document = present.get(lock.location._id);
    if (document === undefined) {
      // The order of insert.ts: the intent, the external id, the location.
      const recorded = await writes.recordInsert(mapId, lock.location, lock.expiresAt.getTime());
      if (recorded.kind === 'recorded') missing.push({ lock, recorded });
      if (recorded.kind === 'fenced') dead.add(lock);
    } else if (isFence(document)) {
      dead.add(lock);
    }
  }
  const reserved = await reserve(
    writer,
    missing.map(({ lock }) => lock.location),
  );
  for (const { lock, recorded } of missing) {
    const { write, firstChange } = recorded;
    const { location } = lock;
    if (reserved.refused.has(location)) {
      dead.add(lock);
      write.done([location._id]);
      continue;
    }
    write.assertWithinLimit();
    reserved.assertWithinLimit();
    const isInserted = await insertMissing(collections, { ...withSequence(location), change: firstChange });
    write.done(isInserted ? [] : [location._id]);
  }
  for (const { tokenId, key, location } of dead) {
    await deleteLock(collections, { mapId, tokenId, key, place: location.place });
  }
  return locks.filter((lock) => !dead.has(lock));
}

async function findPresent(
  { locations }: Collections,
  mapId: string,
  locks: readonly IdempotencyLockDocument[],
) {
  const present = await locations
    .find({ mapId, _id: { $in: locks.map(({ location }) => location._id) } })
    .hint('_id_')
    .project<StoredLocation>({ place: 1, fence: 1, 'trash.key': 1 })
    .toArray();
  return new Map(present.map((document) => [document._id, document]));
}

/** @returns false if another process has inserted it from the same lock */
async function insertMissing({ locations }: Collections, document: LocationDocument): Promise<boolean> {
  try {
    await locations.insertMany(await withIndexed([document]), { ordered: false });
    return true;
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
    return false;
  }
}

/** The first version stored no sequence number in a lock's location. */
function withSequence(location: LocationDocument): LocationDocument {
  return { ...location, sequence: sequenceOf(location.place) };
}

/** @returns the items whose key another process has locked */
export async function acquireLocks<T extends KeyedDocument>(
  { claims }: Collections,
  items: readonly T[],
  now: number,
): Promise<ReadonlySet<T>> {
  const insert = async (wanted: readonly T[]): Promise<T[]> => {
    if (wanted.length === 0) return [];
    try {
      await claims.insertMany(wanted.map(toLock), { ordered: false });
      return [];
    } catch (error) {
      const duplicates = duplicatesOf(error);
      if (duplicates === null) throw error;
      return duplicates.flatMap((index) => wanted[index] ?? []);
    }
  };

  const taken = await insert(items);
  // An expired lock still occupies the unique index: delete it and try once more.
  for (const tokenId of new Set(taken.map(({ idempotency }) => idempotency.tokenId))) {
    const own = taken.filter(({ idempotency }) => idempotency.tokenId === tokenId);
    const keys = own.map(({ idempotency }) => idempotency.key);
    await claims.deleteMany(
      { mapId: own[0]?.document.mapId, tokenId, key: { $in: keys }, expiresAt: { $lte: new Date(now) } },
      { hint: 'claims_by_key' },
    );
  }
  return new Set(await insert(taken));
}

/** Deletes the lock of a location that could not be inserted. */
export async function releaseLock(
  { claims }: Collections,
  { document: { mapId, place }, idempotency: { tokenId, key } }: KeyedDocument,
): Promise<void> {
  await deleteLock({ claims }, { mapId, tokenId, key, place });
}

/** @param lock with the sort key of its location: a later lock of the same key has another */
async function deleteLock(
  { claims }: Pick<Collections, 'claims'>,
  { place, ...lock }: Pick<IdempotencyLockDocument, 'mapId' | 'tokenId' | 'key'> & { readonly place: string },
): Promise<void> {
  await claims.deleteOne({ ...lock, 'location.place': place }, { hint: 'claims_by_key' });
}

function toLock({
  document,
  idempotency: { tokenId, key, digest, expiresAt },
}: KeyedDocument): IdempotencyLockDocument {
  const { mapId } = document;
  return { mapId, tokenId, key, digest, location: document, expiresAt: new Date(expiresAt) };
}

/** Loads the locks of another store, after their locations. */
export async function loadLocks(
  { locations, claims }: Collections,
  items: readonly Extract<StoredItem, { kind: 'idempotency' }>[],
): Promise<void> {
  if (items.length === 0) return;
  await claims.insertMany(
    items.map(({ scope: { mapId, tokenId }, key, record, expiresAt }) => ({
      mapId,
      tokenId,
      key,
      digest: record.digest,
      location: toDocument(record.location, { claimedUntil: expiresAt }),
      expiresAt: new Date(expiresAt),
    })),
  );
  for (const { record, scope, expiresAt } of items) {
    const location = { mapId: scope.mapId, _id: record.location.id };
    const { matchedCount } = await locations.updateOne(location, {
      $set: { claimedUntil: new Date(expiresAt) },
    });
    if (matchedCount === 1) continue;
    // The location was deleted: a tombstone keeps its id taken, as after a delete in this store.
    await locations.insertOne({ ...location, removeAfter: new Date(expiresAt + TOMBSTONE_GRACE_MS) });
  }
}
