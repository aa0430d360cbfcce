/** Reading everything in MongoDB, for copies and backups of the store. */

import type { FindCursor } from 'mongodb';

import type { Storage, StoredItem } from '../storage.ts';
import { completeClaims } from './idempotency-locks.ts';
import type { Collections, Database } from './database.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { documentsOf } from './for-each-batch.ts';
import { WITHOUT_INDEXED } from './search/indexed.ts';
import { toGeocode } from './geocodes.ts';
import type { ListStates } from './list-state.ts';
import { isLive, toLocation } from './location-documents.ts';
import { toMap } from './maps.ts';
import { toOwner } from './owners.ts';
import { SCHEMA_VERSION_KEY } from './schema-version.ts';
import { toToken } from './tokens.ts';
import { readWebhooks } from './webhooks.ts';

export function dumpStore(database: Database, lists: ListStates): Pick<Storage, 'dump' | 'snapshot'> {
  return {
    dump: (expiringAfter) => dump(database, lists, expiringAfter),
    snapshot: (expiringAfter) => eachItem(database, lists, expiringAfter, locationsBySequence),
  };
}

async function* dump(
  database: Database,
  lists: ListStates,
  expiringAfter: number,
): AsyncGenerator<StoredItem> {
  yield* eachItem(database, lists, expiringAfter, locationsInOrder);
  const { geocodes } = database.collections;
  for await (const document of documentsOf(database, geocodes.find().sort({ _id: 1 }).hint('_id_'))) {
    const geocode = toGeocode(document);
    if (geocode.expiresAt === null || geocode.expiresAt > expiringAfter) yield { kind: 'geocode', geocode };
  }
}

/** The locations of a map, and what is left of deleted ones. */
type LocationsOf = (
  collections: Collections,
  mapId: string,
) => FindCursor<LocationDocument | TombstoneDocument>;

const locationsInOrder: LocationsOf = ({ locations }, mapId) =>
  locations
    .find({ mapId, place: { $gt: '' } })
    .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
    .sort({ place: 1 })
    .hint('locations_in_order');

/** A sequence number never changes. So a location that is moved meanwhile is neither passed over nor met twice. */
const locationsBySequence: LocationsOf = ({ locations }, mapId) =>
  locations
    .find({ mapId, sequence: { $gt: 0 } })
    .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
    .sort({ sequence: 1 })
    .hint('locations_by_sequence');

async function* eachItem(
  database: Database,
  lists: ListStates,
  expiringAfter: number,
  locationsOf: LocationsOf,
): AsyncGenerator<StoredItem> {
  const { meta, owners, maps, tokens } = database.collections;
  for await (const { _id, value } of documentsOf(database, meta.find().sort({ _id: 1 }).hint('_id_'))) {
    // It says of this store how it is made, and nothing of what it holds.
    if (_id !== SCHEMA_VERSION_KEY) yield { kind: 'meta', key: _id, value };
  }
  for await (const owner of documentsOf(database, owners.find().sort({ _id: 1 }).hint('_id_'))) {
    yield { kind: 'owner', owner: toOwner(owner) };
  }
  for await (const document of documentsOf(database, maps.find().sort({ _id: 1 }).hint('_id_'))) {
    const { sequence, largestNumber } = document.end;
    yield { kind: 'map', map: toMap(document), end: { lastSequence: sequence, largestNumber } };
    yield* contentOfMap(database, lists, document._id, { expiringAfter, locationsOf });
  }
  for await (const token of documentsOf(database, tokens.find().sort({ _id: 1 }).hint('_id_'))) {
    // Without the owner's name, which is the owner's to keep.
    const { ownerName: _ownerName, ...record } = toToken(token);
    yield { kind: 'token', token: record };
  }
}

async function* contentOfMap(
  database: Database,
  lists: ListStates,
  mapId: string,
  { expiringAfter, locationsOf }: { readonly expiringAfter: number; readonly locationsOf: LocationsOf },
): AsyncGenerator<StoredItem> {
  const { claims } = database.collections;
  const unexpiredClaims = () =>
    claims
      .find({ mapId, expiresAt: { $gt: new Date(expiringAfter) } })
      .sort({ tokenId: 1, key: 1 })
      .hint('claims_by_key');
  // A location whose claim is stored is stored, also where a crash came between the two.
  for await (const claim of documentsOf(database, unexpiredClaims())) {
    await database.run((collections) => completeClaims({ collections, lists }, mapId, [claim]));
  }
  for await (const document of documentsOf(database, locationsOf(database.collections, mapId))) {
    if (isLive(document)) yield { kind: 'location', location: toLocation(document) };
  }
  for await (const { tokenId, key, digest, location, expiresAt } of documentsOf(
    database,
    unexpiredClaims(),
  )) {
    yield {
      kind: 'idempotency',
      scope: { mapId, tokenId },
      key,
      record: { digest, location: toLocation(location) },
      expiresAt: expiresAt.getTime(),
    };
  }
  const webhooks = await database.run((collections) => readWebhooks(collections, mapId));
  for (const webhook of webhooks.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    yield { kind: 'webhook', webhook };
  }
}
