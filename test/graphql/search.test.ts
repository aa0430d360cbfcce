/** Locations by filters and orders, clusters, and deletion by a filter, in GraphQL. */

import type { Connection, Page, PageArguments } from '../support/connections.ts';
import { ARGUMENTS, DEFINITIONS, expectedPage, PAGE, readAll, seenPage } from '../support/connections.ts';
import { codesOf, dataOf, deleteMap, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

/** Name, latitude, longitude, and the other fields. */
type Row = readonly [string, number, number, Record<string, unknown>?];

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Seats', type: 'number' },
  { name: 'Opened', type: 'date' },
];
const ROWS: readonly Row[] = [
  ['Café Paris', 64.1466, -21.9426, { Seats: '40', Opened: '2020-05-01', Kind: 'café' }],
  ['Bar Ölüdeniz', 64.1467, -21.9426, { Seats: 9, Opened: '2019-12-31T23:59:59Z' }],
  ['Fiji café', -17.7, 179.9, { Seats: 'many', Kind: 'bar' }],
  ['Samoa', -13.8, -171.7, { Seats: 40 }],
  ['café paris', 48.8566, 2.3522],
];

const QUERY = `query ($mapId: ID!, ${DEFINITIONS}, $filter: LocationFilter, $orderBy: LocationOrderInput) {
  map(id: $mapId) { locations(${ARGUMENTS}, filter: $filter, orderBy: $orderBy) { ${PAGE} edges { node { name } distance } } }
}`;
const VIEWER_QUERY = `query (${DEFINITIONS}, $filter: LocationFilter, $orderBy: LocationOrderInput) {
  viewer { locations(${ARGUMENTS}, filter: $filter, orderBy: $orderBy) { ${PAGE} nodes { name map { id name } } } }
}`;

describe('locations by a filter and an order', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server, { fields: FIELDS })).id;
    await fill(mapId, ROWS);
  });

  async function fill(id: string, rows: readonly Row[]): Promise<void> {
    const locations = rows.map(([Name, latitude, longitude, rest]) => ({
      fields: { Name, Address: 'somewhere', ...rest },
      position: { latitude, longitude },
    }));
    const response = await server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { error { message } } } }`,
      { input: { mapId: id, locations } },
    );
    expect(dataOf(response).createLocations.results).toEqual(rows.map(() => ({ error: null })));
  }

  const execute = (
    search: Record<string, unknown>,
    args: PageArguments = {},
    token?: string,
  ): Promise<TestResponse> => server.graphql(QUERY, { mapId, ...search, ...args }, token);
  const pageOf = (response: TestResponse): Page => dataOf(response).map.locations;
  const namesOf = async (search: Record<string, unknown>): Promise<string[]> =>
    dataOf(await execute(search)).map.locations.edges.map(
      ({ node }: { node: { name: string } }) => node.name,
    );

  const [paris, bar, fiji, samoa, small] = ROWS.map(([name]) => name);

  it.each<[string, Record<string, unknown>, (string | undefined)[]]>([
    ['nothing', {}, [paris, bar, fiji, samoa, small]],
    ['a word without accents', { search: 'cafe' }, [paris, fiji, small]],
    [
      'a box across the antimeridian',
      { bbox: { south: -20, west: 170, north: 0, east: -170 } },
      [fiji, samoa],
    ],
    ['a circle', { near: { latitude: 64.1466, longitude: -21.9426, radius: 11.119 } }, [paris]],
    [
      'a circle a millimetre wider',
      { near: { latitude: 64.1466, longitude: -21.9426, radius: 11.12 } },
      [paris, bar],
    ],
    [
      'a polygon',
      {
        polygon: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 40],
              [10, 40],
              [10, 50],
              [0, 50],
              [0, 40],
            ],
          ],
        },
      },
      [small],
    ],
    ['a decimal in a number field', { property: { name: 'Seats', eq: 40 } }, [paris, samoa]],
    ['a null that is not stored', { property: { name: 'Kind', eq: null } }, []],
    ['one of several', { property: { name: 'Seats', in: ['many', 9] } }, [bar, fiji]],
    ['a day and later', { property: { name: 'Opened', from: '2020-01-01' } }, [paris]],
    ['a day, all of it', { property: { name: 'Opened', to: '2019-12-31' } }, [bar]],
    ['a beginning', { property: { name: 'Kind', prefix: 'CAFE' } }, [paris]],
    ['locations without the property', { property: { name: 'Kind', exists: false } }, [bar, samoa, small]],
    ['either', { or: [{ search: 'samoa' }, { not: { search: 'cafe' } }] }, [bar, samoa]],
    ['nulls as if absent', { search: 'paris', bbox: null, and: null }, [paris, small]],
  ])('finds %s', async (_what, filter, expected) => {
    expect(await namesOf({ filter })).toEqual(expected.toSorted((a, b) => orderOf(a) - orderOf(b)));
  });
  const orderOf = (name: string | undefined) => ROWS.findIndex(([each]) => each === name);

  it.each<[Record<string, unknown>, (string | undefined)[]]>([
    [{ by: 'list', direction: 'desc' }, [small, samoa, fiji, bar, paris]],
    [{ by: 'name' }, [bar, paris, small, fiji, samoa]],
    [{ by: 'property', property: 'Seats' }, [bar, paris, samoa, fiji, small]],
    [{ by: 'property', property: 'Seats', direction: 'desc' }, [paris, samoa, bar, fiji, small]],
    [{ by: 'property', property: 'Opened', direction: 'desc' }, [paris, bar, fiji, samoa, small]],
  ])('lists by %j', async (orderBy, expected) => {
    expect(await namesOf({ orderBy })).toEqual(expected);
  });

  it('returns the distance, and sorts by it', async () => {
    const near = { latitude: 64.1467, longitude: -21.9426, radius: 1_000 };
    const response = await execute({ filter: { near }, orderBy: { by: 'distance' } });
    const edges = dataOf(response).map.locations.edges as { node: { name: string }; distance: number }[];
    expect(edges.map(({ node, distance }) => [node.name, distance])).toEqual([
      [bar, 0],
      [paris, 11.12],
    ]);
    const without = await execute({ filter: { or: [{ near }] } });
    expect(pageOf(without).edges).toMatchObject([{ distance: null }, { distance: null }]);
  });

  it('pages by Relay, both ways and between cursors', async () => {
    const search = { filter: { not: { search: 'samoa' } }, orderBy: { by: 'name', direction: 'desc' } };
    const connection = (args: PageArguments) => execute(search, args);
    const all = await readAll(connection, pageOf);
    expect(all).toHaveLength(4);
    const cursors = [null, ...all.map(({ cursor }) => cursor)];
    for (const first of [1, 3]) {
      for (const after of cursors) {
        for (const before of [null, all[3]!.cursor]) {
          for (const args of [
            { first, after, before },
            { last: first, after, before },
          ] as const) {
            expect(seenPage(pageOf(await connection(args)))).toEqual(expectedPage(all, args));
          }
        }
      }
    }
  });

  it('refuses a cursor of another filter, order, map or connection', async () => {
    const { edges } = pageOf(await execute({ filter: { search: 'cafe' } }));
    const after = edges[0]!.cursor;
    const other = (await makeMap(server)).id;
    const plain = pageOf(await execute({})).edges[0]!.cursor;
    for (const [search, cursor] of [
      [{ filter: { search: 'café' } }, after],
      [{ filter: { search: 'cafe' }, orderBy: { by: 'name' } }, after],
      [{}, after],
      [{ filter: { search: 'cafe' }, mapId: other }, after],
      [{ filter: { search: 'cafe' } }, plain],
    ] as const) {
      const response = await execute({ ...search }, { after: cursor });
      expect([codesOf(response), messageOf(response)]).toEqual([
        ['BAD_USER_INPUT'],
        expect.stringMatching(/^after /),
      ]);
    }
    expect(
      codesOf(await execute({ filter: { search: 'cafe', ids: null }, orderBy: { by: 'list' } }, { after })),
    ).toEqual([]);
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [
      { filter: { and: [{}, { bbox: { south: 91, west: 0, north: 92, east: 1 } }] } },
      /filter\.and\[1\]\.bbox\.south/,
    ],
    [{ filter: { bbox: { south: 1, west: 0, north: 0, east: 1 } } }, /filter\.bbox\.south/],
    [{ filter: { near: { latitude: 0, longitude: 0, radius: -1 } } }, /filter\.near\.radius/],
    [{ filter: { or: [] } }, /filter\.or/],
    [{ filter: { search: '…' } }, /filter\.search/],
    [{ filter: { not: { property: { name: 'Seats', from: 'a' } } } }, /filter\.not\.property/],
    [{ filter: { property: { name: 'Seats', eq: { a: 1 } } } }, /filter\.property\.eq/],
    [{ filter: { not: { not: { not: { not: { not: {} } } } } } }, /filter\.not\.not\.not\.not\.not/],
    [{ orderBy: { by: 'distance' } }, /orderBy/],
    [{ orderBy: { by: 'property' } }, /orderBy\.property/],
    [{ orderBy: { by: 'name', property: 'Seats' } }, /orderBy\.property/],
  ])('refuses %j, naming the member', async (search, message) => {
    const response = await execute(search);
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      expect.stringMatching(message),
    ]);
  });

  it('counts towards the rows of an operation', async () => {
    const aliases = Array.from(
      { length: 49 },
      (_, index) => `a${index}: locations(first: 1, filter: $f) { totalCount }`,
    );
    const filter = { and: Array.from({ length: 45 }, () => ({ search: 'a' })) };
    const response = await server.graphql(
      `query ($id: ID!, $f: LocationFilter) { map(id: $id) { ${aliases.join(' ')} } }`,
      { id: mapId, f: filter },
    );
    expect(new Set(codesOf(response))).toEqual(new Set(['BAD_USER_INPUT']));
  });

  describe('of all maps', () => {
    const askViewer = (search: Record<string, unknown>, args: PageArguments, token: string) =>
      server.graphql(VIEWER_QUERY, { ...search, ...args }, token);
    const viewerPage = (response: TestResponse): Page => dataOf(response).viewer.locations;

    it('are listed map by map, without deleted maps and maps of others', async () => {
      const token = await server.createToken({ owner: 'an owner of three' });
      const own = [];
      for (const name of ['first', 'second', 'gone']) {
        const { id } = await makeMap(server, { name }, token);
        const locations = ['B', 'A'].map((Name) => ({
          fields: { Name, Address: 'x' },
          position: { latitude: 1, longitude: 2 },
        }));
        dataOf(
          await server.graphql(
            'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { error { code } } } }',
            { input: { mapId: id, locations } },
            token,
          ),
        );
        own.push(id);
      }
      await deleteMap(server, own[2]!, token);
      const seen = async (search: Record<string, unknown>, by = token) =>
        (
          viewerPage(await askViewer(search, {}, by)).nodes as unknown as {
            name: string;
            map: { name: string };
          }[]
        ).map(({ name, map }) => `${map.name} ${name}`);
      expect(await seen({})).toEqual(['first B', 'first A', 'second B', 'second A']);
      expect(await seen({ orderBy: { by: 'list', direction: 'desc' } })).toEqual([
        'second A',
        'second B',
        'first A',
        'first B',
      ]);
      expect(await seen({ orderBy: { by: 'name' } })).toEqual(['first A', 'second A', 'first B', 'second B']);
      expect(await seen({ filter: { search: 'b' } })).toEqual(['first B', 'second B']);
      const limited = await server.createToken({ owner: 'an owner of three', mapId: own[1]! });
      expect(await seen({}, limited)).toEqual(['second B', 'second A']);
      const connection: Connection['execute'] = (args) => askViewer({ orderBy: { by: 'name' } }, args, token);
      const all = await readAll(connection, viewerPage);
      for (const args of [{ first: 1 }, { last: 3 }, { first: 2, after: all[0]!.cursor }]) {
        expect(seenPage(viewerPage(await connection(args)))).toEqual(expectedPage(all, args));
      }
      const foreign = await askViewer({ orderBy: { by: 'name' } }, { after: all[0]!.cursor }, limited);
      expect(codesOf(foreign)).toEqual(['BAD_USER_INPUT']);
    });
  });

  describe('together', () => {
    const askClusters = (bbox: Record<string, number>, zoom: number, filter?: Record<string, unknown>) =>
      server.graphql(
        `query ($id: ID!, $bbox: BboxInput!, $zoom: Int!, $filter: LocationFilter) { map(id: $id) {
          clusters(bbox: $bbox, zoom: $zoom, filter: $filter) {
            latitude longitude count bbox { south west north east } location { name }
          }
        } }`,
        { id: mapId, bbox, zoom, filter },
      );
    const world = { south: -90, west: -180, north: 90, east: 180 };

    it('form clusters from north to south, a single one with its location, right after a write', async () => {
      const clusters = async (filter?: Record<string, unknown>) =>
        dataOf(await askClusters(world, 5, filter)).map.clusters.map(
          ({ count, location }: { count: number; location: { name: string } | null }) =>
            location?.name ?? count,
        );
      expect(await clusters()).toEqual([2, small, samoa, fiji]);
      await fill(mapId, [['Samoa too', -13.81, -171.71]]);
      expect(await clusters()).toEqual([2, small, 2, fiji]);
      expect(await clusters({ search: 'paris' })).toEqual([paris, small]);
      const response = await askClusters({ south: -20, west: 170, north: 0, east: -170 }, 5);
      expect(dataOf(response).map.clusters).toMatchObject([
        {
          count: 2,
          latitude: expect.closeTo(-13.805, 9),
          longitude: expect.closeTo(-171.705, 9),
          bbox: { south: -13.81, west: -171.71, north: -13.8, east: -171.7 },
          location: null,
        },
        { count: 1, latitude: -17.7, longitude: 179.9, location: { name: fiji } },
      ]);
    });

    it('are refused for an invalid zoom or box', async () => {
      for (const [bbox, zoom, message] of [
        [world, 23, /^zoom /],
        [world, -1, /^zoom /],
        [{ ...world, north: -91 }, 1, /^bbox\.north /],
      ] as const) {
        const response = await askClusters(bbox, zoom);
        expect([codesOf(response), messageOf(response)]).toEqual([
          ['BAD_USER_INPUT'],
          expect.stringMatching(message),
        ]);
      }
    });
  });

  describe('are deleted', () => {
    const send = (input: Record<string, unknown>) =>
      server.graphql(
        `mutation ($input: DeleteLocationsInput!) { deleteLocations(input: $input) {
          deletedIds deletedCount map { locations { totalCount } }
        } }`,
        { input: { mapId, ...input } },
      );

    it('if there are as many as expected, and no others', async () => {
      const filter = { search: 'paris' };
      const ids = pageOf(await execute({ filter })).nodes.map(({ id }) => id);
      const conflict = await send({ filter, expectedCount: 3 });
      expect([codesOf(conflict), messageOf(conflict)]).toEqual([['CONFLICT'], expect.stringMatching(/ 2 /)]);
      expect(dataOf(await send({ filter, expectedCount: 2 })).deleteLocations).toEqual({
        deletedIds: ids,
        deletedCount: 2,
        map: { locations: { totalCount: 3 } },
      });
      const left = await server.request('GET', `/v0/map/${mapId}/locations`);
      expect(left.json.map(({ name }: { name: string }) => name)).toEqual([bar, fiji, samoa]);
    });

    it.each<[Record<string, unknown>, RegExp]>([
      [{}, /^Give either ids or filter/],
      [{ ids: ['a'], filter: {} }, /^Give either ids or filter/],
      [{ filter: {} }, /^expectedCount /],
      [{ ids: ['a'], expectedCount: 1 }, /^expectedCount /],
      [{ filter: { search: '' }, expectedCount: 1 }, /^filter\.search /],
    ])('by ids or by a filter: %j is refused', async (input, message) => {
      const response = await send(input);
      expect([codesOf(response), messageOf(response)]).toEqual([
        ['BAD_USER_INPUT'],
        expect.stringMatching(message),
      ]);
    });
  });
});
