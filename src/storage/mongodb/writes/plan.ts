/** Computes what a batch of requests makes of a map's document, and the result of each request. */

import type { ServerSessionId } from 'mongodb';

import type { LocationChanged } from '../../../domain/change.ts';
import { addAllToList } from '../../../domain/list/list-end.ts';
import { encodeOrder, isNumberKey, largerNumber } from '../../../domain/list/order.ts';
import { fromEntry, toEntry } from '../../change-entries.ts';
import { LOCAL } from '../database.ts';
import type { CallRun } from '../history/calls.ts';
import { toOpenCalls } from '../history/calls.ts';
import type { LocationDocument, StoredLocation } from '../locations/location-records.ts';
import {
  fromStoredSortKey,
  isFence,
  isLive,
  sequenceOf,
  toGeocodingGroup,
} from '../locations/location-records.ts';
import type { Collections, ListCount, ListEndDocument, MapDocument, MapLog, OpenWrite } from '../schema.ts';
import { countIntent } from './count.ts';
import { recordChanges, writersOf } from './map-log.ts';
import type {
  AppendRequest,
  ChangeRequest,
  DeleteRequest,
  InsertRequest,
  ListRequest,
  LockingRequest,
} from './requests.ts';
import { idsOf, isLocking } from './requests.ts';
import { isWithin, mergeRanges } from './sequence-ranges.ts';
import type { WriteIntent } from './write-intent.ts';
import { newWrite, openWrite } from './write-intent.ts';

type WriteId = Pick<OpenWrite, 'id' | 'since'>;
type IntentOf = (write: WriteId, parts: number) => WriteIntent;

/** The part of a map's document that belongs to its list. */
export interface ListState {
  readonly end: ListEndDocument;
  readonly count: ListCount;
  readonly log: MapLog;
}

/** A member that does not change keeps its object identity. */
export interface ListPlan extends ListState {
  /** To be called when the plan is stored: they resolve the requests. */
  readonly replies: readonly (() => void)[];
}

export async function planBatch(
  collections: Collections,
  mapId: string,
  map: Pick<MapDocument, 'isDeleted'> & ListState,
  batch: readonly ListRequest[],
  intentOf: IntentOf,
): Promise<ListPlan> {
  const plan = new Plan(mapId, map, intentOf);
  for (const request of batch) {
    // The caller has recovered the write already.
    if (request.kind === 'recover') plan.replies.push(() => request.resolve());
    if (request.kind === 'settle') plan.replies.push(() => request.resolve(plan.log.open));
  }
  const locking = batch.filter(isLocking);
  const ids = locking.flatMap((request) =>
    request.kind === 'change'
      ? [...(request.regrouped ?? []), ...(request.restored?.keys() ?? [])]
      : idsOf(request),
  );
  const found = await findLocations(collections, mapId, ids);
  for (const request of locking) plan.add(request, found);
  const appends = batch.filter((request) => request.kind === 'append');
  if (appends.length > 0) await plan.append(collections, appends);
  return plan;
}

class Plan implements ListPlan {
  end: ListEndDocument;
  count: ListCount;
  log: MapLog;
  readonly replies: (() => void)[] = [];
  readonly #mapId: string;
  readonly #isDeleted: boolean;
  readonly #intentOf: IntentOf;

  constructor(
    mapId: string,
    { isDeleted, end, count, log }: Pick<MapDocument, 'isDeleted'> & ListState,
    intentOf: IntentOf,
  ) {
    this.#mapId = mapId;
    this.#isDeleted = isDeleted;
    this.end = end;
    this.count = count;
    this.log = log;
    this.#intentOf = intentOf;
  }

  add(request: LockingRequest, found: ReadonlyMap<string, StoredLocation>): void {
    // An insert from a lock was accepted before the map was deleted.
    if (this.#isDeleted && request.kind !== 'insert') {
      this.replies.push(() => request.resolve({ kind: 'map-deleted' }));
      return;
    }
    const unlocked = this.#unlockedIds(request);
    if (unlocked === null) {
      const { open } = this.log;
      this.replies.push(() => request.resolve({ kind: 'locked', open }));
      return;
    }
    if (request.kind === 'change') this.#change(request, found);
    else if (request.kind === 'delete') this.#delete(request, unlocked, found);
    else this.#insert(request, found.get(request.id));
  }

  /** Appends the locations of all requests, in order, under one write intent. */
  async append(collections: Collections, requests: readonly AppendRequest[]): Promise<void> {
    if (this.#isDeleted) {
      for (const { resolve } of requests) this.replies.push(() => resolve({ kind: 'map-deleted' }));
      return;
    }
    const { version, sequence, largestNumber, hasTexts } = this.end;
    const lastText = hasTexts ? await findLastText(collections, this.#mapId) : null;
    const locations = requests.flatMap((request) => request.locations);
    const { added, end } = addAllToList(
      { lastSequence: sequence, largestNumber, lastText },
      locations.map(({ order }) => order),
    );
    const entry = openWrite({ from: sequence + 1, to: end.lastSequence });
    this.count = countIntent(this.count, entry, []);
    this.end = {
      version,
      sequence: end.lastSequence,
      largestNumber: end.largestNumber,
      hasTexts: hasTexts || end.lastText !== null,
    };
    const firstChange = this.#record(
      entry,
      locations.map(({ id }) => ({ kind: 'created', id })),
      {
        calls: requests.map((request) => ({ call: request.call, length: request.locations.length })),
        claimedUntil: Math.max(...locations.map(({ claimedUntil }) => claimedUntil ?? 0)),
      },
    );
    this.replies.push(() => {
      const write = this.#intentOf(entry, requests.length);
      let next = 0;
      for (const request of requests) {
        const sortKeys = added.slice(next, next + request.locations.length);
        request.resolve({ kind: 'appended', sortKeys, write, firstChange: firstChange + next });
        next += request.locations.length;
      }
    });
  }

  #change(request: ChangeRequest, found: ReadonlyMap<string, StoredLocation>): void {
    const { orders, largestNumber = this.end.largestNumber, changes, call, session = null } = request;
    if (largestNumber !== this.end.largestNumber) {
      this.replies.push(() => request.resolve({ kind: 'overtaken' }));
      return;
    }
    this.end = withOrders(this.end, orders);
    const write = newWrite();
    this.#nameInCount(write, (request.regrouped ?? []).flatMap((id) => found.get(id) ?? []).filter(isLive));
    for (const [id, sequence] of request.restored ?? []) {
      const document = found.get(id);
      // Otherwise it was restored already, and the statement will not find it in the trash.
      if (document !== undefined && isLive(document)) continue;
      this.count = countIntent(this.count, { ...write, from: sequence, to: sequence }, []);
    }
    this.#reply(request, write, changes, { session, calls: [{ call, length: changes.length }] });
  }

  #insert(request: InsertRequest, found: StoredLocation | undefined): void {
    if (found !== undefined) {
      const kind = isFence(found) ? 'fenced' : 'no-op';
      this.replies.push(() => request.resolve({ kind }));
      return;
    }
    const { id, sequence, claimedUntil } = request;
    const entry = openWrite({ from: sequence, to: sequence });
    this.count = countIntent(this.count, entry, []);
    this.#reply(request, entry, [{ kind: 'created', id }], { claimedUntil });
  }

  /** Deletes the existing ones of the unlocked locations, under one write intent. */
  #delete(
    request: DeleteRequest,
    unlocked: readonly string[],
    found: ReadonlyMap<string, StoredLocation>,
  ): void {
    const present = unlocked.flatMap((id) => found.get(id) ?? []).filter(isLive);
    const ids = present.map(({ _id }) => _id);
    const left = request.ids.slice(unlocked.length);
    if (ids.length === 0) {
      this.replies.push(() => request.resolve({ kind: 'recorded', write: null, firstChange: 0, ids, left }));
      return;
    }
    const write = newWrite();
    this.#nameInCount(write, present);
    const firstChange = this.#record(
      write,
      ids.map((id) => ({ kind: 'deleted', id })),
      { calls: [{ call: request.call, length: ids.length }] },
    );
    this.replies.push(() =>
      request.resolve({ kind: 'recorded', write: this.#intentOf(write, 1), firstChange, ids, left }),
    );
  }

  #nameInCount(write: WriteId, documents: readonly LocationDocument[]): void {
    const present = documents.map((document) => ({
      sequence: sequenceOf(document.place),
      group: toGeocodingGroup(document),
    }));
    for (const range of mergeRanges(present.map(({ sequence }) => ({ from: sequence, to: sequence })))) {
      const within = present.filter(({ sequence }) => isWithin([range], sequence));
      this.count = countIntent(this.count, { ...write, ...range }, within);
    }
  }

  /**
   * The locations of a request that no other write has; null if it must wait. A delete gets those before the first locked
   * location, so that its changes keep their order.
   */
  #unlockedIds(request: LockingRequest): readonly string[] | null {
    const ids = idsOf(request);
    const writers = writersOf(this.log, this.#mapId, new Set(ids));
    if (writers.length === 0) return ids;
    if (request.kind !== 'delete') return null;
    const locked = new Set(
      writers.flatMap(({ entries }) => entries.map((entry) => fromEntry(this.#mapId, entry).id)),
    );
    const first = ids.findIndex((id) => locked.has(id));
    return first === 0 ? null : ids.slice(0, first);
  }

  #reply(
    request: InsertRequest | ChangeRequest,
    write: WriteId,
    changes: readonly LocationChanged[],
    options: RecordOptions,
  ): void {
    const firstChange = this.#record(write, changes, options);
    this.replies.push(() =>
      request.resolve({ kind: 'recorded', write: this.#intentOf(write, 1), firstChange }),
    );
  }

  /** @returns the number of the first change */
  #record(
    { id, since }: WriteId,
    changes: readonly LocationChanged[],
    { claimedUntil = 0, session = null, calls = [] }: RecordOptions,
  ): number {
    const firstChange = this.log.last + 1;
    const openCalls = toOpenCalls(calls);
    this.log = recordChanges(this.log, {
      id,
      since,
      entries: changes.map((change) => toEntry(this.#mapId, change)),
      ...(claimedUntil > 0 && { claimedUntil: new Date(claimedUntil) }),
      ...(session !== null && { session }),
      ...(openCalls !== undefined && { calls: openCalls }),
    });
    return firstChange;
  }
}

interface RecordOptions {
  readonly claimedUntil?: number | undefined;
  readonly session?: ServerSessionId | null;
  /** Of the changes, in order. */
  readonly calls?: readonly CallRun[];
}

/** @returns `end` itself if the orders change nothing */
function withOrders(end: ListEndDocument, orders: readonly string[]): ListEndDocument {
  const largestNumber = orders.reduce(largerNumber, end.largestNumber);
  const hasTexts = end.hasTexts || orders.some((order) => !isNumberKey(encodeOrder(order)));
  if (largestNumber === end.largestNumber && hasTexts === end.hasTexts) return end;
  return { ...end, largestNumber, hasTexts };
}

const FOUND = { place: 1, fence: 1, provider: 1, precision: 1, isAmbiguous: 1, isChecked: 1 } as const;

async function findLocations(
  { locations }: Collections,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredLocation>> {
  if (ids.length === 0) return new Map();
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } }, LOCAL)
    .hint('_id_')
    .project<StoredLocation>({ ...FOUND, 'trash.key': 1 })
    .toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/** The order of the list's last location if that is a text. */
async function findLastText({ locations }: Collections, mapId: string): Promise<string | null> {
  const last = await locations.findOne(
    { mapId: { $eq: mapId }, place: { $gte: '' } },
    { sort: { place: -1 }, hint: 'locations_in_order', projection: { place: 1 } },
  );
  if (last === null || !isLive(last)) return null;
  const { orderKey } = fromStoredSortKey(last.place);
  return isNumberKey(orderKey) ? null : orderKey.slice(1);
}
