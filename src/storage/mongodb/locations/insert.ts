/**
 * Inserts locations without a transaction, in three statements. Each is atomic, and the majority acknowledges it before the
 * next one starts:
 *
 * 1. Update the map's document (writes/map-writes.ts): it assigns the sort keys and change numbers and records the write
 *    intent. Refused for a deleted map. After a crash, sort keys stay unused, which no reader can see.
 * 2. Insert an idempotency lock, if there is a key. It holds the whole location, and its unique index decides between
 *    concurrent requests. After a crash, only the lock has the location: every reader of the lock runs step 3 first, so no
 *    response refers to a location that is not stored.
 * 3. Insert the locations. After a crash, only the response is missing.
 *
 * Step 3 may run again at any time, in any process, for a location with a key: the lock fixes its id and sort key. If the
 * location exists, its id is taken and nothing happens. A delete leaves a tombstone under the id until long after the key
 * has expired, so the location does not come back. A location without a key is repeated only by the driver's retryable
 * writes, which the server recognizes.
 *
 * By the clock of one gateway a key may have expired, by another's not. The first replaces the lock: it deletes what has
 * expired by its clock, and the unique index decides whose lock is next. The other may still return the old location,
 * which has another id. A tombstone outlives its key by an hour, so clocks may differ by an hour.
 *
 * A replay returns the location of the first request, with its sort key, even if others were appended in between.
 */

import { newLocationId } from '../../../domain/ids.ts';
import { createdLocation } from '../../../domain/location.ts';
import { storageUnavailable } from '../../../errors.ts';
import type { InsertOutcome, LocationInsert, MapUnavailable, Storage, WriteCall } from '../../storage.ts';
import { duplicatesOf } from '../errors.ts';
import { findTakenExternalIds } from './external-ids.ts';
import type { Idempotency, InsertOutcomes, KeyedDocument } from '../idempotency.ts';
import { acquireLocks, findOutcomes, isSameKey, keepFirstUses, releaseLock } from '../idempotency.ts';
import type { LocationDocument, StoredLocation } from './location-records.ts';
import {
  isFence,
  isLive,
  sequenceOf,
  toDocument,
  toLocation,
  WITHOUT_INDEXED,
  withIndexed,
} from './location-records.ts';
import { mapUnavailable } from '../maps.ts';
import type { Collections } from '../schema.ts';
import type { Writer } from '../writes/map-writes.ts';
import { reserve } from '../writes/reservations.ts';
import type { WriteIntent } from '../writes/write-intent.ts';

type Result = Awaited<ReturnType<Storage['insertLocations']>>;

/** An insert with its sort key. */
interface SortedInsert {
  readonly insert: LocationInsert;
  readonly document: LocationDocument;
  readonly idempotency: Idempotency | null;
}

/** More than one is needed only if another process releases a lock, or if an insert is fenced. */
const ROUNDS = 3;

const TAKEN = { kind: 'external-id-taken' } as const;

export async function insertAll(
  writer: Writer,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
  call: WriteCall | undefined,
): Promise<Result> {
  const outcomes = new Map<LocationInsert, InsertOutcome>();
  const keep = (some: InsertOutcomes) => some.forEach((outcome, insert) => outcomes.set(insert, outcome));
  const remaining = () => inserts.filter((insert) => !outcomes.has(insert));
  keep(await findOutcomes(writer, mapId, inserts, now));
  // Otherwise the update of the map's document checks the map.
  const unavailable = remaining().length > 0 ? null : await mapUnavailable(writer.collections, mapId);
  if (unavailable !== null) return unavailable;
  const ids = new Map<LocationInsert, string>();
  for (let round = 1; remaining().length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const refused = await findRefused(writer, mapId, remaining());
    const accepted = remaining().filter((insert) => !refused.has(insert));
    const stored = await storeNew(writer, mapId, { inserts: keepFirstUses(accepted), ids, now, call });
    if ('kind' in stored) return stored;
    keep(stored);
    // Finds the keys that were locked meanwhile, here or in another process.
    keep(await findOutcomes(writer, mapId, remaining(), now));
    for (const insert of refused) if (!outcomes.has(insert)) outcomes.set(insert, TAKEN);
  }
  return { kind: 'done', outcomes: inserts.map((insert) => requireOutcome(outcomes, insert)) };
}

/** Inserts whose external id belongs to another location or to an earlier insert of the call. They use no order. */
async function findRefused(
  writer: Writer,
  mapId: string,
  inserts: readonly LocationInsert[],
): Promise<ReadonlySet<LocationInsert>> {
  const wanted = inserts.map(({ location }) => ({
    _id: location.id,
    mapId,
    externalId: location.externalId ?? undefined,
  }));
  const taken = await findTakenExternalIds(writer, mapId, wanted);
  const first = new Map<string, LocationInsert>();
  return new Set(
    inserts.filter((insert) => {
      const { externalId } = insert.location;
      if (externalId === null) return false;
      if (taken.has(externalId)) return true;
      const earlier = first.get(externalId) ?? insert;
      first.set(externalId, earlier);
      // Repetitions of one request get the same outcome.
      return earlier !== insert && !isSameKey(earlier, insert);
    }),
  );
}

function requireOutcome(outcomes: InsertOutcomes, insert: LocationInsert): InsertOutcome {
  const outcome = outcomes.get(insert);
  if (outcome === undefined) throw new Error('A location was not stored.');
  return outcome;
}

interface NewInserts {
  readonly inserts: readonly LocationInsert[];
  /** New ids of locations whose first id was fenced, which takes it for good. */
  readonly ids: Map<LocationInsert, string>;
  readonly now: number;
  readonly call: WriteCall | undefined;
}

/**
 * Runs the three statements.
 *
 * @returns the outcomes of what was stored; missing are inserts whose key another process has locked, and fenced ones,
 *   which have a new id in `ids`
 */
async function storeNew(
  writer: Writer,
  mapId: string,
  { inserts, ids, now, call }: NewInserts,
): Promise<InsertOutcomes | MapUnavailable> {
  const { collections, writes } = writer;
  if (inserts.length === 0) return (await mapUnavailable(collections, mapId)) ?? new Map();
  const idOf = (insert: LocationInsert) => ids.get(insert) ?? insert.location.id;
  const appended = await writes.recordAppend(
    mapId,
    inserts.map((insert) => ({
      id: idOf(insert),
      order: insert.order,
      claimedUntil: insert.idempotency?.expiresAt ?? null,
    })),
    call,
  );
  if (appended.kind !== 'appended') return appended;
  const { sortKeys, write, firstChange } = appended;
  const sorted = inserts.map((insert, index): SortedInsert => {
    const sortKey = sortKeys[index];
    if (sortKey === undefined) throw new Error('Fewer sort keys were assigned than requested.');
    const { location, idempotency } = insert;
    return {
      insert,
      idempotency,
      document: toDocument(createdLocation({ ...location, id: idOf(insert) }, sortKey), {
        claimedUntil: idempotency?.expiresAt,
        change: firstChange + index,
      }),
    };
  });
  const { outcomes, fenced } = await storeSorted(writer, mapId, sorted, write, now);
  for (const { insert } of fenced) ids.set(insert, newLocationId(mapId));
  return outcomes;
}

/** Steps 2 and 3. */
async function storeSorted(
  writer: Writer,
  mapId: string,
  sorted: readonly SortedInsert[],
  write: WriteIntent,
  now: number,
): Promise<{ readonly outcomes: InsertOutcomes; readonly fenced: readonly SortedInsert[] }> {
  const { collections } = writer;
  const lockedElsewhere: ReadonlySet<SortedInsert> = await acquireLocks(
    collections,
    sorted.filter(isKeyed),
    now,
  );
  const own = sorted.filter((item) => !lockedElsewhere.has(item));
  const reserved = await reserve(
    writer,
    own.map(({ document }) => document),
  );
  const refused = own.filter(({ document }) => reserved.refused.has(document));
  for (const item of refused) if (isKeyed(item)) await releaseLock(collections, item);
  const accepted = own.filter((item) => !refused.includes(item));
  write.assertWithinLimit();
  reserved.assertWithinLimit();
  const { failure, fenced } = await insertDocuments(collections, mapId, accepted);
  const stored = failure === null ? accepted.filter((item) => !fenced.includes(item)) : [];
  const unstored = sorted.filter((item) => !stored.includes(item));
  write.done(unstored.map(({ document }) => document._id));
  const unused = failure === null ? fenced : accepted;
  await reserved.release(unused.map(({ document }) => document));
  if (failure !== null) throw failure;
  const outcomes = new Map<LocationInsert, InsertOutcome>([
    ...refused.map(({ insert }) => [insert, TAKEN] as const),
    ...stored.map(
      ({ insert, document }) => [insert, { kind: 'inserted', location: toLocation(document) }] as const,
    ),
  ]);
  return { outcomes, fenced };
}

function isKeyed(item: SortedInsert): item is SortedInsert & KeyedDocument {
  return item.idempotency !== null;
}

interface Inserted {
  /** Why nothing was stored; null if everything except `fenced` was. */
  readonly failure: Error | null;
  /** Inserts that came after a recovery of their write (writes/recovery.ts). */
  readonly fenced: readonly SortedInsert[];
}

/** @throws if it is unknown what was stored */
async function insertDocuments(
  collections: Collections,
  mapId: string,
  items: readonly SortedInsert[],
): Promise<Inserted> {
  if (items.length === 0) return { failure: null, fenced: [] };
  try {
    const documents = await withIndexed(items.map(({ document }) => document));
    await collections.locations.insertMany(documents, { ordered: false });
    return { failure: null, fenced: [] };
  } catch (error) {
    const duplicates = duplicatesOf(error);
    if (duplicates === null || !(error instanceof Error)) throw error;
    const refused = new Set(duplicates.flatMap((index) => items[index] ?? []));
    const { stored, fenced } = await classifyRefused(collections, mapId, refused);
    if (stored.size + fenced.length === refused.size) {
      for (const item of fenced) if (isKeyed(item)) await releaseLock(collections, item);
      return { failure: null, fenced };
    }
    const unstored = items.filter((item) => !stored.has(item));
    await undo(collections, mapId, unstored, refused);
    return { failure: error, fenced: [] };
  }
}

interface Refused {
  /** Items whose id is taken because a replay has stored the same location from their lock. */
  readonly stored: ReadonlySet<SortedInsert>;
  readonly fenced: readonly SortedInsert[];
}

async function classifyRefused(
  { locations }: Collections,
  mapId: string,
  refused: ReadonlySet<SortedInsert>,
): Promise<Refused> {
  const found = await locations
    .find({ mapId, _id: { $in: [...refused].map(({ document }) => document._id) } })
    .project<StoredLocation>(WITHOUT_INDEXED)
    .hint('_id_')
    .toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  const stored = [...refused].filter((item) => {
    const other = byId.get(item.document._id);
    if (other === undefined || !isKeyed(item)) return false;
    if (!isLive(other)) return !isFence(other);
    // The sequence number identifies it: it may have moved.
    return sequenceOf(other.place) === sequenceOf(item.document.place);
  });
  const fenced = [...refused].filter((item) => {
    const other = byId.get(item.document._id);
    return other !== undefined && isFence(other);
  });
  return { stored: new Set(stored), fenced };
}

/** For an id that the caller has used twice, by mistake: removes everything that the call has stored. */
async function undo(
  collections: Collections,
  mapId: string,
  items: readonly SortedInsert[],
  refused: ReadonlySet<SortedInsert>,
): Promise<void> {
  // The locks first, so that no replay stores a location again.
  for (const item of items) if (isKeyed(item)) await releaseLock(collections, item);
  const ids = items.filter((item) => !refused.has(item)).map(({ document }) => document._id);
  if (ids.length === 0) return;
  await collections.locations.deleteMany({ mapId, _id: { $in: ids } }, { hint: '_id_' });
}
