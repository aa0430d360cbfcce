/** deleteLocations by ids. */

import { codesOf, dataOf, makeLocations, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('deleteLocations', () => {
  let server: TestServer;
  let mapId: string;
  let ids: string[];
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server)).id;
    ids = (await makeLocations(server, mapId, [null, null, null, null])).map(({ id }) => id);
  });

  const send = (some: readonly string[], token?: string): Promise<TestResponse> =>
    server.graphql(
      `mutation ($input: DeleteLocationsInput!) { deleteLocations(input: $input) {
        deletedIds deletedCount map { id locations { totalCount nodes { id } } }
      } }`,
      { input: { mapId, ids: some } },
      token,
    );

  it('deletes existing locations, returns each once in the order given, and the map without them', async () => {
    const [a, b, c, d] = ids;
    const odd = ['$ne', '', 'x'.repeat(500)];
    expect(dataOf(await send([d!, a!, ...odd, d!, `${b!}x`])).deleteLocations).toEqual({
      deletedIds: [d, a],
      deletedCount: 2,
      map: { id: mapId, locations: { totalCount: 2, nodes: [{ id: b }, { id: c }] } },
    });
    const left = await server.request('GET', `/v0/map/${mapId}/locations`);
    expect(left.json.map(({ id }: { id: string }) => id)).toEqual([b, c]);
    expect(dataOf(await send([d!])).deleteLocations).toMatchObject({ deletedIds: [], deletedCount: 0 });
  });

  it('accepts 1 to 1,000 ids of a map that the caller may change', async () => {
    for (const count of [0, 1_001]) {
      const response = await send(Array.from({ length: count }, () => ids[0]!));
      expect([count, codesOf(response)]).toEqual([count, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(/^ids .*1 to 1000/);
    }
    expect(codesOf(await send(ids, await server.createToken({ scope: 'read' })))).toEqual(['FORBIDDEN']);
    expect(codesOf(await send(ids, await server.createToken({ owner: 'another' })))).toEqual([
      'MAP_NOT_FOUND',
    ]);
    const response = await server.graphql(`{ map(id: "${mapId}") { locations { totalCount } } }`);
    expect(dataOf(response).map.locations.totalCount).toBe(4);
  });
});
