/** Loads all records, for copies of the store and restores. */

import type { Collection, Document } from 'mongodb';

import type { ListEnd } from '../../../domain/list/list-end.ts';
import type { Invitation } from '../../../domain/invitation.ts';
import type { MapRecord } from '../../../domain/map.ts';
import { newLogId } from '../../change-entries.ts';
import type { LoadStorage, StoredItem } from '../../storage.ts';
import { toAccountDocument } from '../accounts.ts';
import type { Database } from '../database.ts';
import { toGeocodeDocument } from '../geocodes.ts';
import { loadChanges, loadRecords, loadVersions } from '../history/copies.ts';
import { loadLocks } from '../idempotency.ts';
import { toInvitationDocument } from '../invitations.ts';
import { toDocument, withIndexed } from '../locations/location-records.ts';
import { toLogoDocument } from '../logos.ts';
import { toMapDocument } from '../maps.ts';
import { SCHEMA_VERSION_KEY } from '../migrations.ts';
import { toOwnerDocument } from '../owners.ts';
import type { Collections, MapDocument } from '../schema.ts';
import { toTokenDocument } from '../tokens.ts';
import { loadWebhooks } from '../webhooks.ts';
import { EMPTY_LOG } from '../writes/map-log.ts';
import type { MapWrites } from '../writes/map-writes.ts';
import type { WriteIntent } from '../writes/write-intent.ts';
import { openWrite } from '../writes/write-intent.ts';

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
export class Loader implements LoadStorage {
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
