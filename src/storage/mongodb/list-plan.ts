/** What a batch of requests makes of a map's document, and what each of them is answered when that is stored. */

import type { ServerSessionId } from 'mongodb';

import type { LocationChanged } from '../../domain/change.ts';
import { addAllToList } from '../../domain/list/list-end.ts';
import { encodeOrder, isNumberKey, largerNumber } from '../../domain/list/order.ts';
import { fromEntry, toEntry } from '../change-entries.ts';
import type { WriteIntent } from './write-intent.ts';
import { newWrite, openWrite } from './write-intent.ts';
import type { Collections } from './database.ts';
import type { ListEndDocument, LocationDocument, MapDocument, TombstoneDocument } from './documents.ts';
import type { ListCount, OpenWrite } from './list-count.ts';
import { recordIntent as announceWrite } from './list-count.ts';
import type { AppendRequest, ListRequest, LockingRequest } from './list-requests.ts';
import { idsOf, isLocking } from './list-requests.ts';
import { LOCAL } from './local-reads.ts';
import { isLive } from './location-documents.ts';
import type { MapLog } from './map-log.ts';
import { recordChanges, writersOf } from './map-log.ts';
import { fromStoredSortKey, sequenceOf } from './stored-sort-key.ts';
import { isWithin, mergeRanges } from './sequence-ranges.ts';

type StoredLocation = LocationDocument | TombstoneDocument;
type WriteOf = (write: Pick<OpenWrite, 'id' | 'since'>, parts: number) => WriteIntent;

/** What a map's document says of its list. */
export interface ListState {
  readonly end: ListEndDocument;
  readonly count: ListCount;
  readonly log: MapLog;
}

/** A member that does not change is the same object as before. */
export interface ListPlan extends ListState {
  readonly answers: readonly (() => void)[];
}

export async function planChange(
  collections: Collections,
  mapId: string,
  map: Pick<MapDocument, 'isDeleted'> & ListState,
  batch: readonly ListRequest[],
  recorded: WriteOf,
): Promise<ListPlan> {
  const answers: (() => void)[] = [];
  let { end, count, log } = map;

  // Judged before, by whoever asks for this plan.
  for (const request of batch) {
    if (request.kind === 'recover') answers.push(() => request.resolve());
  }

  const recordIntent = (
    write: Pick<OpenWrite, 'id' | 'since'>,
    changes: readonly LocationChanged[],
    {
      until = 0,
      session = null,
    }: { readonly until?: number; readonly session?: ServerSessionId | null } = {},
  ) => {
    const firstChange = log.last + 1;
    const entries = changes.map((change) => toEntry(mapId, change));
    log = recordChanges(log, {
      id: write.id,
      since: write.since,
      entries,
      ...(until > 0 && { claimedUntil: new Date(until) }),
      ...(session !== null && { session }),
    });
    return firstChange;
  };

  const locking = batch.filter(isLocking);
  const found = await findLocations(
    collections,
    mapId,
    locking.flatMap((request) => (request.kind === 'change' ? [] : idsOf(request))),
  );
  for (const request of locking) {
    // A location that is stored late was taken on before the map was deleted.
    if (map.isDeleted && request.kind !== 'store') {
      answers.push(() => request.resolve({ kind: 'map-deleted' }));
      continue;
    }
    const free = unlockedIds(log, mapId, request);
    if (free === null) {
      const { open } = log;
      answers.push(() => request.resolve({ kind: 'locked', open }));
      continue;
    }
    if (request.kind === 'change') {
      const { orders, largestNumber = end.largestNumber, changes, session = null } = request;
      if (largestNumber !== end.largestNumber) {
        answers.push(() => request.resolve({ kind: 'overtaken' }));
        continue;
      }
      end = withOrders(end, orders);
      const write = newWrite();
      const firstChange = recordIntent(write, changes, { session });
      answers.push(() => request.resolve({ kind: 'recorded', write: recorded(write, 1), firstChange }));
      continue;
    }
    if (request.kind === 'remove') {
      const present = free.flatMap((id) => found.get(id) ?? []).filter(isLive);
      const write = newWrite();
      count = recordRemovals(count, write, present);
      const ids = present.map(({ _id }) => _id);
      const firstChange = ids.length === 0 ? 0 : recordIntent(write, deletionsOf(ids));
      const left = request.ids.slice(free.length);
      answers.push(() =>
        request.resolve({
          kind: 'recorded',
          write: ids.length === 0 ? null : recorded(write, 1),
          firstChange,
          ids,
          left,
        }),
      );
      continue;
    }
    const existing = found.get(request.id);
    if (existing !== undefined) {
      const kind = !isLive(existing) && 'fence' in existing ? 'fenced' : 'nothing';
      answers.push(() => request.resolve({ kind }));
      continue;
    }
    const { id, sequence, claimedUntil } = request;
    const entry = openWrite({ from: sequence, to: sequence });
    count = announceWrite(count, entry, []);
    const firstChange = recordIntent(entry, [{ kind: 'created', id }], { until: claimedUntil });
    answers.push(() => request.resolve({ kind: 'recorded', write: recorded(entry, 1), firstChange }));
  }

  const appends = batch.filter((request) => request.kind === 'append');
  if (appends.length > 0 && map.isDeleted) {
    for (const { resolve } of appends) answers.push(() => resolve({ kind: 'map-deleted' }));
  } else if (appends.length > 0) {
    const added = await append(collections, mapId, end, appends);
    count = announceWrite(count, added.entry, []);
    end = added.end;
    const all = appends.flatMap(({ locations }) => locations);
    const firstChange = recordIntent(
      added.entry,
      all.map(({ id }) => ({ kind: 'created', id })),
      { until: Math.max(...all.map(({ claimedUntil }) => claimedUntil ?? 0)) },
    );
    answers.push(() => added.answer(recorded(added.entry, appends.length), firstChange));
  }
  return { end, count, log, answers };
}

/** @returns `end` itself where the orders say nothing new of it */
function withOrders(end: ListEndDocument, orders: readonly string[]): ListEndDocument {
  const largestNumber = orders.reduce(largerNumber, end.largestNumber);
  const hasTexts = end.hasTexts || orders.some((order) => !isNumberKey(encodeOrder(order)));
  if (largestNumber === end.largestNumber && hasTexts === end.hasTexts) return end;
  return { ...end, largestNumber, hasTexts };
}

/**
 * The locations of a request that nobody else is writing. Null where others are: a removal then gets those before the
 * first such location, so that its changes keep their order.
 */
function unlockedIds(log: MapLog, mapId: string, request: LockingRequest): readonly string[] | null {
  const ids = idsOf(request);
  const writers = writersOf(log, mapId, new Set(ids));
  if (writers.length === 0) return ids;
  if (request.kind !== 'remove') return null;
  const locked = new Set(
    writers.flatMap(({ entries }) => entries.map((entry) => fromEntry(mapId, entry).id)),
  );
  const first = ids.findIndex((id) => locked.has(id));
  return first === 0 ? null : ids.slice(0, first);
}

function deletionsOf(ids: readonly string[]): readonly LocationChanged[] {
  return ids.map((id) => ({ kind: 'deleted', id }));
}

/** Records the removal of all these locations under one write. */
function recordRemovals(
  count: ListCount,
  write: Pick<OpenWrite, 'id' | 'since'>,
  present: readonly LocationDocument[],
): ListCount {
  const sequences = present.map(({ place }) => sequenceOf(place));
  const ranges = mergeRanges(sequences.map((sequence) => ({ from: sequence, to: sequence })));
  return ranges.reduce(
    (counted, range) =>
      announceWrite(
        counted,
        { ...write, ...range },
        sequences.filter((sequence) => isWithin([range], sequence)),
      ),
    count,
  );
}

/** Locations for all requests of a batch, one after the other in the list, under one entry. */
async function append(
  collections: Collections,
  mapId: string,
  { version, sequence, largestNumber, hasTexts }: ListEndDocument,
  requests: readonly AppendRequest[],
) {
  const lastText = hasTexts ? await findLastText(collections, mapId) : null;
  const { added, end } = addAllToList(
    { lastSequence: sequence, largestNumber, lastText },
    requests.flatMap(({ locations }) => locations.map(({ order }) => order)),
  );
  const entry = openWrite({ from: sequence + 1, to: end.lastSequence });
  const document: ListEndDocument = {
    version,
    sequence: end.lastSequence,
    largestNumber: end.largestNumber,
    hasTexts: hasTexts || end.lastText !== null,
  };
  const answer = (write: WriteIntent, firstChange: number) => {
    let next = 0;
    for (const { locations, resolve } of requests) {
      const sortKeys = added.slice(next, next + locations.length);
      resolve({ kind: 'given', sortKeys, write, firstChange: firstChange + next });
      next += locations.length;
    }
  };
  return { entry, end: document, answer };
}

async function findLocations(
  { locations }: Collections,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredLocation>> {
  if (ids.length === 0) return new Map();
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } }, LOCAL)
    .hint('_id_')
    .project<StoredLocation>({ _id: 1, place: 1, fence: 1 })
    .toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/** The order of the list's last location where that is a text. */
async function findLastText({ locations }: Collections, mapId: string): Promise<string | null> {
  const last = await locations.findOne(
    { mapId: { $eq: mapId }, place: { $gte: '' } },
    { sort: { place: -1 }, hint: 'locations_in_order', projection: { place: 1 } },
  );
  if (last === null || !isLive(last)) return null;
  const { orderKey } = fromStoredSortKey(last.place);
  return isNumberKey(orderKey) ? null : orderKey.slice(1);
}
