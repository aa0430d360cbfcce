/** Errors for input that is invalid, and for objects that do not exist, belong to others or are deleted. */

import type { MadeLocation, MadeMap } from '../support/graphql.ts';
import {
  codesOf,
  createLocation,
  dataOf,
  deleteMap,
  makeLocations,
  makeMap,
  messageOf,
} from '../support/graphql.ts';
import type { Ids } from '../support/root-fields.ts';
import { MUTATIONS, QUERIES, UNKNOWN, UNKNOWN_LOCATION, UNKNOWN_MAP } from '../support/root-fields.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('GraphQL errors', () => {
  let server: TestServer;
  let map: MadeMap;
  let location: MadeLocation;
  let ids: Ids;
  beforeAll(async () => {
    server = await createTestServer();
    map = await makeMap(server, {
      providerMapApiKey: 'provider-secret',
      geocodingApiKey: 'geocoding-secret',
    });
    [location] = (await makeLocations(server, map.id, [null, null])) as [MadeLocation];
    ids = { ...UNKNOWN, mapId: map.id, locationId: location.id };
  });
  afterAll(() => server.close());

  const query = (text: string) => () => server.graphql(text);
  const create = (input: Record<string, unknown>) => () =>
    createLocation(server, { mapId: map.id, fields: { Name: 'N', Address: 'A' }, ...input });
  const at = (address: string) => create({ fields: { Name: 'N', Address: address } });

  const CASES: readonly (readonly [string, string, () => Promise<TestResponse>])[] = [
    ['an unknown map', 'MAP_NOT_FOUND', query(`{ map(id: "${UNKNOWN_MAP}") { id } }`)],
    ['a malformed id', 'MAP_NOT_FOUND', query('{ map(id: "no such id: ü/..") { id } }')],
    ['an empty id', 'MAP_NOT_FOUND', query('{ map(id: "") { id } }')],
    ['a number as id', 'MAP_NOT_FOUND', query('{ map(id: 5) { id } }')],
    ['an id of 100,000 characters', 'MAP_NOT_FOUND', query(`{ map(id: "${'a'.repeat(100_000)}") { id } }`)],
    [
      'a location in an unknown map',
      'MAP_NOT_FOUND',
      query(`{ location(mapId: "${UNKNOWN_MAP}", id: "x") { id } }`),
    ],
    [
      'a blank map name',
      'BAD_USER_INPUT',
      query('mutation { createMap(input: { name: " " }) { map { id } } }'),
    ],
    ['fields without a name', 'BAD_USER_INPUT', create({ fields: { Address: 'A' } })],
    ['an empty order', 'BAD_USER_INPUT', create({ order: '' })],
    ['an order with a control character', 'BAD_USER_INPUT', create({ order: 'a\n' })],
    ['an empty idempotency key', 'BAD_USER_INPUT', create({ idempotencyKey: '' })],
    [
      '101 ids',
      'BAD_USER_INPUT',
      () =>
        server.graphql('query ($i: [ID!]!) { nodes(ids: $i) { id } }', { i: Array<string>(101).fill('x') }),
    ],
    ['an address that is not found', 'ADDRESS_NOT_FOUND', at('unknown: street')],
    ['a key that the provider rejects', 'GEOCODER_REFUSED', at('refused: street')],
    ["the provider's quota", 'RATE_LIMITED', at('limited: street')],
    ['a provider that does not respond', 'GEOCODER_UNAVAILABLE', at('down: street')],
  ];
  for (const [name, code, ask] of CASES) {
    it(`${name}: ${code}`, async () => {
      const response = await ask();
      expect([response.status, codesOf(response)]).toEqual([200, [code]]);
      expect(messageOf(response)).not.toBe('');
      expect(Object.keys(response.json.errors[0].extensions)).toEqual(['code']);
    });
  }

  it('map, location and Map.location are null with the error', async () => {
    const response = await server.graphql(`{
      map(id: "${UNKNOWN_MAP}") { id }
      location(mapId: "${map.id}", id: "${UNKNOWN_LOCATION}") { id }
      mine: map(id: "${map.id}") { name location(id: "${map.id}_0123456789ab") { id } }
    }`);
    expect(response.json.data).toEqual({
      map: null,
      location: null,
      mine: { name: map.name, location: null },
    });
    const byPath = Object.fromEntries(
      response.json.errors.map((error: { path: string[]; extensions: { code: string } }) => [
        error.path.join('.'),
        error.extensions.code,
      ]),
    );
    expect(byPath).toEqual({
      map: 'MAP_NOT_FOUND',
      location: 'LOCATION_NOT_FOUND',
      'mine.location': 'LOCATION_NOT_FOUND',
    });
  });

  it('node and nodes return null, without an error, for objects that do not exist or belong to others', async () => {
    const stranger = await server.createToken({ owner: 'a stranger' });
    const theirs = await makeMap(server, {}, stranger);
    const [theirLocation] = await makeLocations(server, theirs.id, [null], stranger);
    const deleted = await makeMap(server);
    const [lost] = await makeLocations(server, deleted.id, [null]);
    await deleteMap(server, deleted.id);
    const absent = [
      UNKNOWN_MAP,
      UNKNOWN_LOCATION,
      theirs.id,
      theirLocation?.id ?? '',
      lost?.id ?? '',
      `${map.id}_0123456789ab`,
      '',
      'garbage',
      '__proto__',
      `${location.id} `,
      location.id.toUpperCase(),
    ];
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const { nodes } = dataOf(
      await server.graphql(query, { ids: [location.id, ...absent, deleted.id, map.id] }),
    );
    expect(nodes).toEqual([
      { id: location.id },
      ...absent.map(() => null),
      { id: deleted.id },
      { id: map.id },
    ]);
    for (const id of absent) {
      const { node } = dataOf(await server.graphql('query ($id: ID!) { node(id: $id) { id } }', { id }));
      expect([id, node]).toEqual([id, null]);
    }
  });

  it("another owner's map is MAP_NOT_FOUND, with the same message as an unknown one", async () => {
    const stranger = await server.createToken({ owner: 'a stranger' });
    const documents = { ...QUERIES, ...MUTATIONS };
    const others = ['viewer', 'node', 'nodes', 'createMap', 'createToken', 'revokeToken'];
    for (const field of Object.keys(documents)) {
      if ([...others, 'invitation', 'acceptInvitation'].includes(field)) continue;
      const theirs = await server.graphql(documents[field]!(ids), {}, stranger);
      const unknown = await server.graphql(
        documents[field]!({ ...ids, mapId: UNKNOWN_MAP, locationId: UNKNOWN_LOCATION }),
        {},
        stranger,
      );
      expect([field, codesOf(theirs)]).toEqual([field, ['MAP_NOT_FOUND']]);
      expect(messageOf(theirs)).toBe(messageOf(unknown));
    }
    expect(dataOf(await server.graphql(`{ map(id: "${map.id}") { isDeleted } }`)).map.isDeleted).toBe(false);
  });

  it('a deleted map can only be read, deleted again and restored', async () => {
    const deleted = await makeMap(server, { name: 'Gone' });
    const [inside] = await makeLocations(server, deleted.id, [null]);
    const its = { ...ids, mapId: deleted.id, locationId: inside?.id ?? '' };
    await deleteMap(server, deleted.id);
    await deleteMap(server, deleted.id);
    const read = await server.graphql(
      `{ map(id: "${deleted.id}") { name isDeleted fields { name } } node(id: "${deleted.id}") { id } }`,
    );
    expect(dataOf(read)).toMatchObject({
      map: { name: 'Gone', isDeleted: true },
      node: { id: deleted.id },
    });
    const refused = [
      QUERIES['location']!(its),
      QUERIES['geocode']!(its),
      MUTATIONS['updateMap']!(its),
      MUTATIONS['createLocation']!(its),
      MUTATIONS['createLocations']!(its),
      MUTATIONS['deleteLocation']!(its),
      `{ map(id: "${deleted.id}") { location(id: "${its.locationId}") { id } } }`,
      `{ map(id: "${deleted.id}") { location(id: "garbage") { id } } }`,
      `{ map(id: "${deleted.id}") { locations { totalCount } } }`,
      `{ map(id: "${deleted.id}") { locations(first: 0) { nodes { id } } } }`,
    ];
    for (const document of refused)
      expect([document, codesOf(await server.graphql(document))]).toEqual([document, ['MAP_DELETED']]);
    dataOf(await server.graphql(MUTATIONS['restoreMap']!(its)));
    expect(dataOf(await server.graphql(QUERIES['location']!(its))).location.id).toBe(inside?.id);
  });
});
