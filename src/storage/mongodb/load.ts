/** Filling MongoDB with everything of another store. */

import type { Collection, Document } from 'mongodb';

import type { ListEnd } from '../../domain/list/list-end.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { Storage, StoredItem } from '../storage.ts';
import type { WriteIntent } from './write-intent.ts';
import { openWrite } from './write-intent.ts';
import type { Collections, Database } from './database.ts';
import type { ClaimDocument, MapDocument } from './documents.ts';
import { toGeocodeDocument } from './geocodes.ts';
import { withIndexed } from './search/indexed.ts';
import { newLogId } from '../log-id.ts';
import type { ListStates } from './list-state.ts';
import { toDocument } from './location-documents.ts';
import { EMPTY_LOG } from './map-log.ts';
import { toMapDocument } from './maps.ts';
import { toOwnerDocument } from './owners.ts';
import { SCHEMA_VERSION_KEY } from './schema-version.ts';
import { toTokenDocument } from './tokens.ts';
import { TOMBSTONE_GRACE_MS } from './tombstone.ts';
import { loadWebhooks } from './webhooks.ts';

type ItemOf<K extends StoredItem['kind']> = Extract<StoredItem, { kind: K }>;

const BY_ID = { hint: '_id_' } as const;
/** In this order; leases are of processes, and stay. */
const EMPTIED = [
  ...(['quotas', 'geocodes', 'webhooks', 'changes', 'claims', 'externalIds'] as const),
  ...(['locations', 'tokens', 'maps', 'owners'] as const),
];
/** Also those that the source gave out after it had told the map's end. */
const ALL_SEQUENCES = { from: 1, to: Number.MAX_SAFE_INTEGER };

/**
 * A map that is loaded announces all of its locations at once, in the statement that stores it. So its count is right
 * while they come, whatever else is loaded or removed at the same time. It is settled when all of them are there.
 */
export class Loader implements Pick<Storage, 'load' | 'removeAll'> {
  readonly #database: Database;
  readonly #lists: ListStates;
  /** Maps whose locations may still come, by id. */
  readonly #loading = new Map<string, WriteIntent>();

  constructor(database: Database, lists: ListStates) {
    this.#database = database;
    this.#lists = lists;
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
      // Statements may be under way still, so what was announced stays so.
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

  /** Nothing more will be loaded. */
  end(): void {
    this.#end(null);
  }

  /** The maps but this one have all their locations: a dump gives a map, what belongs to it, then the next map. */
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
        count: { settled: 0, open: [entry] },
        // Nobody goes on reading this log from a place of the one that it was copied from.
        log: { ...EMPTY_LOG, id: newLogId() },
      },
      write: this.#lists.recorded(map.id, entry),
    };
  }
}

/** @param maps those of the items, as they are stored */
async function store(
  collections: Collections,
  items: readonly StoredItem[],
  maps: readonly MapDocument[],
): Promise<void> {
  const { meta, owners, locations, externalIds, tokens, geocodes } = collections;
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
  await insertAll(collections.maps, maps);
  await insertAll(
    externalIds,
    of('location').flatMap(({ location: { mapId, id, externalId } }) =>
      externalId === null ? [] : [{ mapId, externalId, locationId: id, since: new Date(0), attempt: 'load' }],
    ),
  );
  await insertAll(locations, await withIndexed(of('location').map(({ location }) => toDocument(location))));
  await storeClaims(collections, of('idempotency'));
  await loadWebhooks(
    collections,
    of('webhook').map(({ webhook }) => webhook),
  );
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

/** Null for what belongs to no map. */
function mapIdOf(item: StoredItem): string | null {
  if (item.kind === 'map') return item.map.id;
  if (item.kind === 'location') return item.location.mapId;
  if (item.kind === 'webhook') return item.webhook.mapId;
  return item.kind === 'idempotency' ? item.scope.mapId : null;
}

async function storeClaims(
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
      location: toDocument(record.location, { claimedUntil: expiresAt }),
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
