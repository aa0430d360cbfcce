/** createLocations, and idempotency keys in both mutations that take them. */

import { codesOf, createLocation, dataOf, deleteLocation, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

interface Result {
  readonly location: { readonly id: string; readonly name: string; readonly order: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

describe('createLocations and idempotency keys', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server)).id;
  });

  const item = (name: string, more: Record<string, unknown> = {}) => ({
    fields: { Name: name, Address: `${name} Street` },
    ...more,
  });
  const send = (locations: readonly unknown[], token?: string): Promise<TestResponse> =>
    server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) {
        map { id } results { location { id name order } error { code message } }
      } }`,
      { input: { mapId, locations } },
      token,
    );
  const resultsOf = (response: TestResponse): Result[] => dataOf(response).createLocations.results;
  const stored = async (): Promise<string[]> => {
    const response = await server.graphql(`{ map(id: "${mapId}") { locations { nodes { name } } } }`);
    return dataOf(response).map.locations.nodes.map(({ name }: { name: string }) => name);
  };

  it('appends in the order given', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const results = resultsOf(await send(names.map((name) => item(name))));
    expect(results.map(({ location }) => location?.name)).toEqual(names);
    expect(results.map(({ location }) => location?.order)).toEqual(
      names.map((_, index) => String(index + 1)),
    );
    expect(await stored()).toEqual(names);
  });

  it('a key of the whole call stores its locations once; with other locations it is a conflict', async () => {
    const sendKeyed = (key: string, locations: readonly unknown[], token?: string) =>
      server.graphql(
        `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) {
          results { location { id name } error { code } }
        } }`,
        { input: { mapId, locations, idempotencyKey: key } },
        token,
      );
    const call = [item('a'), { fields: { Name: 'no address' } }, item('c')];
    const first = resultsOf(await sendKeyed('call', call));
    expect(first.map(({ error }) => error?.code)).toEqual([undefined, 'BAD_USER_INPUT', undefined]);
    expect(resultsOf(await sendKeyed('call', call))).toEqual(first);
    for (const other of [[item('a')], [...call, item('d')], [item('x')], call.toReversed()]) {
      expect(codesOf(await sendKeyed('call', other))).toEqual(['CONFLICT']);
    }
    expect(await stored()).toEqual(['a', 'c']);

    await sendKeyed('other', call);
    await sendKeyed('call', call, await server.createToken());
    expect(await stored()).toEqual(['a', 'c', 'a', 'c', 'a', 'c']);
    expect(codesOf(await sendKeyed('é', call))).toEqual(['BAD_USER_INPUT']);
    const both = await sendKeyed('both', [item('k'), item('l', { idempotencyKey: 'own' })]);
    expect(messageOf(both)).toMatch(/locations\[1\]\.idempotencyKey must be omitted/);
  });

  it('stores all valid locations, and reports an error for each other one, in the order of the input', async () => {
    const results = resultsOf(
      await send([
        item('first'),
        { fields: { Name: 'no address' } },
        { fields: { Name: 'unknown', Address: 'unknown: x' } },
        item('second', { order: 'bad\n' }),
        { fields: { Name: 'refused', Address: 'refused: x' } },
        { fields: { Name: 'limited', Address: 'limited: x' } },
        { fields: { Name: 'down', Address: 'down: x' } },
        item('bad key', { idempotencyKey: 'é' }),
        item('last'),
      ]),
    );
    expect(results.map(({ location, error }) => location?.name ?? error?.code)).toEqual([
      'first',
      'BAD_USER_INPUT',
      'ADDRESS_NOT_FOUND',
      'BAD_USER_INPUT',
      'GEOCODER_REFUSED',
      'RATE_LIMITED',
      'GEOCODER_UNAVAILABLE',
      'BAD_USER_INPUT',
      'last',
    ]);
    expect(results.every(({ location, error }) => (location === null) !== (error === null))).toBe(true);
    expect(results.every(({ error }) => error?.message !== '')).toBe(true);
    expect(await stored()).toEqual(['first', 'last']);
  });

  it('accepts 1 and 1,000 locations, and refuses 0 and 1,001', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => item(`n${index}`));
    expect(resultsOf(await send(many(1)))).toHaveLength(1);
    for (const count of [0, 1_001]) {
      const response = await send(many(count));
      expect([count, codesOf(response)]).toEqual([count, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(/1 to 1000/);
    }
    expect(await stored()).toHaveLength(1);
    const results = resultsOf(await send(many(1_000)));
    expect(results.filter(({ location }) => location !== null)).toHaveLength(1_000);
    const response = await server.graphql(`{ map(id: "${mapId}") { locations { totalCount } } }`);
    expect(dataOf(response).map.locations.totalCount).toBe(1_001);
  });

  it('reports an unknown map before invalid items', async () => {
    const response = await server.graphql(
      'mutation { createLocations(input: { mapId: "unknown", locations: [] }) { map { id } } }',
    );
    expect(codesOf(response)).toEqual(['MAP_NOT_FOUND']);
  });

  it('remembers each item by its key', async () => {
    const items = [item('a', { idempotencyKey: 'A' }), item('b'), item('c', { idempotencyKey: 'C' })];
    const first = resultsOf(await send(items));
    const second = resultsOf(await send(items));
    expect(second[0]).toEqual(first[0]);
    expect(second[2]).toEqual(first[2]);
    expect(second[1]?.location?.id).not.toBe(first[1]?.location?.id);
    const changed = resultsOf(
      await send([item('other', { idempotencyKey: 'A' }), item('d', { idempotencyKey: 'D' })]),
    );
    expect(changed.map(({ location, error }) => location?.name ?? error?.code)).toEqual(['CONFLICT', 'd']);
    expect((await stored()).sort()).toEqual(['a', 'b', 'b', 'c', 'd']);
  });

  it('a key used twice in a call stores one location; with another body the second is a conflict', async () => {
    const same = item('same', { idempotencyKey: 'K' });
    const results = resultsOf(await send([same, same, item('other', { idempotencyKey: 'K' })]));
    expect(results[0]?.location?.id).toBeDefined();
    expect(results[1]).toEqual(results[0]);
    expect(results[2]?.error?.code).toBe('CONFLICT');
    expect(await stored()).toEqual(['same']);
  });

  it('a key replays the first response, for any order of object keys, also after the location is deleted', async () => {
    const create = (fields: Record<string, unknown>, order?: string | null) =>
      createLocation(server, { mapId, idempotencyKey: 'key ~!', fields, order });
    const first = await create({ Name: 'N', Address: 'A', x: { a: 1, b: 2 } });
    const { location, edge } = dataOf(first).createLocation;
    const asked = server.geocoder.asked.length;
    const second = await create({ x: { b: 2, a: 1 }, Address: 'A', Name: 'N' }, null);
    expect(second.text).toBe(first.text);
    expect(server.geocoder.asked.length).toBe(asked);
    await deleteLocation(server, mapId, location.id);
    expect(dataOf(await create({ Name: 'N', Address: 'A', x: { a: 1, b: 2 } })).createLocation).toMatchObject(
      {
        location,
        edge,
      },
    );
    expect(await stored()).toEqual([]);
    for (const [fields, order] of [
      [{ Name: 'N', Address: 'A', x: { a: 1, b: 3 } }, undefined],
      [{ Name: 'N', Address: 'A', x: { a: 1, b: 2 } }, '1'],
      [{ Name: 'N', Address: 'A', x: { a: '1', b: 2 } }, undefined],
    ] as const)
      expect(codesOf(await create(fields, order))).toEqual(['CONFLICT']);
  });

  it('a key belongs to its token and map, and is shared by both mutations and /v0', async () => {
    const input = { fields: { Name: 'N', Address: 'A' }, idempotencyKey: 'shared' };
    const idAt = async (map: string, token?: string) =>
      dataOf(await createLocation(server, { mapId: map, ...input }, token)).createLocation.location.id;
    const token = await server.createToken();
    const id = await idAt(mapId, token);
    expect(await idAt(mapId, await server.createToken())).not.toBe(id);
    expect(await idAt((await makeMap(server)).id, token)).not.toBe(id);
    expect(resultsOf(await send([input], token))[0]?.location?.id).toBe(id);
    const v0 = await server.request('POST', `/v0/map/${mapId}/location`, {
      token,
      body: { fields: input.fields },
      headers: { 'idempotency-key': 'shared' },
    });
    expect(v0.json.data.id).toBe(id);
  });

  it('a failed request does not use up its key', async () => {
    const create = (address: string) =>
      createLocation(server, { mapId, idempotencyKey: 'again', fields: { Name: 'N', Address: address } });
    expect(codesOf(await create('down: x'))).toEqual(['GEOCODER_UNAVAILABLE']);
    expect(codesOf(await create('Good Street'))).toEqual([]);
  });

  it('ten concurrent calls with one key store one location, and all return it', async () => {
    const create = () =>
      createLocation(server, { mapId, idempotencyKey: 'at once', fields: { Name: 'N', Address: 'A' } });
    const responses = await Promise.all(Array.from({ length: 10 }, create));
    const ids = responses.map((response) => dataOf(response).createLocation.location.id);
    expect(new Set(ids).size).toBe(1);
    expect(await stored()).toEqual(['N']);
  });

  it('accepts keys of 1 to 255 printable ASCII characters, and no others', async () => {
    const create = (idempotencyKey: unknown) =>
      createLocation(server, { mapId, idempotencyKey, fields: { Name: 'N', Address: 'A' } });
    for (const key of ['x', ' ', '~'.repeat(255), null])
      expect([key, codesOf(await create(key))]).toEqual([key, []]);
    for (const key of ['', '~'.repeat(256), 'é', 'a\n', '\x7f'])
      expect([key, codesOf(await create(key))]).toEqual([key, ['BAD_USER_INPUT']]);
  });
});
