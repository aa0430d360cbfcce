/**
 * Changing locations without a transaction. Each is changed in one statement, which is a compare-and-set on its version.
 * What has to be said elsewhere is said before: the map's document is told of the changes and of new orders, and new
 * external ids are reserved. A crash leaves an order that counts as used, or a reservation that soon counts no more.
 */

import PQueue from 'p-queue';

import { kindOfUpdate } from '../../domain/change.ts';
import { encodeOrder } from '../../domain/list/order.ts';
import { storageUnavailable } from '../../errors.ts';
import type { LocationUpdate, MapUnavailable, Storage, UpdateOutcome } from '../storage.ts';
import type { Writer } from './idempotency-locks.ts';
import type { Collections } from './database.ts';
import type { ExternalIdDocument, IndexedLocation, LocationDocument } from './documents.ts';
import { findReservation, free, reserve } from './external-ids.ts';
import { indexedOf, WITHOUT_INDEXED } from './search/indexed.ts';
import { findLocations } from './find-locations.ts';
import { isFenced, ROUNDS, unfenced } from './recovery.ts';
import type { IntentRecorded } from './list-requests.ts';
import { isLive, toLocation } from './location-documents.ts';
import { mapUnavailable } from './maps.ts';
import { sequenceOf, toStoredSortKey } from './stored-sort-key.ts';

type Result = Awaited<ReturnType<Storage['updateLocations']>>;

/** Locations of one call that are changed at once. */
const CONCURRENCY = 10;

export async function updateAll(
  writer: Writer,
  mapId: string,
  updates: readonly LocationUpdate[],
): Promise<Result> {
  const { collections } = writer;
  const current = await findLocations(
    collections,
    mapId,
    updates.map(({ id }) => id),
  );
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const prepared = await queue.addAll(
    updates.map((update) => () => prepare(writer, mapId, update, current.get(update.id))),
  );
  // What is refused uses up no order, and no place in the log.
  const ready = prepared.filter((item) => item.kind === 'ready');
  const outcomes = new Map<Ready, UpdateOutcome>();
  let left: readonly Ready[] = ready;
  for (let round = 1; round === 1 || left.length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const recorded = await recordIntent(writer, mapId, left);
    if (recorded === null) break;
    if (recorded.kind !== 'recorded') {
      for (const item of left) await item.takeBack();
      return recorded;
    }
    const { firstChange } = recorded;
    const written = await queue.addAll(
      left.map((item, index) => async () => write(collections, item, firstChange + index)),
    );
    for (const [index, item] of left.entries()) {
      const outcome = written[index];
      if (outcome !== undefined && outcome !== 'fenced') outcomes.set(item, outcome);
    }
    recorded.write.done(
      left.filter((item) => outcomes.get(item)?.kind !== 'updated').map(({ update }) => update.id),
    );
    left = left.filter((item) => !outcomes.has(item));
  }
  return {
    kind: 'done',
    outcomes: prepared.map((item) => (item.kind === 'ready' ? outcomeOf(outcomes, item) : item.outcome)),
  };
}

/** @returns why the map takes no part; null where it does, and there is nothing to be changed */
async function recordIntent(
  { collections, lists }: Writer,
  mapId: string,
  ready: readonly Ready[],
): Promise<IntentRecorded | MapUnavailable | null> {
  if (ready.length === 0) return mapUnavailable(collections, mapId);
  const recorded = await lists.recordChanges(mapId, {
    changes: ready.map(({ update, current }) => ({ kind: kindOf(update, current), id: update.id })),
    orders: ready.flatMap(({ update }) => update.order ?? []),
  });
  if (recorded.kind === 'overtaken') throw new Error('No largest number was asked for.');
  return recorded;
}

function kindOf({ order, values }: LocationUpdate, document: LocationDocument) {
  const current = toLocation(document);
  return kindOfUpdate(current, { ...current, ...values, order: order ?? current.order });
}

function outcomeOf(outcomes: ReadonlyMap<Ready, UpdateOutcome>, item: Ready): UpdateOutcome {
  const outcome = outcomes.get(item);
  if (outcome === undefined) throw new Error('A location was not changed.');
  return outcome;
}

/** A change that may be written: its external id is reserved. */
interface Ready {
  readonly kind: 'ready';
  readonly update: LocationUpdate;
  readonly current: LocationDocument;
  /** The reservation of the external id that the location has no more afterwards. */
  readonly former: ExternalIdDocument | null;
  readonly assertWithinLimit: () => void;
  readonly takeBack: () => Promise<void>;
}

interface Answered {
  readonly kind: 'answered';
  readonly update: LocationUpdate;
  readonly outcome: UpdateOutcome;
}

async function prepare(
  writer: Writer,
  mapId: string,
  update: LocationUpdate,
  current: LocationDocument | undefined,
): Promise<Ready | Answered> {
  if (current === undefined) return { kind: 'answered', update, outcome: { kind: 'missing' } };
  if (versionOf(current) !== update.version) {
    return { kind: 'answered', update, outcome: { kind: 'changed', location: toLocation(current) } };
  }
  const externalId = update.values.externalId ?? undefined;
  const wanted = externalId === current.externalId ? [] : [{ _id: update.id, mapId, externalId }];
  const reserved = await reserve(writer, wanted);
  if (reserved.refused.size > 0) {
    return { kind: 'answered', update, outcome: { kind: 'external-id-taken' } };
  }
  const isFreed = wanted.length > 0 && current.externalId !== undefined;
  return {
    kind: 'ready',
    update,
    current,
    former: isFreed ? await findReservation(writer.collections, current) : null,
    assertWithinLimit: () => reserved.assertWithinLimit(),
    takeBack: () => reserved.takeBack(wanted),
  };
}

async function write(
  collections: Collections,
  { update, current, former, assertWithinLimit, takeBack }: Ready,
  change: number,
): Promise<UpdateOutcome | 'fenced'> {
  const { mapId, _id } = current;
  assertWithinLimit();
  const changed = await collections.locations.findOneAndUpdate(
    {
      mapId: { $eq: mapId },
      _id: { $eq: _id },
      place: { $gt: '' },
      version: versionFilter(update.version),
      fence: unfenced(change),
    },
    {
      $set: { ...changedFields(update, current), change },
      ...(update.values.externalId === null && { $unset: { externalId: '' } }),
    },
    { returnDocument: 'after', projection: WITHOUT_INDEXED },
  );
  if (changed !== null && isLive(changed)) {
    if (former !== null) await free(collections, former);
    return { kind: 'updated', location: toLocation(changed) };
  }
  const now = (await findLocations(collections, mapId, [_id])).get(_id);
  if (isFenced(now, change)) return 'fenced';
  await takeBack();
  return now === undefined ? { kind: 'missing' } : { kind: 'changed', location: toLocation(now) };
}

function changedFields(
  { version, updatedAt, order, values }: LocationUpdate,
  { place }: LocationDocument,
): Partial<LocationDocument & IndexedLocation> {
  return {
    ...(order !== null && {
      order,
      place: toStoredSortKey({ orderKey: encodeOrder(order), sequence: sequenceOf(place) }),
    }),
    name: values.name,
    placeId: values.placeId,
    latitude: values.latitude,
    longitude: values.longitude,
    properties: JSON.stringify(values.properties),
    provider: values.geocoding.provider,
    precision: values.geocoding.precision,
    externalId: values.externalId ?? undefined,
    version: version + 1,
    updatedAt: new Date(updatedAt),
    ...indexedOf(values),
  };
}

function versionOf({ version = 1 }: LocationDocument): number {
  return version;
}

/** The first version is not stored. */
export function versionFilter(version: number) {
  return version === 1 ? { $exists: false } : { $eq: version };
}
