/** Idempotency keys of updateLocation, moveLocations, deleteLocation and createLocations, in two servers on one store. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { storageUnavailable } from '../../src/errors.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { StorageCall } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

const HOUR = 60 * 60 * 1000;
const AFTER_HOLD = 3 * 60 * 1000;

const MUTATIONS = {
  update: `mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) {
    historyId location { id name version latitude } } }`,
  move: `mutation ($input: MoveLocationsInput!) { moveLocations(input: $input) {
    historyId locations { id order version } } }`,
  delete: `mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) {
    historyId deletedId location { id name version } } }`,
  create: `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) {
    historyId results { location { id name } error { code message } } } }`,
};
type Mutation = keyof typeof MUTATIONS;

const mongodb = await testServer();
const folder = mkdtempSync(join(tmpdir(), 'keyed-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const [store, url] of [
  ['SQLite', `sqlite:${join(folder, 'store.db')}`],
  ['MongoDB', mongodb === null ? null : ownDatabase(mongodb)],
] as const) {
  describeUnless(url === null && NO_MONGODB, `calls under an idempotency key, on ${store}`, () => {
    let server: TestServer;
    /** Another process, of the same clock. */
    let other: TestServer;
    let now = Date.UTC(2026, 0, 1);
    /** Called for each call of the store by the first server. */
    let before: (call: StorageCall) => unknown = () => undefined;
    let after: (call: StorageCall, response: unknown) => unknown = (_call, response) => response;
    let mapId: string;
    let ids: string[];
    let token: string;
    const auditLog = join(folder, `${store}.log`);

    beforeAll(async () => {
      const open = () => openStorage(url ?? '', { timeoutMs: 5_000 });
      const { storage } = proxyStorage(await open(), {
        before: (call) => before(call),
        after: (call, response) => after(call, response),
      });
      server = await createTestServer({ AUDIT_LOG: auditLog }, { storage, clock: () => now });
      other = await createTestServer({}, { storage: await open(), clock: () => now });
      token = await server.createToken();
    });
    const seed = async () => {
      mapId = (await makeMap(server)).id;
      const { results } = dataOf(
        await call('create', { locations: ['a', 'b', 'c'].map(place) }),
      ).createLocations;
      ids = results.map(({ location }: { location: { id: string } }) => location.id);
    };
    beforeEach(seed);
    afterAll(async () => {
      await server.close();
      await other.close();
    });

    const place = (name: string) => ({
      fields: { Name: name, Address: `${name} Street` },
      position: { latitude: 1, longitude: 2 },
    });
    const call = (
      mutation: Mutation,
      input: Record<string, unknown>,
      { to = server, as = token }: { to?: TestServer; as?: string } = {},
    ): Promise<TestResponse> => to.graphql(MUTATIONS[mutation], { input: { mapId, ...input } }, as);
    const rename = (name: string, more: Record<string, unknown> = {}) => ({
      id: ids[0],
      fields: { Name: name },
      idempotencyKey: 'key',
      ...more,
    });
    const stored = async () => {
      const query = `query ($id: ID!) { map(id: $id) { locations { nodes { id name version } }
        history { nodes { id operation } } } }`;
      const { map } = dataOf(await other.graphql(query, { id: mapId }, token));
      return { locations: map.locations.nodes, calls: map.history.nodes };
    };
    const namesOf = async () => (await stored()).locations.map(({ name }: { name: string }) => name);
    const historyCount = async () => (await stored()).calls.length;
    const outcomes = () =>
      readFileSync(auditLog, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { operation: string; outcome: string })
        .map(({ operation, outcome }) => `${operation} ${outcome}`);

    it('an update is written once, and its first result is returned again', async () => {
      const first = await call('update', rename('new'));
      expect(dataOf(first).updateLocation.location).toMatchObject({ name: 'new', version: 2 });
      // Somebody else changes it meanwhile.
      dataOf(await call('update', { id: ids[0], fields: { Name: 'newer' } }));
      for (const to of [server, other]) {
        expect((await call('update', rename('new'), { to })).json).toEqual(first.json);
      }
      expect(await namesOf()).toEqual(['newer', 'b', 'c']);
      expect(outcomes().slice(-3)).toEqual([
        'updateLocation ok',
        'updateLocation ok',
        'updateLocation replayed',
      ]);
    });

    it('a deletion is written once, and returns the location again', async () => {
      const input = { id: ids[1], idempotencyKey: 'key' };
      const first = await call('delete', input);
      expect(dataOf(first).deleteLocation).toMatchObject({ deletedId: ids[1], location: { name: 'b' } });
      const restore = `mutation ($input: RestoreLocationsInput!) { restoreLocations(input: $input) { historyId } }`;
      dataOf(await server.graphql(restore, { input: { mapId, ids: [ids[1]] } }, token));
      expect((await call('delete', input)).json).toEqual(first.json);
      expect(await namesOf()).toEqual(['a', 'b', 'c']);
    });

    it('a move is written once, and returns the locations as they are by then', async () => {
      const input = { ids: [ids[2], ids[1]], toStart: true, idempotencyKey: 'key' };
      const first = dataOf(await call('move', input)).moveLocations;
      expect(first.historyId).not.toBeNull();
      dataOf(await call('move', { ids: [ids[2]], toEnd: true }));
      dataOf(await call('delete', { id: ids[1] }));
      const again = dataOf(await call('move', input)).moveLocations;
      expect(again).toMatchObject({ historyId: first.historyId, locations: [{ id: ids[2], version: 3 }] });
      expect(await namesOf()).toEqual(['a', 'c']);
    });

    it('other content under the key is a conflict, of the same mutation and of another one', async () => {
      dataOf(await call('update', rename('new')));
      const unchanged = await stored();
      const others: [Mutation, Record<string, unknown>][] = [
        ['update', rename('other')],
        ['update', rename('new', { externalId: null })],
        ['update', rename('new', { id: ids[1] })],
        ['delete', { id: ids[0], idempotencyKey: 'key' }],
        ['move', { ids: [ids[0]], toEnd: true, idempotencyKey: 'key' }],
        ['create', { locations: [place('d')], idempotencyKey: 'key' }],
      ];
      for (const [mutation, input] of others) {
        expect(codesOf(await call(mutation, input))).toEqual(['CONFLICT']);
      }
      expect(await stored()).toEqual(unchanged);
    });

    it('another token and another map may use the key', async () => {
      dataOf(await call('update', rename('new')));
      const link = await server.createToken();
      const second = dataOf(await call('update', rename('of another'), { as: link })).updateLocation;
      expect(second.location).toMatchObject({ name: 'of another', version: 3 });
      mapId = (await makeMap(server)).id;
      const created = dataOf(await call('create', { locations: [place('x')], idempotencyKey: 'key' }));
      expect(created.createLocations.results[0].location.name).toBe('x');
    });

    it('a key counts for 24 hours', async () => {
      dataOf(await call('update', rename('new')));
      now += 24 * HOUR - 1;
      expect(codesOf(await call('update', rename('other')))).toEqual(['CONFLICT']);
      now += 1;
      expect(dataOf(await call('update', rename('other'))).updateLocation.location.name).toBe('other');
    });

    it('concurrent calls with the same content write once, in one process and in several', async () => {
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          call('update', rename('new'), { to: index % 3 === 0 ? other : server }),
        ),
      );
      const done = all.filter((response) => codesOf(response).length === 0);
      expect(new Set(done.map(({ text }) => text)).size).toBe(1);
      // The process that does not hold the call asks its clients to repeat it.
      for (const response of all) {
        if (codesOf(response).length === 0) continue;
        expect(codesOf(response)).toEqual(['OVERLOADED']);
        expect(messageOf(response)).toContain('under way');
      }
      expect(done.length).toBeGreaterThanOrEqual(4);
      expect((await stored()).locations[0]).toMatchObject({ name: 'new', version: 2 });
    });

    it('of concurrent calls with other content, one is written, whole', async () => {
      const lists = [
        ['d', 'e'],
        ['f', 'g'],
        ['h', 'i'],
      ];
      const all = await Promise.all(
        lists.flatMap((names) =>
          [server, other].map((to) =>
            call('create', { locations: names.map(place), idempotencyKey: 'key' }, { to }),
          ),
        ),
      );
      const codes = all.map((response) => codesOf(response)[0] ?? 'ok');
      expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(4);
      expect(codes).toContain('ok');
      const added = (await namesOf()).slice(3);
      expect(lists).toContainEqual(added);
    });

    it('a call that fails without writing frees its key', async () => {
      const bad: [Mutation, Record<string, unknown>, string][] = [
        ['update', rename('new', { id: `${ids[0]}x` }), 'LOCATION_NOT_FOUND'],
        ['update', rename('new', { ifVersion: 9 }), 'CONFLICT'],
        ['update', rename('new', { fields: { Name: '' } }), 'BAD_USER_INPUT'],
        ['delete', { id: 'unknown', idempotencyKey: 'key' }, 'LOCATION_NOT_FOUND'],
        ['move', { ids: [ids[0]], idempotencyKey: 'key' }, 'BAD_USER_INPUT'],
        ['move', { ids: [], toEnd: true, idempotencyKey: 'key' }, 'BAD_USER_INPUT'],
        ['create', { locations: [], idempotencyKey: 'key' }, 'BAD_USER_INPUT'],
      ];
      for (const [mutation, input, code] of bad) {
        expect(codesOf(await call(mutation, input))).toEqual([code]);
      }
      const none = { locations: [{ fields: {} }], idempotencyKey: 'key' };
      expect(dataOf(await call('create', none)).createLocations.results[0].error.code).toBe('BAD_USER_INPUT');
      expect(dataOf(await call('update', rename('new'))).updateLocation.location.name).toBe('new');
    });

    it('createLocations tries again only what has failed', async () => {
      const input = { locations: [place('d'), { fields: { Name: 'e' } }], idempotencyKey: 'key' };
      const first = dataOf(await call('create', input)).createLocations;
      const again = dataOf(await call('create', input)).createLocations;
      expect(again.results).toEqual(first.results);
      expect(await namesOf()).toEqual(['a', 'b', 'c', 'd']);
      const fixed = { ...input, locations: [place('d'), place('e')] };
      expect(codesOf(await call('create', fixed))).toEqual(['CONFLICT']);
    });

    it('a key must be 1 to 255 printable ASCII characters', async () => {
      for (const idempotencyKey of ['', 'ü', 'a\nb', 'k'.repeat(256)]) {
        const response = await call('update', rename('new', { idempotencyKey }));
        expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
        expect(messageOf(response)).toContain('idempotencyKey must be 1 to 255 printable ASCII characters');
      }
      dataOf(await call('update', rename('new', { idempotencyKey: 'k'.repeat(255) })));
      dataOf(await call('update', rename('newer', { idempotencyKey: null })));
      expect(await namesOf()).toEqual(['newer', 'b', 'c']);
    });

    /** The process ends after the write, before the call has its result. */
    const losingResults = async (mutation: Mutation, input: Record<string, unknown>) => {
      before = ({ method }) => (method === 'endKeyedCall' ? Promise.reject(storageUnavailable()) : undefined);
      const response = await call(mutation, input);
      before = () => undefined;
      return dataOf(response);
    };
    const crashed: [Mutation, () => Record<string, unknown>][] = [
      ['update', () => rename('new')],
      ['delete', () => ({ id: ids[0], idempotencyKey: 'key' })],
      ['move', () => ({ ids: [ids[0]], toEnd: true, idempotencyKey: 'key' })],
      ['create', () => ({ locations: [place('d'), place('e')], idempotencyKey: 'key' })],
    ];
    it.each(crashed)(
      'after a crash between its write and its result, %s is not written again',
      async (mutation, input) => {
        const first = await losingResults(mutation, input());
        const after = await stored();
        expect(codesOf(await call(mutation, input(), { to: other }))).toEqual(['OVERLOADED']);
        now += AFTER_HOLD;
        const again = dataOf(await call(mutation, input(), { to: other }));
        // A create that stores nothing more is no change of its own.
        const isCreate = mutation === 'create';
        expect(again).toEqual(
          isCreate ? { createLocations: { ...first.createLocations, historyId: null } } : first,
        );
        expect(dataOf(await call(mutation, input()))).toEqual(again);
        expect(await stored()).toEqual(after);
      },
    );

    /** @returns how many calls of the store it makes; `at` is the last one before its process ends */
    const dyingAt = async (at: number, isLost: 'request' | 'response', run: () => Promise<unknown>) => {
      let count = 0;
      before = ({ method }) => {
        if (method === 'saveTokenUses') return undefined;
        count += 1;
        const isDead = isLost === 'request' ? count >= at : count > at;
        return isDead ? Promise.reject(storageUnavailable()) : undefined;
      };
      after = (_call, response) => {
        if (count === at) throw storageUnavailable();
        return response;
      };
      await run();
      before = () => undefined;
      after = (_call, response) => response;
      return count;
    };

    it.each(crashed)(
      '%s is written once if its process ends at any call of the store',
      async (mutation, input) => {
        for (const isLost of ['request', 'response'] as const) {
          for (let at = 1, made = 1; at <= made; at += 1) {
            await seed();
            made = await dyingAt(at, isLost, () => call(mutation, input()));
            now += AFTER_HOLD;
            const first = await call(mutation, input(), { to: other });
            const once = await stored();
            const effects = {
              update: ['new 2', 'b 1', 'c 1'],
              delete: ['b 1', 'c 1'],
              move: ['b 1', 'c 1', 'a 2'],
              create: ['a 1', 'b 1', 'c 1', 'd 1', 'e 1'],
            };
            const found = once.locations.map(
              ({ name, version }: { name: string; version: number }) => `${name} ${version}`,
            );
            expect([isLost, at, codesOf(first), found, once.calls.length]).toEqual([
              isLost,
              at,
              [],
              effects[mutation],
              2,
            ]);
            expect(codesOf(await call(mutation, input()))).toEqual([]);
            expect(await stored()).toEqual(once);
          }
        }
      },
    );

    it('after a crash, a write by somebody else in between is not overwritten', async () => {
      await losingResults('update', rename('new'));
      dataOf(await call('update', { id: ids[0], fields: { Name: 'newer' } }));
      now += AFTER_HOLD;
      expect(dataOf(await call('update', rename('new'))).updateLocation.location.name).toBe('newer');
      expect(await historyCount()).toBe(3);
    });

    it('after a crash before its write, a call is written by its retry', async () => {
      before = ({ method }) =>
        method === 'updateLocations' ? Promise.reject(storageUnavailable()) : undefined;
      expect(codesOf(await call('update', rename('new')))).toEqual(['STORAGE_UNAVAILABLE']);
      before = () => undefined;
      // Its statement may still be under way.
      expect(codesOf(await call('update', rename('new')))).toEqual(['OVERLOADED']);
      now += AFTER_HOLD;
      expect(dataOf(await call('update', rename('new'))).updateLocation.location.version).toBe(2);
      expect(dataOf(await call('update', rename('new'))).updateLocation.location.version).toBe(2);
    });

    it('a process that was suspended does not write when its hold is over', async () => {
      const retried: TestResponse[] = [];
      before = ({ method }) => {
        if (method !== 'getLocations') return undefined;
        before = () => undefined;
        now += AFTER_HOLD;
        // Meanwhile a retry writes the call, and somebody else changes the location.
        const meanwhile = async () => {
          retried.push(await call('update', rename('new'), { to: other }));
          dataOf(await call('update', { id: ids[0], fields: { Name: 'newer' } }, { to: other }));
          return other.gateway.storage.getLocations(mapId, [ids[0] ?? '']);
        };
        return meanwhile();
      };
      expect(codesOf(await call('update', rename('new')))).toEqual(['OVERLOADED']);
      expect(await namesOf()).toEqual(['newer', 'b', 'c']);
      expect((await call('update', rename('new'))).json).toEqual(retried[0]?.json);
      expect(await namesOf()).toEqual(['newer', 'b', 'c']);
    });

    it.each(crashed.filter(([mutation]) => mutation === 'move' || mutation === 'delete'))(
      'a process that was suspended once it holds the call does not write, %s',
      async (mutation, input) => {
        const retried: TestResponse[] = [];
        after = async ({ method }, response) => {
          if (method !== 'holdKeyedCall') return response;
          after = (_call, later) => later;
          await response;
          now += AFTER_HOLD;
          retried.push(await call(mutation, input(), { to: other }));
          return response;
        };
        expect(codesOf(await call(mutation, input()))).toEqual(['OVERLOADED']);
        const once = await stored();
        expect([codesOf(retried[0]!), once.calls.length]).toEqual([[], 2]);
        expect((await call(mutation, input())).json).toEqual(retried[0]?.json);
        expect(await stored()).toEqual(once);
      },
    );

    it('a call that is written by its retry has the time of the retry', async () => {
      before = ({ method }) =>
        method === 'deleteLocation' ? Promise.reject(storageUnavailable()) : undefined;
      const input = { id: ids[0], idempotencyKey: 'key' };
      expect(codesOf(await call('delete', input))).toEqual(['STORAGE_UNAVAILABLE']);
      before = () => undefined;
      now += 20 * HOUR;
      dataOf(await call('delete', input));
      const query = 'query ($id: ID!) { map(id: $id) { trash { nodes { deletedAt } } } }';
      const { map } = dataOf(await server.graphql(query, { id: mapId }, token));
      expect(map.trash.nodes).toEqual([{ deletedAt: new Date(now).toISOString() }]);
    });

    it('null stands for what is omitted', async () => {
      const update = rename('new');
      const first = await call('update', update);
      const nulls = { ifVersion: null, fieldsMode: null, unset: null, order: null };
      expect((await call('update', { ...update, ...nulls })).json).toEqual(first.json);
      expect(codesOf(await call('update', { ...update, position: null }))).toEqual(['CONFLICT']);
      expect(codesOf(await call('update', { ...update, externalId: null }))).toEqual(['CONFLICT']);
      const move = { ids: [ids[2]], toStart: true, idempotencyKey: 'move' };
      dataOf(await call('move', move));
      expect(codesOf(await call('move', { ...move, after: null, toEnd: null }))).toEqual([]);
    });

    it('a call that can never run stores no key', async () => {
      const methods: string[] = [];
      before = ({ method }) => void methods.push(method);
      const deep = `${'{a:'.repeat(2_500)}1${'}'.repeat(2_500)}`;
      const literal = `mutation { updateLocation(input: { mapId: "${mapId}", id: "${ids[0]}", fields: ${deep}, idempotencyKey: "k" }) { historyId } }`;
      expect(['BAD_USER_INPUT', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']).toContain(
        codesOf(await server.graphql(literal, {}, token))[0],
      );
      const long = await call('update', rename('x'.repeat(100_000)));
      expect(codesOf(long)).toEqual(['BAD_USER_INPUT']);
      expect(methods).not.toContain('holdKeyedCall');
    });

    it('a createLocations that was interrupted is completed by its retry, as one change', async () => {
      let isFirst = true;
      before = ({ method }) => {
        if (method !== 'endKeyedCall' || !isFirst) return undefined;
        isFirst = false;
        return Promise.reject(storageUnavailable());
      };
      const input = {
        locations: [place('d'), { fields: { Name: 'e', Address: 'nowhere' } }],
        idempotencyKey: 'key',
      };
      const first = dataOf(await call('create', input)).createLocations;
      now += AFTER_HOLD;
      const again = dataOf(await call('create', input, { to: other })).createLocations;
      expect(again.results[0]).toEqual(first.results[0]);
      expect((await namesOf()).filter((name: string) => name === 'd')).toHaveLength(1);
      expect(await historyCount()).toBe(2);
    });

    it('without a history, too, a call is written once after a crash', async () => {
      const { storage } = proxyStorage(await openStorage(url ?? '', { timeoutMs: 5_000 }), {
        before: ({ method }) =>
          method === 'endKeyedCall' ? Promise.reject(storageUnavailable()) : undefined,
      });
      const bare = await createTestServer(
        { HISTORY_DAYS: '0', TRASH_DAYS: '0' },
        { storage, clock: () => now },
      );
      const first = dataOf(await call('update', rename('new'), { to: bare })).updateLocation;
      expect(first).toMatchObject({ historyId: null, location: { version: 2 } });
      now += AFTER_HOLD;
      dataOf(await call('update', { id: ids[0], fields: { Name: 'newer' } }, { to: bare }));
      const again = dataOf(await call('update', rename('new'), { to: bare })).updateLocation;
      expect(again).toMatchObject({ historyId: null, location: { name: 'newer', version: 3 } });
      expect(
        dataOf(await call('delete', { id: ids[1], idempotencyKey: 'd' }, { to: bare })).deleteLocation,
      ).toMatchObject({
        deletedId: ids[1],
      });
      now += AFTER_HOLD;
      // Its last state is not kept.
      const gone = await call('delete', { id: ids[1], idempotencyKey: 'd' }, { to: bare });
      expect(codesOf(gone)).toEqual(['LOCATION_NOT_FOUND']);
      now += AFTER_HOLD;
      for (const _retry of [1, 2]) {
        const again = await call('delete', { id: ids[1], idempotencyKey: 'd' }, { to: other });
        expect(codesOf(again)).toEqual(['LOCATION_NOT_FOUND']);
      }
      await bare.close();
    });

    it('calls without a key make no more calls of the store', async () => {
      const methods: string[] = [];
      before = ({ method }) => void methods.push(method);
      dataOf(await call('update', rename('new', { idempotencyKey: undefined })));
      dataOf(await call('delete', { id: ids[1] }));
      const own = methods.filter((method) => method !== 'findTokenByHash' && method !== 'saveTokenUses');
      expect(own).toEqual(['getMaps', 'getLocations', 'updateLocations', 'getMaps', 'deleteLocation']);
    });
  });
}
