/** `dryRun`: the outcome of a bulk mutation without its effects. */

import { codesOf, dataOf, makeMap } from '../support/graphql.ts';
import { UNKNOWN_MAP } from '../support/root-fields.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const RESULT = 'location { id } error { code message }';
const good = (name: string) => ({ Name: name, Address: 'unknown: street' });

describe('a dry run', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    ({ id: mapId } = await makeMap(server));
  });

  const create = (locations: unknown[], dryRun = true, map = mapId) =>
    server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } results { ${RESULT} } } }`,
      { input: { mapId: map, locations, dryRun } },
    );
  const upsert = (locations: unknown[], dryRun = true) =>
    server.graphql(
      `mutation ($input: UpsertLocationsInput!) { upsertLocations(input: $input) { results { ${RESULT} outcome } } }`,
      { input: { mapId, locations, dryRun } },
    );
  const stored = async () =>
    dataOf(await server.graphql(`{ map(id: "${mapId}") { locations { nodes { name version } } } }`)).map
      .locations.nodes;
  const codes = (results: { error: { code: string } | null }[]) =>
    results.map(({ error }) => error?.code ?? null);

  it('of a creation reports the errors of each location, stores none and calls no geocoder', async () => {
    const response = await create([
      { fields: good('A') },
      { fields: { Name: 'B' } },
      { fields: good('C'), externalId: 'x' },
      { fields: good('D'), externalId: 'x' },
      { fields: good('E'), position: { latitude: 1, longitude: 2 } },
    ]);
    const { map, results } = dataOf(response).createLocations;
    expect(map.id).toBe(mapId);
    expect(codes(results)).toEqual([null, 'BAD_USER_INPUT', null, 'CONFLICT', null]);
    expect(results.map(({ location }: { location: unknown }) => location)).toEqual(results.map(() => null));
    expect([await stored(), server.geocoder.asked]).toEqual([[], []]);
  });

  it('of an upsert reports what would be created, updated and left unchanged', async () => {
    const position = { latitude: 1, longitude: 2 };
    const there = ['a', 'b'].map((externalId) => ({ externalId, fields: good(externalId), position }));
    dataOf(await upsert(there, false));
    const before = await stored();
    const response = await upsert([
      { externalId: 'a', fields: good('a') },
      { externalId: 'b', fields: good('changed') },
      { externalId: 'c', fields: good('c') },
      { externalId: 'c', fields: good('again') },
      { externalId: 'd', fields: {} },
    ]);
    const { results } = dataOf(response).upsertLocations;
    expect(results.map(({ outcome }: { outcome: string | null }) => outcome)).toEqual([
      'unchanged',
      'updated',
      'created',
      null,
      null,
    ]);
    expect(codes(results)).toEqual([null, null, null, 'BAD_USER_INPUT', 'BAD_USER_INPUT']);
    expect([await stored(), server.geocoder.asked]).toEqual([before, []]);
  });

  it('is refused if the call would be', async () => {
    expect(codesOf(await create([{ fields: good('A') }], true, UNKNOWN_MAP))).toEqual(['MAP_NOT_FOUND']);
    for (const locations of [[], Array.from({ length: 1_001 }, () => ({ fields: good('A') }))]) {
      expect(codesOf(await create(locations))).toEqual(['BAD_USER_INPUT']);
    }
    const reader = await server.createToken({ scope: 'read' });
    const response = await server.graphql(
      `mutation { createLocations(input: {mapId: "${mapId}", dryRun: true, locations: [{fields: {}}]}) { map { id } } }`,
      {},
      reader,
    );
    expect(codesOf(response)).toEqual(['FORBIDDEN']);
  });
});
