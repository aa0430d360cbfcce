/** Storage calls per operation, in addition to the token lookup that begins every request. */

import { openStorage } from '../../src/storage/open.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import type { MadeLocation, MadeMap } from '../support/graphql.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const TOKEN_LOOKUP = 'findTokenByHash';

describe('storage calls', () => {
  let counting: StorageProxy;
  let server: TestServer;
  const maps: MadeMap[] = [];
  const locations: MadeLocation[][] = [];

  beforeAll(async () => {
    counting = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1000 }));
    server = await createTestServer({}, { storage: counting.storage });
    for (let index = 0; index < 20; index += 1) maps.push(await makeMap(server, { name: `Map ${index}` }));
    for (const map of maps.slice(0, 3))
      locations.push(await makeLocations(server, map.id, Array<null>(120).fill(null)));
  });
  afterAll(() => server.close());
  beforeEach(() => counting.forget());

  /** Excludes storing the last uses of tokens, which a timer does. */
  const methodsCalled = () =>
    counting.calls.map(({ method }) => method).filter((method) => method !== 'saveTokenUses');

  /** The methods called in addition to the token lookup, which must occur exactly once. */
  async function callsOf(query: string, variables: Record<string, unknown> = {}): Promise<string[]> {
    counting.forget();
    dataOf(await server.graphql(query, variables));
    const methods = methodsCalled();
    expect(methods.filter((method) => method === TOKEN_LOOKUP)).toHaveLength(1);
    return methods.filter((method) => method !== TOKEN_LOOKUP);
  }

  const mapId = () => maps[0]?.id ?? '';
  const idOf = (map: number, location: number) => locations[map]?.[location]?.id ?? '';

  it('a page of 100 locations, each with its map: two', async () => {
    const query = `query ($id: ID!) {
      map(id: $id) { name locations(first: 100) {
        edges { cursor node { id name properties map { id name } } } nodes { map { name } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nextOrder
      } }
    }`;
    expect(await callsOf(query, { id: mapId() })).toEqual(['getMaps', 'listLocations']);
  });

  it('a page of plain locations, read as JSON: two', async () => {
    const query = `query ($id: ID!) {
      map(id: $id) { name locations(first: 100) {
        nodes { ...Plain } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nextOrder
      } }
    }
    fragment Plain on Location { id ... on Node { id } properties geocoding { provider } }`;
    expect(await callsOf(query, { id: mapId() })).toEqual(['getMaps', 'listLocationsJson']);
  });

  it('a page of a public map, each location with its map, under any number of aliases: two', async () => {
    const { id } = await makeMap(server, { isPublished: true });
    await makeLocations(server, id, Array<null>(120).fill(null));
    const query = `query ($id: ID!) {
      publicMap(id: $id) { name locations(first: 100) { edges { cursor node { id map { id name } } } nextOrder } }
      again: publicMap(id: $id) { fields { name } }
    }`;
    expect(await callsOf(query, { id })).toEqual(['getMaps', 'listLocations']);
  });

  it('counts run only if selected', async () => {
    const query = `query ($id: ID!) { map(id: $id) { locations { nodes { id } totalCount } } }`;
    expect(await callsOf(query, { id: mapId() })).toEqual(['getMaps', 'listLocationsJson', 'countLocations']);
  });

  it('the count of one map runs once, under any number of aliases', async () => {
    const counts = `locations(first: 1) { ${Array.from({ length: 20 }, (_, index) => `t${index}: totalCount`).join(' ')} }`;
    const query = `query ($id: ID!) { map(id: $id) { ${counts} more: ${counts} } }`;
    const calls = await callsOf(query, { id: mapId() });
    expect(calls.filter((method) => method === 'countLocations')).toHaveLength(1);
  });

  it('the other side of a page is read only if its flag is selected', async () => {
    const { map } = dataOf(
      await server.graphql(
        'query ($id: ID!) { map(id: $id) { locations(first: 5) { pageInfo { endCursor } } } }',
        {
          id: mapId(),
        },
      ),
    );
    const variables = { id: mapId(), after: map.locations.pageInfo.endCursor };
    const page = (fields: string) =>
      `query ($id: ID!, $after: String) { map(id: $id) { locations(first: 5, after: $after) { nodes { id } ${fields} } } }`;
    expect(await callsOf(page(''), variables)).toEqual(['getMaps', 'listLocationsJson']);
    expect(
      await callsOf(page('pageInfo { hasNextPage endCursor startCursor } nextOrder'), variables),
    ).toEqual(['getMaps', 'listLocationsJson']);
    expect(await callsOf(page('pageInfo { hasPreviousPage }'), variables)).toEqual([
      'getMaps',
      'listLocationsJson',
      'hasLocations',
    ]);
  });

  it('the first page from either end gives its flags and the next order without another call', async () => {
    for (const size of ['first: 5', 'last: 5']) {
      const query = `query ($id: ID!) { map(id: $id) { locations(${size}) {
        pageInfo { hasNextPage hasPreviousPage } nextOrder
      } } }`;
      expect([size, await callsOf(query, { id: mapId() })]).toEqual([size, ['getMaps', 'listLocationsJson']]);
    }
  });

  it('node of a location: two; of a map: one; of a malformed id: none', async () => {
    const query = 'query ($id: ID!) { node(id: $id) { id ... on Location { map { name } } } }';
    expect(await callsOf(query, { id: idOf(0, 7) })).toEqual(['getMaps', 'getLocations']);
    expect(await callsOf(query, { id: mapId() })).toEqual(['getMaps']);
    expect(await callsOf(query, { id: 'garbage' })).toEqual([]);
  });

  it('location and Map.location: two', async () => {
    const variables = { mapId: mapId(), id: idOf(0, 3) };
    expect(
      await callsOf(
        'query ($mapId: ID!, $id: ID!) { location(mapId: $mapId, id: $id) { map { id } } }',
        variables,
      ),
    ).toEqual(['getMaps', 'getLocations']);
    expect(
      await callsOf(
        'query ($mapId: ID!, $id: ID!) { map(id: $mapId) { location(id: $id) { name } } }',
        variables,
      ),
    ).toEqual(['getMaps', 'getLocations']);
  });

  it('nodes of 100 mixed ids in three maps: one for the maps, and one for each map', async () => {
    const ids = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 0 ? (maps[index % 3]?.id ?? '') : idOf(index % 3, index),
    );
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Location { map { name } } } }';
    expect((await callsOf(query, { ids })).sort()).toEqual(
      ['getLocations', 'getLocations', 'getLocations', 'getMaps'].sort(),
    );
    const found = counting.calls.find(({ method }) => method === 'getMaps');
    expect(found?.args[0]).toHaveLength(3);
  });

  it('viewer: none; its 20 maps: one, and one for each selected page or count of a map', async () => {
    expect(await callsOf('{ viewer { owner scope } }')).toEqual([]);
    expect(
      await callsOf('{ viewer { maps(first: 20) { nodes { id name } pageInfo { hasNextPage } } } }'),
    ).toEqual(['listMaps']);
    const counts = await callsOf('{ viewer { maps(first: 20) { nodes { locations { totalCount } } } } }');
    // A count alone reads no page.
    expect(counts).toEqual(['listMaps', ...Array<string>(20).fill('countLocations')]);
    const pages = await callsOf(
      '{ viewer { maps(first: 20) { nodes { locations(first: 2) { nodes { map { id } } } } } } }',
    );
    expect(pages).toEqual(['listMaps', ...Array<string>(20).fill('listLocations')]);
    expect(await callsOf('{ viewer { maps { totalCount } } }')).toEqual(['listMaps', 'countMaps']);
  });

  it('maps by a filter or an order: one, with counts and flags, under any number of aliases', async () => {
    const page = 'nodes { id name } totalCount pageInfo { hasNextPage hasPreviousPage endCursor }';
    const { viewer } = dataOf(
      await server.graphql(`{ viewer { maps(first: 5, orderBy: { by: name }) { ${page} } } }`),
    );
    const query = `query ($after: String) { viewer {
      maps(first: 5, after: $after, orderBy: { by: name }) { ${page} }
      last: maps(last: 5, orderBy: { by: name }) { ${page} }
      found: maps(filter: { search: "map", isDeleted: false }) { ${page} }
    } }`;
    const attempt = () => callsOf(query, { after: viewer.maps.pageInfo.endCursor });
    let calls = await attempt();
    // On a busy machine, the reads of one operation may span several turns of the event loop.
    for (let more = 20; more > 0 && calls.length > 1; more -= 1) calls = await attempt();
    expect(calls).toEqual(['listMaps']);
  });

  it('locations of all maps: one for the maps, under any number of aliases, and one for each page', async () => {
    const names = Array.from(
      { length: 5 },
      (_, index) =>
        `l${index}: locations(first: 2, filter: { search: "${index}" }) { nodes { map { name } } }`,
    );
    const calls = await callsOf(`{ viewer { ${names.join(' ')} } again: viewer { ${names[0]} } }`);
    expect(calls).toEqual(['listMaps', ...Array<string>(6).fill('findLocations')]);
  });

  it('the same map under ten aliases: one', async () => {
    const aliases = Array.from({ length: 10 }, (_, index) => `m${index}: map(id: $id) { name }`).join(' ');
    expect(await callsOf(`query ($id: ID!) { ${aliases} }`, { id: mapId() })).toEqual(['getMaps']);
  });

  it('ten maps under ten aliases: one', async () => {
    const aliases = maps.slice(0, 10).map(({ id }, index) => `m${index}: map(id: "${id}") { name }`);
    expect(await callsOf(`{ ${aliases.join(' ')} }`)).toEqual(['getMaps']);
  });

  it('the same location under ten aliases: two', async () => {
    const aliases = Array.from(
      { length: 10 },
      (_, index) => `l${index}: location(mapId: $mapId, id: $id) { name map { name } }`,
    ).join(' ');
    const query = `query ($mapId: ID!, $id: ID!) { ${aliases} }`;
    expect(await callsOf(query, { mapId: mapId(), id: idOf(0, 1) })).toEqual(['getMaps', 'getLocations']);
    const call = counting.calls.find(({ method }) => method === 'getLocations');
    expect(call?.args.slice(0, 2)).toEqual([mapId(), [idOf(0, 1)]]);
  });

  it('createLocation: two, and one more for an idempotency key', async () => {
    const query = `mutation ($input: CreateLocationInput!) {
      createLocation(input: $input) { location { id map { name } } edge { cursor } map { name } }
    }`;
    const input = { mapId: mapId(), fields: { Name: 'A', Address: 'B' } };
    expect(await callsOf(query, { input })).toEqual(['getMaps', 'insertLocations']);
    const keyed = { input: { ...input, idempotencyKey: 'calls' } };
    expect(await callsOf(query, keyed)).toEqual(['getMaps', 'findIdempotencyRecords', 'insertLocations']);
    expect(await callsOf(query, keyed)).toEqual(['getMaps', 'findIdempotencyRecords']);
  });

  it('createLocations of 50: as many as for one', async () => {
    const query = `mutation ($input: CreateLocationsInput!) {
      createLocations(input: $input) { map { name } results { location { id map { name } } error { code } } }
    }`;
    const itemOf = (index: number) => ({ fields: { Name: `Bulk ${index}`, Address: `Bulk ${index}` } });
    const items = Array.from({ length: 50 }, (_, index) => itemOf(index));
    expect(await callsOf(query, { input: { mapId: mapId(), locations: items } })).toEqual([
      'getMaps',
      'insertLocations',
    ]);
    const keyed = items.map((item, index) => ({ ...item, idempotencyKey: `calls-${index}` }));
    expect(await callsOf(query, { input: { mapId: mapId(), locations: keyed } })).toEqual([
      'getMaps',
      'findIdempotencyRecords',
      'insertLocations',
    ]);
  });

  it('deleteLocation: two', async () => {
    const query = `mutation ($input: DeleteLocationInput!) {
      deleteLocation(input: $input) { deletedId location { name map { name } } map { name } }
    }`;
    const input = { mapId: mapId(), id: idOf(0, 119) };
    expect(await callsOf(query, { input })).toEqual(['getMaps', 'deleteLocation']);
  });

  it('mutations of maps: createMap one, the others two', async () => {
    expect(await callsOf('mutation { createMap(input: { name: "New" }) { map { id } } }')).toEqual([
      'insertMap',
    ]);
    const id = maps[19]?.id ?? '';
    for (const [name, input] of [
      ['updateMap', '{ id: $id, name: "X" }'],
      ['deleteMap', '{ id: $id }'],
      ['restoreMap', '{ id: $id }'],
    ] as const) {
      const query = `mutation ($id: ID!) { ${name}(input: ${input}) { map { name } } }`;
      expect([name, await callsOf(query, { id })]).toEqual([name, ['getMaps', 'updateMap']]);
    }
  });

  it('an operation without permission: only the token lookup', async () => {
    const reader = await server.createToken({ scope: 'read' });
    counting.forget();
    await server.graphql('mutation { createMap(input: { name: "No" }) { map { id } } }', {}, reader);
    expect(methodsCalled()).toEqual([TOKEN_LOOKUP]);
    counting.forget();
    await server.graphql('{ viewer { owner } map(id: "0123456789abcdef") { id } }', {}, null);
    expect(methodsCalled()).toEqual([]);
  });
});
