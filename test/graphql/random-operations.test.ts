/** Random operations with mostly valid values: none causes an internal error, and every response fits the schema. */

import fc from 'fast-check';

import { ERRORS } from '../../src/errors.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { findUnfit } from '../support/response-types.ts';
import { codesOf, deleteMap, makeLocations, makeMap } from '../support/graphql.ts';
import { inputArbitraries } from '../support/input-arbitrary.ts';
import type { ArgumentValues, GeneratedOperation } from '../support/operation-arbitrary.ts';
import { operationArbitrary } from '../support/operation-arbitrary.ts';
import { UNKNOWN_LOCATION, UNKNOWN_MAP, UNKNOWN_TOKEN } from '../support/root-fields.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { shortOrLong } from '../support/torture.ts';
import { propertyRuns } from '../support/scope.ts';

const RUNS = shortOrLong(propertyRuns(700), 50_000);
/** A store grown by more operations would slow down the rest. */
const RUNS_PER_SERVER = 2_500;

const schema = createSchema();
const APOLLO_CODES = [
  ...['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'OPERATION_RESOLUTION_FAILURE', 'BAD_REQUEST'],
  ...['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED'],
];
const KNOWN_CODES = new Set([...Object.keys(ERRORS), ...APOLLO_CODES]);

interface World {
  readonly server: TestServer;
  readonly tokens: Readonly<Record<string, string | null>>;
  readonly values: ArgumentValues;
}

async function createWorld(): Promise<World> {
  const server = await createTestServer();
  const [map, empty, deleted] = [await makeMap(server), await makeMap(server), await makeMap(server)];
  const locations = await makeLocations(server, map.id, [null, 'a', '2', null]);
  await deleteMap(server, deleted.id);
  const another = await server.createToken({ owner: 'another' });
  const foreign = await makeMap(server, { isPublished: true }, another);
  const locationIds = [...locations.map(({ id }) => id), UNKNOWN_LOCATION];
  const mapIds = [map.id, map.id, map.id, map.id, empty.id, deleted.id, foreign.id, UNKNOWN_MAP];
  return {
    server,
    tokens: {
      write: await server.createToken(),
      read: await server.createToken({ scope: 'read' }),
      limited: await server.createToken({ mapId: map.id }),
      another,
      none: null,
    },
    values: {
      mapId: mapIds,
      id: [...mapIds, ...locationIds, UNKNOWN_TOKEN],
      ids: [locationIds.slice(0, 2), locationIds, [], mapIds, [locationIds[0], locationIds[0]]],
      before: [null, ...locationIds],
      after: [null, ...locationIds],
      externalId: ['e1', 'e2', 'e3'],
      idempotencyKey: [null, 'k1', 'k2'],
      expectedCount: [0, 1, 2, 4],
      property: ['Name', 'Address', 'a'],
    },
  };
}

const operationsOf = ({ values }: World, operation: 'query' | 'mutation'): fc.Arbitrary<GeneratedOperation> =>
  operationArbitrary(schema, values, { operation, otherValues: inputArbitraries(values) });

describe.each(['query', 'mutation'] as const)('%s', (operation) => {
  it(`${RUNS} random ones get responses that fit the schema, and no internal error`, async () => {
    const codes = new Map<string, number>();
    let good = 0;
    for (let left = RUNS; left > 0; left -= RUNS_PER_SERVER) {
      const world = await createWorld();
      try {
        await fc.assert(
          fc.asyncProperty(
            operationsOf(world, operation),
            fc.constantFrom(
              'write',
              'write',
              'write',
              'write',
              'write',
              'read',
              'limited',
              'another',
              'none',
            ),
            async ({ source, variables }, token) => {
              const response = await world.server.graphql(
                source,
                { ...variables },
                world.tokens[token] ?? null,
              );
              expect(response.status).toBeLessThan(500);
              for (const code of codesOf(response)) codes.set(code, (codes.get(code) ?? 0) + 1);
              expect(codesOf(response).filter((code) => !KNOWN_CODES.has(code))).toEqual([]);
              expect(response.text).not.toContain('INTERNAL_SERVER_ERROR');
              if (response.json.data === undefined) return;
              good += 1;
              expect(findUnfit(schema, source, response.json.data)).toEqual([]);
            },
          ),
          { numRuns: Math.min(left, RUNS_PER_SERVER) },
        );
      } finally {
        await world.server.close();
      }
    }
    console.log(`${good} of ${RUNS} executed; ${JSON.stringify(Object.fromEntries(codes))}`);
    expect(good).toBeGreaterThan(RUNS / 8);
  });
});
