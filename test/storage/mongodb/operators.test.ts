/** No value of a request acts as an operator or a path, and documents have the form that the README shows. */

import type { Document } from 'mongodb';
import { MongoClient } from 'mongodb';

import type { LocationFilter } from '../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import type { JsonObject } from '../../../src/domain/json/json.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { SearchStore } from '../../../src/storage/search.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  aLocation,
  aMap,
  anInsert,
  aMapLink,
  anInvitation,
  append,
  aToken,
  aWebhook,
  collect,
  insertAll,
  insertOne,
  listPage,
  locationOf,
  NOW,
  seedMap,
  seedOwner,
} from '../../contract/storage/fixtures.ts';
import { aKeyedCall } from '../../contract/storage/keyed-calls.ts';
import { emptyDatabase } from '../../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

/** Texts with a meaning in MongoDB, JavaScript or regular expressions. */
const ODD = [
  '{"$gt":""}',
  '$where',
  '$$NOW',
  '$name',
  '$ne',
  'a.b',
  'a.$.b',
  '.*',
  '^',
  '.',
  '$',
  '[object Object]',
  '__proto__',
  'constructor',
  'function(){return true}',
  "'; return true; var a='",
  '',
] as const;

/** What a caller might pass for a text without validation: an operator that matches everything. */
const OPERATOR = { $gt: '' } as unknown as string;

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: values of requests are data', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  const client = new MongoClient(url);
  let storage: Storage & SearchStore;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
  });
  afterAll(async () => {
    await storage.close();
    await client.close();
  });

  it('odd property keys at any depth come back exactly, in order', async () => {
    const map = await seedMap(storage);
    const nested = ODD.toReversed().map(
      (key) => `${JSON.stringify(key)}:{${JSON.stringify(key)}:[{"$set":1}]}`,
    );
    const json = `{${nested.join(',')}}`;
    const location = locationOf(
      await insertOne(storage, map.id, {
        location: { properties: JSON.parse(json) as JsonObject },
        key: 'k',
      }),
    );
    const [found] = await storage.getLocations(map.id, [location.id]);
    expect(JSON.stringify(found?.properties)).toBe(json);
    const [listed] = await listPage(storage, map.id);
    expect(JSON.stringify(listed?.properties)).toBe(json);
  });

  it('search matches odd texts exactly', async () => {
    const owner = await seedOwner(storage, 'ordinary');
    const map = await seedMap(storage, { ownerId: owner.id, name: 'Ordinary' });
    await storage.insertToken(aToken(owner.id));
    await insertOne(storage, map.id, { key: 'ordinary' });
    await storage.setMetaIfAbsent('ordinary', 'value');
    for (const odd of ODD) {
      expect([odd, await storage.getMeta(odd)]).toEqual([odd, null]);
      expect([odd, await storage.findOwnerByName(odd)]).toEqual([odd, null]);
      expect([odd, await storage.findOwner(odd)]).toEqual([odd, null]);
      expect([odd, await storage.findTokenByHash(odd)]).toEqual([odd, null]);
      expect([odd, await storage.revokeToken(odd, NOW)]).toEqual([odd, false]);
      expect([odd, await storage.getMaps([odd])]).toEqual([odd, [null]]);
      expect([odd, await storage.countMaps({ ownerId: odd, mapId: null })]).toEqual([odd, 0]);
      expect([odd, await storage.countMaps({ ownerId: owner.id, mapId: odd })]).toEqual([odd, 0]);
      expect([odd, await storage.getLocations(map.id, [odd])]).toEqual([odd, [null]]);
      expect([odd, await storage.getLocations(odd, [odd])]).toEqual([odd, [null]]);
      expect([odd, await storage.countLocations(odd)]).toEqual([odd, 0]);
      expect([odd, (await storage.deleteLocation(map.id, odd)).kind]).toEqual([odd, 'missing']);
      const scope = { tokenId: 'token-1', mapId: map.id };
      expect([odd, await storage.findIdempotencyRecords(scope, [odd], NOW)]).toEqual([odd, [null]]);
      expect([odd, await storage.listWebhooks(odd)]).toEqual([odd, []]);
      expect([odd, await storage.deleteWebhook(map.id, odd)]).toEqual([odd, false]);
      expect([odd, (await storage.updateWebhook(map.id, odd, {}, null)).kind]).toEqual([odd, 'missing']);
      expect([odd, (await storage.updateMap(odd, { name: 'x' }, { evenIfDeleted: true })).kind]).toEqual([
        odd,
        'map-missing',
      ]);
    }
    expect(await storage.countLocations(map.id)).toBe(1);
    expect((await storage.getMaps([map.id]))[0]).toEqual(map);
  });

  it('odd texts are stored unchanged: names, orders, keys, digests, secrets', async () => {
    const map = await seedMap(storage);
    for (const odd of ODD.filter((text) => text !== '')) {
      const made = { id: `id ${odd}`, name: `n ${odd}`, createdAt: 0 };
      expect((await storage.findOrCreateOwner(made)).owner).toEqual({ ...made, displayName: null });
      await storage.setDisplayName(made.id, odd);
      expect(await storage.findOwner(made.id)).toEqual({ ...made, displayName: odd });
      const patch = { name: odd, providerMapApiKey: odd, geocodingApiKey: odd };
      const updated = await storage.updateMap(map.id, patch, { evenIfDeleted: false });
      expect(updated).toEqual({ kind: 'updated', map: { ...map, ...patch } });
      const insert = anInsert(map.id, {
        order: odd,
        key: odd,
        digest: odd,
        tokenId: odd,
        location: {
          name: odd,
          placeId: odd,
          geocoding: { provider: odd, precision: odd, label: odd, isAmbiguous: false, isChecked: false },
        },
      });
      const location = locationOf((await insertAll(storage, map.id, [insert]))[0]);
      expect(await storage.getLocations(map.id, [location.id])).toEqual([location]);
      expect([location.name, location.order, location.placeId]).toEqual([odd, odd, odd]);
      const scope = { tokenId: odd, mapId: map.id };
      const [record] = await storage.findIdempotencyRecords(scope, [odd], NOW);
      expect(record).toEqual({ digest: odd, location });
      const held = aKeyedCall({ digest: odd, callId: odd });
      const { call } = await storage.holdKeyedCall(scope, odd, held, NOW);
      await storage.endKeyedCall(scope, odd, call, odd);
      const ended = { digest: odd, callId: odd, result: odd, heldUntil: 0 };
      expect(await storage.holdKeyedCall(scope, odd, held, NOW)).toEqual({ isHeld: false, call: ended });
      const webhook = aWebhook(map.id, { id: `w ${odd}`, url: odd, secret: odd });
      await storage.insertWebhook(webhook, ODD.length);
      const place = { number: 1, stamp: odd };
      const change = {
        ...{ url: `${odd}!`, secret: `${odd}!`, formerSecret: { secret: odd, until: NOW } },
        delivery: { ...webhook.delivery, place, lastError: odd },
      };
      expect(await storage.updateWebhook(map.id, webhook.id, change, null)).toEqual({
        kind: 'updated',
        webhook: { ...webhook, ...change, version: 2 },
      });
      expect(await storage.holdLease(`l ${odd}`, odd, 60_000)).toBe(true);
      expect(await storage.holdLease(`l ${odd}`, `${odd}!`, 60_000)).toBe(false);
      expect(await storage.setMetaIfAbsent(`m ${odd}`, odd)).toBe(true);
      expect(await storage.getMeta(`m ${odd}`)).toBe(odd);
    }
    expect(await storage.countLocations(map.id)).toBe(ODD.length - 1);
  });

  // The port's types and the endpoints' validation reject this; here is the defence behind them.
  it('an operator instead of a text finds and changes nothing', async () => {
    const owner = await seedOwner(storage, 'victim');
    const map = await seedMap(storage, { ownerId: owner.id });
    const token = aToken(owner.id);
    await storage.insertToken(token);
    const invitation = anInvitation(map.id, owner.id);
    await storage.insertInvitation(invitation);
    const link = aMapLink(map.id, owner.id);
    await storage.insertMapLink(link);
    await storage.setMetaIfAbsent('secret', 'value');
    const location = await append(storage, map.id);
    const webhook = aWebhook(map.id, { secret: '"value"' });
    await storage.insertWebhook(webhook, 1);
    await storage.holdLease('victim', 'holder', 60_000);
    const page = { limit: 10, fromEnd: false, after: null, before: null };
    const scope = { tokenId: OPERATOR, mapId: map.id };
    const find = (id: string, filter: LocationFilter) =>
      storage.findLocations({ maps: [{ ...map, id }], filter, order: LIST_ORDER }, page);
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => storage.getMeta(OPERATOR),
      () => storage.findOwner(OPERATOR),
      () => storage.findOwnerByName(OPERATOR),
      () => storage.findTokenByHash(OPERATOR),
      () => storage.revokeToken(OPERATOR, NOW),
      () => storage.getMaps([OPERATOR]),
      () => storage.listMaps({ ...page, ownerId: OPERATOR, mapId: null }),
      () => storage.listMaps({ ...page, ownerId: owner.id, mapId: OPERATOR }),
      () => storage.countMaps({ ownerId: OPERATOR, mapId: null }),
      () => storage.findOwners([OPERATOR]),
      () => storage.changeMembers(OPERATOR, { kind: 'remove', ownerId: owner.id }, 0),
      () => storage.changeMembers(map.id, { kind: 'remove', ownerId: OPERATOR }, 0),
      () => storage.insertInvitation(anInvitation(OPERATOR, owner.id)),
      () => storage.insertInvitation(anInvitation(map.id, OPERATOR)),
      () => storage.listInvitations(OPERATOR, NOW),
      () => storage.findInvitation(OPERATOR, NOW),
      () => storage.useInvitation(OPERATOR, owner.id, NOW),
      () => storage.removeInvitation(OPERATOR, invitation.id),
      () => storage.removeInvitation(map.id, OPERATOR),
      () => storage.insertMapLink(aMapLink(OPERATOR, owner.id)),
      () => storage.insertMapLink(aMapLink(map.id, OPERATOR)),
      () => storage.getLogo(OPERATOR, 'ab'),
      () => storage.getLogo(map.id, OPERATOR),
      () => storage.listMapLinks(OPERATOR, NOW),
      () => storage.replaceMapLink(OPERATOR, link.id, 'a hash', NOW),
      () => storage.replaceMapLink(map.id, OPERATOR, 'a hash', NOW),
      () => storage.revokeMapLink(OPERATOR, link.id, NOW),
      () => storage.revokeMapLink(map.id, OPERATOR, NOW),
      () => storage.updateMap(OPERATOR, { name: 'changed' }, { evenIfDeleted: true }),
      () => storage.insertLocations(OPERATOR, [anInsert(map.id)], NOW),
      () => storage.findIdempotencyRecords(scope, ['key'], NOW),
      () => storage.findIdempotencyRecords({ ...scope, tokenId: 'token-1' }, [OPERATOR], NOW),
      () => storage.endKeyedCall(scope, 'key', aKeyedCall(), null),
      () => storage.removeKeyedCall({ ...scope, tokenId: 'token-1' }, OPERATOR, aKeyedCall()),
      () => storage.getLocations(OPERATOR, [location.id]),
      () => storage.getLocations(map.id, [OPERATOR]),
      () => storage.listLocations(OPERATOR, page),
      () => storage.countLocations(OPERATOR),
      () => storage.hasLocations(OPERATOR, page),
      () => storage.deleteLocation(OPERATOR, location.id),
      () => storage.deleteLocation(map.id, OPERATOR),
      () => storage.insertToken(aToken(OPERATOR)),
      () => storage.insertWebhook(aWebhook(OPERATOR), 9),
      () => storage.listWebhooks(OPERATOR),
      () => storage.updateWebhook(OPERATOR, webhook.id, { url: 'changed' }, null),
      () => storage.updateWebhook(map.id, OPERATOR, { url: 'changed' }, null),
      () => storage.deleteWebhook(OPERATOR, webhook.id),
      () => storage.deleteWebhook(map.id, OPERATOR),
      () => storage.dropLease(OPERATOR, 'holder'),
      () => storage.dropLease('victim', OPERATOR),
      () => find(OPERATOR, { kind: 'and', filters: [] }),
      () => find(map.id, { kind: 'ids', ids: new Set([OPERATOR]) }),
      () => find(map.id, { kind: 'externalIds', ids: new Set([OPERATOR]) }),
      () => find(map.id, { kind: 'property', test: { kind: 'oneOf', name: 'Name', values: [OPERATOR] } }),
    ];
    for (const [index, attempt] of attempts.entries()) {
      const response = await attempt().catch(() => null);
      const text = String(JSON.stringify(response));
      for (const secret of [owner.id, map.id, location.id, token.hash, '"value"', '"changed"']) {
        expect([index, secret, text.includes(secret)]).toEqual([index, secret, false]);
      }
    }
    const version = OPERATOR as unknown as number;
    const refused = await storage.updateWebhook(map.id, webhook.id, { url: 'changed' }, version);
    expect(refused).toEqual({ kind: 'changed', webhook });
    expect(await storage.getMaps([map.id])).toEqual([map]);
    expect(await listPage(storage, map.id)).toEqual([location]);
    expect((await storage.findTokenByHash(token.hash))?.revokedAt).toBeNull();
    expect(await storage.listWebhooks(map.id)).toEqual([webhook]);
    expect(await storage.listInvitations(map.id, NOW)).toEqual([invitation]);
    expect(await storage.listMapLinks(map.id, NOW)).toEqual([{ ...link, ownerName: owner.name }]);
    expect(await storage.holdLease('victim', 'another', 60_000)).toBe(false);
  });

  it('documents have the form that the README shows', async () => {
    await emptyDatabase(client.db());
    const owner = { id: 'owner_1', name: 'someone', createdAt: NOW };
    const map = aMap(owner.id, { id: 'map1', geocodingApiKey: 'sealed' });
    await storage.findOrCreateOwner(owner);
    await storage.insertToken(aToken(owner.id, { id: 'token_1', hash: 'ab', expiresAt: NOW }));
    await storage.insertMap(map);
    const invitation = anInvitation(map.id, owner.id, { id: 'invitation_1', hash: 'cd', note: 'a note' });
    await storage.insertInvitation(invitation);
    await storage.setMetaIfAbsent('key', 'value');
    for (const id of ['map1_a', 'map1_b']) {
      await insertAll(storage, map.id, [
        { ...anInsert(map.id, { key: id }), location: aLocation(map.id, { id }) },
      ]);
    }
    await storage.deleteLocation(map.id, 'map1_b');
    const webhook = aWebhook(map.id, { id: 'webhook_1', formerSecret: { secret: 'f', until: NOW } });
    const { delivery } = webhook;
    await storage.insertWebhook(webhook, 1);
    const failing = {
      ...delivery,
      ...{ failures: 2, failingSince: NOW, nextAttemptAt: NOW, lastAttemptAt: NOW, lastError: 'e' },
    };
    await storage.updateWebhook(map.id, webhook.id, { delivery: { ...failing, lastStatus: 500 } }, 1);
    await storage.updateWebhook(map.id, webhook.id, { delivery: failing }, 2);
    await storage.holdLease('lease', 'holder', 60_000);
    const stored = async (name: string) => {
      const documents = await client.db().collection(name).find().sort({ _id: 1 }).toArray();
      return JSON.parse(JSON.stringify(documents)) as Document[];
    };
    const time = new Date(NOW).toISOString();
    const later = new Date(NOW + 24 * 60 * 60 * 1000).toISOString();
    const location = {
      _id: 'map1_a',
      mapId: 'map1',
      place: '25011\u0001000000000000001',
      sequence: 1,
      order: '1',
      name: 'A place',
      placeId: 'place-1',
      latitude: 64.1466,
      longitude: -21.9426,
      properties: '{"Name":"A place","Address":"Somewhere 1"}',
      createdAt: time,
      provider: 'offline',
      precision: 'locality',
      label: 'Somewhere 1, "Town"',
      isAmbiguous: true,
      claimedUntil: later,
      change: 1,
    };
    expect(await stored('meta')).toEqual([{ _id: 'key', value: 'value' }]);
    expect(await stored('owners')).toEqual([{ _id: 'owner_1', name: 'someone', createdAt: time }]);
    expect(await stored('tokens')).toEqual([
      {
        _id: 'token_1',
        hash: 'ab',
        ownerId: 'owner_1',
        ownerName: 'someone',
        scope: 'write',
        createdAt: time,
        expiresAt: time,
      },
    ]);
    expect(await stored('maps')).toEqual([
      {
        _id: 'map1',
        ownerId: 'owner_1',
        members: [{ ownerId: 'owner_1', role: 'owner', since: time }],
        invitations: [
          {
            ...{ id: 'invitation_1', hash: 'cd', role: 'viewer', note: 'a note', maxUses: 1, uses: 0 },
            ...{ createdBy: 'owner_1', createdAt: time, expiresAt: later },
          },
        ],
        place: `00${NOW}_map1`,
        name: 'A map',
        isDeleted: false,
        isPublished: false,
        createdAt: time,
        updatedAt: time,
        geocodingApiKey: 'sealed',
        fields: map.fields,
        // Which intents are closed by now depends on timing.
        end: { version: expect.any(String), sequence: 2, largestNumber: '2', hasTexts: false },
        count: { settled: expect.any(Array), open: expect.any(Array) },
        log: expect.objectContaining({ id: '', last: 3, lastWrite: expect.any(String) }),
      },
    ]);
    expect(await stored('locations')).toEqual([
      {
        ...location,
        cell: 934590405147814,
        shape: expect.stringMatching(/^[0-9a-f]{20}$/),
        terms: expect.arrayContaining(['wplace', 'wsomewhere', 'v0v2y2urs536f6d657768']),
      },
      { _id: 'map1_b', mapId: 'map1', removeAfter: expect.any(String) },
    ]);
    expect((await stored('claims'))[0]).toEqual({
      _id: expect.any(String),
      mapId: 'map1',
      tokenId: 'token-1',
      key: 'map1_a',
      digest: 'digest-1',
      location,
      expiresAt: later,
    });
    expect(await stored('webhooks')).toEqual([
      {
        _id: 'map1_0',
        id: 'webhook_1',
        mapId: 'map1',
        slot: 0,
        url: webhook.url,
        events: webhook.events,
        isEnabled: true,
        secret: webhook.secret,
        formerSecret: { secret: 'f', until: time },
        createdAt: time,
        version: 3,
        delivery: {
          place: { number: 0, stamp: '0' },
          failures: 2,
          failingSince: time,
          nextAttemptAt: time,
          lastAttemptAt: time,
          lastError: 'e',
        },
      },
    ]);
    expect(await stored('leases')).toEqual([{ _id: 'lease', holder: 'holder', until: expect.any(String) }]);
    expect(await collect(storage.listMapsWithKeys())).toEqual([map]);
  });
});
