/** Reads and loads a whole store, for backups and copies. */

import type { Collection, Document, FindCursor } from 'mongodb';

import type { ListEnd } from '../../domain/list/list-end.ts';
import type { Invitation } from '../../domain/invitation.ts';
import type { MapRecord } from '../../domain/map.ts';
import { newLogId } from '../change-entries.ts';
import type { DumpStorage, StoredItem } from '../storage.ts';
import { toAccount, toAccountDocument } from './accounts.ts';
import type { Database } from './database.ts';
import { documentsOf } from './database.ts';
import { toGeocode, toGeocodeDocument } from './geocodes.ts';
import { eachRecord, eachVersion, loadChanges, loadRecords, loadVersions } from './history/copies.ts';
import { completeLocks, loadLocks } from './idempotency.ts';
import { invitationsOf, toInvitationDocument } from './invitations.ts';
import type { StoredLocation } from './locations/location-records.ts';
import {
  WITHOUT_INDEXED,
  isLive,
  toDocument,
  toLocation,
  withIndexed,
} from './locations/location-records.ts';
import { getLogo, toLogoDocument } from './logos.ts';
import { toMap, toMapDocument } from './maps.ts';
import { SCHEMA_VERSION_KEY } from './migrations.ts';
import { toOwner, toOwnerDocument } from './owners.ts';
import type { Collections, MapDocument } from './schema.ts';
import { toToken, toTokenDocument } from './tokens.ts';
import { loadWebhooks, readWebhooks } from './webhooks.ts';
import { EMPTY_LOG } from './writes/map-log.ts';
import type { MapWrites } from './writes/map-writes.ts';
import type { WriteIntent } from './writes/write-intent.ts';
import { openWrite } from './writes/write-intent.ts';

export function dumpStore(database: Database, writes: MapWrites): Pick<DumpStorage, 'dump' | 'snapshot'> {
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

type ItemOf<K extends StoredItem['kind']> = Extract<StoredItem, { kind: K }>;

const BY_ID = { hint: '_id_' } as const;
/** In this order. Leases belong to processes and stay. */
const EMPTIED = [
  ...(['quotas', 'geocodes', 'webhooks', 'changes', 'history', 'claims', 'keyedCalls'] as const),
  ...(['externalIds', 'logos'] as const),
  ...(['sessions', 'oneTimeSecrets', 'signInAttempts', 'accounts'] as const),
  ...(['versions', 'locations', 'tokens', 'maps', 'owners'] as const),
];
/** Includes those that the source assigns after it has dumped the map's end. */
const ALL_SEQUENCES = { from: 1, to: Number.MAX_SAFE_INTEGER };

/**
 * Loads maps with a write intent of all their locations, in the statement that inserts the map. So the count is right while
 * the locations arrive, whatever else happens to the map. The intent is done when all have arrived.
 */
export class Loader implements Pick<DumpStorage, 'load' | 'removeAll'> {
  readonly #database: Database;
  readonly #writes: MapWrites;
  /** The intents of maps whose locations may still arrive, by map id. */
  readonly #loading = new Map<string, WriteIntent>();

  constructor(database: Database, writes: MapWrites) {
    this.#database = database;
    this.#writes = writes;
  }

  async load(items: readonly StoredItem[]): Promise<void> {
    const maps = items.filter((item) => item.kind === 'map').map(({ map, end }) => this.#begin(map, end));
    try {
      await this.#database.run((collections) =>
        store(
          collections,
          items,
          maps.map(({ document }) => document),
        ),
      );
    } catch (error) {
      // Statements may still be in progress, so the intents stay open.
      this.#loading.clear();
      throw error;
    }
    for (const { document, write } of maps) this.#loading.set(document._id, write);
    const last = items.at(-1);
    if (last !== undefined) this.#end(mapIdOf(last));
  }

  async removeAll(keptMetaKeys: readonly string[]): Promise<void> {
    this.#loading.clear();
    await this.#database.run(async (collections) => {
      for (const name of EMPTIED) {
        await (collections[name] as unknown as Collection<Document>).deleteMany({}, BY_ID);
      }
      const kept = [...keptMetaKeys, SCHEMA_VERSION_KEY];
      await collections.meta.deleteMany({ _id: { $nin: kept } }, BY_ID);
    });
  }

  /** To be called after the last `load`. */
  end(): void {
    this.#end(null);
  }

  /** Ends the intents of all other maps: a dump has a map, its content, then the next map. */
  #end(current: string | null): void {
    for (const [mapId, write] of this.#loading) {
      if (mapId === current) continue;
      this.#loading.delete(mapId);
      write.done();
    }
  }

  #begin(map: MapRecord, end: ListEnd): { readonly document: MapDocument; readonly write: WriteIntent } {
    const entry = openWrite(ALL_SEQUENCES);
    return {
      document: {
        ...toMapDocument(map, end),
        count: { settled: [], open: [entry] },
        // Offsets in the source's log are not valid in this one.
        log: { ...EMPTY_LOG, id: newLogId() },
      },
      write: this.#writes.intentOf(map.id, entry),
    };
  }
}

/** @param maps the documents of the items that are maps */
async function store(
  collections: Collections,
  items: readonly StoredItem[],
  maps: readonly MapDocument[],
): Promise<void> {
  const { meta, owners, accounts, locations, externalIds, tokens, geocodes } = collections;
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
    accounts,
    of('account').map(({ account }) => toAccountDocument(account)),
  );
  await insertAll(collections.maps, maps);
  await insertAll(
    collections.logos,
    of('logo').map(({ logo }) => toLogoDocument(logo)),
  );
  await insertAll(
    externalIds,
    of('location').flatMap(({ location: { mapId, id, externalId } }) =>
      externalId === null ? [] : [{ mapId, externalId, locationId: id, since: new Date(0), attempt: 'load' }],
    ),
  );
  await insertAll(locations, await withIndexed(of('location').map(({ location }) => toDocument(location))));
  await loadLocks(collections, of('idempotency'));
  await loadWebhooks(
    collections,
    of('webhook').map(({ webhook }) => webhook),
  );
  await loadInvitations(
    collections,
    of('invitation').map(({ invitation }) => invitation),
  );
  await loadRecords(collections, of('history'));
  await loadChanges(collections, of('changes'));
  await loadVersions(collections, of('version'));
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

async function loadInvitations({ maps }: Collections, invitations: readonly Invitation[]): Promise<void> {
  if (invitations.length === 0) return;
  await maps.bulkWrite(
    invitations.map((invitation) => ({
      updateOne: {
        filter: { _id: { $eq: invitation.mapId } },
        update: { $push: { invitations: toInvitationDocument(invitation) } },
      },
    })),
  );
}

/** Null for an item that belongs to no map. */
function mapIdOf(item: StoredItem): string | null {
  if (item.kind === 'map') return item.map.id;
  if (item.kind === 'logo') return item.logo.mapId;
  if (item.kind === 'location') return item.location.mapId;
  if (item.kind === 'webhook') return item.webhook.mapId;
  if (item.kind === 'invitation') return item.invitation.mapId;
  if (item.kind === 'history') return item.history.mapId;
  if (item.kind === 'changes' || item.kind === 'version') return item.mapId;
  return item.kind === 'idempotency' ? item.scope.mapId : null;
}

async function insertAll<T>(
  collection: { insertMany(documents: readonly T[]): Promise<unknown> },
  documents: readonly T[],
): Promise<void> {
  if (documents.length > 0) await collection.insertMany(documents);
}
