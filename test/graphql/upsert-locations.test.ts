/** upsertLocations: synchronizes a map with a caller's list. */

import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

interface Result {
  readonly location: Readonly<Record<string, unknown>> | null;
  readonly outcome: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

describe('upsertLocations', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server)).id;
    server.geocoder.asked.length = 0;
  });

  const item = (
    externalId: string,
    more: Record<string, unknown> = {},
    address = `${externalId} Street`,
  ) => ({
    externalId,
    fields: { Name: externalId, Address: address },
    ...more,
  });
  const send = (locations: readonly unknown[], token?: string): Promise<TestResponse> =>
    server.graphql(
      `mutation ($input: UpsertLocationsInput!) { upsertLocations(input: $input) {
        map { id locations { totalCount } }
        results { location { id name order externalId version properties geocoding { provider } } outcome error { code message } }
      } }`,
      { input: { mapId, locations } },
      token,
    );
  const upsert = async (locations: readonly unknown[]): Promise<Result[]> =>
    dataOf(await send(locations)).upsertLocations.results;
  const outcomesOf = (results: readonly Result[]) =>
    results.map(({ outcome, error }) => outcome ?? error?.code);

  it('creates new locations, updates existing ones, and leaves equal ones unchanged', async () => {
    const first = await upsert([item('a'), item('b'), item('c')]);
    expect(outcomesOf(first)).toEqual(['created', 'created', 'created']);
    server.geocoder.asked.length = 0;
    const second = await upsert([
      item('d'),
      item('b', { fields: { Name: 'B', Address: 'b Street' } }),
      item('a'),
    ]);
    expect(outcomesOf(second)).toEqual(['created', 'updated', 'unchanged']);
    expect(second[2]?.location).toEqual(first[0]?.location);
    expect(second[1]?.location).toMatchObject({
      id: first[1]?.location?.id,
      name: 'B',
      order: '2',
      version: 2,
    });
    expect(second[0]?.location?.order).toBe('4');
    // The address of b is unchanged.
    expect(server.geocoder.asked).toEqual(['d Street']);
  });

  it('replaces all fields, and geocodes only a changed address', async () => {
    await upsert([item('a', { fields: { Name: 'a', Address: 'x', Extra: 1 } })]);
    server.geocoder.asked.length = 0;
    const [changed] = await upsert([item('a', {}, 'y')]);
    expect(changed?.location?.properties).toEqual({ Name: 'a', Address: 'y' });
    const [byHand] = await upsert([item('a', { position: { latitude: 1, longitude: 2 } }, 'z')]);
    expect(byHand?.location?.geocoding).toEqual({ provider: 'manual' });
    expect(outcomesOf(await upsert([item('a', {}, 'z')]))).toEqual(['unchanged']);
    const [again] = await upsert([item('a', { position: null }, 'z')]);
    expect(again?.location?.geocoding).toEqual({ provider: 'fake' });
    expect(server.geocoder.asked).toEqual(['y', 'z']);
  });

  it('moves locations whose order changes', async () => {
    await upsert([item('a'), item('b')]);
    const [moved] = await upsert([item('a', { order: '9' })]);
    expect([moved?.outcome, moved?.location?.order]).toEqual(['updated', '9']);
    expect(outcomesOf(await upsert([item('a', { order: '9' }), item('b', { order: null })]))).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  it('puts new locations after those that the same call moved to the end before', async () => {
    await upsert([item('a'), item('b')]);
    const results = await upsert([
      item('n1'),
      item('a', { order: '100' }),
      item('n2'),
      item('n3'),
      item('b', { order: '200' }),
      item('n4'),
    ]);
    expect(results.map(({ location }) => location?.order)).toEqual(['3', '100', '101', '102', '200', '201']);
  });

  it('logs its changes in the order of the call, across creations, updates and moves', async () => {
    await upsert([item('a'), item('b'), item('c')]);
    const { storage } = server.gateway;
    const start = await storage.lastChange(mapId);
    if (start.kind !== 'place') throw new Error(start.kind);
    const results = await upsert([
      item('c', { order: '0' }),
      item('n1'),
      item('b'),
      item('a', {}, 'elsewhere'),
      item('n2', { order: '1' }),
    ]);
    expect(outcomesOf(results)).toEqual(['updated', 'created', 'unchanged', 'updated', 'created']);
    const ids = results.map(({ location }) => location?.id);
    const log = await storage.readChanges(mapId, start.place, 10);
    expect(log.kind === 'changes' && log.changes.map(({ kind, locationId }) => [kind, locationId])).toEqual([
      ['moved', ids[0]],
      ['created', ids[1]],
      ['updated', ids[3]],
      ['created', ids[4]],
    ]);
  });

  it('reports an error for each invalid item, and writes the others', async () => {
    const results = await upsert([
      item('a'),
      item('a'),
      item(''),
      item('b', { fields: { Name: 'no address' } }),
      item('c', {}, 'unknown: x'),
      item('d', { order: 'bad\n' }),
      item('e'),
    ]);
    expect(outcomesOf(results)).toEqual([
      'created',
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
      'ADDRESS_NOT_FOUND',
      'BAD_USER_INPUT',
      'created',
    ]);
    expect(results[1]?.error?.message).toMatch(/locations\[0\]/);
    for (const { location, outcome, error } of results) {
      expect([location === null, outcome === null]).toEqual([error !== null, error !== null]);
    }
  });

  it('leaves equal locations unchanged, even if the map’s fields have changed since', async () => {
    await upsert([item('a')]);
    const fields = [
      { name: 'Name', type: 'placeName' },
      { name: 'Where', type: 'address' },
    ];
    const input = { id: mapId, fields };
    dataOf(
      await server.graphql('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
        input,
      }),
    );
    expect(outcomesOf(await upsert([item('a'), item('b')]))).toEqual(['unchanged', 'BAD_USER_INPUT']);
    expect(outcomesOf(await upsert([item('a', { order: '9' })]))).toEqual(['updated']);
  });

  it('in concurrent calls creates each location once, and loses no call', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const calls = await Promise.all(
      Array.from({ length: 8 }, (_, call) =>
        upsert(names.map((name) => item(name, { fields: { Name: `${name}${call}`, Address: 'x' } }))),
      ),
    );
    expect(calls.flat().every(({ error }) => error === null)).toBe(true);
    expect(calls.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(names.length);
    const response = await server.graphql(
      `{ map(id: "${mapId}") { locations { totalCount nodes { version } } } }`,
    );
    const { totalCount, nodes } = dataOf(response).map.locations;
    expect([totalCount, nodes.map(({ version }: { version: number }) => version)]).toEqual([
      5,
      [8, 8, 8, 8, 8],
    ]);
  });

  it('accepts 1 to 1,000 locations of a map that the caller may change', async () => {
    const reader = await server.createToken({ scope: 'read' });
    expect(codesOf(await send([item('a')], reader))).toEqual(['FORBIDDEN']);
    for (const count of [0, 1_001]) {
      const response = await send(Array.from({ length: count }, (_, index) => item(`n${index}`)));
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toMatch(/1 to 1000/);
    }
    const many = await upsert(Array.from({ length: 1_000 }, (_, index) => item(`n${index}`)));
    expect(many.every(({ outcome }) => outcome === 'created')).toBe(true);
  });
});
