/**
 * External ids, unique in a map. Locations are spread over shards by their own ids, so no unique index of theirs can see
 * to that. Another collection, sharded by the map, says which location may have an external id: it is reserved there
 * before the location is written with it, and freed after the location has it no more.
 *
 * A crash may leave a reservation whose location has not got the external id. Where that was to be a new location, the map's
 * log tells when nobody stores it any more. Where it was to be changed, the reservation counts for
 * {@link ABANDONED_AFTER_MS} and then no longer: by then no write of its process can be under way.
 */

import { setTimeout as delay } from 'node:timers/promises';

import { ObjectId } from 'mongodb';

import { storageUnavailable } from '../../errors.ts';
import { fromEntry } from '../change-entries.ts';
import type { Collections } from './database.ts';
import type { ExternalIdDocument, LocationDocument, TombstoneDocument } from './documents.ts';
import { duplicatesOf, isDuplicateKey } from './failures.ts';
import { findLocations } from './find-locations.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import type { ListStates } from './list-state.ts';
import { isLive } from './location-documents.ts';

/** A writer begins no statement later than this after its reservation. */
const WRITE_WITHIN_MS = 20_000;
const ABANDONED_AFTER_MS = 60_000;
/**
 * How long a new location waits for one that is being stored with its external id: longer than most callers have time. A
 * crash's is settled long before, also on a busy machine.
 */
const DECIDED_WITHIN_MS = 30_000;
const PAUSE_MS = 20;

/** Calls of this process about one external id wait for one another. */
const oneByOne = createKeyedMutex();

interface Reserving {
  readonly collections: Pick<Collections, 'externalIds' | 'locations' | 'maps'>;
  readonly lists: Pick<ListStates, 'noticeOpen'>;
}

/** A location that is to be written with its external id. */
export type Wanted = Pick<LocationDocument, '_id' | 'mapId' | 'externalId'>;

export interface Reserved<T> {
  /** Those whose external id is another location's. */
  readonly refused: ReadonlySet<T>;
  /**
   * To be called before the locations are written.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE where so much time has gone by that others may take what was reserved
   */
  assertWithinLimit(): void;
  /** Frees what these locations, which were not written, have reserved. */
  takeBack(items: readonly T[]): Promise<void>;
}

/** Reserves the external ids of locations of one map; of several with the same one, that of the first. */
export async function reserve<T extends Wanted>(
  writer: Reserving,
  items: readonly T[],
): Promise<Reserved<T>> {
  const { collections } = writer;
  const since = new Date();
  const attempt = new ObjectId().toHexString();
  const wanted = items.filter(({ externalId }) => externalId !== undefined);
  const first = new Map(wanted.toReversed().map((item) => [item.externalId, item]));
  const refused = new Set(wanted.filter((item) => first.get(item.externalId) !== item));
  /** Those that another attempt to write the same location has reserved too. */
  const shared = new Set<T>();
  const reservationOf = (item: T) => toReservation(item, since, attempt);
  const firsts = [...first.values()];
  const names = firsts.map(({ mapId, externalId }) => `${mapId} ${externalId}`);
  await oneByOne(names, async () => {
    const taken = await insertFree(collections, firsts, reservationOf);
    await Promise.all(
      taken.map(async (item) => {
        const outcome = await takeOver(writer, reservationOf(item));
        if (outcome === 'refused') refused.add(item);
        if (outcome === 'shared') shared.add(item);
      }),
    );
  });
  return {
    refused,
    assertWithinLimit() {
      if (wanted.length > 0 && Date.now() - since.getTime() > WRITE_WITHIN_MS) throw storageUnavailable();
    },
    async takeBack(unwritten) {
      for (const item of unwritten) {
        // The other attempt may have written the location. What neither has lapses.
        if (item.externalId === undefined || refused.has(item) || shared.has(item)) continue;
        await free(collections, reservationOf(item));
      }
    },
  };
}

function toReservation(
  { _id, mapId, externalId = '' }: Wanted,
  since: Date,
  attempt: string,
): ExternalIdDocument {
  return { mapId, externalId, locationId: _id, since, attempt };
}

/** @returns those that somebody has reserved before */
async function insertFree<T extends Wanted>(
  { externalIds }: Pick<Collections, 'externalIds'>,
  items: readonly T[],
  reservationOf: (item: T) => ExternalIdDocument,
): Promise<readonly T[]> {
  const [only] = items;
  if (only === undefined) return [];
  if (items.length === 1) return (await insertOne({ externalIds }, reservationOf(only))) ? [] : items;
  try {
    await externalIds.insertMany(items.map(reservationOf), { ordered: false });
    return [];
  } catch (error) {
    const duplicates = duplicatesOf(error);
    if (duplicates === null) throw error;
    return duplicates.flatMap((index) => items[index] ?? []);
  }
}

/** Replaces a reservation of the same location (`shared`), or one that does not count any more. */
async function takeOver(
  writer: Reserving,
  wanted: ExternalIdDocument,
): Promise<'taken' | 'shared' | 'refused'> {
  const { externalIds } = writer.collections;
  const { mapId, externalId, locationId, since, attempt } = wanted;
  for (;;) {
    const found = await externalIds.findOne(
      { mapId: { $eq: mapId }, externalId: { $eq: externalId } },
      { hint: 'external_ids_by_id' },
    );
    if (found === null) {
      if (await insertOne({ externalIds }, wanted)) return 'taken';
      continue;
    }
    const isShared = found.locationId === locationId;
    const { having, awaited } = await recoverAll(writer, mapId, isShared ? [] : [found]);
    if (having.size + awaited.size > 0) return 'refused';
    const { matchedCount } = await externalIds.updateOne(
      { _id: found._id, mapId, attempt: found.attempt },
      { $set: { locationId, since, attempt } },
    );
    if (matchedCount === 1) return isShared ? 'shared' : 'taken';
  }
}

async function insertOne(
  { externalIds }: Pick<Collections, 'externalIds'>,
  wanted: ExternalIdDocument,
): Promise<boolean> {
  try {
    await externalIds.insertOne({ ...wanted });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** A map's reservations that count. */
interface Counting {
  /** Those whose location has the external id, or is about to get it. */
  readonly having: ReadonlySet<ExternalIdDocument>;
  /** Those whose location is being stored, unless its writer has died. */
  readonly awaited: ReadonlySet<ExternalIdDocument>;
}

async function recoverAll(
  writer: Reserving,
  mapId: string,
  reservations: readonly ExternalIdDocument[],
): Promise<Counting> {
  const { counting, missing } = await recoverByLocations(writer.collections, mapId, reservations);
  const awaited = await findAwaited(writer, mapId, missing);
  // One that is not awaited any more may have been stored just before.
  const late = missing.filter((reservation) => !awaited.has(reservation));
  const again = await recoverByLocations(writer.collections, mapId, late);
  return { having: new Set([...counting, ...again.counting]), awaited };
}

interface Recovered {
  readonly counting: readonly ExternalIdDocument[];
  /** Those whose location is not there and may still be stored. */
  readonly missing: readonly ExternalIdDocument[];
}

async function recoverByLocations(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  reservations: readonly ExternalIdDocument[],
): Promise<Recovered> {
  if (reservations.length === 0) return { counting: [], missing: [] };
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: reservations.map(({ locationId }) => locationId) } })
    .project<Reserver>({ place: 1, externalId: 1 })
    .hint('_id_')
    .toArray();
  const byId = new Map(found.map((location) => [location._id, location]));
  const recovered = (wanted: 'counting' | 'missing') =>
    reservations.filter((each) => judge(each, byId.get(each.locationId)) === wanted);
  return { counting: recovered('counting'), missing: recovered('missing') };
}

type Reserver = LocationDocument | TombstoneDocument;

function judge(
  { externalId, since }: ExternalIdDocument,
  location: Reserver | undefined,
): 'counting' | 'missing' | 'lapsed' {
  const isYoung = since.getTime() > Date.now() - ABANDONED_AFTER_MS;
  if (location === undefined) return isYoung ? 'missing' : 'lapsed';
  // An id that has a tombstone never comes back.
  if (!isLive(location)) return 'lapsed';
  return isYoung || location.externalId === externalId ? 'counting' : 'lapsed';
}

/** Those whose locations are being stored. They were announced before their external ids were reserved. */
async function findAwaited(
  { collections: { maps }, lists }: Reserving,
  mapId: string,
  reservations: readonly ExternalIdDocument[],
): Promise<ReadonlySet<ExternalIdDocument>> {
  if (reservations.length === 0) return new Set();
  const map = await maps.findOne({ _id: { $eq: mapId } }, { projection: { log: 1 } });
  const open = map?.log?.open ?? [];
  // So that what a crash has left is found out soon.
  lists.noticeOpen(mapId, open);
  const ids = new Set(open.flatMap(({ entries }) => entries.map((entry) => fromEntry(mapId, entry).id)));
  return new Set(reservations.filter(({ locationId }) => ids.has(locationId)));
}

/** The reservation of a location that has the external id, to be freed when it has it no more. */
export async function findReservation(
  { externalIds }: Pick<Collections, 'externalIds'>,
  { _id, mapId, externalId = '' }: Wanted,
): Promise<ExternalIdDocument | null> {
  return externalIds.findOne(
    { mapId, externalId: { $eq: externalId }, locationId: { $eq: _id } },
    { hint: 'external_ids_by_id' },
  );
}

/** Frees a reservation, unless it was made again since: the location has the external id again. */
export async function free(
  { externalIds }: Pick<Collections, 'externalIds'>,
  reservation: ExternalIdDocument,
): Promise<void> {
  const { mapId, externalId, attempt } = reservation;
  await externalIds.deleteOne(
    { mapId, externalId: { $eq: externalId }, attempt },
    { hint: 'external_ids_by_id' },
  );
}

/** Frees the external id of a location that is deleted. Its id never comes back. */
export async function freeDeleted(
  { externalIds }: Pick<Collections, 'externalIds'>,
  { _id, mapId, externalId }: Wanted,
): Promise<void> {
  if (externalId === undefined) return;
  await externalIds.deleteOne(
    { mapId, externalId: { $eq: externalId }, locationId: _id },
    { hint: 'external_ids_by_id' },
  );
}

/**
 * Of these external ids those that other locations have, or are about to have. Where it is still to be seen whether
 * another is stored, that is waited for: the caller would try again, and its locations would not stand in its order.
 */
export async function findTaken(
  writer: Reserving,
  mapId: string,
  items: readonly Wanted[],
): Promise<ReadonlySet<string>> {
  const wanted = items.flatMap(({ externalId }) => (externalId === undefined ? [] : [externalId]));
  if (wanted.length === 0) return new Set();
  const own = new Set(items.map(({ _id }) => _id));
  for (const endsAt = performance.now() + DECIDED_WITHIN_MS; ;) {
    const found = await findReservations(writer.collections, mapId, wanted);
    const others = found.filter(({ locationId }) => !own.has(locationId));
    const { having, awaited } = await recoverAll(writer, mapId, others);
    if (awaited.size === 0 || performance.now() > endsAt) {
      return new Set([...having, ...awaited].map(({ externalId }) => externalId));
    }
    await delay(PAUSE_MS);
  }
}

/** The locations that have these external ids, by them. */
export async function findByExternalIds(
  collections: Pick<Collections, 'externalIds' | 'locations'>,
  mapId: string,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, LocationDocument>> {
  if (wanted.length === 0) return new Map();
  const reservations = await findReservations(collections, mapId, wanted);
  const found = await findLocations(
    collections,
    mapId,
    reservations.map(({ locationId }) => locationId),
  );
  // One that has been reserved may have another still, or none.
  return new Map(
    [...found.values()].flatMap((location) =>
      location.externalId === undefined ? [] : [[location.externalId, location]],
    ),
  );
}

function findReservations(
  { externalIds }: Pick<Collections, 'externalIds'>,
  mapId: string,
  wanted: readonly string[],
): Promise<readonly ExternalIdDocument[]> {
  return externalIds
    .find({ mapId: { $eq: mapId }, externalId: { $in: [...new Set(wanted)] } })
    .hint('external_ids_by_id')
    .toArray();
}
