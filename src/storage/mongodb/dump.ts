/** Reading and writing everything in MongoDB, for copies of the store. */

import type { Collection, Document, FindCursor } from 'mongodb';

import type { Storage, StoredItem } from '../storage.ts';
import { settle } from './claims.ts';
import type { Collections, Database } from './database.ts';
import type { ClaimDocument } from './documents.ts';
import { toGeocode, toGeocodeDocument } from './geocodes.ts';
import type { ListStates } from './list-state.ts';
import { isLive, toDocument, toLocation } from './location-documents.ts';
import { TOMBSTONE_GRACE_MS } from './locations.ts';
import { toMap, toMapDocument } from './maps.ts';
import { toOwner, toOwnerDocument } from './owners.ts';
import { SCHEMA_VERSION_KEY } from './schema-version.ts';
import { toToken, toTokenDocument } from './tokens.ts';

type DumpStorage = Pick<Storage, 'dump' | 'load' | 'removeAll'>;
type ItemOf<K extends StoredItem['kind']> = Extract<StoredItem, { kind: K }>;

/** Documents read at a time. */
const BATCH = 500;
const BY_ID = { hint: '_id_' } as const;

export function dumpCalls(database: Database, lists: ListStates): DumpStorage {
  return {
    dump: (expiringAfter) => dump(database, lists, expiringAfter),
    load: (items) => database.run((collections) => load(collections, items)),
    removeAll: (keptMetaKeys) =>
      database.run(async ({ meta, owners, tokens, maps, locations, claims, geocodes, quotas }) => {
        for (const collection of [quotas, geocodes, claims, locations, tokens, maps, owners]) {
          await (collection as unknown as Collection<Document>).deleteMany({}, BY_ID);
        }
        await meta.deleteMany({ _id: { $nin: [...keptMetaKeys, SCHEMA_VERSION_KEY] } }, BY_ID);
      }),
  };
}

async function* dump(
  database: Database,
  lists: ListStates,
  expiringAfter: number,
): AsyncGenerator<StoredItem> {
  const { meta, owners, maps, tokens, geocodes } = database.collections;
  for await (const { _id, value } of walk(database, meta.find().sort({ _id: 1 }).hint('_id_'))) {
    // It says of this store how it is made, and nothing of what it holds.
    if (_id !== SCHEMA_VERSION_KEY) yield { kind: 'meta', key: _id, value };
  }
  for await (const owner of walk(database, owners.find().sort({ _id: 1 }).hint('_id_'))) {
    yield { kind: 'owner', owner: toOwner(owner) };
  }
  for await (const document of walk(database, maps.find().sort({ _id: 1 }).hint('_id_'))) {
    const { sequence, largestNumber } = document.end;
    yield { kind: 'map', map: toMap(document), end: { lastSequence: sequence, largestNumber } };
    yield* dumpMap(database, lists, document._id, expiringAfter);
  }
  for await (const token of walk(database, tokens.find().sort({ _id: 1 }).hint('_id_'))) {
    // Without the owner's name, which is the owner's to keep.
    const { ownerName: _ownerName, ...record } = toToken(token);
    yield { kind: 'token', token: record };
  }
  for await (const document of walk(database, geocodes.find().sort({ _id: 1 }).hint('_id_'))) {
    const geocode = toGeocode(document);
    if (geocode.expiresAt === null || geocode.expiresAt > expiringAfter) yield { kind: 'geocode', geocode };
  }
}

async function* dumpMap(
  database: Database,
  lists: ListStates,
  mapId: string,
  expiringAfter: number,
): AsyncGenerator<StoredItem> {
  const { locations, claims } = database.collections;
  const counting = () =>
    claims
      .find({ mapId, expiresAt: { $gt: new Date(expiringAfter) } })
      .sort({ tokenId: 1, key: 1 })
      .hint('claims_by_key');
  // A location whose claim is stored is stored, also where a crash came between the two.
  for await (const claim of walk(database, counting())) {
    await database.run((collections) => settle({ collections, lists }, claim));
  }
  const inOrder = locations
    .find({ mapId, place: { $gt: '' } })
    .sort({ place: 1 })
    .hint('locations_in_order');
  for await (const document of walk(database, inOrder)) {
    if (isLive(document)) yield { kind: 'location', location: toLocation(document) };
  }
  for await (const { tokenId, key, digest, location, expiresAt } of walk(database, counting())) {
    yield {
      kind: 'idempotency',
      scope: { mapId, tokenId },
      key,
      record: { digest, location: toLocation(location) },
      expiresAt: expiresAt.getTime(),
    };
  }
}

/** A cursor's documents, each wait for the server within the time limit. */
async function* walk<T>(database: Database, cursor: FindCursor<T>): AsyncGenerator<T> {
  cursor.batchSize(BATCH);
  try {
    for (;;) {
      const document = await database.run(() => cursor.next());
      if (document === null) return;
      yield document;
    }
  } finally {
    // What failed is known already.
    await cursor.close().catch(() => {});
  }
}

async function load(collections: Collections, items: readonly StoredItem[]): Promise<void> {
  const { meta, owners, maps, locations, tokens, geocodes } = collections;
  const of = <K extends StoredItem['kind']>(kind: K) =>
    items.filter((item): item is ItemOf<K> => item.kind === kind);

  await insertAll(
    meta,
    of('meta').map(({ key, value }) => ({ _id: key, value })),
  );
  await insertAll(
    owners,
    of('owner').map(({ owner }) => toOwnerDocument(owner)),
  );
  await insertAll(
    maps,
    of('map').map(({ map, end }) => toMapDocument(map, end)),
  );
  await insertAll(
    locations,
    of('location').map(({ location }) => toDocument(location, location, undefined)),
  );
  await addToCounts(
    collections,
    of('location').map(({ location }) => location.mapId),
  );
  await loadClaims(collections, of('idempotency'));
  const ownersOfTokens = await owners
    .find({ _id: { $in: of('token').map(({ token }) => token.ownerId) } })
    .toArray();
  const names = new Map(ownersOfTokens.map(({ _id, name }) => [_id, name]));
  await insertAll(
    tokens,
    of('token').map(({ token }) => toTokenDocument(token, names.get(token.ownerId) ?? '')),
  );
  await insertAll(
    geocodes,
    of('geocode').map(({ geocode }) => toGeocodeDocument(geocode)),
  );
}

/** Not announced before: a load that is cut short is begun again on a store that was emptied. */
async function addToCounts({ maps }: Collections, mapIds: readonly string[]): Promise<void> {
  for (const mapId of new Set(mapIds)) {
    const added = mapIds.filter((other) => other === mapId).length;
    await maps.updateOne({ _id: { $eq: mapId } }, { $inc: { 'count.settled': added } });
  }
}

async function loadClaims(
  { locations, claims }: Collections,
  items: readonly ItemOf<'idempotency'>[],
): Promise<void> {
  await insertAll(
    claims,
    items.map(({ scope, key, record, expiresAt }): ClaimDocument => ({
      mapId: scope.mapId,
      tokenId: scope.tokenId,
      key,
      digest: record.digest,
      location: toDocument(record.location, record.location, expiresAt),
      expiresAt: new Date(expiresAt),
    })),
  );
  for (const { record, scope, expiresAt } of items) {
    const location = { mapId: scope.mapId, _id: record.location.id };
    const { matchedCount } = await locations.updateOne(location, {
      $set: { claimedUntil: new Date(expiresAt) },
    });
    if (matchedCount === 1) continue;
    // It was deleted: its id stays taken while the key counts, as after a deletion here.
    await locations.insertOne({ ...location, removeAfter: new Date(expiresAt + TOMBSTONE_GRACE_MS) });
  }
}

async function insertAll<T>(
  collection: { insertMany(documents: readonly T[]): Promise<unknown> },
  documents: readonly T[],
): Promise<void> {
  if (documents.length > 0) await collection.insertMany(documents);
}
