/**
 * Moves locations. One call at a time moves locations of a map (writes/move-lease.ts). It computes a plan from the current
 * list (domain/list/move-plan.ts) and writes it at once (writes/move-write.ts). If another call changes one of the locations
 * meanwhile, it computes a new plan.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ClientSession, ServerSessionId } from 'mongodb';

import { changesOfMove } from '../../../domain/change.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { Listed, NewOrder, ReadingPages } from '../../../domain/list/move-plan.ts';
import { planMove } from '../../../domain/list/move-plan.ts';
import { largerNumber } from '../../../domain/list/order.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { storageUnavailable } from '../../../errors.ts';
import type { LocationMove, MapUnavailable, MoveOutcome, WriteCall } from '../../storage.ts';
import type { CallTime, Database } from '../database.ts';
import { keepVersions } from '../history/former-states.ts';
import { findLocations, rangeOf } from './list.ts';
import type { LocationDocument } from './location-records.ts';
import { fromStoredSortKey, isLive, toLocation } from './location-records.ts';
import type { Collections } from '../schema.ts';
import type { MapWrites, Writer } from '../writes/map-writes.ts';
import type { Lease } from '../writes/move-lease.ts';
import { acquireLease, newLeaseId, releaseLease } from '../writes/move-lease.ts';
import type { NumberedOrder } from '../writes/move-write.ts';
import { writeMove } from '../writes/move-write.ts';
import type { Overtaken } from '../writes/requests.ts';
import type { WriteIntent } from '../writes/write-intent.ts';

/** The maximum pause before the next attempt to acquire the lease. */
const MAX_PAUSE_MS = 50;

export interface Mover extends Writer {
  readonly database: Database;
}

interface MoveCall extends LocationMove {
  readonly mapId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly call: WriteCall | undefined;
}

/** The new orders, with their change numbers. */
interface Planned {
  readonly kind: 'planned';
  readonly changes: readonly NumberedOrder[];
  /** Null if there is nothing to write. */
  readonly write: WriteIntent | null;
}

/** What one attempt passes to the next. */
interface Progress {
  /** The moved locations and the target, as last read. */
  readonly documents: Map<string, LocationDocument>;
  /** Whether an attempt has written some of its changes, which others may have seen. */
  isBegun: boolean;
}

export async function moveAll(mover: Mover, call: MoveCall, time: CallTime): Promise<MoveOutcome> {
  const { collections, database } = mover;
  const progress: Progress = { documents: new Map(), isBegun: false };
  const session = database.startSession();
  const leaseId = newLeaseId();
  let isHeld = false;
  try {
    while (time.leftMs > 0) {
      const lease = await acquireLease(collections, call.mapId, leaseId);
      if (lease === null) {
        await delay(Math.random() * MAX_PAUSE_MS);
        continue;
      }
      if ('kind' in lease) return lease;
      isHeld = true;
      const plan = await planChanges(mover, call, lease, progress, session?.id ?? null);
      if (plan.kind === 'overtaken') continue;
      if (plan.kind !== 'planned') return plan;
      if (time.leftMs <= 0) {
        plan.write?.done(plan.changes.map(({ location }) => location.id));
        continue;
      }
      // While the outcome of the write is unknown, the lease is not released: it expires.
      isHeld = false;
      const written = await writePlan(collections, call, lease, plan, session);
      isHeld = true;
      progress.isBegun ||= written > 0;
      // If the write may have come after the lease's time, the next attempt finds out.
      const isDone = written === plan.changes.length && (written === 0 || lease.isWithinLimit());
      await endPlan(collections, call.mapId, plan, isDone);
      if (isDone) return { kind: 'moved', locations: await readMoved(collections, call, progress) };
    }
    throw storageUnavailable();
  } finally {
    if (isHeld) await releaseLease(collections, call.mapId, leaseId).catch(() => {});
    await session?.endSession();
  }
}

/** Computes the new orders and records their write intent. */
async function planChanges(
  { collections, writes }: Mover,
  { mapId, ids, position, call }: MoveCall,
  { end }: Lease,
  progress: Progress,
  session: ServerSessionId | null,
): Promise<Planned | Overtaken | Exclude<MoveOutcome, { kind: 'moved' }>> {
  const targetId = 'id' in position ? position.id : null;
  const wanted = targetId === null ? ids : [...ids, targetId];
  const found = await findLocations(collections, mapId, wanted);
  const missing = wanted.find((id) => !found.has(id));
  // A location that is deleted during the move counts as deleted after it.
  if (missing !== undefined && !progress.isBegun) return { kind: 'missing', id: missing };
  for (const [id, document] of found) progress.documents.set(id, document);

  const target = targetId === null ? undefined : progress.documents.get(targetId);
  const orders = await runWithPages(
    planMove({
      moved: ids.flatMap((id) => found.get(id) ?? []).map(toListed),
      kind: position.kind,
      target: target === undefined ? null : toListed(target),
      isTargetGone: targetId !== null && !found.has(targetId),
      largestNumber: end.largestNumber,
    }),
    (page) => readPage(collections, mapId, page),
  );
  if (orders === null) return { kind: 'too-many-neighbours' };
  if (orders.length === 0) return { kind: 'planned', changes: [], write: null };
  return recordPlan(writes, mapId, { ids, call, session }, orders, end.largestNumber);
}

/** From here on the orders count as used, and no other write touches the locations. */
async function recordPlan(
  writes: MapWrites,
  mapId: string,
  { ids, call, session }: Pick<MoveCall, 'ids' | 'call'> & { readonly session: ServerSessionId | null },
  newOrders: readonly NewOrder<Listed>[],
  largestNumber: string | null,
): Promise<Planned | Overtaken | MapUnavailable> {
  const changes = changesOfMove(
    ids,
    newOrders.map(({ location }) => location),
  );
  const orders = newOrders.map(({ order }) => order);
  const isLarger = orders.reduce(largerNumber, largestNumber) !== largestNumber;
  const recorded = await writes.recordChanges(mapId, {
    changes,
    orders,
    call,
    session,
    // An append must not get the same numbers meanwhile.
    ...(isLarger && { largestNumber }),
  });
  if (recorded.kind !== 'recorded') return recorded;
  const { write, firstChange } = recorded;
  const numbers = new Map(changes.map(({ id }, index) => [id, firstChange + index]));
  const numbered = newOrders.map((each) => ({ ...each, change: numbers.get(each.location.id) ?? 0 }));
  return { kind: 'planned', changes: numbered, write };
}

async function writePlan(
  collections: Collections,
  call: MoveCall,
  lease: Lease,
  { changes, write }: Planned,
  session: ClientSession | null,
): Promise<number> {
  if (write === null) return 0;
  await keepMoved(collections, call, changes);
  return writeMove(collections, call, lease, changes, session);
}

/** Keeps the states before the move. Nobody else changes the locations from the intent on. */
async function keepMoved(
  collections: Collections,
  { mapId, call }: MoveCall,
  changes: readonly NumberedOrder[],
): Promise<void> {
  if (call === undefined || call.mostVersions === 0) return;
  const ids = changes.map(({ location }) => location.id);
  const found = await findLocations(collections, mapId, ids);
  await keepVersions(collections, call, [...found.values()]);
}

/** Ends the write intent, with the locations that were not written. */
async function endPlan(
  { locations }: Collections,
  mapId: string,
  { changes, write }: Planned,
  isDone: boolean,
): Promise<void> {
  if (write === null || isDone) {
    write?.done();
    return;
  }
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: changes.map(({ location }) => location.id) } })
    .project<Pick<LocationDocument, '_id' | 'change'>>({ change: 1 })
    .hint('_id_')
    .toArray();
  const made = new Map(found.map(({ _id, change }) => [_id, change]));
  const unwritten = changes.filter(({ location, change }) => made.get(location.id) !== change);
  write.done(unwritten.map(({ location }) => location.id));
}

/** The locations as they are now; one that was deleted meanwhile, as last read. */
async function readMoved(
  collections: Collections,
  { mapId, ids }: MoveCall,
  { documents }: Progress,
): Promise<readonly LocationRecord[]> {
  const found = await findLocations(collections, mapId, ids);
  return ids.flatMap((id) => {
    const document = found.get(id) ?? documents.get(id);
    return document === undefined ? [] : [toLocation(document)];
  });
}

function toListed({ _id, order, place }: Pick<LocationDocument, '_id' | 'order' | 'place'>): Listed {
  return { id: _id, order, ...fromStoredSortKey(place) };
}

async function runWithPages<L, R>(
  reading: ReadingPages<L, R>,
  read: (page: PageRequest<SortKey>) => Promise<readonly L[]>,
): Promise<R> {
  let step = reading.next();
  while (!step.done) step = reading.next(await read(step.value));
  return step.value;
}

async function readPage(
  { locations }: Collections,
  mapId: string,
  page: PageRequest<SortKey>,
): Promise<readonly Listed[]> {
  const found = await locations
    .find(rangeOf(mapId, page), { projection: { place: 1, order: 1 } })
    .sort({ place: page.fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    .limit(page.limit)
    .toArray();
  const listed = found.filter(isLive).map(toListed);
  return page.fromEnd ? listed.reverse() : listed;
}
