/** Maps in MongoDB. */

import type { Filter, UpdateFilter } from 'mongodb';

import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type { ListEnd } from '../../domain/list/list-end.ts';
import { EMPTY_LIST } from '../../domain/list/list-end.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { MapUnavailable, MapPatch, MapsQuery, Storage } from '../storage.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Collections, Database } from './database.ts';
import type { MapDocument } from './documents.ts';
import { NOTHING_COUNTED } from './list-count.ts';
import { newVersion } from './list-version.ts';

type MapStorage = Pick<
  Storage,
  'insertMap' | 'getMaps' | 'listMaps' | 'countMaps' | 'updateMap' | 'listMapsWithKeys' | 'changeMapKeys'
>;

const TIME_DIGITS = 15;
/** Documents that a walk over many maps reads at a time. */
const WALK_BATCH = 500;

/** Without what belongs to its list. */
const OF_ITSELF = { projection: { end: 0, count: 0, log: 0, mover: 0 } } as const;

export function mapStore(database: Database): MapStorage {
  const findMap = createBatchedFind(
    database,
    ({ maps }, ids) => maps.find({ _id: { $in: ids } }, OF_ITSELF).toArray(),
    ({ _id }) => _id,
  );
  return {
    insertMap: (map, scope) =>
      database.run(async ({ maps }) => {
        await maps.insertOne(toMapDocument(map, EMPTY_LIST));
      }, scope),

    getMaps: async (ids, scope) => {
      const found = await Promise.all(ids.map((id) => findMap(id, scope)));
      return found.map((document) => (document === null ? null : toMap(document)));
    },

    listMaps: (query, scope) =>
      database.run(async ({ maps }) => {
        const range = maps.find(rangeOf(query), OF_ITSELF).limit(query.limit);
        // A single map is found by its id, and not among all of its owner's.
        const found = await (
          query.mapId === null
            ? range.sort({ place: query.fromEnd ? -1 : 1 }).hint('maps_by_owner')
            : range.hint('_id_')
        ).toArray();
        const page = found.map(toMap);
        return query.fromEnd ? page.reverse() : page;
      }, scope),

    countMaps: (query, scope) =>
      database.run(
        ({ maps }) =>
          maps.countDocuments(rangeOf({ ...query, after: null, before: null }), {
            hint: query.mapId === null ? 'maps_by_owner' : '_id_',
          }),
        scope,
      ),

    updateMap: (id, patch, { evenIfDeleted }, scope) =>
      database.run(async ({ maps }) => {
        const filter: Filter<MapDocument> = {
          _id: { $eq: id },
          ...(evenIfDeleted ? {} : { isDeleted: false }),
        };
        const update = toUpdate(patch);
        for (;;) {
          const document =
            update === null
              ? await maps.findOne(filter)
              : await maps.findOneAndUpdate(filter, update, { returnDocument: 'after' });
          if (document !== null) return { kind: 'updated', map: toMap(document) };
          const gone = await mapUnavailable({ maps }, id);
          // Null where it was restored between the two statements.
          if (gone !== null) return gone;
        }
      }, scope),

    listMapsWithKeys: () => walkMapsWithKeys(database),

    changeMapKeys: (changes) =>
      database.run(async ({ maps }) => {
        if (changes.length === 0) return 0;
        const updates = changes.map(({ mapId, name, from, to }) => ({
          updateOne: {
            filter: { _id: { $eq: mapId }, [name]: { $eq: from } },
            update: { $set: { [name]: to } },
          },
        }));
        return (await maps.bulkWrite(updates, { ordered: false })).modifiedCount;
      }),
  };
}

/** Why a map takes no part in a write, or null when it does. */
export async function mapUnavailable(
  { maps }: Pick<Collections, 'maps'>,
  id: string,
): Promise<MapUnavailable | null> {
  const map = await maps.findOne({ _id: { $eq: id } }, { projection: { isDeleted: 1 } });
  if (map === null) return { kind: 'map-missing' };
  return map.isDeleted ? { kind: 'map-deleted' } : null;
}

function sortTextOf({ createdAt, id }: MapSortKey): string {
  return `${String(createdAt).padStart(TIME_DIGITS, '0')}_${id}`;
}

function rangeOf({
  ownerId,
  mapId,
  after,
  before,
}: Omit<MapsQuery, 'limit' | 'fromEnd'>): Filter<MapDocument> {
  return {
    ownerId: { $eq: ownerId },
    // Every place is after the empty string. So both fields of the index are bounded, also without a cursor.
    place: {
      $gt: after === null ? '' : sortTextOf(after),
      ...(before === null ? {} : { $lt: sortTextOf(before) }),
    },
    ...(mapId === null ? {} : { _id: { $eq: mapId } }),
  };
}

function toUpdate({ updatedAt, ...patch }: MapPatch): UpdateFilter<MapDocument> | null {
  const members: [string, unknown][] = Object.entries({
    ...patch,
    updatedAt: updatedAt === undefined ? undefined : new Date(updatedAt),
  });
  const entries = members.filter(([, value]) => value !== undefined);
  if (entries.length === 0) return null;
  return {
    $set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    $unset: Object.fromEntries(entries.filter(([, value]) => value === null).map(([key]) => [key, ''])),
  };
}

async function* walkMapsWithKeys(database: Database): AsyncGenerator<MapRecord> {
  const withProviderKey: Filter<MapDocument> = { providerMapApiKey: { $type: 'string' } };
  const withGeocodingKey: Filter<MapDocument> = { geocodingApiKey: { $type: 'string' } };
  const halves = [
    { filter: withProviderKey, hint: 'maps_with_provider_key' },
    // The maps that have both were in the first half.
    {
      filter: { ...withGeocodingKey, providerMapApiKey: { $exists: false } },
      hint: 'maps_with_geocoding_key',
    },
  ] as const;
  for (const { filter, hint } of halves) {
    const cursor = database.collections.maps.find(filter).hint(hint).batchSize(WALK_BATCH);
    try {
      for (;;) {
        const document = await database.run(() => cursor.next());
        if (document === null) break;
        yield toMap(document);
      }
    } finally {
      // What failed is known already.
      await cursor.close().catch(() => {});
    }
  }
}

export function toMapDocument(map: MapRecord, { lastSequence, largestNumber }: ListEnd): MapDocument {
  return {
    _id: map.id,
    ownerId: map.ownerId,
    place: sortTextOf(map),
    name: map.name,
    isDeleted: map.isDeleted,
    isPublished: map.isPublished,
    createdAt: new Date(map.createdAt),
    updatedAt: new Date(map.updatedAt),
    providerMapApiKey: map.providerMapApiKey ?? undefined,
    geocodingApiKey: map.geocodingApiKey ?? undefined,
    fields: map.fields,
    // Whether there are texts is not known of a copy; looking for them costs a read and nothing else.
    end: { version: newVersion(), sequence: lastSequence, largestNumber, hasTexts: lastSequence > 0 },
    count: NOTHING_COUNTED,
  };
}

export function toMap(document: MapDocument): MapRecord {
  return {
    id: document._id,
    ownerId: document.ownerId,
    name: document.name,
    isDeleted: document.isDeleted,
    isPublished: document.isPublished,
    createdAt: document.createdAt.getTime(),
    updatedAt: (document.updatedAt ?? document.createdAt).getTime(),
    providerMapApiKey: document.providerMapApiKey ?? null,
    geocodingApiKey: document.geocodingApiKey ?? null,
    fields: document.fields,
  };
}
