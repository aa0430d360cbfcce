/** Reads the locations that a query finds, for as long as the call may take. */

import type { AbstractCursor, Document, FindCursor } from 'mongodb';

import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { presenceWith } from '../../../domain/filter/property-presence.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { storageUnavailable } from '../../../errors.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import type { Collections } from '../database.ts';
import type {
  ExternalIdDocument,
  IndexedLocation,
  LocationDocument,
  MapDocument,
  TombstoneDocument,
} from '../documents.ts';
import type { ListCount } from '../list-count.ts';
import { isLive, toLocation } from '../location-documents.ts';
import { rangeOf } from '../range.ts';
import type { SearchTimeout } from './search-timeout.ts';
import { WITHOUT_INDEXED } from './indexed.ts';
import type { LocationQuery } from './queries.ts';
import { chunksOf, MAX_IDS, oneOf } from './queries.ts';

type Cursor = FindCursor<LocationDocument | TombstoneDocument>;

/** Documents sent at a time. The server sends fewer where they are large: 16 MB at most. */
const BATCH = 1_000;

export class LocationReader {
  readonly collections: Collections;
  readonly time: SearchTimeout;

  constructor(collections: Collections, time: SearchTimeout) {
    this.collections = collections;
    this.time = time;
  }

  /** In no order. */
  read(query: LocationQuery): AsyncGenerator<LocationRecord> {
    return this.#locations(this.#find(query).batchSize(BATCH));
  }

  /**
   * By place.
   *
   * @param few read at first; whoever wants no more costs no more
   */
  async *readList(
    mapId: string,
    { after, before }: Pick<PageRequest<SortKey>, 'after' | 'before'>,
    { backwards, few }: { readonly backwards: boolean; readonly few: number },
  ): AsyncGenerator<LocationRecord> {
    const find = (range: Pick<PageRequest<SortKey>, 'after' | 'before'>) =>
      this.#find({ filter: rangeOf(mapId, range), hint: 'locations_in_order' }).sort({
        place: backwards ? -1 : 1,
      });
    let read = 0;
    let last: SortKey | null = null;
    for await (const location of this.#locations(
      find({ after, before })
        .limit(few)
        .batchSize(few + 1),
    )) {
      read += 1;
      last = location;
      yield location;
    }
    if (read < few || last === null) return;
    const rest = backwards ? { after, before: last } : { after: last, before };
    yield* this.#locations(find(rest).batchSize(BATCH));
  }

  /** The ids of locations that have these external ids, or are about to have them. */
  async findIds(mapIds: readonly string[], externalIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const some of chunksOf(externalIds, MAX_IDS)) {
      this.time.assertLeft();
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
   * The shapes of a map's locations, which takes a query for each of them.
   *
   * @param asked the names that they are asked about
   * @returns null where there are more than `most`
   */
  async findPresences(
    mapId: string,
    asked: ReadonlySet<string>,
    most: number,
  ): Promise<readonly PropertyPresence[] | null> {
    const presences: PropertyPresence[] = [];
    for (let last = ''; ;) {
      this.time.assertLeft();
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
      const found = await this.time.whileWanted(next);
      if (found === null) return presences;
      if (presences.length >= most) return null;
      presences.push(presenceWith(found.shape, JSON.parse(found.properties) as JsonObject, asked));
      last = found.shape;
    }
  }

  /** At least as many locations as each of the maps has, without counting any. */
  async findSizes(mapIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    this.time.assertLeft();
    const maps = await this.collections.maps
      .find({ _id: oneOf(mapIds) }, { hint: '_id_', maxTimeMS: this.time.maxTimeMS })
      .project<Pick<MapDocument, '_id' | 'count'>>({ count: 1 })
      .toArray();
    return new Map(maps.map(({ _id, count }) => [_id, sizeOf(count)]));
  }

  /** How many documents the query finds, as far as the limit. */
  async count({ filter, hint }: LocationQuery, limit: number): Promise<number> {
    this.time.assertLeft();
    const { maxTimeMS, signal } = this.time;
    const options = { hint, limit, maxTimeMS, ...(signal === undefined ? {} : { signal }) };
    return this.collections.locations.countDocuments(filter, options);
  }

  /** What the server makes of the documents that a query finds. */
  async *aggregate<T extends Document>(
    { filter, hint }: LocationQuery,
    stages: readonly Document[],
  ): AsyncGenerator<T> {
    const { maxTimeMS, signal } = this.time;
    const options = { hint, maxTimeMS, batchSize: BATCH, ...(signal === undefined ? {} : { signal }) };
    yield* this.#walk(this.collections.locations.aggregate<T>([{ $match: filter }, ...stages], options));
  }

  #find({ filter, hint }: LocationQuery): Cursor {
    const { maxTimeMS, signal } = this.time;
    return this.collections.locations
      .find(filter, { maxTimeMS, ...(signal === undefined ? {} : { signal }) })
      .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
      .hint(hint);
  }

  async *#locations(cursor: Cursor): AsyncGenerator<LocationRecord> {
    for await (const document of this.#walk(cursor)) if (isLive(document)) yield toLocation(document);
  }

  async *#walk<T>(cursor: AbstractCursor<T>): AsyncGenerator<T> {
    const yieldIfDue = yieldWhenLong();
    try {
      for (;;) {
        this.time.assertLeft();
        if (!(await this.time.whileWanted(cursor.hasNext()))) return;
        for (const document of cursor.readBufferedDocuments()) {
          const pause = yieldIfDue();
          if (pause !== undefined) {
            await pause;
            this.time.assertLeft();
          }
          yield document;
        }
      }
    } catch (error) {
      throw this.time.signal?.aborted === true ? storageUnavailable(error) : error;
    } finally {
      // Nobody waits for it: the server may be what hangs. What failed is known already.
      void cursor.close().catch(() => {});
    }
  }
}

/** What is being written counts as if it were there. */
function sizeOf({ settled, open }: ListCount): number {
  return open.reduce((size, { from, to }) => size + to - from + 1, settled);
}
