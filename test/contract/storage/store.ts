/** The store as a whole: emptiness, store values and close. */

import { gridOf } from '../../../src/domain/clusters.ts';
import { rangeOfTile } from '../../../src/domain/tiles/tile.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import { createTemplate } from '../../../src/domain/location-template.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  aMap,
  aMapLink,
  anInsert,
  anInvitation,
  append,
  aToken,
  aWebhook,
  collect,
  expectUnavailable,
  listPage,
  seedMap,
  seedOwner,
} from './fixtures.ts';
import { aKeyedCall } from './keyed-calls.ts';
import { aSecret, aSession, anAccount } from './accounts.ts';
import type { StorageTopic } from './harness.ts';

export const store: StorageTopic = {
  name: 'store',
  cases: [
    {
      name: 'a new store is empty and serves calls',
      async run({ storage }) {
        await storage.ping();
        expect(await storage.isEmpty()).toBe(true);
        expect(await storage.listTokens()).toEqual([]);
        expect(await collect(storage.listMapsWithKeys())).toEqual([]);
      },
    },
    {
      name: 'a store with an owner is not empty',
      async run({ storage }) {
        await seedOwner(storage);
        expect(await storage.isEmpty()).toBe(false);
      },
    },
    {
      name: 'a store with tokens and maps is not empty, also when all are deleted or revoked',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        await storage.insertToken(aToken(owner.id, { revokedAt: 1 }));
        expect(await storage.isEmpty()).toBe(false);
        await seedMap(storage, { ownerId: owner.id, isDeleted: true });
        expect(await storage.isEmpty()).toBe(false);
      },
    },
    {
      name: 'a store with only store values is empty',
      async run({ storage }) {
        await storage.setMetaIfAbsent('key', 'value');
        expect(await storage.isEmpty()).toBe(true);
      },
    },
    {
      name: 'a value is stored once and stays',
      async run({ storage }) {
        expect(await storage.getMeta('key')).toBeNull();
        expect(await storage.setMetaIfAbsent('key', "it's ü 😀 {}")).toBe(true);
        expect(await storage.setMetaIfAbsent('key', 'another')).toBe(false);
        expect(await storage.getMeta('key')).toBe("it's ü 😀 {}");
        expect(await storage.setMetaIfAbsent('Key', '')).toBe(true);
        expect(await storage.getMeta('Key')).toBe('');
        expect(await storage.getMeta('other')).toBeNull();
      },
    },
    {
      name: 'a value replaces another',
      async run({ storage }) {
        await storage.setMeta('key', 'one');
        await storage.setMeta('key', 'two');
        await storage.setMeta('other', '');
        expect([await storage.getMeta('key'), await storage.getMeta('other')]).toEqual(['two', '']);
        expect(await storage.setMetaIfAbsent('other', 'x')).toBe(false);
      },
    },
    {
      name: 'deleting a value leaves the others',
      async run({ storage }) {
        await storage.setMeta('key', 'one');
        await storage.setMeta('key2', 'two');
        await storage.removeMeta('ke');
        expect(await storage.getMeta('key')).toBe('one');
        await storage.removeMeta('key');
        await storage.removeMeta('key');
        expect([await storage.getMeta('key'), await storage.getMeta('key2')]).toEqual([null, 'two']);
        expect(await storage.setMetaIfAbsent('key', 'again')).toBe(true);
      },
    },
    {
      name: 'of concurrent values, one is stored',
      async run({ storage }) {
        const responses = await Promise.all(
          Array.from({ length: 20 }, (_, index) => storage.setMetaIfAbsent('key', `value ${index}`)),
        );
        expect(responses.filter(Boolean)).toHaveLength(1);
        expect(await storage.getMeta('key')).toBe(`value ${responses.indexOf(true)}`);
      },
    },
    {
      name: 'closing again does nothing',
      async run({ storage }) {
        await storage.close();
        await storage.close();
        await Promise.all([storage.close(), storage.close()]);
      },
    },
    {
      name: 'every call after the close fails with STORAGE_UNAVAILABLE',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = await append(storage, map.id);
        await storage.close();
        for (const call of everyCall(storage, map.id, map.ownerId, location.id))
          await expectUnavailable(call());
      },
    },
    {
      name: 'the close waits for running calls',
      async run({ storage }) {
        const map = await seedMap(storage);
        const under = Array.from({ length: 20 }, () => append(storage, map.id));
        await storage.close();
        // Each was stored or refused: none hangs, and none fails in another way.
        for (const outcome of await Promise.allSettled(under)) {
          if (outcome.status === 'rejected') await expectUnavailable(Promise.reject(outcome.reason as Error));
          else expect(outcome.value.mapId).toBe(map.id);
        }
      },
    },
    {
      name: 'two openings see each other’s writes',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const map = await seedMap(storage);
        const one = await append(storage, map.id);
        const other = await openAgain();
        expect(await other.getMaps([map.id])).toEqual([map]);
        expect(await listPage(other, map.id)).toEqual([one]);
        const two = await append(other, map.id);
        expect(await listPage(storage, map.id)).toEqual([one, two]);
        await other.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        const refused = await storage.insertLocations(map.id, [anInsert(map.id)], 0);
        expect(refused).toEqual({ kind: 'map-deleted' });
      },
    },
  ],
};

/** One call of every method of the port. */
const EVERYTHING = readFilter({}, 'filter');
const SOMETHING = readFilter({ search: 'a' }, 'filter');

function everyCall(
  storage: Storage,
  mapId: string,
  ownerId: string,
  locationId: string,
): readonly (() => Promise<unknown>)[] {
  const page = { limit: 1, fromEnd: false, after: null, before: null };
  const calls: Record<Exclude<keyof Storage, 'close' | 'watchChanges'>, () => Promise<unknown>> = {
    ping: () => storage.ping(),
    isEmpty: () => storage.isEmpty(),
    getMeta: () => storage.getMeta('key'),
    setMetaIfAbsent: () => storage.setMetaIfAbsent('key', 'value'),
    listPublishedMaps: () => storage.listPublishedMaps({ after: null, limit: 1 }),
    findOrCreateOwner: () => storage.findOrCreateOwner({ id: 'owner', name: 'name', createdAt: 0 }),
    findOwnerByName: () => storage.findOwnerByName('name'),
    findOwner: () => storage.findOwner(ownerId),
    findOwners: () => storage.findOwners([ownerId]),
    renameOwner: () => storage.renameOwner(ownerId, 'name'),
    setDisplayName: () => storage.setDisplayName(ownerId, 'Name'),
    listOwners: () => storage.listOwners(),
    insertAccount: () => storage.insertAccount(anAccount(ownerId)),
    findAccount: () => storage.findAccount(ownerId),
    listAccounts: () => storage.listAccounts(),
    updateAccount: () => storage.updateAccount(ownerId, { isDisabled: true }),
    insertOneTimeSecret: () => storage.insertOneTimeSecret(aSecret('hash')),
    findOneTimeSecret: () => storage.findOneTimeSecret('hash', 0),
    takeOneTimeSecret: () => storage.takeOneTimeSecret('hash', 0),
    removeOneTimeSecrets: () => storage.removeOneTimeSecrets(ownerId),
    insertSession: () => storage.insertSession(aSession(ownerId, 'session')),
    findSessionByHash: () => storage.findSessionByHash('hash'),
    listSessions: () => storage.listSessions(ownerId),
    removeSessions: () => storage.removeSessions(ownerId, { except: null }),
    saveSessionUses: () => storage.saveSessionUses([{ sessionId: 's', usedAt: 0, expiresAt: 0 }], 0),
    takeAttempts: () => storage.takeAttempts(['name'], { most: 1, now: 0, expiresAt: 1 }),
    returnAttempts: () => storage.returnAttempts([{ name: 'name', id: 'id' }]),
    insertToken: () => storage.insertToken(aToken(ownerId)),
    findTokenByHash: () => storage.findTokenByHash('hash'),
    findToken: () => storage.findToken('token'),
    listTokens: () => storage.listTokens(),
    revokeToken: () => storage.revokeToken('token', 0),
    saveTokenUses: () => storage.saveTokenUses([{ tokenId: 'token', usedAt: 0 }], 0),
    insertMap: () => storage.insertMap(aMap(ownerId)),
    getMaps: () => storage.getMaps([mapId]),
    listMaps: () => storage.listMaps({ ...page, ownerId, mapId: null }),
    countMaps: () => storage.countMaps({ ownerId, mapId: null }),
    updateMap: () => storage.updateMap(mapId, { name: 'x' }, { evenIfDeleted: true }),
    changeMembers: () => storage.changeMembers(mapId, { kind: 'remove', ownerId }, 0),
    insertInvitation: () => storage.insertInvitation(anInvitation(mapId, ownerId)),
    listInvitations: () => storage.listInvitations(mapId, 0),
    findInvitation: () => storage.findInvitation('hash', 0),
    useInvitation: () => storage.useInvitation('hash', ownerId, 0),
    removeInvitation: () => storage.removeInvitation(mapId, 'invitation'),
    insertMapLink: () => storage.insertMapLink(aMapLink(mapId, ownerId)),
    getLogo: () => storage.getLogo(mapId, 'ab'),
    listMapLinks: () => storage.listMapLinks(mapId, 0),
    replaceMapLink: () => storage.replaceMapLink(mapId, 'link', 'hash', 0),
    revokeMapLink: () => storage.revokeMapLink(mapId, 'link', 0),
    listMapsWithKeys: () => collect(storage.listMapsWithKeys()),
    changeMapKeys: () =>
      storage.changeMapKeys([{ mapId, name: 'geocodingApiKey', from: 'one', to: 'other' }]),
    insertLocations: () => storage.insertLocations(mapId, [anInsert(mapId)], 0),
    findIdempotencyRecords: () => storage.findIdempotencyRecords({ tokenId: 't', mapId }, ['key'], 0),
    holdKeyedCall: () => storage.holdKeyedCall({ tokenId: 't', mapId }, 'key', aKeyedCall(), 0),
    endKeyedCall: () => storage.endKeyedCall({ tokenId: 't', mapId }, 'key', aKeyedCall(), null),
    removeKeyedCall: () => storage.removeKeyedCall({ tokenId: 't', mapId }, 'key', aKeyedCall()),
    getLocations: () => storage.getLocations(mapId, [locationId]),
    findLocationsByExternalIds: () => storage.findLocationsByExternalIds(mapId, ['external']),
    updateLocations: () => storage.updateLocations(mapId, []),
    moveLocations: () => storage.moveLocations(mapId, { ids: [locationId], position: { kind: 'end' } }, 0),
    listLocations: () => storage.listLocations(mapId, page),
    listLocationsJson: () => storage.listLocationsJson(mapId, page, createTemplate([{ value: 'id' }])),
    exportLocations: () =>
      storage.exportLocations(mapId, page, { format: 'csv', fields: [], isForSpreadsheet: false }),
    hasLocations: () => storage.hasLocations(mapId, page),
    locationAt: () => storage.locationAt(mapId, { skipped: 0, fromEnd: false }),
    countLocations: () => storage.countLocations(mapId),
    countByGeocoding: () => storage.countByGeocoding(mapId),
    listRevision: () => storage.listRevision(mapId),
    deleteLocation: () => storage.deleteLocation(mapId, locationId),
    deleteLocations: () => storage.deleteLocations(mapId, [locationId]),
    readChanges: () => storage.readChanges(mapId, { number: 0, stamp: '0' }, 1),
    lastChange: () => storage.lastChange(mapId),
    removeOldChanges: () => storage.removeOldChanges(0),
    listHistory: () =>
      storage.listHistory(mapId, { limit: 1, after: null }, { since: null, until: null, operation: null }),
    findHistory: () => storage.findHistory(mapId, ['history']),
    changesOfCall: () => storage.changesOfCall(mapId, 'history', { limit: 1, after: 0 }),
    findCreation: () => storage.findCreation(mapId, { id: locationId, createdAt: 0 }),
    listVersions: () => storage.listVersions(mapId, locationId, { limit: 1, before: null }),
    findReplacedVersions: () => storage.findReplacedVersions(mapId, 'history', [locationId]),
    listTrash: () => storage.listTrash(mapId, { limit: 1, after: null }, { deletedSince: 0, matches: null }),
    findTrashed: () => storage.findTrashed(mapId, [locationId]),
    restoreLocations: () => storage.restoreLocations(mapId, [{ id: locationId, version: 1 }], 0),
    purgeLocations: () => storage.purgeLocations(mapId, [locationId]),
    removeOldHistory: () =>
      storage.removeOldHistory(
        { recordsSince: 0, versionsSince: 0, trashSince: 0, mostVersions: 1 },
        null,
        1,
      ),
    deleteVersions: () => storage.deleteVersions(mapId, [{ id: locationId, version: 1 }]),
    findLocations: () =>
      storage.findLocations(
        { maps: [{ id: mapId, createdAt: 0, fields: [] }], filter: EVERYTHING, order: LIST_ORDER },
        page,
      ),
    findLocationsJson: () =>
      storage.findLocationsJson(
        { maps: [{ id: mapId, createdAt: 0, fields: [] }], filter: EVERYTHING, order: LIST_ORDER },
        page,
        createTemplate([{ value: 'id' }]),
      ),
    countMatches: () =>
      storage.countMatches({ maps: [{ id: mapId, createdAt: 0, fields: [] }], filter: SOMETHING }),
    findVersions: () =>
      storage.findVersions({ map: { id: mapId, createdAt: 0, fields: [] }, filter: EVERYTHING }, 1),
    findClusters: () =>
      storage.findClusters({
        map: { id: mapId, createdAt: 0, fields: [] },
        filter: null,
        grid: gridOf({ south: 0, west: 0, north: 1, east: 1 }, 0),
        limit: 1,
      }),
    readColumns: () =>
      storage.readColumns({
        ...{ mapId, range: rangeOfTile({ zoom: 0, x: 0, y: 0 }) },
        ...{ limit: 1, fields: [], maxFieldBytes: 1 },
      }),
    getGeocode: () => storage.getGeocode('key', 0),
    putGeocode: () =>
      storage.putGeocode({ key: 'k', provider: 'p', mapId: null, place: null, storedAt: 0, expiresAt: null }),
    takeQuota: () => storage.takeQuota([{ name: 'n', limit: 1 }], 0),
    removeExpired: () => storage.removeExpired(0),
    insertWebhook: () => storage.insertWebhook(aWebhook(mapId), 1),
    listWebhooks: () => storage.listWebhooks(mapId),
    pageWebhooks: () => storage.pageWebhooks({ limit: 1, after: null, enabledOnly: true }),
    updateWebhook: () => storage.updateWebhook(mapId, 'webhook', {}, null),
    deleteWebhook: () => storage.deleteWebhook(mapId, 'webhook'),
    holdLease: () => storage.holdLease('lease', 'holder', 1),
    dropLease: () => storage.dropLease('lease', 'holder'),
    setMeta: () => storage.setMeta('key', 'value'),
    removeMeta: () => storage.removeMeta('key'),
    dump: () => collect(storage.dump(0)),
    snapshot: () => collect(storage.snapshot(0)),
    load: () => storage.load([{ kind: 'meta', key: 'key', value: 'value' }]),
    removeAll: () => storage.removeAll([]),
  };
  return Object.values(calls);
}
