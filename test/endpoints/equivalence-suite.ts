/** The same operations through two endpoints must have the same outcomes. */

import fc from 'fast-check';

import type { Operation } from '../support/endpoint-operations.ts';
import { MAPS, operation, theWholeTable } from '../support/endpoint-operations.ts';
import type { Endpoint, Outcome, Tokens } from '../support/endpoints.ts';
import { openGatewayEndpoints } from '../support/gateway.ts';
import type { TestEndpoints, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createMap } from '../support/v0.ts';

const HOUR_MS = 3_600_000;

export interface Kind {
  readonly open: (server: TestEndpoints, tokens: Tokens) => Endpoint;
  /** Whether the endpoint is a gateway's. */
  readonly behindGateway?: boolean;
}

export type Kinds = readonly [Kind, Kind];

interface Deployment {
  readonly endpoint: Endpoint;
  readonly maps: readonly string[];
  /** The server with the store. */
  readonly server: TestServer;
  close(): Promise<void>;
}

/** The same maps and tokens on a separate service behind each endpoint. */
async function openDeployment(
  { open, behindGateway = false }: Kind,
  clock: () => number,
): Promise<Deployment> {
  const server = await createTestServer({}, { clock });
  const foreign = await server.createToken({ owner: 'another' });
  const titled = [
    { name: 'Titel', type: 'placeName' },
    { name: 'address', type: 'text' },
  ];
  const maps = [
    await createMap(server),
    await createMap(server),
    await createMap(server, { fields: titled }),
    await createMap(server, {}, foreign),
    '0000000000000000',
    'ein Bär/%41?#\u0000',
  ];
  const tokens: Tokens = {
    write: await server.createToken(),
    read: await server.createToken({ scope: 'read' }),
    limited: await server.createToken({ mapId: maps[1] ?? null }),
    foreign,
    invalid: 'mlt_invalid',
    none: null,
  };
  if (!behindGateway) return { endpoint: open(server, tokens), maps, server, close: () => server.close() };
  const gateway = await openGatewayEndpoints(await listen(server), { token: 'mlt_unused' });
  return {
    endpoint: open(gateway, tokens),
    maps,
    server,
    async close() {
      await gateway.close();
      await server.close();
    },
  };
}

function listen({ app }: TestServer): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function run({ endpoint, maps, server }: Deployment, op: Operation): Promise<Outcome | null> {
  switch (op.kind) {
    case 'create':
      return endpoint.create(maps[op.map]!, op.token, op.creation);
    case 'list':
      return endpoint.list(maps[op.map]!, op.token, op.limit, op.pages);
    case 'get':
    case 'delete': {
      const id = op.target.kind === 'odd' ? op.target.id : (endpoint.ids[op.target.position] ?? 'none yet');
      return endpoint[op.kind](maps[op.map]!, op.token, id);
    }
    case 'deleteMap':
    case 'restoreMap': {
      // Maps have one endpoint.
      const query = `mutation ($id: ID!) { ${op.kind}(input: {id: $id}) { map { isDeleted } } }`;
      await server.graphql(query, { id: maps[op.map] });
      return null;
    }
    case 'wait':
      return null;
  }
}

/** A map's content in list order, always read the same way. */
async function stateOf({ endpoint, maps, server }: Deployment): Promise<unknown[]> {
  const state: unknown[] = [];
  for (const index of MAPS.own) {
    const id = maps[index]!;
    await server.graphql(`mutation { restoreMap(input: {id: "${id}"}) { map { id } } }`);
    const { json } = await server.graphql(
      `{ map(id: "${id}") { locations { totalCount nodes { id name order placeId latitude longitude properties createdAt } } } }`,
    );
    const { totalCount, nodes } = json.data.map.locations as {
      totalCount: number;
      nodes: { id: string; properties: unknown }[];
    };
    state.push({
      totalCount,
      nodes: nodes.map((node) => ({
        ...node,
        id: endpoint.ids.indexOf(node.id),
        properties: JSON.stringify(node.properties),
      })),
    });
  }
  return state;
}

export async function withDeployments(
  [one, other]: Kinds,
  work: (deployments: readonly [Deployment, Deployment], wait: (hours: number) => void) => Promise<void>,
): Promise<void> {
  let now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  const deployments = [await openDeployment(one, clock), await openDeployment(other, clock)] as const;
  try {
    await work(deployments, (hours) => (now += hours * HOUR_MS));
  } finally {
    for (const deployment of deployments) await deployment.close();
  }
}

/** What the sequences must cover, so that they do not agree trivially: verbs that succeed, and error numbers. */
const EXPECTED = [
  ...['create', 'list', 'get', 'delete'],
  ...['400', '401', '403', '404', '409', '410', '422', '424', '429', '500', '503'],
];

/** Random sequences of operations, and one with every error. */
export async function compareEndpoints(kinds: Kinds, numRuns: number): Promise<void> {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40, size: 'max' }), (operations) =>
      withDeployments(kinds, async (deployments, wait) => {
        const [first, second] = deployments;
        for (const op of operations) {
          if (op.kind === 'wait') wait(op.hours);
          const [one, other] = [await run(first, op), await run(second, op)];
          expect({ op, outcome: one }).toEqual({ op, outcome: other });
          const label = one === null ? 'none' : 'error' in one ? String(one.error) : op.kind;
          outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
        }
        expect(first.server.geocoder.asked).toEqual(second.server.geocoder.asked);
        expect(await stateOf(first)).toEqual(await stateOf(second));
      }),
    ),
    { numRuns, examples: [[theWholeTable]] },
  );
  expect(EXPECTED.filter((label) => !outcomes.has(label))).toEqual([]);
}
