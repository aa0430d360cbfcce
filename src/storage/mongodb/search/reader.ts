/** Reads the locations of queries, within the time limit of a search. */

import type { AbstractCursor, Document, FindCursor } from 'mongodb';

import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { presenceWith } from '../../../domain/filter/property-presence.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { StoredOrder } from '../../../domain/filter/location-order.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { storageUnavailable } from '../../../errors.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import type { CallTime } from '../database.ts';
import type { IndexedLocation, LocationDocument, StoredLocation } from '../locations/location-records.ts';
import { WITHOUT_INDEXED, isLive, toLocation } from '../locations/location-records.ts';
import type { Collections, ExternalIdDocument, ListCount, MapDocument } from '../schema.ts';
import { totalOf } from '../writes/count.ts';
import type { LocationQuery } from './queries.ts';
import { MAX_IDS, chunksOf, oneOf, queryOfList, queryOfSequences } from './queries.ts';

type Cursor = FindCursor<StoredLocation>;

interface ListReading {
  readonly order: StoredOrder;
  readonly backwards: boolean;
  readonly firstBatch: number;
  readonly part: LocationQuery['filter'] | null;
}

/** Documents per batch. The server limits a batch to 16 MB. */
const BATCH = 1_000;

export class LocationReader {
  readonly collections: Collections;
  readonly time: SearchTimeout;

  constructor(collections: Collections, time: SearchTimeout) {
    this.collections = collections;
    this.time = time;
  }

  /** In any order. */
  read(query: LocationQuery): AsyncGenerator<LocationRecord> {
    return this.#locations(this.#find(query).batchSize(BATCH));
  }

  /**
   * In a stored order.
   *
   * @param firstBatch read first, so that a caller that stops early costs little
   * @param part conditions on geocoding, for the order of the list; null for the whole list
   */
  async *readList(
    mapId: string,
    { after, before }: Pick<PageRequest<SortKey>, 'after' | 'before'>,
    { order, backwards, firstBatch, part }: ListReading,
  ): AsyncGenerator<LocationRecord> {
    const find = (range: Pick<PageRequest<SortKey>, 'after' | 'before'>) =>
      order === 'list'
        ? this.#find(queryOfList(mapId, range, part)).sort({ place: backwards ? -1 : 1 })
        : this.#find(queryOfSequences(mapId, range)).sort({ sequence: backwards ? -1 : 1 });
    let read = 0;
    let last: SortKey | null = null;
    for await (const location of this.#locations(
      find({ after, before })
        .limit(firstBatch)
        .batchSize(firstBatch + 1),
    )) {
      read += 1;
      last = location;
      yield location;
    }
    if (read < firstBatch || last === null) return;
    const rest = backwards ? { after, before: last } : { after: last, before };
    yield* this.#locations(find(rest).batchSize(BATCH));
  }

  /** The ids of locations that have these external ids or are about to get them. */
  async findIds(mapIds: readonly string[], externalIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const some of chunksOf(externalIds, MAX_IDS)) {
      this.time.assertTimeLeft();
      const reservations = await this.collections.externalIds
        .find(
          { mapId: oneOf(mapIds), externalId: oneOf(some) },
          { hint: 'external_ids_by_id', maxTimeMS: this.time.maxTimeMS },
        )
        .project<Pick<ExternalIdDocument, 'locationId'>>({ _id: 0, locationId: 1 })
        .toArray();
      found.push(...reservations.map(({ locationId }) => locationId));
    }
    return found;
  }

  /**
   * The property presences of a map's locations, with one query for each.
   *
   * @param names the properties to report
   * @returns null if there are more than `limit`
   */
  async findPresences(
    mapId: string,
    names: ReadonlySet<string>,
    limit: number,
  ): Promise<readonly PropertyPresence[] | null> {
    const presences: PropertyPresence[] = [];
    for (let last = ''; ;) {
      this.time.assertTimeLeft();
      const { maxTimeMS } = this.time;
      const next = this.collections.locations.findOne<
        Pick<LocationDocument & IndexedLocation, 'properties' | 'shape'>
      >(
        { mapId: { $eq: mapId }, shape: { $gt: last } },
        {
          projection: { _id: 0, properties: 1, shape: 1 },
          sort: { shape: 1 },
          hint: 'locations_by_shape',
          maxTimeMS,
        },
      );
      const found = await this.time.untilAborted(next);
      if (found === null) return presences;
      if (presences.length >= limit) return null;
      presences.push(presenceWith(found.shape, JSON.parse(found.properties) as JsonObject, names));
      last = found.shape;
    }
  }

  /** Upper bounds of the maps' numbers of locations, without counting. */
  async findSizes(mapIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    this.time.assertTimeLeft();
    const maps = await this.collections.maps
      .find({ _id: oneOf(mapIds) }, { hint: '_id_', maxTimeMS: this.time.maxTimeMS })
      .project<Pick<MapDocument, '_id' | 'count'>>({ count: 1 })
      .toArray();
    return new Map(maps.map(({ _id, count }) => [_id, sizeOf(count)]));
  }

  /** The number of documents that the query finds, up to `limit`. */
  async count({ filter, hint }: LocationQuery, limit: number): Promise<number> {
    this.time.assertTimeLeft();
    const { maxTimeMS, signal } = this.time;
    const options = { hint, limit, maxTimeMS, ...(signal === undefined ? {} : { signal }) };
    return this.collections.locations.countDocuments(filter, options);
  }

  /** Runs pipeline stages on the documents that a query finds. */
  async *aggregate<T extends Document>(
    { filter, hint }: LocationQuery,
    stages: readonly Document[],
  ): AsyncGenerator<T> {
    const { maxTimeMS, signal } = this.time;
    const options = { hint, maxTimeMS, batchSize: BATCH, ...(signal === undefined ? {} : { signal }) };
    yield* this.#readAll(this.collections.locations.aggregate<T>([{ $match: filter }, ...stages], options));
  }

  #find({ filter, hint }: LocationQuery): Cursor {
    const { maxTimeMS, signal } = this.time;
    return this.collections.locations
      .find(filter, { maxTimeMS, ...(signal === undefined ? {} : { signal }) })
      .project<StoredLocation>(WITHOUT_INDEXED)
      .hint(hint);
  }

  async *#locations(cursor: Cursor): AsyncGenerator<LocationRecord> {
    for await (const document of this.#readAll(cursor)) if (isLive(document)) yield toLocation(document);
  }

  async *#readAll<T>(cursor: AbstractCursor<T>): AsyncGenerator<T> {
    const yieldIfDue = yieldWhenLong();
    try {
      for (;;) {
        this.time.assertTimeLeft();
        if (!(await this.time.untilAborted(cursor.hasNext()))) return;
        for (const document of cursor.readBufferedDocuments()) {
          const pause = yieldIfDue();
          if (pause !== undefined) {
            await pause;
            this.time.assertTimeLeft();
          }
          yield document;
        }
      }
    } catch (error) {
      throw this.time.signal?.aborted === true ? storageUnavailable(error) : error;
    } finally {
      // Not awaited: the server may hang. A failure has been thrown already.
      void cursor.close().catch(() => {});
    }
  }
}

/** Counts open writes as if their locations existed. */
function sizeOf({ settled, open }: ListCount): number {
  return open.reduce((size, { from, to }) => size + to - from + 1, totalOf(settled));
}

/** The time limit and the cancellation of a search. */
export class SearchTimeout {
  readonly signal: AbortSignal | undefined;
  readonly #time: CallTime;

  constructor(time: CallTime, signal?: AbortSignal) {
    this.#time = time;
    this.signal = signal;
  }

  /** The time limit of a command, in whole milliseconds; at least 1, because 0 means no limit. */
  get maxTimeMS(): number {
    return Math.max(1, Math.ceil(this.#time.leftMs));
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE when the caller aborts */
  async untilAborted<T>(pending: Promise<T>): Promise<T> {
    const { signal } = this;
    if (signal === undefined) return pending;
    let onAbort = () => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(storageUnavailable());
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([pending, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE after the time limit or an abort */
  assertTimeLeft(): void {
    if (this.signal?.aborted === true || this.#time.leftMs <= 0) throw storageUnavailable();
  }
}
