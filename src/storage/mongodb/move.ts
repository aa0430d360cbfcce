/**
 * Moving locations. Moves of one map are made one after another (move-lease.ts). Each is worked out from what is there
 * (domain/list/move-plan.ts) and written at once (move-write.ts). Where somebody else changes one of its locations meanwhile,
 * it is worked out anew.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ClientSession, ServerSessionId } from 'mongodb';

import { changesOfMove } from '../../domain/change.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { Listed, NewOrder, ReadingPages } from '../../domain/list/move-plan.ts';
import { planMove } from '../../domain/list/move-plan.ts';
import { largerNumber } from '../../domain/list/order.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import { storageUnavailable } from '../../errors.ts';
import type { LocationMove, MapUnavailable, MoveOutcome } from '../storage.ts';
import type { WriteIntent } from './write-intent.ts';
import type { Writer } from './idempotency-locks.ts';
import type { CallTime, Collections, Database } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { findLocations } from './find-locations.ts';
import type { Overtaken } from './list-requests.ts';
import type { ListStates } from './list-state.ts';
import { isLive, toLocation } from './location-documents.ts';
import type { Lease } from './move-lease.ts';
import { giveBack, newLeaseId, takeLease } from './move-lease.ts';
import type { NumberedOrder } from './move-write.ts';
import { writeMove } from './move-write.ts';
import { rangeOf } from './range.ts';
import { fromStoredSortKey } from './stored-sort-key.ts';

/** The longest pause before the right to move is asked for again. */
const LONGEST_PAUSE_MS = 50;

export interface Mover extends Writer {
  readonly database: Database;
}

interface Asked extends LocationMove {
  readonly mapId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Orders that are to be written, each with the number of its change in the log. */
interface Planned {
  readonly kind: 'planned';
  readonly changes: readonly NumberedOrder[];
  /** Null where nothing is to be written. */
  readonly write: WriteIntent | null;
}

/** What is known of the locations that are moved, and of the target, from one try to the next. */
interface Known {
  /** As they were seen last. */
  readonly documents: Map<string, LocationDocument>;
  /** Whether a try has written some of its changes: others may have seen them. */
  isBegun: boolean;
}

export async function moveAll(mover: Mover, asked: Asked, time: CallTime): Promise<MoveOutcome> {
  const { collections, database } = mover;
  const known: Known = { documents: new Map(), isBegun: false };
  const session = database.startSession();
  const leaseId = newLeaseId();
  let isHeld = false;
  try {
    // Nobody waits any more for what is not begun in time.
    while (time.leftMs > 0) {
      const lease = await takeLease(collections, asked.mapId, leaseId);
      if (lease === null) {
        await delay(Math.random() * LONGEST_PAUSE_MS);
        continue;
      }
      if ('kind' in lease) return lease;
      isHeld = true;
      const plan = await planChanges(mover, asked, lease, known, session?.id ?? null);
      if (plan.kind === 'overtaken') continue;
      if (plan.kind !== 'planned') return plan;
      if (time.leftMs <= 0) {
        plan.write?.done(plan.changes.map(({ location }) => location.id));
        continue;
      }
      // While the end of the write is not known the right is not given back; it lapses.
      isHeld = false;
      const written = await writePlan(collections, asked, lease, plan, session);
      isHeld = true;
      known.isBegun ||= written > 0;
      // Where it may have come too late, the next try finds out.
      const isDone = written === plan.changes.length && (written === 0 || lease.isWithinLimit());
      await settlePlan(collections, asked.mapId, plan, isDone);
      if (isDone) return { kind: 'moved', locations: await readMoved(collections, asked, known) };
    }
    throw storageUnavailable();
  } finally {
    if (isHeld) await giveBack(collections, asked.mapId, leaseId).catch(() => {});
    await session?.endSession();
  }
}

/** Works out what is to be changed, and has its orders counted as used. */
async function planChanges(
  { collections, lists }: Mover,
  { mapId, ids, position }: Asked,
  { end }: Lease,
  known: Known,
  session: ServerSessionId | null,
): Promise<Planned | Overtaken | Exclude<MoveOutcome, { kind: 'moved' }>> {
  const targetId = 'id' in position ? position.id : null;
  const wanted = targetId === null ? ids : [...ids, targetId];
  const found = await findLocations(collections, mapId, wanted);
  const missing = wanted.find((id) => !found.has(id));
  // What goes while the move is made, goes after it.
  if (missing !== undefined && !known.isBegun) return { kind: 'missing', id: missing };
  for (const [id, document] of found) known.documents.set(id, document);

  const target = targetId === null ? undefined : known.documents.get(targetId);
  const orders = await supplyPages(
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
  return recordPlan(lists, mapId, { ids, session }, orders, end.largestNumber);
}

/** From here on the orders count as used, and nobody else writes the locations. */
async function recordPlan(
  lists: ListStates,
  mapId: string,
  { ids, session }: { readonly ids: readonly string[]; readonly session: ServerSessionId | null },
  newOrders: readonly NewOrder<Listed>[],
  largestNumber: string | null,
): Promise<Planned | Overtaken | MapUnavailable> {
  const changes = changesOfMove(
    ids,
    newOrders.map(({ location }) => location),
  );
  const orders = newOrders.map(({ order }) => order);
  const isLarger = orders.reduce(largerNumber, largestNumber) !== largestNumber;
  const recorded = await lists.recordChanges(mapId, {
    changes,
    orders,
    session,
    // Larger numbers must not be given out to others meanwhile.
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
  asked: Asked,
  lease: Lease,
  { changes, write }: Planned,
  session: ClientSession | null,
): Promise<number> {
  if (write === null) return 0;
  return writeMove(collections, asked, lease, changes, session);
}

/** Says which of the changes were made, where that is not all of them. */
async function settlePlan(
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
  const unmade = changes.filter(({ location, change }) => made.get(location.id) !== change);
  write.done(unmade.map(({ location }) => location.id));
}

/** The locations as they are now. One that was deleted meanwhile is told as it was seen last. */
async function readMoved(
  collections: Collections,
  { mapId, ids }: Asked,
  { documents }: Known,
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

async function supplyPages<L, R>(
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
