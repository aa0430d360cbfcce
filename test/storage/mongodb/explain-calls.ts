/** A store for explained plans, and at least one call of every method of the port. */

import { EventEmitter, once } from 'node:events';

import { gridOf } from '../../../src/domain/clusters.ts';
import { rangeOfTile } from '../../../src/domain/tiles/tile.ts';
import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { EVERYTHING, readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { SearchSortKey, OrderInput } from '../../../src/domain/filter/location-order.ts';
import { LIST_ORDER, readOrder, SEQUENCE_ORDER } from '../../../src/domain/filter/location-order.ts';
import { createTemplate } from '../../../src/domain/location-template.ts';
import { newLocationId } from '../../../src/domain/ids.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MovePosition } from '../../../src/domain/list/move-plan.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SearchStore } from '../../../src/storage/search.ts';
import type { LocationInsert, Storage } from '../../../src/storage/storage.ts';
import {
  aLogo,
  aMap,
  anInsert,
  aMapLink,
  anInvitation,
  anUpdate,
  append,
  aToken,
  aWebhook,
  collect,
  insertOne,
  insertOrders,
  locationOf,
  NOW,
  seedOwner,
  setLogo,
  startOf,
} from '../../contract/storage/fixtures.ts';
import { aKeyedCall } from '../../contract/storage/keyed-calls.ts';
import { aSecret, aSession, anAccount } from '../../contract/storage/accounts.ts';
import { aCall, change, insert, remove } from '../../contract/storage/history.ts';

const MAPS = 200;
const LOCATIONS_OF_A_MAP = 250;
/** FerretDB sorts the results of an index, so a larger map would take long there. */
const LARGE_MAP = 1_900;

/** A box without locations. */
const BOX = { south: -40, west: 100, north: -20, east: 140 };

export interface Seeded {
  readonly ownerId: string;
  readonly map: MapRecord;
  /** The map with the most locations. */
  readonly large: MapRecord;
  /** Its locations. */
  readonly historic: LocationRecord;
  readonly keyed: string;
  readonly keyless: string;
  readonly other: string;
}

/**
 * Seeds through the port, so that the plans are those of real documents.
 *
 * @param size locations of each map except the large one
 */
export async function seed(storage: Storage, size = LOCATIONS_OF_A_MAP): Promise<Seeded> {
  const { id: ownerId } = await seedOwner(storage);
  await storage.setMetaIfAbsent('seeded', 'yes');
  const maps = Array.from({ length: MAPS }, (_, index) =>
    aMap(ownerId, { geocodingApiKey: index % 10 === 0 ? 'sealed' : null }),
  );
  const large = aMap(ownerId, { providerMapApiKey: 'sealed' });
  await Promise.all([...maps, large].map((map) => storage.insertMap(map)));
  for (let index = 0; index < 3; index += 1) {
    const overrides = { id: `invitation-${index}`, hash: `hash-${index}` };
    await storage.insertInvitation(anInvitation(maps[0]!.id, ownerId, overrides));
  }
  await storage.insertInvitation(anInvitation(maps[1]!.id, ownerId, { expiresAt: 0 }));
  for (let index = 0; index < 3; index += 1) {
    await storage.insertMapLink(aMapLink(maps[0]!.id, ownerId, { id: `link-${index}` }));
  }
  for (let index = 0; index < 20; index += 1) {
    await storage.insertToken(aToken(ownerId));
    const other = { id: `owner-${index}`, name: `owner ${index}`, createdAt: 0 };
    await storage.findOrCreateOwner(other);
    await storage.insertAccount(anAccount(other.id));
    await storage.insertSession(aSession(other.id, `session-${index}`));
    await storage.insertOneTimeSecret(aSecret(`secret-${index}`, { ownerId: other.id }));
    for (const isEnabled of [true, false, true])
      await storage.insertWebhook(aWebhook(maps[index]!.id, { isEnabled }), 3);
  }
  const fill = async (map: MapRecord, count: number) => {
    const inserts = Array.from({ length: count }, (_, index): LocationInsert =>
      anInsert(map.id, {
        location: { id: newLocationId(map.id) },
        order: index % 50 === 0 ? 'text' : null,
        ...(index < 5 ? { key: `key ${index}` } : {}),
      }),
    );
    await storage.insertLocations(map.id, inserts, NOW);
  };
  const queue = maps.values();
  const lanes = Array.from({ length: 4 }, async () => {
    for (const map of queue) await fill(map, size);
  });
  await Promise.all([...lanes, fill(large, LARGE_MAP)]);
  const keyed = locationOf(await insertOne(storage, large.id, { key: 'deleted' })).id;
  const [keyless, other] = [(await append(storage, large.id)).id, (await append(storage, large.id)).id];
  await insertOne(storage, large.id, { location: { properties: { Name: 'A place' } } });
  const [created] = await insert(storage, large.id, aCall());
  const historic = await change(storage, created!, aCall());
  return { ownerId, map: maps[0]!, large, historic, keyed, keyless, other };
}

export async function seedCopy(storage: Storage): Promise<void> {
  const { id: ownerId } = await seedOwner(storage);
  const map = aMap(ownerId);
  await storage.insertMap(map);
  await setLogo(storage, aLogo(map.id));
  await storage.insertToken(aToken(ownerId));
  await storage.insertAccount(anAccount(ownerId));
  await insertOrders(storage, map.id, [null, 'x']);
  const { id } = locationOf(await insertOne(storage, map.id, { key: 'deleted' }));
  await storage.deleteLocation(map.id, id);
  await insertOne(storage, map.id, { key: 'key' });
  await storage.insertWebhook(aWebhook(map.id), 1);
  await storage.insertInvitation(anInvitation(map.id, ownerId));
  await storage.insertMapLink(aMapLink(map.id, ownerId));
  const [changed, deleted] = await insert(storage, map.id, aCall(), [null, null]);
  await change(storage, changed!, aCall());
  await remove(storage, [deleted!]);
}

async function found(storage: Storage, mapId: string, id: string): Promise<LocationRecord> {
  const [location] = await storage.getLocations(mapId, [id]);
  return location!;
}

/** From the first change. */
function readAll(storage: Storage, mapId: string) {
  return storage.readChanges(mapId, { number: 0, stamp: '0' }, 100);
}

export function everyCall(
  storage: Storage & SearchStore,
  { ownerId, map, large, historic, keyed, keyless, other }: Seeded,
) {
  const page = { limit: 101, fromEnd: false, after: null, before: null };
  const position = { createdAt: NOW, id: map.id };
  const scope = { tokenId: 'token-1', mapId: map.id };
  const moving = (ids: readonly string[], position: MovePosition) =>
    storage.moveLocations(large.id, { ids, position }, NOW);
  const find = (
    input: FilterInput,
    order: OrderInput = { by: 'list' },
    maps: readonly MapRecord[] = [large],
    range: Partial<PageRequest<SearchSortKey>> = {},
  ) => {
    const filter = readFilter(input, 'filter');
    return storage.findLocations(
      { maps, filter, order: readOrder(order, filter, 'orderBy') },
      { ...page, ...range },
    );
  };
  const keyOf = ({ id, createdAt }: MapRecord) => ({
    value: [],
    map: { id, createdAt },
    sortKey: startOf('900'),
  });
  const clusters = (input: FilterInput | null) =>
    storage.findClusters({
      map: large,
      filter: input === null ? null : readFilter(input, 'filter'),
      grid: gridOf(BOX, 5),
      limit: 2_000,
    });
  const columns = (limit: number) =>
    storage.readColumns({
      ...{ mapId: large.id, range: rangeOfTile({ zoom: 0, x: 0, y: 0 }), limit },
      ...{ fields: ['Name'], maxFieldBytes: 1_000 },
    });
  const calls = { one: aCall(), moved: aCall(), deleted: aCall() };
  const trash = (deletedBy: string) =>
    storage.listTrash(
      large.id,
      { limit: 9, after: { deletedBy, locationId: '~' } },
      { deletedSince: 0, matches: null },
    );
  const removeOld = (after: string | null) =>
    storage.removeOldHistory(
      { recordsSince: 2 * NOW, versionsSince: 0, trashSince: 2 * NOW, mostVersions: 0 },
      after,
      9,
    );
  return {
    isEmpty: () => storage.isEmpty(),
    getMeta: () => storage.getMeta('key'),
    setMetaIfAbsent: () => storage.setMetaIfAbsent('key', 'value'),
    'findOrCreateOwner, found': () => storage.findOrCreateOwner({ id: 'x', name: 'someone', createdAt: 0 }),
    'findOrCreateOwner, made': () => storage.findOrCreateOwner({ id: 'x', name: 'new', createdAt: 0 }),
    findOwnerByName: () =>
      Promise.all([storage.findOwnerByName('someone'), storage.findOwnerByName('another')]),
    findOwner: () => storage.findOwner(ownerId),
    findOwners: () => storage.findOwners([ownerId, 'owner-1']),
    renameOwner: () => storage.renameOwner(ownerId, 'someone'),
    setDisplayName: () => storage.setDisplayName(ownerId, 'Someone'),
    listOwners: () => storage.listOwners(),
    insertAccount: () => storage.insertAccount(anAccount(ownerId)),
    findAccount: () => storage.findAccount(ownerId),
    listAccounts: () => storage.listAccounts(),
    updateAccount: () => storage.updateAccount(ownerId, { isDisabled: true }, '$scrypt$1'),
    insertOneTimeSecret: () => storage.insertOneTimeSecret(aSecret('hash')),
    findOneTimeSecret: () => storage.findOneTimeSecret('hash', NOW),
    takeOneTimeSecret: () => storage.takeOneTimeSecret('hash', NOW),
    removeOneTimeSecrets: () => storage.removeOneTimeSecrets(ownerId),
    insertSession: () => storage.insertSession(aSession(ownerId, 'session')),
    findSessionByHash: () => Promise.all([storage.findSessionByHash('a'), storage.findSessionByHash('b')]),
    listSessions: () => storage.listSessions(ownerId),
    saveSessionUses: () =>
      storage.saveSessionUses([{ sessionId: 'session', usedAt: NOW, expiresAt: NOW }], 60_000),
    'removeSessions, by id': () => storage.removeSessions(ownerId, ['session', 'unknown']),
    'removeSessions, all but one': () => storage.removeSessions(ownerId, { except: 'session' }),
    takeAttempts: () => storage.takeAttempts(['name'], { most: 1, now: NOW, expiresAt: NOW + 1 }),
    returnAttempts: () => storage.returnAttempts([{ name: 'name', id: 'id' }]),
    insertToken: () => storage.insertToken(aToken(ownerId)),
    findTokenByHash: () =>
      Promise.all([storage.findTokenByHash('a'.repeat(64)), storage.findTokenByHash('b'.repeat(64))]),
    listTokens: () => storage.listTokens(),
    'listTokens, of an owner': () => storage.listTokens(ownerId),
    'listTokens, a page': () =>
      storage.listTokens(ownerId, { limit: 9, after: { createdAt: 0, id: 'token' } }),
    findToken: () => storage.findToken('token'),
    revokeToken: () => storage.revokeToken('token', NOW),
    saveTokenUses: () => storage.saveTokenUses([{ tokenId: 'token', usedAt: NOW }], 60_000),
    insertMap: () => storage.insertMap(aMap(ownerId)),
    getMaps: () => storage.getMaps([map.id, large.id]),
    'listMaps, first': () => storage.listMaps({ ...page, ownerId, mapId: null }),
    'listMaps, between': () => storage.listMaps({ ...page, ownerId, mapId: null, after: position }),
    'listMaps, last': () =>
      storage.listMaps({ ...page, ownerId, mapId: null, before: position, fromEnd: true }),
    'listMaps, one': () => storage.listMaps({ ...page, ownerId, mapId: map.id }),
    countMaps: () => storage.countMaps({ ownerId, mapId: null }),
    'countMaps, one': () => storage.countMaps({ ownerId, mapId: map.id }),
    'listPublishedMaps, first': () => storage.listPublishedMaps({ after: null, limit: 9 }),
    'listPublishedMaps, next': () => storage.listPublishedMaps({ after: map.id, limit: 9 }),
    updateMap: () => storage.updateMap(map.id, { name: 'New' }, { evenIfDeleted: false }),
    'updateMap, another logo': () => setLogo(storage, aLogo(map.id)),
    getLogo: () => storage.getLogo(map.id, 'ab'),
    'updateMap, no logo': () => storage.updateMap(map.id, { logo: null }, { evenIfDeleted: false }),
    'updateMap, missing': () => storage.updateMap('none', { name: 'New' }, { evenIfDeleted: true }),
    'updateMap, of nothing': () => storage.updateMap(map.id, {}, { evenIfDeleted: false }),
    'changeMembers, added': () =>
      storage.changeMembers(map.id, { kind: 'set', ownerId: 'owner-1', role: 'editor', since: 0 }, 0),
    'changeMembers, lowered': async () => {
      await storage.changeMembers(map.id, { kind: 'update', ownerId: 'owner-1', role: 'owner' }, 0);
      await storage.changeMembers(map.id, { kind: 'update', ownerId: 'owner-1', role: 'editor' }, 0);
    },
    'changeMembers, removed': () => storage.changeMembers(map.id, { kind: 'remove', ownerId: 'owner-1' }, 0),
    insertInvitation: () => storage.insertInvitation(anInvitation(map.id, ownerId)),
    listInvitations: () => storage.listInvitations(map.id, NOW),
    findInvitation: () => storage.findInvitation('hash-1', NOW),
    'findInvitation, unknown': () => storage.findInvitation('none', NOW),
    useInvitation: () => storage.useInvitation('hash-1', 'owner-2', NOW),
    removeInvitation: () => storage.removeInvitation(map.id, 'invitation-2'),
    insertMapLink: () => storage.insertMapLink(aMapLink(map.id, ownerId)),
    listMapLinks: () => storage.listMapLinks(map.id, NOW),
    replaceMapLink: () => storage.replaceMapLink(map.id, 'link-1', 'another', NOW),
    revokeMapLink: () => storage.revokeMapLink(map.id, 'link-2', NOW),
    listMapsWithKeys: () => collect(storage.listMapsWithKeys()),
    changeMapKeys: () =>
      storage.changeMapKeys([{ mapId: map.id, name: 'geocodingApiKey', from: 'one', to: 'other' }]),
    'insertLocations, without a key': () => append(storage, large.id),
    'insertLocations, with a key': () => insertOne(storage, large.id, { key: 'new' }),
    'insertLocations, repeated': () => insertOne(storage, large.id, { key: 'new' }),
    'insertLocations, after expiry': () =>
      insertOne(storage, large.id, { key: 'new', expiresAt: NOW + 1e10 }, NOW + 1e9),
    'insertLocations, of nothing': () => storage.insertLocations(map.id, [], NOW),
    'insertLocations, an id used twice': () => {
      const twice = anInsert(large.id, { key: 'twice', location: { id: other } });
      return storage.insertLocations(large.id, [twice, anInsert(large.id)], NOW).catch(() => {});
    },
    findIdempotencyRecords: () => storage.findIdempotencyRecords(scope, ['key 1', 'key 2'], NOW),
    holdKeyedCall: () => storage.holdKeyedCall(scope, 'call', aKeyedCall(), NOW),
    'holdKeyedCall, again': () => storage.holdKeyedCall(scope, 'call', aKeyedCall(), aKeyedCall().heldUntil),
    'holdKeyedCall, after expiry': () =>
      storage.holdKeyedCall(scope, 'call', aKeyedCall(), aKeyedCall().expiresAt),
    endKeyedCall: () => storage.endKeyedCall(scope, 'call', aKeyedCall(), 'result'),
    removeKeyedCall: () => storage.removeKeyedCall(scope, 'call', { ...aKeyedCall(), heldUntil: 0 }),
    getLocations: () => storage.getLocations(map.id, [newLocationId(map.id), newLocationId(map.id)]),
    'updateLocations, another name': async () =>
      storage.updateLocations(large.id, [anUpdate(await found(storage, large.id, keyless), { name: 'New' })]),
    'updateLocations, another order': async () =>
      storage.updateLocations(large.id, [anUpdate(await found(storage, large.id, keyless), {}, '5.5')]),
    'updateLocations, another external id': async () => {
      const before = await found(storage, large.id, keyless);
      await storage.updateLocations(large.id, [anUpdate(before, { externalId: 'external' })]);
      const after = await found(storage, large.id, keyless);
      await storage.updateLocations(large.id, [anUpdate(after, { externalId: 'external 2' })]);
    },
    findLocationsByExternalIds: () => storage.findLocationsByExternalIds(large.id, ['external 2', 'none']),
    'insertLocations, an external id in use': () =>
      insertOne(storage, large.id, { key: 'taken', location: { externalId: 'external 2' } }),
    'moveLocations, before another': () => moving([keyless], { kind: 'before', id: other }),
    'moveLocations, to the end': () => moving([keyed], { kind: 'end' }),
    'moveLocations, without effect': () => moving([keyed], { kind: 'end' }),
    readChanges: () => readAll(storage, large.id),
    'readChanges, after a write': async () => {
      await append(storage, large.id);
      await readAll(storage, large.id);
    },
    lastChange: () => storage.lastChange(large.id),
    'lastChange, after a write': async () => {
      await Promise.all([append(storage, large.id), append(storage, large.id)]);
      await storage.lastChange(large.id);
    },
    watchChanges: async () => {
      const notified = new EventEmitter();
      const watch = storage.watchChanges((mapId) => notified.emit(mapId));
      const both = Promise.all([once(notified, map.id), once(notified, large.id)]);
      watch.add(map.id);
      watch.add(large.id);
      await both;
      watch.close();
    },
    removeOldChanges: () => storage.removeOldChanges(NOW),
    'listLocations, first': () => storage.listLocations(large.id, page),
    'listLocations, after': () => storage.listLocations(large.id, { ...page, after: startOf('900') }),
    'listLocations, between': () =>
      storage.listLocations(large.id, { ...page, after: startOf('9'), before: startOf('900') }),
    'listLocations, last': () => storage.listLocations(large.id, { ...page, fromEnd: true }),
    exportLocations: () =>
      storage.exportLocations(
        large.id,
        { limit: 300, after: startOf('9') },
        { format: 'csv', fields: [], isForSpreadsheet: false },
      ),
    listLocationsJson: () =>
      storage.listLocationsJson(
        large.id,
        { ...page, after: startOf('9') },
        createTemplate([{ value: 'name' }]),
      ),
    hasLocations: () => storage.hasLocations(large.id, { after: startOf('900'), before: null }),
    locationAt: () => storage.locationAt(large.id, { skipped: 20, fromEnd: true }),
    countLocations: () => storage.countLocations(large.id),
    'countLocations, after a write': async () => {
      await append(storage, large.id);
      await storage.countLocations(large.id);
    },
    'countLocations, after writes apart': async () => {
      await storage.deleteLocation(large.id, other);
      await append(storage, large.id);
      await storage.countLocations(large.id);
    },
    countByGeocoding: () => storage.countByGeocoding(large.id),
    'countByGeocoding, after an update': async () => {
      const before = await found(storage, large.id, keyless);
      const geocoding = { ...before.geocoding, isChecked: true };
      await storage.updateLocations(large.id, [anUpdate(before, { geocoding })]);
      await storage.countByGeocoding(large.id);
    },
    listRevision: () => storage.listRevision(large.id),
    'listRevision, after a write': async () => {
      await append(storage, large.id);
      await storage.listRevision(large.id);
    },
    'deleteLocation, without a key': () => storage.deleteLocation(large.id, keyless),
    'deleteLocation, with a key': () => storage.deleteLocation(large.id, keyed),
    'deleteLocation, with an external id': async () => {
      const { id } = locationOf(await insertOne(storage, large.id, { location: { externalId: 'gone' } }));
      await storage.deleteLocation(large.id, id);
    },
    'updateLocations, of a call': () => change(storage, historic, calls.one),
    'moveLocations, of a call': () =>
      storage.moveLocations(large.id, { ids: [historic.id], position: { kind: 'start' } }, NOW, {
        call: calls.moved,
      }),
    listHistory: () =>
      storage.listHistory(large.id, { limit: 9, after: null }, { since: 0, until: null, operation: 'write' }),
    findHistory: () => storage.findHistory(large.id, [calls.one.id]),
    changesOfCall: () => storage.changesOfCall(large.id, calls.one.id, { limit: 9, after: 0 }),
    findCreation: () => storage.findCreation(large.id, historic),
    listVersions: () => storage.listVersions(large.id, historic.id, { limit: 9, before: 9 }),
    findReplacedVersions: () => storage.findReplacedVersions(large.id, calls.one.id, [historic.id, 'none']),
    'removeOldHistory, versions': () => removeOld(null),
    'deleteLocation, to the trash': () =>
      storage.deleteLocation(large.id, historic.id, { call: calls.deleted }),
    listTrash: () => trash(calls.deleted.id),
    findTrashed: () => storage.findTrashed(large.id, [historic.id, 'none']),
    restoreLocations: () =>
      storage.restoreLocations(large.id, [{ id: historic.id, version: 4 }], NOW, { call: aCall() }),
    purgeLocations: async () => {
      await remove(storage, [historic]);
      await storage.purgeLocations(large.id, [historic.id]);
    },
    'removeOldHistory, trash': async () => {
      const [trashed] = await insert(storage, large.id, aCall());
      await remove(storage, [trashed!]);
      await removeOld(`t ${large.id} `);
    },
    'removeOldHistory, the next trash': () => removeOld(`t ${large.id} `),
    'removeOldHistory, records': () => removeOld('h '),
    'findLocations, of a map by its list': () => find({ not: { ids: ['none'] } }),
    'findLocations, from the end, after a cursor': () =>
      find({ not: { ids: ['none'] } }, { by: 'list' }, [large], { after: keyOf(large), fromEnd: true }),
    'findLocations, in order of creation': () =>
      storage.findLocations(
        { maps: [large], filter: EVERYTHING, order: SEQUENCE_ORDER },
        { ...page, after: keyOf(large) },
      ),
    'findLocations, of maps by name': () => find({ not: { ids: ['none'] } }, { by: 'name' }, [map, large]),
    'findLocations, by ids': () => find({ ids: [other, keyed] }),
    'findLocations, by external ids': () => find({ externalIds: ['gone', 'none'] }),
    'findLocations, in a box': () => find({ bbox: BOX }),
    'findLocations, in a box in several maps': () => find({ bbox: BOX }, { by: 'name' }, [map, large]),
    'findLocations, near': () => find({ near: { latitude: 64, longitude: -21, radius: 1_000 } }),
    'findLocations, of a word': () => find({ search: 'somewhere' }, { by: 'name' }),
    'findLocations, of a value': () => find({ property: { name: 'Name', eq: 'none' } }),
    'findLocations, of values': () => find({ property: { name: 'Name', in: ['none', 'nobody'] } }),
    'findLocations, of a range': () => find({ property: { name: 'Name', from: 'b', to: 'c' } }),
    'findLocations, of a missing property': () => find({ property: { name: 'Address', exists: false } }),
    'findLocations, of a missing or another property': () =>
      find({
        or: [
          { property: { name: 'Address', exists: false } },
          { property: { name: 'Address', exists: true } },
        ],
      }),
    'findLocations, of a word in a box': () => find({ search: 'nobody', bbox: BOX }),
    'findLocations, of a word or by an id': () =>
      find({ or: [{ search: 'nobody' }, { ids: [other, keyed] }] }),
    'findLocations, of unchecked points': () => find({ geocoding: { isChecked: false } }),
    'findLocations, of checked or ambiguous points': () =>
      find({ or: [{ geocoding: { isChecked: true } }, { geocoding: { isAmbiguous: true } }] }),
    'findLocations, of checked or ambiguous points, by name': () =>
      find(
        { or: [{ geocoding: { isChecked: true } }, { geocoding: { isAmbiguous: true } }] },
        { by: 'name' },
      ),
    'findLocations, of no group': () => find({ geocoding: { precision: ['region'] } }),
    findLocationsJson: () =>
      storage.findLocationsJson(
        { maps: [map], filter: readFilter({ bbox: BOX }, ''), order: LIST_ORDER },
        page,
        createTemplate([{ value: 'id' }]),
      ),
    'countMatches, in a box': () =>
      storage.countMatches({ maps: [map], filter: readFilter({ bbox: BOX }, '') }),
    'countMatches, of unchecked points': () =>
      storage.countMatches({ maps: [map], filter: readFilter({ geocoding: { isChecked: false } }, '') }),
    'countMatches, of everything': () =>
      storage.countMatches({ maps: [map, large], filter: readFilter({}, '') }),
    findVersions: () => storage.findVersions({ map, filter: readFilter({ search: 'nobody' }, '') }, 10),
    findClusters: () => clusters(null),
    'findClusters, with a filter': () => clusters({ search: 'nobody' }),
    readColumns: () => columns(100_000),
    'readColumns, of too many': () => columns(1),
    getGeocode: () => storage.getGeocode('key', NOW),
    putGeocode: () =>
      storage.putGeocode({ key: 'k', provider: 'p', mapId: null, place: null, storedAt: 0, expiresAt: null }),
    takeQuota: () => storage.takeQuota([{ name: 'n', limit: 1 }], NOW),
    removeExpired: () => storage.removeExpired(0),
    insertWebhook: () => storage.insertWebhook(aWebhook(map.id, { id: 'webhook' }), 9),
    'insertWebhook, an id in use': () =>
      storage.insertWebhook(aWebhook(map.id, { id: 'webhook' }), 9).catch(() => {}),
    listWebhooks: () => storage.listWebhooks(map.id),
    pageWebhooks: () => storage.pageWebhooks({ limit: 9, after: 'w', enabledOnly: false }),
    'pageWebhooks, enabled only': () => storage.pageWebhooks({ limit: 9, after: null, enabledOnly: true }),
    updateWebhook: () => storage.updateWebhook(map.id, 'webhook', { isEnabled: false }, 1),
    'updateWebhook, another version': () => storage.updateWebhook(map.id, 'webhook', { isEnabled: false }, 1),
    deleteWebhook: () => storage.deleteWebhook(map.id, 'webhook'),
    holdLease: () => storage.holdLease('lease', 'holder', 60_000),
    dropLease: () => storage.dropLease('lease', 'holder'),
  };
}

/**
 * Calls about a whole store, which need their own store.
 *
 * @param forget called when the commands sent so far belong to no call
 */
export function everyCallOfCopy(copy: Storage, forget: () => void) {
  return {
    setMeta: () => copy.setMeta('key', 'value'),
    removeMeta: () => copy.removeMeta('key'),
    dump: () => collect(copy.dump(0)),
    snapshot: () => collect(copy.snapshot(0)),
    load: async () => {
      const items = await collect(copy.dump(0));
      await copy.removeAll([]);
      forget();
      await copy.load(items);
    },
    removeAll: () => copy.removeAll(['kept']),
  };
}
