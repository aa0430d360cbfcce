/**
 * Changing what a map's document says of its list: the list's end (domain/list-end.ts) and the count (list-count.ts).
 * Every change is a compare-and-set on a version, so any number of processes change it without losing one another's
 * changes. Requests of one process that wait for the same map share one change.
 */

import { setTimeout as delay } from 'node:timers/promises';

import { ObjectId } from 'mongodb';

import { storageUnavailable } from '../../errors.ts';
import type { OrderedSortKey } from '../../domain/list-end.ts';
import { addAllToList } from '../../domain/list-end.ts';
import { isNumberKey } from '../../domain/order.ts';
import type { MapGone } from '../storage.ts';
import type { Collections, Database } from './database.ts';
import type { ListEndDocument, LocationDocument, TombstoneDocument } from './documents.ts';
import type { ListCount, OpenWrite, SequenceRange } from './list-count.ts';
import { announce, mergeRanges, settleWrites } from './list-count.ts';
import { isLive } from './location-documents.ts';
import { fromRank, sequenceOf } from './rank.ts';

/**
 * Reads what the primary has now, also where the majority has not acknowledged it yet. The change that follows is
 * acknowledged only together with it. Where a failover took it back, the version is one that never comes again, and the
 * change finds nothing.
 */
const LOCAL = { readConcern: { level: 'local' } } as const;
const READ_FOR_CHANGE = { ...LOCAL, projection: { isDeleted: 1, end: 1, count: 1 } } as const;

/** A pause between two tries, so that processes in step do not disturb one another for ever. */
const LONGEST_PAUSE_MS = 10;

/** Writes of this process on one map that are done and not settled yet; to settle them costs a read, whatever their number. */
const MOST_UNSETTLED = 32;
/** When they are settled where nothing else is written to the map. */
const SETTLE_AFTER_MS = 200;

/**
 * A writer that has announced a write does not begin a statement of it later than this. It is far longer than any
 * request may take, and far shorter than {@link ABANDONED_AFTER_MS}.
 */
const WRITE_WITHIN_MS = 30 * 60 * 1000;
/** By then a write that is still announced was cut short by a crash: anybody settles it. Clocks an hour apart do no harm. */
const ABANDONED_AFTER_MS = 3 * 60 * 60 * 1000;

/** A write that the map's document names until {@link AnnouncedWrite.done} is called. */
export interface AnnouncedWrite {
  /**
   * To be called before each statement.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE where the write was held up for so long that others may take it for abandoned
   */
  assertTimely(): void;
  /** No statement of the write is under way any more, nor will be. Not to be called where that is not known. */
  done(): void;
}

export type Appended =
  | {
      readonly kind: 'given';
      readonly sortKeys: readonly OrderedSortKey[];
      readonly write: AnnouncedWrite;
    }
  | MapGone;

export type Announced =
  { readonly kind: 'announced'; readonly write: AnnouncedWrite } | { readonly kind: 'nothing' } | MapGone;

type StoredLocation = LocationDocument | TombstoneDocument;

interface Append {
  readonly kind: 'append';
  readonly orders: readonly (string | null)[];
  readonly resolve: (outcome: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** A write to a location whose sequence number is known, or whose document tells it. */
interface Touch {
  readonly kind: 'touch';
  readonly id: string;
  /** Of a location that is to be stored; null for one that is to be removed. */
  readonly sequence: number | null;
  readonly resolve: (outcome: Announced) => void;
  readonly reject: (error: unknown) => void;
}

type Waiting = Append | Touch;

/** What is waiting on one map. */
interface Lane {
  waiting: Waiting[];
  /** Writes of this process that are done. */
  readonly done: Set<string>;
  isBusy: boolean;
  timer: NodeJS.Timeout | null;
}

interface MapState {
  readonly isDeleted: boolean;
  readonly end: ListEndDocument;
  readonly count: ListCount;
}

export class ListStates {
  readonly #database: Database;
  readonly #lanes = new Map<string, Lane>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Gives each order (null: the end of the list as it is then) its sort key, and announces that locations will be stored
   * there. A sort key that is given and then not used stays unused: no reader can tell.
   */
  append(mapId: string, orders: readonly (string | null)[]): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#add(mapId, { kind: 'append', orders, resolve, reject });
    });
  }

  /** Announces that a location will be removed; `nothing` where there is none. */
  announceRemoval(mapId: string, id: string): Promise<Announced> {
    return new Promise((resolve, reject) => {
      this.#add(mapId, { kind: 'touch', id, sequence: null, resolve, reject });
    });
  }

  /** Announces that a location will be stored at a sort key that it was given before; `nothing` where its id is taken. */
  announceStoring(mapId: string, { _id, place }: LocationDocument): Promise<Announced> {
    return new Promise((resolve, reject) => {
      this.#add(mapId, { kind: 'touch', id: _id, sequence: sequenceOf(place), resolve, reject });
    });
  }

  #add(mapId: string, waiting: Waiting): void {
    const lane = this.#laneOf(mapId);
    lane.waiting.push(waiting);
    if (!lane.isBusy) void this.#work(mapId, lane);
  }

  #laneOf(mapId: string): Lane {
    const known = this.#lanes.get(mapId);
    if (known !== undefined) return known;
    const lane: Lane = { waiting: [], done: new Set(), isBusy: false, timer: null };
    this.#lanes.set(mapId, lane);
    return lane;
  }

  async #work(mapId: string, lane: Lane): Promise<void> {
    lane.isBusy = true;
    while (lane.waiting.length > 0) {
      const batch = lane.waiting;
      lane.waiting = [];
      try {
        await this.#change(mapId, lane, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    lane.isBusy = false;
    this.#settleLater(mapId, lane);
  }

  /** Settles what is done when nobody has written to the map for a moment. */
  #settleLater(mapId: string, lane: Lane): void {
    if (lane.isBusy) return;
    if (lane.timer !== null) clearTimeout(lane.timer);
    lane.timer = null;
    if (lane.done.size === 0) {
      this.#lanes.delete(mapId);
      return;
    }
    lane.timer = setTimeout(() => {
      lane.timer = null;
      void this.#settleNow(mapId, lane);
    }, SETTLE_AFTER_MS);
    lane.timer.unref();
  }

  async #settleNow(mapId: string, lane: Lane): Promise<void> {
    if (lane.isBusy) return;
    lane.isBusy = true;
    try {
      await this.#database.run(() => this.#change(mapId, lane, []));
    } catch {
      // What is not settled is counted all the same, and settled with a later write, by whoever makes it.
      lane.done.clear();
    }
    await this.#work(mapId, lane);
  }

  async #change(mapId: string, lane: Lane, batch: readonly Waiting[]): Promise<void> {
    const { maps } = this.#database.collections;
    for (;;) {
      const map = await maps.findOne({ _id: { $eq: mapId } }, READ_FOR_CHANGE);
      if (map === null) {
        lane.done.clear();
        for (const { resolve } of batch) resolve({ kind: 'map-missing' });
        return;
      }
      const plan = await this.#plan(mapId, lane, map, batch);
      const isChanged = plan.state.count !== map.count || plan.state.end !== map.end;
      if (isChanged) {
        const { matchedCount } = await maps.updateOne(
          { _id: { $eq: mapId }, isDeleted: map.isDeleted, 'end.version': map.end.version },
          {
            $set: {
              end: { ...plan.state.end, version: new ObjectId().toHexString() },
              count: plan.state.count,
            },
          },
        );
        if (matchedCount === 0) {
          await delay(Math.random() * LONGEST_PAUSE_MS);
          continue;
        }
      }
      for (const id of plan.settled) lane.done.delete(id);
      for (const answer of plan.answers) answer();
      return;
    }
  }

  /** What a batch makes of a map's state, and what each waiter is then told. */
  async #plan(mapId: string, lane: Lane, map: MapState, batch: readonly Waiting[]) {
    const answers: (() => void)[] = [];
    const { state: settledState, settled } = await this.#settle(mapId, lane, map, batch.length === 0);
    let state = settledState;

    const touches = batch.filter((waiting) => waiting.kind === 'touch');
    const found = await this.#find(
      mapId,
      touches.map(({ id }) => id),
    );
    for (const touch of touches) {
      const range = rangeOfTouch(touch, found.get(touch.id));
      // A location that is stored late was taken on before the map was deleted.
      if (map.isDeleted && touch.sequence === null) {
        answers.push(() => touch.resolve({ kind: 'map-deleted' }));
      } else if (range === null) {
        answers.push(() => touch.resolve({ kind: 'nothing' }));
      } else {
        const open = openWrite(range);
        const present = touch.sequence === null ? [range.from] : [];
        state = { ...state, count: announce(state.count, open, present) };
        answers.push(() => touch.resolve({ kind: 'announced', write: this.#writeOf(mapId, open, 1) }));
      }
    }

    const appends = batch.filter((waiting) => waiting.kind === 'append');
    if (appends.length > 0 && map.isDeleted) {
      for (const { resolve } of appends) answers.push(() => resolve({ kind: 'map-deleted' }));
    } else if (appends.length > 0) {
      const orders = appends.flatMap(({ orders: own }) => own);
      const first = map.end.sequence + 1;
      const { added, end } = await this.#addAll(mapId, map.end, orders);
      const open = openWrite({ from: first, to: end.sequence });
      state = { end, count: announce(state.count, open, []), isDeleted: state.isDeleted };
      answers.push(() => {
        const write = this.#writeOf(mapId, open, appends.length);
        let next = 0;
        for (const { orders: own, resolve } of appends) {
          resolve({ kind: 'given', sortKeys: added.slice(next, next + own.length), write });
          next += own.length;
        }
      });
    }
    return { state, settled, answers };
  }

  async #settle(mapId: string, lane: Lane, map: MapState, isIdle: boolean) {
    const abandoned = map.count.open.filter(({ since }) => since.getTime() < Date.now() - ABANDONED_AFTER_MS);
    if (!isIdle && lane.done.size < MOST_UNSETTLED && abandoned.length === 0) {
      return { state: map, settled: [] };
    }
    const settled = [...lane.done];
    const ids = new Set([...settled, ...abandoned.map(({ id }) => id)]);
    const writes = map.count.open.filter(({ id }) => ids.has(id));
    // An entry is missing where its settling was done and its answer lost.
    if (writes.length === 0) return { state: map, settled };
    const present = await presentSequences(this.#database.collections, mapId, writes, LOCAL);
    return { state: { ...map, count: settleWrites(map.count, ids, present) }, settled };
  }

  async #find(mapId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredLocation>> {
    if (ids.length === 0) return new Map();
    const found = await this.#database.collections.locations
      .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } }, LOCAL)
      .hint('_id_')
      .project<StoredLocation>({ _id: 1, place: 1 })
      .toArray();
    return new Map(found.map((document) => [document._id, document]));
  }

  async #addAll(
    mapId: string,
    { sequence, largestNumber, hasTexts, version }: ListEndDocument,
    orders: readonly (string | null)[],
  ) {
    const lastText = hasTexts ? await this.#lastText(mapId) : null;
    const { added, end } = addAllToList({ lastSequence: sequence, largestNumber, lastText }, orders);
    const document: ListEndDocument = {
      version,
      sequence: end.lastSequence,
      largestNumber: end.largestNumber,
      hasTexts: hasTexts || end.lastText !== null,
    };
    return { added, end: document };
  }

  /** The order of the list's last location where that is a text. */
  async #lastText(mapId: string): Promise<string | null> {
    const last = await this.#database.collections.locations.findOne(
      { mapId: { $eq: mapId }, place: { $gte: '' } },
      { sort: { place: -1 }, hint: 'locations_in_order', projection: { place: 1 } },
    );
    if (last === null || !('place' in last)) return null;
    const { orderKey } = fromRank(last.place);
    return isNumberKey(orderKey) ? null : orderKey.slice(1);
  }

  /** @param parts calls that share the write, each of which says that it is done */
  #writeOf(mapId: string, { id, since }: OpenWrite, parts: number): AnnouncedWrite {
    let left = parts;
    return {
      assertTimely: () => {
        if (Date.now() - since.getTime() > WRITE_WITHIN_MS) throw storageUnavailable();
      },
      done: () => {
        left -= 1;
        if (left > 0) return;
        const lane = this.#laneOf(mapId);
        lane.done.add(id);
        this.#settleLater(mapId, lane);
      },
    };
  }
}

function openWrite({ from, to }: SequenceRange): OpenWrite {
  return { id: new ObjectId().toHexString(), from, to, since: new Date() };
}

/** Null where there is nothing to do: nothing to be removed, or an id that is taken already. */
function rangeOfTouch({ sequence }: Touch, found: StoredLocation | undefined): SequenceRange | null {
  if (sequence !== null) return found === undefined ? { from: sequence, to: sequence } : null;
  if (found === undefined || !isLive(found)) return null;
  const own = sequenceOf(found.place);
  return { from: own, to: own };
}

/** The sequence numbers in these ranges of which there are locations. */
async function presentSequences(
  { locations }: Collections,
  mapId: string,
  ranges: readonly SequenceRange[],
  options: { readonly readConcern?: { readonly level: 'local' } },
): Promise<readonly number[]> {
  const found = await Promise.all(
    mergeRanges(ranges).map(({ from, to }) =>
      locations
        .find({ mapId: { $eq: mapId }, sequence: { $gte: from, $lte: to } }, options)
        .hint('locations_by_sequence')
        .project<{ sequence: number }>({ _id: 0, sequence: 1 })
        .toArray(),
    ),
  );
  return found.flat().map(({ sequence }) => sequence);
}

/** The number of a map's locations; 0 for a map that is not there. */
export async function readCount(collections: Collections, mapId: string): Promise<number> {
  const map = await collections.maps.findOne({ _id: { $eq: mapId } }, { projection: { count: 1 } });
  if (map === null) return 0;
  const { settled, open } = map.count;
  if (open.length === 0) return settled;
  return settled + (await presentSequences(collections, mapId, open, {})).length;
}
