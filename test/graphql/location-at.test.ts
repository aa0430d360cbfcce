/** The location at a position of a map's list. */

import { codesOf, dataOf, deleteMap, makeLocations, makeMap, messageOf } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('the location at a position', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  const execute = (mapId: string, place: number, token?: string) =>
    server.graphql(
      'query ($id: ID!, $place: Int!) { map(id: $id) { locationAt(place: $place) { name } } }',
      { id: mapId, place },
      token,
    );

  it('is counted from 1 along the current list', async () => {
    const map = await makeMap(server);
    const locations = await makeLocations(server, map.id, ['3', '1', '2', null]);
    const names: string[] = [];
    for (const place of [1, 2, 3, 4]) names.push(dataOf(await execute(map.id, place)).map.locationAt.name);
    expect(names).toEqual(['Place 1', 'Place 2', 'Place 0', 'Place 3']);
    await server.graphql(
      'mutation ($input: MoveLocationsInput!) { moveLocations(input: $input) { map { id } } }',
      {
        input: { mapId: map.id, ids: [locations[3]?.id], toStart: true },
      },
    );
    expect(dataOf(await execute(map.id, 1)).map.locationAt.name).toBe('Place 3');
    expect(dataOf(await execute(map.id, 4)).map.locationAt.name).toBe('Place 0');
  });

  it('is refused before the start of the list, beyond its end, in a deleted map and in the public view', async () => {
    const map = await makeMap(server, { isPublished: true });
    await makeLocations(server, map.id, [null]);
    for (const place of [0, -1]) {
      const response = await execute(map.id, place);
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toBe(`place is ${place}; places are counted from 1.`);
    }
    const beyond = await execute(map.id, 2);
    expect([codesOf(beyond), beyond.json.data.map.locationAt]).toEqual([['LOCATION_NOT_FOUND'], null]);
    const shown = await server.graphql(`{ publicMap(id: "${map.id}") { locationAt(place: 1) { name } } }`);
    expect(codesOf(shown)).toEqual(['LOCATION_NOT_FOUND']);
    await deleteMap(server, map.id);
    expect(codesOf(await execute(map.id, 1))).toEqual(['MAP_DELETED']);
  });
});
