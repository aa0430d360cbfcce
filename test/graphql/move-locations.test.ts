/** moveLocations, and its effect at both endpoints. */

import { codesOf, dataOf, deleteMap, makeLocations, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('moveLocations', () => {
  let server: TestServer;
  let mapId: string;
  let ids: string[];
  beforeAll(async () => {
    server = await createTestServer({ BULK_MAX_LOCATIONS: '4' });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server)).id;
    ids = (await makeLocations(server, mapId, ['1', '2', '3', '4'])).map(({ id }) => id);
  });

  const send = (input: Record<string, unknown>, token?: string): Promise<TestResponse> =>
    server.graphql(
      `mutation ($input: MoveLocationsInput!) { moveLocations(input: $input) {
        locations { id order version } map { id locations { nodes { id } } }
      } }`,
      { input: { mapId, ...input } },
      token,
    );
  const listed = async () => {
    const { json } = await server.request('GET', `/v0/map/${mapId}/locations`);
    return (json as { id: string }[]).map(({ id }) => id);
  };

  it('returns the locations in their new sequence, and the current map', async () => {
    const [a, b, c, d] = ids;
    const { moveLocations } = dataOf(await send({ ids: [d, a], before: c, after: null, toEnd: null }));
    expect(moveLocations).toEqual({
      locations: [
        { id: d, order: '2.3', version: 2 },
        { id: a, order: '2.7', version: 2 },
      ],
      map: { id: mapId, locations: { nodes: [b, d, a, c].map((id) => ({ id })) } },
    });
    dataOf(await send({ ids: [a], after: b }));
    dataOf(await send({ ids: [c], toStart: true }));
    const last = dataOf(await send({ ids: [b, d], toEnd: true })).moveLocations;
    expect(last.map.locations.nodes).toEqual([c, a, b, d].map((id) => ({ id })));
    const again = dataOf(await send({ ids: [b, d], toEnd: true })).moveLocations;
    expect(again).toEqual(last);
  });

  it('shows the new sequence at /v0 at once, each location unchanged to the byte', async () => {
    const [a, b, c, d] = ids;
    const before = await server.request('GET', `/v0/map/${mapId}/locations`);
    const pieces = (before.json as { id: string }[]).map((location) => JSON.stringify(location));
    await server.request('GET', `/v0/map/${mapId}/locations`);
    dataOf(await send({ ids: [d, b], toStart: true }));
    const after = await server.request('GET', `/v0/map/${mapId}/locations`);
    expect(after.text).toBe(`[${[3, 1, 0, 2].map((index) => pieces[index]).join(',')}]`);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    expect(await listed()).toEqual([d, b, a, c]);
    const offset = await server.request('GET', `/v0/map/${mapId}/locations?offset=1`);
    expect((offset.json as { id: string }[]).map(({ id }) => id)).toEqual([a, c]);
  });

  it('reads again what the same operation had read before', async () => {
    const [a] = ids;
    const response = await server.graphql(
      `mutation ($a: ID!, $map: ID!) {
        first: updateLocation(input: { mapId: $map, id: $a, order: "9" }) { map { location(id: $a) { order } } }
        second: moveLocations(input: { mapId: $map, ids: [$a], toStart: true }) { map { location(id: $a) { order version } } }
      }`,
      { a, map: mapId },
    );
    expect(dataOf(response).first.map.location.order).toBe('9');
    expect(dataOf(response).second.map.location).toEqual({ order: '1', version: 3 });
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{ ids: [], toEnd: true }, /ids has 0 items; 1 to 4/],
    [{ ids: ['a', 'b', 'c', 'd', 'e'], toEnd: true }, /ids has 5 items; 1 to 4/],
    [{ ids: ['a', 'b', 'a'], toEnd: true }, /ids\[2\] repeats ids\[0\]/],
    [{ ids: ['a'] }, /One of before, after, toStart and toEnd/],
    [{ ids: ['a'], before: null, toEnd: null }, /One of before, after, toStart and toEnd/],
    [{ ids: ['a'], toStart: true, toEnd: true }, /toStart and toEnd exclude/],
    [{ ids: ['a'], before: 'b', after: 'c' }, /before and after exclude/],
    [{ ids: ['a'], before: 'b', toEnd: false }, /before and toEnd exclude/],
    [{ ids: ['a'], toStart: false }, /toStart must be true/],
    [{ ids: ['a'], toEnd: false }, /toEnd must be true/],
    [{ ids: ['a', 'b'], after: 'b' }, /after must not be among ids/],
  ])('refuses %j', async (input, message) => {
    const response = await send(input);
    expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
    expect(messageOf(response)).toMatch(message);
    expect(await listed()).toEqual(ids);
  });

  it('moves nothing if an id or the target is unknown, and names it', async () => {
    const foreignMap = await makeMap(server);
    const [foreign] = await makeLocations(server, foreignMap.id, [null]);
    const gone = ids.pop()!;
    await server.request('DELETE', `/v0/map/${mapId}/location/${gone}`);
    for (const unknown of ['$ne', '', 'x'.repeat(500), foreign!.id, gone, `${ids[0]}x`]) {
      for (const [input, name] of [
        [{ ids: [ids[2], unknown], toStart: true }, /ids\[1\]/],
        [{ ids: [ids[2]], before: unknown }, /before/],
        [{ ids: [ids[0]], after: unknown }, /after/],
      ] as const) {
        const response = await send(input);
        expect(codesOf(response)).toEqual(['LOCATION_NOT_FOUND']);
        expect(messageOf(response)).toMatch(name);
        if (unknown !== '') expect(messageOf(response)).not.toContain(unknown);
      }
    }
    expect(await listed()).toEqual(ids);
  });

  it('requires a token that may write, and a map that is not deleted', async () => {
    const input = { ids: [ids[0]], toEnd: true };
    expect(codesOf(await send(input, await server.createToken({ scope: 'read' })))).toEqual(['FORBIDDEN']);
    expect(codesOf(await send(input, await server.createToken({ owner: 'another' })))).toEqual([
      'MAP_NOT_FOUND',
    ]);
    expect(codesOf(await send({ ...input, mapId: 'nosuchmapnosuch1' }))).toEqual(['MAP_NOT_FOUND']);
    expect(await listed()).toEqual(ids);
    await deleteMap(server, mapId);
    expect(codesOf(await send(input))).toEqual(['MAP_DELETED']);
  });
});
