/**
 * Reservations of external ids, which are unique in a map. Locations are sharded by their own ids, so no unique index on
 * them can enforce this. The collection `externalIds` is sharded by the map: an external id is reserved there before its
 * location is written, and freed after its location no longer has it.
 *
 * A crash may leave a reservation whose location did not get the external id. For a location to be created, the map's log
 * tells when nobody creates it any more. For a location to be changed, the reservation lapses after
 * {@link ABANDONED_AFTER_MS}: by then no write of its process can be in progress.
 */

import { ObjectId } from 'mongodb';

import { storageUnavailable } from '../../../errors.ts';
import { fromEntry } from '../../change-entries.ts';
import { duplicatesOf, isDuplicateKey } from '../errors.ts';
import type { LocationDocument, StoredLocation } from '../locations/location-records.ts';
import { isLive, isTrash } from '../locations/location-records.ts';
import type { Collections, ExternalIdDocument } from '../schema.ts';
import type { MapWrites } from './map-writes.ts';

/** A writer starts no statement later than this after its reservation. */
const WRITE_WITHIN_MS = 20_000;
const ABANDONED_AFTER_MS = 60_000;

export interface ReservationWriter {
  readonly collections: Pick<Collections, 'externalIds' | 'locations' | 'maps'>;
  readonly writes: Pick<MapWrites, 'noticeOpen' | 'oneByOne'>;
}

/** A location that is to be written with its external id, in this version. */
export type WithExternalId = Pick<LocationDocument, '_id' | 'mapId' | 'externalId' | 'version'>;

export interface Reserved<T> {
  /** Items whose external id belongs to another location. */
  readonly refused: ReadonlySet<T>;
  /**
   * To be called before the locations are written.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE if the reservations may have lapsed
   */
  assertWithinLimit(): void;
  /** Frees the reservations of items that were not written. */
  release(items: readonly T[]): Promise<void>;
}

/** Reserves the external ids of locations of one map. Among items with the same external id, the first gets it. */
export async function reserve<T extends WithExternalId>(
  writer: ReservationWriter,
  items: readonly T[],
): Promise<Reserved<T>> {
  const { collections, writes } = writer;
  const since = new Date();
  const attempt = new ObjectId().toHexString();
  const wanted = items.filter(({ externalId }) => externalId !== undefined);
  const first = new Map(wanted.toReversed().map((item) => [item.externalId, item]));
  const refused = new Set(wanted.filter((item) => first.get(item.externalId) !== item));
  /** Items that another attempt to write the same location has reserved too. */
  const shared = new Set<T>();
  const reservationOf = (item: T) => toReservation(item, since, attempt);
  const firsts = [...first.values()];
  const names = firsts.map(({ mapId, externalId }) => `${mapId} ${externalId}`);
  await writes.oneByOne(names, async () => {
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
    async release(unwritten) {
      for (const item of unwritten) {
        // The other attempt may have written a shared one; otherwise it lapses.
        if (item.externalId === undefined || refused.has(item) || shared.has(item)) continue;
        await free(collections, reservationOf(item));
      }
    },
  };
}

function toReservation(
  { _id, mapId, externalId = '', version }: WithExternalId,
  since: Date,
  attempt: string,
): ExternalIdDocument {
  return { mapId, externalId, locationId: _id, since, attempt, ...(version !== undefined && { version }) };
}

/** @returns the items whose external id is reserved already */
async function insertFree<T extends WithExternalId>(
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

/** Replaces a reservation of the same location (`shared`), or one that has lapsed. */
async function takeOver(
  writer: ReservationWriter,
  wanted: ExternalIdDocument,
): Promise<'taken' | 'shared' | 'refused'> {
  const { externalIds } = writer.collections;
  const { mapId, externalId, locationId, since, attempt, version = 1 } = wanted;
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
    const { held, pending } = await findActive(writer, mapId, isShared ? [] : [found]);
    if (held.size + pending.size > 0) return 'refused';
    const { matchedCount } = await externalIds.updateOne(
      { _id: found._id, mapId, attempt: found.attempt },
      {
        $set: {
          locationId,
          since,
          attempt,
          version: isShared ? Math.max(version, found.version ?? 1) : version,
        },
      },
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

/** The reservations of a map that have not lapsed. */
interface ActiveReservations {
  /** Their location has the external id, or may be about to get it. */
  readonly held: ReadonlySet<ExternalIdDocument>;
  /** Their location is being created, unless its writer has crashed. */
  readonly pending: ReadonlySet<ExternalIdDocument>;
}

export async function findActive(
  writer: ReservationWriter,
  mapId: string,
  reservations: readonly ExternalIdDocument[],
): Promise<ActiveReservations> {
  const { held, missing } = await splitByLocation(writer.collections, mapId, reservations);
  const pending = await findPending(writer, mapId, missing);
  // The location of one that is not pending any more may have been created a moment ago.
  const settled = missing.filter((reservation) => !pending.has(reservation));
  const again = await splitByLocation(writer.collections, mapId, settled);
  return { held: new Set([...held, ...again.held]), pending };
}

interface ByLocation {
  readonly held: readonly ExternalIdDocument[];
  /** Their location does not exist and may still be created. */
  readonly missing: readonly ExternalIdDocument[];
}

async function splitByLocation(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  reservations: readonly ExternalIdDocument[],
): Promise<ByLocation> {
  if (reservations.length === 0) return { held: [], missing: [] };
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: reservations.map(({ locationId }) => locationId) } })
    .project<StoredLocation>({ place: 1, externalId: 1, 'trash.key': 1 })
    .hint('_id_')
    .toArray();
  const byId = new Map(found.map((location) => [location._id, location]));
  const inState = (wanted: 'held' | 'missing') =>
    reservations.filter((each) => stateOf(each, byId.get(each.locationId)) === wanted);
  return { held: inState('held'), missing: inState('missing') };
}

function stateOf(
  { externalId, since }: ExternalIdDocument,
  location: StoredLocation | undefined,
): 'held' | 'missing' | 'lapsed' {
  const isYoung = since.getTime() > Date.now() - ABANDONED_AFTER_MS;
  if (location === undefined || isTrash(location)) return isYoung ? 'missing' : 'lapsed';
  // An id with a tombstone is never used again.
  if (!isLive(location)) return 'lapsed';
  return isYoung || location.externalId === externalId ? 'held' : 'lapsed';
}

/** Reservations whose location is being created: its write intent was recorded before the reservation. */
async function findPending(
  { collections: { maps }, writes }: ReservationWriter,
  mapId: string,
  reservations: readonly ExternalIdDocument[],
): Promise<ReadonlySet<ExternalIdDocument>> {
  if (reservations.length === 0) return new Set();
  const map = await maps.findOne({ _id: { $eq: mapId } }, { projection: { log: 1 } });
  const open = map?.log?.open ?? [];
  // Recovers soon what a crash has left.
  writes.noticeOpen(mapId, open);
  const ids = new Set(open.flatMap(({ entries }) => entries.map((entry) => fromEntry(mapId, entry).id)));
  return new Set(reservations.filter(({ locationId }) => ids.has(locationId)));
}

/** The reservation of a location's external id, to be freed when the location loses it. */
export async function findReservation(
  { externalIds }: Pick<Collections, 'externalIds'>,
  { _id, mapId, externalId = '' }: WithExternalId,
): Promise<ExternalIdDocument | null> {
  return externalIds.findOne(
    { mapId, externalId: { $eq: externalId }, locationId: { $eq: _id } },
    { hint: 'external_ids_by_id' },
  );
}

/** Frees a reservation, unless it was made again since: then the location has the external id again. */
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

/** Frees the external id of a deleted location, unless a restore has reserved it again. */
export async function freeDeleted(
  { externalIds }: Pick<Collections, 'externalIds'>,
  { _id, mapId, externalId, version = 1 }: WithExternalId,
): Promise<void> {
  if (externalId === undefined) return;
  await externalIds.deleteOne(
    { mapId, externalId: { $eq: externalId }, locationId: _id, version: { $not: { $gt: version } } },
    { hint: 'external_ids_by_id' },
  );
}
