/** A public map in GraphQL: what the public sees, and what stays hidden (capabilities §12). */

import { codesOf, dataOf, deleteMap, makeMap, messageOf } from '../support/graphql.ts';
import { UNKNOWN_MAP } from '../support/root-fields.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

/** Part of every hidden value, and of nothing else. */
const CANARY = 'canary';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Notes', type: 'text', isPublic: false },
  { name: 'Kind', type: 'category' },
  { name: 'Price', type: 'number', isPublic: false },
  { name: 'Address', type: 'address', isPublic: false },
  { name: 'Seats', type: 'number' },
];

/** All that the public sees of a location. */
const LOCATION = `id name placeId latitude longitude latLngLiteral { lat lng } properties order externalId version
  createdAt updatedAt geocoding { provider precision }`;

const inputOf = (index: number) => ({
  fields: {
    Seats: index,
    Notes: `${CANARY} notes ${index}`,
    Name: `Place ${index}`,
    Price: 7_770_000 + index,
    Kind: index % 2 === 0 ? 'café' : 'bar',
    Address: `${CANARY} street`,
    undefined: `${CANARY} undefined`,
  },
  externalId: `${CANARY}-${index}`,
  position: { latitude: index, longitude: -index },
});

describe('a public map', () => {
  let server: TestServer;
  let mapId: string;
  let ids: readonly string[];
  beforeAll(async () => {
    server = await createTestServer();
    ({ mapId, ids } = await make({ isPublished: true }));
  });
  afterAll(() => server.close());

  async function make(input: Record<string, unknown>, token?: string) {
    const keys = { providerMapApiKey: `${CANARY} key`, geocodingApiKey: `${CANARY} key` };
    const { id } = await makeMap(server, { fields: FIELDS, ...keys, ...input }, token);
    const response = await server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { location { id } } } }`,
      { input: { mapId: id, locations: [0, 1, 2, 3].map(inputOf) } },
      token,
    );
    const { results } = dataOf(response).createLocations;
    return { mapId: id, ids: results.map((result: { location: { id: string } }) => result.location.id) };
  }
  const execute = (selection: string, variables: Record<string, unknown> = {}, token: string | null = null) =>
    server.graphql(
      `query ($id: ID!, $filter: LocationFilter, $orderBy: LocationOrderInput, $bbox: BboxInput = {south: -90, west: -180, north: 90, east: 180}) {
        publicMap(id: $id) { ${selection} all: locations(filter: $filter, orderBy: $orderBy) { totalCount } clusters(bbox: $bbox, zoom: 0) { count } }
      }`,
      { id: mapId, ...variables },
      token,
    );

  it('is read without a token: no keys, only the public fields and their values, in stored order', async () => {
    const response = await execute(`id name isDeleted isPublished providerMapApiKey geocodingApiKey
      fields { name type isPublic } locations { nodes { ${LOCATION} } }`);
    const { publicMap } = dataOf(response);
    expect(publicMap).toMatchObject({
      id: mapId,
      name: 'A map',
      isDeleted: false,
      isPublished: true,
      providerMapApiKey: null,
      geocodingApiKey: null,
      fields: [
        { name: 'Name', type: 'placeName', isPublic: true },
        { name: 'Kind', type: 'category', isPublic: true },
        { name: 'Seats', type: 'number', isPublic: true },
      ],
    });
    const [first] = publicMap.locations.nodes;
    expect(first).toMatchObject({ id: ids[0], name: 'Place 0', latitude: 0, externalId: null, order: '1' });
    expect(JSON.stringify(first.properties)).toBe('{"Seats":0,"Name":"Place 0","Kind":"café"}');
    expect(response.text).not.toContain(CANARY);
  });

  it('shows the same in a page of edges, one by one, alone in a cluster, and from a location back to its map', async () => {
    const query = `query ($id: ID!, $one: ID!) { publicMap(id: $id) {
      locations(first: 1) { nodes { ${LOCATION} } }
      found: locations(first: 1, filter: {ids: [$one]}) { nodes { ${LOCATION} } }
      edges: locations(first: 1) { edges { node { ${LOCATION} map { fields { name } providerMapApiKey location(id: $one) { ${LOCATION} } } } } }
      location(id: $one) { ${LOCATION} }
      clusters(bbox: {south: 0, west: 0, north: 0, east: 0}, zoom: 22) { location { ${LOCATION} } }
    } }`;
    const response = await server.graphql(query, { id: mapId, one: ids[0] }, null);
    const { locations, found, edges, location, clusters } = dataOf(response).publicMap;
    const { map, ...node } = edges.edges[0].node;
    const seen = [found.nodes[0], node, location, clusters[0].location, map.location];
    expect(seen).toEqual(seen.map(() => locations.nodes[0]));
    expect(map.fields.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Kind', 'Seats']);
    expect(response.text).not.toContain(CANARY);
  });

  it('and the owner’s view of it in one request each follow their own rules', async () => {
    const one = `location(id: "${ids[1]}") { externalId properties }`;
    const response = await server.graphql(`{
      map(id: "${mapId}") { providerMapApiKey ${one} locations { totalCount nodes { externalId map { fields { name } } } } }
      publicMap(id: "${mapId}") { providerMapApiKey ${one} locations { totalCount nodes { externalId map { fields { name } } } } }
    }`);
    const { map, publicMap } = dataOf(response);
    expect(map).toMatchObject({
      providerMapApiKey: `${CANARY} key`,
      location: { externalId: `${CANARY}-1` },
    });
    expect(map.locations.nodes[3].map.fields).toHaveLength(FIELDS.length);
    expect(publicMap.locations.nodes[3].map.fields).toHaveLength(3);
    expect(JSON.stringify(publicMap)).not.toContain(CANARY);
  });

  it('shows its owner no more than the public', async () => {
    const selection = `providerMapApiKey fields { name } locations { nodes { ${LOCATION} } }`;
    const [anonymous, owner, stranger] = await Promise.all([
      execute(selection),
      server.createToken().then((token) => execute(selection, {}, token)),
      server
        .createToken({ owner: 'a stranger', scope: 'read' })
        .then((token) => execute(selection, {}, token)),
    ]);
    expect(owner.json).toEqual(anonymous.json);
    expect(stranger.json).toEqual(anonymous.json);
  });

  it('has no external ids', async () => {
    const response = await execute(`locationByExternalId(externalId: "${CANARY}-1") { id }`);
    expect([codesOf(response), response.json.data.publicMap.locationByExternalId]).toEqual([
      ['LOCATION_NOT_FOUND'],
      null,
    ]);
    const counts = async (filter: unknown) => dataOf(await execute('', { filter })).publicMap.all.totalCount;
    expect(await counts({ externalIds: [`${CANARY}-1`] })).toBe(0);
    expect(await counts({ not: { externalIds: [`${CANARY}-1`] } })).toBe(4);
  });

  it('is searched only by name and public fields', async () => {
    const counts = async (search: string) =>
      dataOf(await execute('', { filter: { search } })).publicMap.all.totalCount;
    expect(await counts('place')).toBe(4);
    expect(await counts('cafe')).toBe(2);
    expect(await counts(CANARY)).toBe(0);
    expect(await counts('street')).toBe(0);
  });

  const ELSEWHERE = ['Notes', 'Price', 'Address', 'undefined', 'never heard of'];
  it.each(ELSEWHERE)('refuses filters and orders on %j with the same message', async (name) => {
    const tests = [{ eq: 'x' }, { in: [1] }, { from: 1 }, { from: 'x' }, { prefix: 'c' }, { exists: true }];
    const responses = await Promise.all([
      ...tests.map((test) =>
        execute('', { filter: { and: [{ or: [{ not: { property: { name, ...test } } }] }] } }),
      ),
      execute('', { orderBy: { by: 'property', property: name } }),
    ]);
    for (const response of responses) {
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toBe(
        'Locations of a public map can only be filtered and ordered by its public fields.',
      );
    }
  });

  const CURSORS = `query ($id: ID!, $after: String, $filter: LocationFilter, $orderBy: LocationOrderInput) {
    ROOT(id: $id) { locations(first: 1, after: $after, filter: $filter, orderBy: $orderBy) {
      edges { cursor node { name } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } nextOrder
    } }
  }`;
  const pageOf = (root: 'map' | 'publicMap', variables: Record<string, unknown>) =>
    server.graphql(
      CURSORS.replace('ROOT', root),
      { id: mapId, ...variables },
      root === 'map' ? undefined : null,
    );
  const cursorOf = async (root: 'map' | 'publicMap', variables: Record<string, unknown>) =>
    dataOf(await pageOf(root, variables))[root].locations.edges[0].cursor as string;

  it.each([
    { filter: { search: 'place' } },
    { orderBy: { by: 'name' } },
    { orderBy: { by: 'property', property: 'Kind' } },
    { filter: { not: { externalIds: [`${CANARY}-1`] } }, orderBy: { by: 'list', direction: 'desc' } },
  ])('a cursor of %j is valid only in its own view, and holds no hidden value', async (search) => {
    for (const [own, other] of [
      ['map', 'publicMap'],
      ['publicMap', 'map'],
    ] as const) {
      const after = await cursorOf(own, search);
      expect(Buffer.from(after, 'base64url').toString()).not.toContain(CANARY);
      expect(dataOf(await pageOf(own, { ...search, after }))[own].locations.edges).toHaveLength(1);
      expect(codesOf(await pageOf(other, { ...search, after }))).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('a cursor of the plain list is valid in both views', async () => {
    const after = await cursorOf('map', {});
    expect(await cursorOf('publicMap', {})).toBe(after);
    const [ours, theirs] = [await pageOf('map', { after }), await pageOf('publicMap', { after })];
    expect(dataOf(theirs).publicMap).toEqual(dataOf(ours).map);
  });

  it('an order by a formerly public field is refused once the field is hidden, also with a cursor', async () => {
    const { mapId: id } = await make({ isPublished: true });
    const search = { id, orderBy: { by: 'property', property: 'Kind' } };
    const after = await cursorOf('publicMap', search);
    const hidden = FIELDS.map((field) => (field.name === 'Kind' ? { ...field, isPublic: false } : field));
    dataOf(
      await server.graphql('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
        input: { id, fields: hidden },
      }),
    );
    const response = await pageOf('publicMap', { ...search, after });
    expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
    expect(response.text).not.toMatch(/bar|café|Kind/);
  });

  it('no error repeats a hidden value or an input', async () => {
    const filters = [
      { property: { name: 'Notes', eq: `${CANARY} notes 1` } },
      { property: { name: 'Price', from: CANARY } },
      { externalIds: [] },
      { search: '' },
      { and: [] },
    ];
    for (const filter of filters) {
      const clusters = 'within: clusters(bbox: $bbox, zoom: 0, filter: $filter) { location { properties } }';
      const response = await execute(clusters, { filter });
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
      expect(response.text).not.toContain(CANARY);
    }
  });

  it('every map that is not public is MAP_NOT_FOUND, with responses identical to the byte', async () => {
    const foreign = await server.createToken({ owner: 'a stranger' });
    const [unpublished, theirs, deleted] = await Promise.all([
      make({}),
      make({}, foreign),
      make({ isPublished: true }),
    ]);
    await deleteMap(server, deleted.mapId);
    const responses: TestResponse[] = [];
    for (const id of [UNKNOWN_MAP, 'x', '', unpublished.mapId, theirs.mapId, deleted.mapId]) {
      for (const token of [null, await server.createToken()]) {
        responses.push(await server.graphql('query ($id: ID!) { publicMap(id: $id) { id } }', { id }, token));
      }
    }
    expect(codesOf(responses[0]!)).toEqual(['MAP_NOT_FOUND']);
    for (const { status, text } of responses) expect([status, text]).toEqual([200, responses[0]!.text]);
  });

  it('a change of isPublic or isPublished applies from the next query', async () => {
    const { mapId: id } = await make({ isPublished: true });
    const update = async (input: Record<string, unknown>) =>
      dataOf(
        await server.graphql(
          'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }',
          { input: { id, ...input } },
        ),
      );
    const search = () => execute('locations { nodes { properties } }', { id, filter: { search: CANARY } });
    expect(dataOf(await search()).publicMap.all.totalCount).toBe(0);
    await update({ fields: FIELDS.map((field) => ({ ...field, isPublic: field.name !== 'Kind' })) });
    const shown = dataOf(await search()).publicMap;
    expect(shown.all.totalCount).toBe(4);
    expect(Object.keys(shown.locations.nodes[0].properties)).toEqual([
      'Seats',
      'Notes',
      'Name',
      'Price',
      'Address',
    ]);
    await update({ fields: FIELDS });
    expect(dataOf(await search()).publicMap.all.totalCount).toBe(0);
    await update({ isPublished: false });
    expect(codesOf(await search())).toEqual(['MAP_NOT_FOUND']);
  });
});
