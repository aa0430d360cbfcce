/** The cost of a page: its queries scan an index from the page's start, and sort nothing. */

import { MAP_FORMATS } from '../../../src/transfer/formats.ts';
import { createTemplate } from '../../../src/domain/location-template.ts';
import { sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  aMapLink,
  anInvitation,
  aWebhook,
  insertOne,
  insertOrders,
  NOW,
  seedMap,
} from '../../contract/storage/fixtures.ts';
import { aKeyedCall } from '../../contract/storage/keyed-calls.ts';
import { plansOf } from './plans.ts';
import { openConnection } from './temporary.ts';

const connection = await openConnection(':memory:');
const storage = sqliteStorage(connection);
const map = await seedMap(storage);
const list = await insertOrders(storage, map.id, Array<null>(300).fill(null));
const [low, high] = [list[20]!, list[200]!];
await insertOne(storage, map.id, { key: 'key' });

const bounds = {
  'no bounds': { after: null, before: null },
  'a bound after': { after: low, before: null },
  'a bound before': { after: null, before: high },
  'both bounds': { after: low, before: high },
};

describe('a page of locations', () => {
  for (const [name, range] of Object.entries(bounds)) {
    for (const fromEnd of [false, true]) {
      it(`scans the list index, with ${name}, from the ${fromEnd ? 'end' : 'start'}`, async () => {
        const page = { ...range, fromEnd, limit: 101 };
        const plans = await plansOf(connection, (store) => store.listLocations(map.id, page));
        const search = plans.filter((plan) => /\blocations\b/.test(plan));
        expect(search).toHaveLength(1);
        expect(search[0]).toMatch(/^SEARCH locations USING INDEX locations_by_sort_key \(map_number=\?/);
        // The bound must be part of the index search, not a filter on its result.
        if (range.after !== null) expect(search[0]).toMatch(/order_key.*>/);
        if (range.before !== null) expect(search[0]).toMatch(/order_key.*</);
        for (const plan of plans) expect(plan).not.toMatch(/TEMP B-TREE|^SCAN/);
      });
    }
  }
});

describe('a page of locations as JSON', () => {
  const template = createTemplate([{ value: 'name' }]);
  for (const [name, range] of Object.entries(bounds)) {
    for (const fromEnd of [false, true]) {
      it(`scans the list index, with ${name}, from the ${fromEnd ? 'end' : 'start'}`, async () => {
        const page = { ...range, fromEnd, limit: 2 };
        const plans = await plansOf(connection, (store) => store.listLocationsJson(map.id, page, template));
        const search = plans.filter((plan) => /\blocations\b/.test(plan));
        // The page, and the next location.
        expect(search).toHaveLength(2);
        for (const plan of search) {
          expect(plan).toMatch(/^SEARCH locations USING INDEX locations_by_sort_key \(map_number=\?/);
          if (range.after !== null) expect(plan).toMatch(/order_key.*>/);
          if (range.before !== null) expect(plan).toMatch(/order_key.*</);
        }
        // From the end, only the rows of the page are reversed.
        const sorts = plans.filter((plan) => plan.includes('TEMP B-TREE'));
        expect(sorts.length).toBe(fromEnd ? 1 : 0);
      });
    }
  }
});

describe('a part of a whole map', () => {
  for (const format of MAP_FORMATS) {
    for (const after of [null, low]) {
      it(`scans the list index, from ${after === null ? 'the start' : 'a location'} on: ${format}`, async () => {
        const exported = { format, fields: ['Name'], isForSpreadsheet: false };
        const plans = await plansOf(connection, (store) =>
          store.exportLocations(map.id, { limit: 100, after }, exported),
        );
        const search = plans.filter((plan) => /\blocations\b/.test(plan));
        // JSON first reads the most common time.
        expect(search).toHaveLength(['csv', 'xlsx', 'kml', 'gpx'].includes(format) ? 1 : 2);
        for (const plan of search) {
          expect(plan).toMatch(/^SEARCH locations USING INDEX locations_by_sort_key \(map_number=\?/);
          if (after !== null) expect(plan).toMatch(/order_key.*>/);
        }
        for (const plan of plans) expect(plan).not.toMatch(/TEMP B-TREE/);
      });
    }
  }
});

describe('the other queries', () => {
  const calls: Record<string, (store: Storage) => Promise<unknown>> = {
    'a check for more beyond a page': (store) => store.hasLocations(map.id, { after: low, before: null }),
    'the location at a list position': (store) =>
      store.locationAt(map.id, { skipped: 20_000, fromEnd: false }),
    'a location by id': (store) => store.getLocations(map.id, [low.id]),
    'a count of locations': (store) => store.countLocations(map.id),
    'an append': (store) => store.insertLocations(map.id, [anInsert(map.id, { key: 'another' })], NOW),
    'a deletion': (store) => store.deleteLocation(map.id, list[299]!.id),
    'a map by id': (store) => store.getMaps([map.id]),
    'a token by hash': (store) => store.findTokenByHash('hash'),
    'the tokens of an owner': (store) => store.listTokens(map.ownerId),
    'a page of the tokens of an owner': (store) =>
      store.listTokens(map.ownerId, { limit: 9, after: { createdAt: NOW, id: 'token' } }),
    'a token by id': (store) => store.findToken('token'),
    'the last use of a token': (store) => store.saveTokenUses([{ tokenId: 'token', usedAt: NOW }], 60_000),
    'an idempotency key': (store) =>
      store.findIdempotencyRecords({ tokenId: 'token-1', mapId: map.id }, ['key'], NOW),
    'a call under a key': async (store) => {
      const scope = { tokenId: 'token-1', mapId: map.id };
      await store.holdKeyedCall(scope, 'key', aKeyedCall(), NOW);
      await store.endKeyedCall(scope, 'key', aKeyedCall(), null);
      await store.holdKeyedCall(scope, 'key', aKeyedCall(), NOW);
      await store.removeKeyedCall(scope, 'key', aKeyedCall());
    },
    'removing expired records': (store) => store.removeExpired(0),
    'a new invitation': (store) => store.insertInvitation(anInvitation(map.id, map.ownerId)),
    'the invitations of a map': (store) => store.listInvitations(map.id, NOW),
    'an invitation by its hash': (store) => store.findInvitation('hash', NOW),
    'the use of an invitation': (store) => store.useInvitation('hash', map.ownerId, NOW),
    'the removal of an invitation': (store) => store.removeInvitation(map.id, 'invitation'),
    'the logo of a map': (store) => store.getLogo(map.id, 'ab'),
    'a new link': (store) => store.insertMapLink(aMapLink(map.id, map.ownerId)),
    'the links of a map': (store) => store.listMapLinks(map.id, NOW),
    'another secret of a link': (store) => store.replaceMapLink(map.id, 'link', 'hash', NOW),
    'the revocation of a link': (store) => store.revokeMapLink(map.id, 'link', NOW),
    'a change of members': (store) =>
      store.changeMembers(map.id, { kind: 'update', ownerId: 'nobody', role: 'viewer' }, NOW),
    'a new webhook': (store) => store.insertWebhook(aWebhook(map.id), 9),
    'the webhooks of a map': (store) => store.listWebhooks(map.id),
    'a page of webhooks': (store) => store.pageWebhooks({ limit: 9, after: 'w', enabledOnly: false }),
    'a page of enabled webhooks': (store) => store.pageWebhooks({ limit: 9, after: 'w', enabledOnly: true }),
    'an update of a webhook': (store) => store.updateWebhook(map.id, 'webhook', { isEnabled: false }, null),
    'the deletion of a webhook': (store) => store.deleteWebhook(map.id, 'webhook'),
    'a page of published maps': (store) => store.listPublishedMaps({ after: 'map', limit: 9 }),
    'an update of a map': (store) => store.updateMap(map.id, { name: 'x' }, { evenIfDeleted: false }),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`scan no table and sort nothing: ${name}`, async () => {
      const plans = await plansOf(connection, call);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).not.toMatch(/TEMP B-TREE|^SCAN/);
    });
  }

  it('skip disabled webhooks by an index', async () => {
    const page = { limit: 9, after: 'w', enabledOnly: true };
    expect(await plansOf(connection, (store) => store.pageWebhooks(page))).toEqual([
      'SEARCH webhooks USING INDEX webhooks_enabled (id>?)',
    ]);
  });

  for (const [name, range] of Object.entries(bounds)) {
    for (const fromEnd of [false, true]) {
      it(`scan the index of a member's maps, with ${name}, from the ${fromEnd ? 'end' : 'start'}`, async () => {
        const at = (bound: unknown, createdAt: number) => (bound === null ? null : { createdAt, id: map.id });
        const query = { after: at(range.after, 0), before: at(range.before, NOW * 2), fromEnd, limit: 101 };
        const plans = await plansOf(connection, (store) =>
          store.listMaps({ ...query, ownerId: map.ownerId, mapId: null }),
        );
        expect(plans).toEqual([
          expect.stringMatching(/^SEARCH map_members USING PRIMARY KEY \(owner_id=\?/),
          'SEARCH maps USING INDEX sqlite_autoindex_maps_1 (id=?)',
        ]);
      });
    }
  }
});
