/** Maps in MongoDB. */

import type { Filter, UpdateFilter } from 'mongodb';
import { ObjectId } from 'mongodb';

import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type { ListEnd } from '../../domain/list/list-end.ts';
import { EMPTY_LIST } from '../../domain/list/list-end.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { MapMember } from '../../domain/members.ts';
import type { MapPatch, MapsQuery, MapStorage, MapUnavailable, PublishedMapEntry } from '../storage.ts';
import { createBatchedFind } from './batched-find.ts';
import type { Database } from './database.ts';
import { documentsOf } from './database.ts';
import { putLogo, settleLogos } from './logos.ts';
import type { Collections, MapDocument, MemberDocument } from './schema.ts';
import { EMPTY_COUNT } from './writes/count.ts';

const TIME_DIGITS = 15;
/** Without the state of its list. */
export const WITHOUT_LIST = { projection: { end: 0, count: 0, log: 0, mover: 0 } } as const;
const WITHOUT_INVITATIONS = { projection: { ...WITHOUT_LIST.projection, invitations: 0 } } as const;

export function mapStore(database: Database): MapStorage {
  const findMap = createBatchedFind(
    database,
    ({ maps }, ids) => maps.find({ _id: { $in: ids } }, WITHOUT_INVITATIONS).toArray(),
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

    listMaps: (query, scope) => database.run((collections) => listMaps(collections, query), scope),

    countMaps: (query, scope) =>
      database.run(
        ({ maps }) =>
          maps.countDocuments(rangeOf({ ...query, after: null, before: null }), {
            hint: query.mapId === null ? 'maps_by_member' : '_id_',
          }),
        scope,
      ),

    listPublishedMaps: (page, scope) =>
      database.run((collections) => listPublishedMaps(collections, page), scope),

    updateMap: (id, patch, { evenIfDeleted, logo }, scope) =>
      database.run(async (collections) => {
        // A map never names a file that is not stored yet.
        if (logo !== undefined && (await takesWrites(collections, id, evenIfDeleted))) {
          await putLogo(collections, logo);
        }
        const result = await updateMap(collections, id, patch, evenIfDeleted);
        if (patch.logo !== undefined && result.kind === 'updated') {
          await settleLogos(collections, id, logo ?? null);
        }
        return result;
      }, scope),

    listMapsWithKeys: () => readMapsWithKeys(database),

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

async function listMaps({ maps }: Collections, query: MapsQuery): Promise<readonly MapRecord[]> {
  const range = maps.find(rangeOf(query), WITHOUT_INVITATIONS).limit(query.limit);
  // With a map's id, the index on it is faster than the member's range.
  const found = await (
    query.mapId === null
      ? range.sort({ place: query.fromEnd ? -1 : 1 }).hint('maps_by_member')
      : range.hint('_id_')
  ).toArray();
  const page = found.map(toMap);
  return query.fromEnd ? page.reverse() : page;
}

async function listPublishedMaps(
  { maps }: Collections,
  { after, limit }: Parameters<MapStorage['listPublishedMaps']>[0],
): Promise<readonly PublishedMapEntry[]> {
  const found = await maps
    .find({ isPublished: { $eq: true }, isDeleted: { $eq: false }, _id: { $gt: after ?? '' } })
    .sort({ _id: 1 })
    .hint('maps_published')
    .limit(limit)
    .project<Pick<MapDocument, '_id' | 'createdAt' | 'updatedAt' | 'log'>>({
      createdAt: 1,
      updatedAt: 1,
      'log.lastAt': 1,
    })
    .toArray();
  return found.map(({ _id, createdAt, updatedAt = createdAt, log }) => ({
    id: _id,
    changedAt: Math.max(updatedAt.getTime(), log?.lastAt?.getTime() ?? 0),
  }));
}

async function updateMap(
  { maps }: Collections,
  id: string,
  patch: MapPatch,
  evenIfDeleted: boolean,
): ReturnType<MapStorage['updateMap']> {
  const filter: Filter<MapDocument> = { _id: { $eq: id }, ...(evenIfDeleted ? {} : { isDeleted: false }) };
  const update = toUpdate(patch);
  for (;;) {
    const document =
      update === null
        ? await maps.findOne(filter)
        : await maps.findOneAndUpdate(filter, update, { returnDocument: 'after' });
    if (document !== null) return { kind: 'updated', map: toMap(document) };
    const unavailable = await mapUnavailable({ maps }, id);
    // Null if the map was restored between the two statements.
    if (unavailable !== null) return unavailable;
  }
}

async function takesWrites(collections: Collections, id: string, evenIfDeleted: boolean): Promise<boolean> {
  const unavailable = await mapUnavailable(collections, id);
  return unavailable === null || (evenIfDeleted && unavailable.kind === 'map-deleted');
}

/** Why a map cannot be written to; null if it can. */
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
    'members.ownerId': { $eq: ownerId },
    // The empty string precedes every place: it bounds both fields of the index without a cursor.
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

async function* readMapsWithKeys(database: Database): AsyncGenerator<MapRecord> {
  const withProviderKey: Filter<MapDocument> = { providerMapApiKey: { $type: 'string' } };
  const withGeocodingKey: Filter<MapDocument> = { geocodingApiKey: { $type: 'string' } };
  const passes = [
    { filter: withProviderKey, hint: 'maps_with_provider_key' },
    // The first pass has the maps with both keys.
    {
      filter: { ...withGeocodingKey, providerMapApiKey: { $exists: false } },
      hint: 'maps_with_geocoding_key',
    },
  ] as const;
  for (const { filter, hint } of passes) {
    const maps = database.collections.maps.find(filter).hint(hint);
    for await (const document of documentsOf(database, maps)) yield toMap(document);
  }
}

export function toMapDocument(map: MapRecord, { lastSequence, largestNumber }: ListEnd): MapDocument {
  return {
    _id: map.id,
    ownerId: map.ownerId,
    members: map.members.map(toMemberDocument),
    place: sortTextOf(map),
    name: map.name,
    isDeleted: map.isDeleted,
    isPublished: map.isPublished,
    createdAt: new Date(map.createdAt),
    updatedAt: new Date(map.updatedAt),
    providerMapApiKey: map.providerMapApiKey ?? undefined,
    geocodingApiKey: map.geocodingApiKey ?? undefined,
    geocoding: map.geocoding ?? undefined,
    fields: map.fields,
    language: map.language ?? undefined,
    timeZone: map.timeZone ?? undefined,
    theme: map.theme ?? undefined,
    logo: map.logo ?? undefined,
    categories: map.categories.length === 0 ? undefined : map.categories,
    // A copy may have texts; a wrong `hasTexts` costs one read per append.
    end: { version: newListVersion(), sequence: lastSequence, largestNumber, hasTexts: lastSequence > 0 },
    count: EMPTY_COUNT,
  };
}

export function toMap(document: MapDocument): MapRecord {
  return {
    id: document._id,
    ownerId: document.ownerId,
    members: document.members.map(toMember),
    name: document.name,
    isDeleted: document.isDeleted,
    isPublished: document.isPublished,
    createdAt: document.createdAt.getTime(),
    updatedAt: (document.updatedAt ?? document.createdAt).getTime(),
    providerMapApiKey: document.providerMapApiKey ?? null,
    geocodingApiKey: document.geocodingApiKey ?? null,
    geocoding: document.geocoding ?? null,
    fields: document.fields,
    language: document.language ?? null,
    timeZone: document.timeZone ?? null,
    theme: document.theme ?? null,
    logo: document.logo ?? null,
    categories: document.categories ?? [],
  };
}

export function toMemberDocument({ ownerId, role, since }: MapMember): MemberDocument {
  return { ownerId, role, since: new Date(since) };
}

export function toMember({ ownerId, role, since }: MemberDocument): MapMember {
  return { ownerId, role, since: since.getTime() };
}

/**
 * A version of a map's list that never repeats, so that a later state is never taken for the one that was read. A counter
 * would repeat: after a failover that rolls a write back, and in a restored copy.
 */
export function newListVersion(): string {
  return new ObjectId().toHexString();
}
