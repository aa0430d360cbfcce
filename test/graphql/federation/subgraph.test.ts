/** The schema as a federation subgraph: composition, and the queries that a router sends. */

import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse, printSchema } from 'graphql';

import { createSchema } from '../../../src/graphql/schema.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { codesOf, dataOf, deleteMap, makeLocations, makeMap, messageOf } from '../../support/graphql.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';

const SDL = '{ _service { sdl } }';

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Map { id name }
    ... on Location { id name map { name } }
  }
}`;

/** Another team's subgraph: reviews of locations, and tours over maps. */
const REVIEWS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Query { latestReview: Review tours: ReviewConnection }
  type Review { text: String! location: Location! map: Map! }
  type ReviewConnection { nodes: [Review!]! pageInfo: PageInfo! }
  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
  type Location @key(fields: "id") { id: ID! stars: Int }
  type Map @key(fields: "id", resolvable: false) { id: ID! }
`;

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await createTestServer({ FEDERATION: '1', INTROSPECTION: '0' });
  token = await server.createToken();
});

afterAll(() => server.close());

const sdlOf = async () => dataOf(await server.graphql(SDL, {}, null))._service.sdl as string;

const findEntities = (representations: unknown, bearer: string | null = token) =>
  server.graphql(ENTITIES, { representations }, bearer);

describe('the SDL for routers', () => {
  it('is readable without a token and without introspection, and is a valid subgraph to @apollo/subgraph', async () => {
    const schema = buildSubgraphSchema(parse(await sdlOf()));

    expect(printSchema(schema)).toMatch(/union _Entity = (Location \| Map|Map \| Location)/);
  });

  it('defines the federation’s types as @apollo/subgraph does', async () => {
    const theirs = buildSubgraphSchema(parse(await sdlOf()));
    const ours = createSchema({ federation: true });

    for (const field of ['_entities', '_service']) {
      const signatureOf = (schema: typeof ours) => {
        const { type, args } = schema.getQueryType()!.getFields()[field]!;
        return { type: String(type), args: args.map((arg) => `${arg.name}: ${String(arg.type)}`) };
      };
      const { type, args } = signatureOf(theirs);
      // Their field may return null instead of a list.
      expect(signatureOf(ours)).toEqual({ type: type.replace(/!?$/, '!'), args });
    }
  });

  it('composes with another subgraph that extends Location, refers to Map and shares PageInfo', async () => {
    const { errors, supergraphSdl } = composeServices([
      { name: 'maps', url: 'http://maps.example/graphql', typeDefs: parse(await sdlOf()) },
      { name: 'reviews', url: 'http://reviews.example/graphql', typeDefs: parse(REVIEWS) },
    ]);

    expect(errors).toBeUndefined();
    expect(supergraphSdl).toContain('type Location implements Node');
    expect(supergraphSdl).toMatch(/@join__type\(graph: MAPS, key: "id"\)/);
    expect(supergraphSdl).toMatch(/stars: Int @join__field\(graph: REVIEWS\)/);
    expect(supergraphSdl).not.toContain('_entities');
  });

  it('does not exist, nor do entities, unless FEDERATION is set', async () => {
    const plain = await createTestServer();
    try {
      for (const query of [SDL, '{ _entities(representations: []) { __typename } }'])
        expect(codesOf(await plain.graphql(query))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    } finally {
      await plain.close();
    }
  });
});

describe('entities', () => {
  it('are resolved by type and id, in the requested order', async () => {
    const map = await makeMap(server, {}, token);
    const [first, second] = await makeLocations(server, map.id, [null, null], token);

    const response = await findEntities([
      { __typename: 'Location', id: second!.id },
      { __typename: 'Map', id: map.id },
      { __typename: 'Location', id: first!.id },
      { __typename: 'Location', id: second!.id, stars: 5 },
    ]);

    expect(dataOf(response)._entities).toEqual([
      { __typename: 'Location', id: second!.id, name: second!.name, map: { name: map.name } },
      { __typename: 'Map', id: map.id, name: map.name },
      { __typename: 'Location', id: first!.id, name: first!.name, map: { name: map.name } },
      { __typename: 'Location', id: second!.id, name: second!.name, map: { name: map.name } },
    ]);
  });

  it('are null if they do not exist, belong to others, are of a deleted map or of another type', async () => {
    const map = await makeMap(server, {}, token);
    const foreign = await makeMap(server, {}, await server.createToken({ owner: 'somebody else' }));
    const deleted = await makeMap(server, {}, token);
    const [lost] = await makeLocations(server, deleted.id, [null], token);
    await deleteMap(server, deleted.id, token);

    const response = await findEntities([
      { __typename: 'Map', id: foreign.id },
      { __typename: 'Location', id: lost!.id },
      { __typename: 'Location', id: map.id },
      { __typename: 'Map', id: 'no id at all' },
      { __typename: 'Location', id: `${map.id}_000000000000` },
    ]);

    expect(dataOf(response)._entities).toEqual([null, null, null, null, null]);
  });

  it('require a token', async () => {
    const response = await findEntities([], null);

    expect(codesOf(response)).toEqual(['UNAUTHENTICATED']);
    expect(response.json.data).toBeNull();
  });

  it.each([
    [[{ __typename: 'Viewer' }], 'representations[0].__typename must be Map or Location.'],
    [[{ __typename: 'Map', id: 'a' }, 7], 'representations[1].__typename must be Map or Location.'],
    [[{ __typename: 'Map', id: 7 }], 'representations[0].id must be a string.'],
    [[{ __typename: 'Location' }], 'representations[0].id must be a string.'],
    [[{ __typename: 'constructor', id: 'a' }], 'representations[0].__typename must be Map or Location.'],
  ])('are refused by path for %j', async (representations, message) => {
    const response = await findEntities(representations);

    expect([codesOf(response), messageOf(response)]).toEqual([['BAD_USER_INPUT'], message]);
  });

  it('of one map are read together: maps in one storage call, locations in another', async () => {
    const counting = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1000 }));
    const counted = await createTestServer({ FEDERATION: '1' }, { storage: counting.storage });
    try {
      const bearer = await counted.createToken();
      const maps = [await makeMap(counted, {}, bearer), await makeMap(counted, {}, bearer)];
      const locations = await makeLocations(counted, maps[0]!.id, [null, null, null], bearer);
      const representations = [
        ...locations.map(({ id }) => ({ __typename: 'Location', id })),
        ...maps.map(({ id }) => ({ __typename: 'Map', id })),
      ];
      counting.forget();
      dataOf(await counted.graphql(ENTITIES, { representations }, bearer));

      const called = counting.calls.map(({ method }) => method);
      expect(called.filter((method) => /map|location/i.test(method))).toEqual(['getMaps', 'getLocations']);
    } finally {
      await counted.close();
    }
  });

  it('count as rows, whether found or not', async () => {
    const few = await createTestServer({ FEDERATION: '1', GRAPHQL_MAX_ROWS: '10' });
    try {
      const bearer = await few.createToken();
      const entitiesOf = (count: number) =>
        few.graphql(
          ENTITIES,
          { representations: Array.from({ length: count }, () => ({ __typename: 'Map', id: 'x' })) },
          bearer,
        );

      expect(dataOf(await entitiesOf(10))._entities).toHaveLength(10);
      expect(codesOf(await entitiesOf(11))).not.toEqual([]);
    } finally {
      await few.close();
    }
  });
});
