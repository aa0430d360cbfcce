/** Reads all records, for copies and backups of the store. */

import type { FindCursor } from 'mongodb';

import type { DumpStorage, StoredItem } from '../../storage.ts';
import { toAccount } from '../accounts.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';
import { toGeocode } from '../geocodes.ts';
import { eachRecord, eachVersion } from '../history/copies.ts';
import { completeLocks } from '../idempotency.ts';
import { invitationsOf } from '../invitations.ts';
import type { StoredLocation } from '../locations/location-records.ts';
import { WITHOUT_INDEXED, isLive, toLocation } from '../locations/location-records.ts';
import { getLogo } from '../logos.ts';
import { toMap } from '../maps.ts';
import { SCHEMA_VERSION_KEY } from '../migrations.ts';
import { toOwner } from '../owners.ts';
import type { Collections } from '../schema.ts';
import { toToken } from '../tokens.ts';
import { readWebhooks } from '../webhooks.ts';
import type { MapWrites } from '../writes/map-writes.ts';

export function dumpStore(database: Database, writes: MapWrites): DumpStorage {
  return {
    dump: (expiringAfter) => dump(database, writes, expiringAfter),
    snapshot: (expiringAfter) => eachItem(database, writes, expiringAfter, locationsBySequence),
  };
}

async function* dump(
  database: Database,
  writes: MapWrites,
  expiringAfter: number,
): AsyncGenerator<StoredItem> {
  yield* eachItem(database, writes, expiringAfter, locationsInOrder);
  const { geocodes } = database.collections;
  for await (const document of documentsOf(database, geocodes.find().sort({ _id: 1 }).hint('_id_'))) {
    const geocode = toGeocode(document);
    if (geocode.expiresAt === null || geocode.expiresAt > expiringAfter) yield { kind: 'geocode', geocode };
  }
}

/** A map's locations; tombstones are allowed. */
type LocationsOf = (collections: Collections, mapId: string) => FindCursor<StoredLocation>;

const locationsInOrder: LocationsOf = ({ locations }, mapId) =>
  locations
    .find({ mapId, place: { $gt: '' } })
    .project<StoredLocation>(WITHOUT_INDEXED)
    .sort({ place: 1 })
    .hint('locations_in_order');

/** Sequence numbers never change, so a location that moves meanwhile is neither skipped nor read twice. */
const locationsBySequence: LocationsOf = ({ locations }, mapId) =>
  locations
    .find({ mapId, sequence: { $gt: 0 } })
    .project<StoredLocation>(WITHOUT_INDEXED)
    .sort({ sequence: 1 })
    .hint('locations_by_sequence');

async function* eachItem(
  database: Database,
  writes: MapWrites,
  expiringAfter: number,
  locationsOf: LocationsOf,
): AsyncGenerator<StoredItem> {
  const { meta, owners, accounts, maps, tokens } = database.collections;
  for await (const { _id, value } of documentsOf(database, meta.find().sort({ _id: 1 }).hint('_id_'))) {
    // The version describes this database, not its content.
    if (_id !== SCHEMA_VERSION_KEY) yield { kind: 'meta', key: _id, value };
  }
  for await (const owner of documentsOf(database, owners.find().sort({ _id: 1 }).hint('_id_'))) {
    yield { kind: 'owner', owner: toOwner(owner) };
  }
  for await (const account of documentsOf(database, accounts.find().sort({ _id: 1 }).hint('_id_'))) {
    yield { kind: 'account', account: toAccount(account) };
  }
  for await (const document of documentsOf(database, maps.find().sort({ _id: 1 }).hint('_id_'))) {
    const { sequence, largestNumber } = document.end;
    yield { kind: 'map', map: toMap(document), end: { lastSequence: sequence, largestNumber } };
    const { logo: named } = document;
    if (named !== undefined) {
      const logo = await database.run((collections) => getLogo(collections, document._id, named.hash));
      if (logo !== null) yield { kind: 'logo', logo };
    }
    yield* contentOfMap(database, writes, document._id, { expiringAfter, locationsOf });
    for (const invitation of invitationsOf(document, expiringAfter)) yield { kind: 'invitation', invitation };
  }
  for await (const token of documentsOf(database, tokens.find().sort({ _id: 1 }).hint('_id_'))) {
    // The owner's name is part of the owner.
    const { ownerName: _ownerName, ...record } = toToken(token);
    yield { kind: 'token', token: record };
  }
}

async function* contentOfMap(
  database: Database,
  writes: MapWrites,
  mapId: string,
  { expiringAfter, locationsOf }: { readonly expiringAfter: number; readonly locationsOf: LocationsOf },
): AsyncGenerator<StoredItem> {
  const { claims } = database.collections;
  const unexpiredLocks = () =>
    claims
      .find({ mapId, expiresAt: { $gt: new Date(expiringAfter) } })
      .sort({ tokenId: 1, key: 1 })
      .hint('claims_by_key');
  // Inserts locations that a crash has left in their lock only.
  for await (const lock of documentsOf(database, unexpiredLocks())) {
    await database.run((collections) => completeLocks({ collections, writes }, mapId, [lock]));
  }
  for await (const document of documentsOf(database, locationsOf(database.collections, mapId))) {
    if (isLive(document)) yield { kind: 'location', location: toLocation(document) };
  }
  for await (const { tokenId, key, digest, location, expiresAt } of documentsOf(database, unexpiredLocks())) {
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
  await database.run(() => writes.settle(mapId));
  yield* eachRecord(database, mapId);
  yield* eachVersion(database, mapId);
}
