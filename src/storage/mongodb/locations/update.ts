/**
 * Updates locations without a transaction. Each update is one statement, a compare-and-set on the version. The write intent,
 * new external ids and the former states come first. A crash leaves an order that counts as used, a reservation that lapses,
 * or a former state that does not count (history/versions.ts).
 */

import PQueue from 'p-queue';

import { kindOfUpdate } from '../../../domain/change.ts';
import { keyOfGroup } from '../../../domain/filter/geocoding-groups.ts';
import { storageUnavailable } from '../../../errors.ts';
import type { LocationUpdate, MapUnavailable, Storage, UpdateOutcome, WriteCall } from '../../storage.ts';
import { findLocations } from './list.ts';
import type { LocationDocument } from './location-records.ts';
import {
  isLive,
  toGeocodingGroup,
  toLocation,
  toUpdateOperators,
  versionFilter,
  WITHOUT_INDEXED,
} from './location-records.ts';
import { mapUnavailable } from '../maps.ts';
import { formerStates, removeExcessVersions } from '../history/former-states.ts';
import type { Collections, ExternalIdDocument } from '../schema.ts';
import type { Writer } from '../writes/map-writes.ts';
import { ROUNDS, isFenced, unfenced } from '../writes/recovery.ts';
import type { IntentRecorded } from '../writes/requests.ts';
import { findReservation, free, reserve } from '../writes/reservations.ts';

type Result = Awaited<ReturnType<Storage['updateLocations']>>;

/** Concurrent statements of one call. */
const CONCURRENCY = 10;

export async function updateAll(
  writer: Writer,
  mapId: string,
  updates: readonly LocationUpdate[],
  call: WriteCall | undefined,
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
  // Refused updates use no order and no change number.
  const ready = prepared.filter((item) => item.kind === 'ready');
  const outcomes = new Map<Ready, UpdateOutcome>();
  let left: readonly Ready[] = ready;
  for (let round = 1; round === 1 || left.length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const recorded = await recordIntent(writer, mapId, left, call, { keepsStates: round === 1 });
    if (recorded === null) break;
    if (recorded.kind !== 'recorded') {
      for (const item of left) await item.release();
      return recorded;
    }
    const { firstChange } = recorded;
    const written = await queue.addAll(
      left.map((item, index) => async () => write(collections, item, { change: firstChange + index, call })),
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
  await removeExcessVersions(
    collections,
    call,
    ready.filter((item) => outcomes.get(item)?.kind === 'updated').map((item) => item.current),
  );
  return {
    kind: 'done',
    outcomes: prepared.map((item) => (item.kind === 'ready' ? outcomeOf(outcomes, item) : item.outcome)),
  };
}

/** @returns null if there is nothing to change and the map is available */
async function recordIntent(
  { collections, writes }: Writer,
  mapId: string,
  ready: readonly Ready[],
  call: WriteCall | undefined,
  { keepsStates }: { readonly keepsStates: boolean },
): Promise<IntentRecorded | MapUnavailable | null> {
  if (ready.length === 0) return mapUnavailable(collections, mapId);
  const recorded = await writes.recordChanges(mapId, {
    changes: ready.map(({ update, current }) => ({ kind: kindOf(update, current), id: update.id })),
    regrouped: ready.filter(isRegrouped).map(({ update }) => update.id),
    formerStates: keepsStates
      ? formerStates(
          call,
          ready.map(({ current }) => current),
        )
      : [],
    orders: ready.flatMap(({ update }) => update.order ?? []),
    call,
  });
  if (recorded.kind === 'overtaken')
    throw new Error('Only a request with a largest number can be overtaken.');
  return recorded;
}

function kindOf({ order, values }: LocationUpdate, document: LocationDocument) {
  const current = toLocation(document);
  return kindOfUpdate(current, { ...current, ...values, order: order ?? current.order });
}

function isRegrouped({ update, current }: Ready): boolean {
  return keyOfGroup(update.values.geocoding) !== keyOfGroup(toGeocodingGroup(current));
}

function outcomeOf(outcomes: ReadonlyMap<Ready, UpdateOutcome>, item: Ready): UpdateOutcome {
  const outcome = outcomes.get(item);
  if (outcome === undefined) throw new Error('A location was not updated.');
  return outcome;
}

/** An update that may be written: its external id is reserved. */
interface Ready {
  readonly kind: 'ready';
  readonly update: LocationUpdate;
  readonly current: LocationDocument;
  /** The reservation of the external id that the update removes or replaces. */
  readonly former: ExternalIdDocument | null;
  readonly assertWithinLimit: () => void;
  readonly release: () => Promise<void>;
}

interface Refused {
  readonly kind: 'refused';
  readonly update: LocationUpdate;
  readonly outcome: UpdateOutcome;
}

async function prepare(
  writer: Writer,
  mapId: string,
  update: LocationUpdate,
  current: LocationDocument | undefined,
): Promise<Ready | Refused> {
  if (current === undefined) return { kind: 'refused', update, outcome: { kind: 'missing' } };
  if ((current.version ?? 1) !== update.version) {
    return { kind: 'refused', update, outcome: { kind: 'changed', location: toLocation(current) } };
  }
  const externalId = update.values.externalId ?? undefined;
  const version = update.version + 1;
  const wanted = externalId === current.externalId ? [] : [{ _id: update.id, mapId, externalId, version }];
  const reserved = await reserve(writer, wanted);
  if (reserved.refused.size > 0) {
    return { kind: 'refused', update, outcome: { kind: 'external-id-taken' } };
  }
  const isRemoved = wanted.length > 0 && current.externalId !== undefined;
  return {
    kind: 'ready',
    update,
    current,
    former: isRemoved ? await findReservation(writer.collections, current) : null,
    assertWithinLimit: () => reserved.assertWithinLimit(),
    release: () => reserved.release(wanted),
  };
}

async function write(
  collections: Collections,
  { update, current, former, assertWithinLimit, release }: Ready,
  made: { readonly change: number; readonly call: WriteCall | undefined },
): Promise<UpdateOutcome | 'fenced'> {
  const { change } = made;
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
    toUpdateOperators(update, current, made),
    { returnDocument: 'after', projection: WITHOUT_INDEXED },
  );
  if (changed !== null && isLive(changed)) {
    if (former !== null) await free(collections, former);
    return { kind: 'updated', location: toLocation(changed) };
  }
  const now = (await findLocations(collections, mapId, [_id])).get(_id);
  if (isFenced(now, change)) return 'fenced';
  await release();
  return now === undefined ? { kind: 'missing' } : { kind: 'changed', location: toLocation(now) };
}
