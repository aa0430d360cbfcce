/** Both connections against the Relay specification, compared with a reference that slices the whole list. */

import fc from 'fast-check';

import {
  codesOf,
  dataOf,
  deleteLocation,
  deleteMap,
  makeLocations,
  makeMap,
  messageOf,
} from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import type { Connection, Page, PageArguments } from '../support/connections.ts';
import { ARGUMENTS, DEFINITIONS, expectedPage, PAGE, readAll, seenPage } from '../support/connections.ts';
import { createTestServer } from '../support/server.ts';

describe('connections', () => {
  let server: TestServer;
  beforeAll(async () => {
    // Maps are listed by creation time, so each needs its own.
    let now = Date.now();
    server = await createTestServer({}, { clock: () => (now += 1) });
  });
  afterAll(() => server.close());

  const locationsOf = async (mapId: string): Promise<Connection> => {
    const execute: Connection['execute'] = (args) =>
      server.graphql(
        `query ($id: ID!, ${DEFINITIONS}) { map(id: $id) { locations(${ARGUMENTS}) { ${PAGE} nextOrder } } }`,
        { id: mapId, ...args },
      );
    const pageOf = (response: TestResponse): Page => dataOf(response).map.locations;
    return { name: 'Map.locations', execute, pageOf, all: await readAll(execute, pageOf) };
  };

  const mapsOf = async (token: string): Promise<Connection> => {
    const execute: Connection['execute'] = (args) =>
      server.graphql(
        `query (${DEFINITIONS}) { viewer { maps(${ARGUMENTS}) { ${PAGE} } } }`,
        { ...args },
        token,
      );
    const pageOf = (response: TestResponse): Page => dataOf(response).viewer.maps;
    return { name: 'Viewer.maps', execute, pageOf, all: await readAll(execute, pageOf) };
  };

  /** One connection of each kind, with seven items; the locations' orders repeat. */
  const makeBoth = async (): Promise<Connection[]> => {
    const map = await makeMap(server);
    await makeLocations(server, map.id, ['2', '1', '1', null, 'b', '1', 'a']);
    const token = await server.createToken({ owner: `owner of seven ${map.id}` });
    for (let index = 0; index < 7; index += 1) await makeMap(server, { name: `Map ${index}` }, token);
    return [await locationsOf(map.id), await mapsOf(token)];
  };

  it('give the page and the flags of the specification for every combination of arguments', async () => {
    for (const connection of await makeBoth()) {
      const { all } = connection;
      expect(all).toHaveLength(7);
      const cursors = [undefined, ...all.map(({ cursor }) => cursor)];
      const sizes: PageArguments[] = [
        {},
        ...[1, 2, 6, 7, 8].flatMap((size) => [{ first: size }, { last: size }]),
      ];
      for (const size of sizes) {
        for (const from of cursors) {
          for (const to of cursors) {
            const args: PageArguments = { ...size, after: from, before: to };
            const page = seenPage(connection.pageOf(await connection.execute(args)));
            expect({ args, ...page }).toEqual({ args, ...expectedPage(all, args) });
          }
        }
      }
    }
  });

  it('treat null as absent', async () => {
    for (const { execute, pageOf, all } of await makeBoth()) {
      const nothing = { first: null, after: null, last: null, before: null };
      expect(seenPage(pageOf(await execute(nothing)))).toEqual(expectedPage(all, {}));
      expect(seenPage(pageOf(await execute({ ...nothing, last: 2 })))).toEqual(
        expectedPage(all, { last: 2 }),
      );
    }
  });

  it('refuse page sizes outside 1 to 100, and both first and last, naming the argument', async () => {
    for (const { execute } of await makeBoth()) {
      for (const size of [0, -1, 101, 2_147_483_647, -2_147_483_648]) {
        for (const name of ['first', 'last'] as const) {
          const response = await execute({ [name]: size });
          expect([size, codesOf(response)]).toEqual([size, ['BAD_USER_INPUT']]);
          expect(messageOf(response)).toMatch(new RegExp(`^${name} .*1 to 100`));
        }
      }
      const both = await execute({ first: 1, last: 1 });
      expect(codesOf(both)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(both)).toMatch(/first.*last/);
      expect(codesOf(await execute({ first: 1.5 }))).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('refuse cursors that they did not issue', async () => {
    const [locations, maps] = await makeBoth();
    const [otherLocations, otherMaps] = await makeBoth();
    if (!locations || !maps || !otherLocations || !otherMaps) throw new Error('Each should have two items.');
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const garbage = ['', 'x', '💥', 'null', encode(''), encode('l:x'), encode('m:::'), 'A'.repeat(10_000)];
    const ofLocations = locations.all[0]?.cursor ?? '';
    const ofMaps = maps.all[0]?.cursor ?? '';
    const table: readonly (readonly [Connection, readonly string[]])[] = [
      [
        locations,
        [...garbage, ofMaps, otherLocations.all[0]?.cursor ?? '', ` ${ofLocations}`, `${ofLocations}\n`],
      ],
      [maps, [...garbage, ofLocations, otherMaps.all[0]?.cursor ?? '', `${ofMaps}=`]],
    ];
    for (const [{ name, execute }, cursors] of table) {
      for (const cursor of cursors) {
        for (const argument of ['after', 'before'] as const) {
          const response = await execute({ [argument]: cursor });
          expect([name, cursor, codesOf(response)]).toEqual([name, cursor, ['BAD_USER_INPUT']]);
          expect(messageOf(response)).toMatch(new RegExp(`^${argument} `));
        }
      }
    }
  });

  it('accept a cursor after the item it points at is deleted', async () => {
    const map = await makeMap(server);
    const made = await makeLocations(server, map.id, Array<null>(5).fill(null));
    const { all, execute, pageOf } = await locationsOf(map.id);
    await deleteLocation(server, map.id, made[2]?.id ?? '');
    const cursor = all[2]?.cursor ?? '';
    const idsOf = async (args: PageArguments) => seenPage(pageOf(await execute(args))).ids;
    expect(await idsOf({ after: cursor })).toEqual(made.slice(3).map(({ id }) => id));
    expect(await idsOf({ last: 10, before: cursor })).toEqual(made.slice(0, 2).map(({ id }) => id));
    const page = pageOf(await execute({ first: 1, after: cursor }));
    expect(page.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
  });

  it('give URL-safe cursors: one for each item, the same on every page', async () => {
    for (const { all, execute, pageOf } of await makeBoth()) {
      expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length);
      for (const { cursor } of all) expect(cursor).toMatch(/^[\w-]+$/);
      const backwards = pageOf(await execute({ last: 7 }));
      expect(backwards.edges.map(({ cursor }) => cursor)).toEqual(all.map(({ cursor }) => cursor));
    }
  });

  it('are empty, with null cursors and no other pages, if there are no items', async () => {
    const map = await makeMap(server);
    const token = await server.createToken({ owner: 'owner of nothing' });
    for (const { execute, pageOf } of [await locationsOf(map.id), await mapsOf(token)]) {
      for (const args of [{}, { first: 1 }, { last: 1 }]) {
        expect(seenPage(pageOf(await execute(args)))).toEqual(expectedPage([], args));
      }
    }
    expect((await locationsOf(map.id)).all).toEqual([]);
    const { execute, pageOf } = await locationsOf(map.id);
    expect(pageOf(await execute({})).nextOrder).toBeNull();
    expect(pageOf(await execute({ last: 1 })).nextOrder).toBeNull();
  });

  it('return 100 items if no size is given', async () => {
    const map = await makeMap(server);
    await makeLocations(server, map.id, Array<null>(101).fill(null));
    const { execute, pageOf } = await locationsOf(map.id);
    const page = pageOf(await execute({}));
    expect(page.nodes).toHaveLength(100);
    expect(page.pageInfo.hasNextPage).toBe(true);
    expect(page.nextOrder).toBe('101');
    expect(pageOf(await execute({ first: 100 })).nodes).toHaveLength(100);
    expect(pageOf(await execute({ last: 100 })).nodes).toHaveLength(100);
  });

  it('name the order that follows a page, from either end', async () => {
    const map = await makeMap(server);
    await makeLocations(server, map.id, ['1', '1', '2', '10', 'x']);
    const { all, execute, pageOf } = await locationsOf(map.id);
    const nextOrder = async (args: PageArguments) => pageOf(await execute(args)).nextOrder;
    expect(await nextOrder({ first: 1 })).toBe('1');
    expect(await nextOrder({ first: 3 })).toBe('10');
    expect(await nextOrder({ first: 5 })).toBeNull();
    expect(await nextOrder({ last: 2 })).toBeNull();
    expect(await nextOrder({ last: 2, before: all[3]?.cursor })).toBe('10');
    // An empty page at the end of the list.
    expect(await nextOrder({ last: 2, after: all[4]?.cursor })).toBeNull();
    expect(await nextOrder({ first: 2, after: all[4]?.cursor })).toBeNull();
  });

  it('list deleted maps among the others, and a single map for a token limited to it', async () => {
    const owner = 'owner of a limited token';
    const token = await server.createToken({ owner });
    const maps = [];
    for (let index = 0; index < 3; index += 1)
      maps.push(await makeMap(server, { name: `Map ${index}` }, token));
    await deleteMap(server, maps[1]?.id ?? '', token);
    const whole = await mapsOf(token);
    expect(whole.all.map(({ id }) => id)).toEqual(maps.map(({ id }) => id));
    const limited = await server.createToken({ owner, mapId: maps[2]?.id ?? null });
    const { all, execute, pageOf } = await mapsOf(limited);
    expect(all.map(({ id }) => id)).toEqual([maps[2]?.id]);
    for (const args of [
      {},
      { first: 1 },
      { last: 1 },
      { after: whole.all[0]?.cursor },
      { before: all[0]?.cursor },
    ]) {
      const { totalCount, pageInfo } = pageOf(await execute(args));
      expect(totalCount).toBe(1);
      // The flags must not reveal the maps that the token cannot see.
      expect([args, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([args, false, false]);
    }
  });

  it('refuse a page of a deleted map, and still return the rest of the response', async () => {
    const token = await server.createToken({ owner: 'owner of a deleted map' });
    const kept = await makeMap(server, { name: 'Kept' }, token);
    const deleted = await makeMap(server, { name: 'Deleted' }, token);
    await deleteMap(server, deleted.id, token);
    const response = await server.graphql(
      '{ viewer { maps { nodes { name locations { totalCount } } } } }',
      {},
      token,
    );
    expect(codesOf(response)).toEqual(['MAP_DELETED']);
    expect(response.json.data.viewer.maps.nodes).toEqual([
      { name: 'Kept', locations: { totalCount: 0 } },
      { name: 'Deleted', locations: null },
    ]);
    expect(kept.name).toBe('Kept');
  });

  it('agree with the reference on random maps, with random deletions', async () => {
    const order = fc.oneof(
      fc.constant(null),
      fc.constantFrom('1', '1.0', '01', '-2', '0', '10', '9', 'a', 'B', '€', '𝒳', '~'),
      fc.integer({ min: -50, max: 50 }).map(String),
    );
    const size = fc.integer({ min: 1, max: 12 });
    const request = fc.record({
      size: fc.oneof(
        fc.constant({}),
        size.map((first) => ({ first })),
        size.map((last) => ({ last })),
      ),
      after: fc.option(fc.nat(), { nil: undefined }),
      before: fc.option(fc.nat(), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 1, maxLength: 15 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.array(request, { minLength: 1, maxLength: 5 }),
        async (orders, deletions, requests) => {
          const map = await makeMap(server);
          await makeLocations(server, map.id, orders);
          const { all, execute, pageOf } = await locationsOf(map.id);
          const gone = new Set(deletions.map((index) => all[index % all.length]?.id ?? ''));
          for (const id of gone) await deleteLocation(server, map.id, id);
          const left = all.filter(({ id }) => !gone.has(id));
          for (const { size: pageSize, after: from, before: to } of requests) {
            const at = (index: number | undefined) =>
              index === undefined ? undefined : all[index % all.length]?.cursor;
            const args = { ...pageSize, after: at(from), before: at(to) };
            const page = pageOf(await execute(args));
            // Cursors of deleted items still bound the page, by the list as it was.
            const range = all.slice(
              args.after === undefined ? 0 : all.findIndex(({ cursor }) => cursor === args.after) + 1,
              args.before === undefined ? all.length : all.findIndex(({ cursor }) => cursor === args.before),
            );
            const inRange = range.filter(({ id }) => !gone.has(id));
            const { first, last } = args as PageArguments;
            const expected = typeof last === 'number' ? inRange.slice(-last) : inRange.slice(0, first ?? 100);
            expect(page.nodes.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            expect(page.totalCount).toBe(left.length);
            const cutOff = inRange.length > expected.length;
            expect(typeof last === 'number' ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage).toBe(
              cutOff,
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
