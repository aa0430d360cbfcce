/** What a batch of requests makes of a map's document, and what each of them is answered when that is stored. */

import type { ServerSessionId } from 'mongodb';

import type { LocationChanged } from '../../domain/change.ts';
import { addAllToList } from '../../domain/list/list-end.ts';
import { encodeOrder, isNumberKey, largerNumber } from '../../domain/list/order.ts';
import { toEntry } from '../change-entries.ts';
import type { WriteIntent } from './write-intent.ts';
import { newWrite, openWrite } from './write-intent.ts';
import type { Collections } from './database.ts';
import type { ListEndDocument, LocationDocument, MapDocument, TombstoneDocument } from './documents.ts';
import type { ListCount, OpenWrite } from './list-count.ts';
import { recordIntent as announceWrite } from './list-count.ts';
import type {
  AppendRequest,
  FencedOff,
  ListRequest,
  NoOp,
  RemovalRequest,
  StoringRequest,
} from './list-requests.ts';
import { idsOf, isLocking } from './list-requests.ts';
import { LOCAL } from './local-reads.ts';
import { isLive } from './location-documents.ts';
import type { MapLog } from './map-log.ts';
import { recordChanges, writersOf } from './map-log.ts';
import { fromStoredSortKey, sequenceOf } from './stored-sort-key.ts';

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
    locking.flatMap((request) => (request.kind === 'change' ? [] : [request.id])),
  );
  for (const request of locking) {
    // A location that is stored late was taken on before the map was deleted.
    if (map.isDeleted && request.kind !== 'store') {
      answers.push(() => request.resolve({ kind: 'map-deleted' }));
      continue;
    }
    if (writersOf(log, mapId, new Set(idsOf(request))).length > 0) {
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
    const resolved = resolveTarget(request, found.get(request.id));
    if (resolved.kind !== 'touched') {
      answers.push(() => request.resolve(resolved));
      continue;
    }
    const { entry, present, change, claimedUntil } = resolved;
    count = announceWrite(count, entry, present);
    const firstChange = recordIntent(entry, [change], { until: claimedUntil });
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

type ResolvedTarget =
  | {
      readonly kind: 'touched';
      readonly entry: OpenWrite;
      readonly present: readonly number[];
      readonly change: LocationChanged;
      readonly claimedUntil?: number;
    }
  | NoOp
  | FencedOff;

/** `nothing` where there is nothing to do: nothing to be removed, or an id that is taken already. */
function resolveTarget(
  request: RemovalRequest | StoringRequest,
  found: StoredLocation | undefined,
): ResolvedTarget {
  if (request.kind === 'store') {
    const { id, sequence, claimedUntil } = request;
    if (found !== undefined) return { kind: !isLive(found) && 'fence' in found ? 'fenced' : 'nothing' };
    const entry = openWrite({ from: sequence, to: sequence });
    return { kind: 'touched', entry, present: [], change: { kind: 'created', id }, claimedUntil };
  }
  if (found === undefined || !isLive(found)) return { kind: 'nothing' };
  const own = sequenceOf(found.place);
  const entry = openWrite({ from: own, to: own });
  return { kind: 'touched', entry, present: [own], change: { kind: 'deleted', id: request.id } };
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
