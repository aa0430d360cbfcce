import fc from 'fast-check';

import type { Operation } from '../support/door-operations.ts';
import { MAPS, operation, theWholeTable } from '../support/door-operations.ts';
import type { Door, Outcome, Tokens } from '../support/doors.ts';
import { graphqlDoor, restDoor } from '../support/doors.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createMap } from '../support/v0.ts';

const HOUR_MS = 3_600_000;

interface House {
  readonly door: Door;
  readonly maps: readonly string[];
}

/** The same maps and tokens on a service of its own, behind one of the doors. */
async function openHouse(
  open: (server: TestServer, tokens: Tokens) => Door,
  clock: () => number,
): Promise<House> {
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
    limited: await server.createToken({ mapId: maps[1] }),
    foreign,
    invalid: 'mlt_invalid',
    none: null,
  };
  return { door: open(server, tokens), maps };
}

async function run({ door, maps }: House, op: Operation): Promise<Outcome | null> {
  switch (op.kind) {
    case 'create':
      return door.create(maps[op.map]!, op.token, op.creation);
    case 'list':
      return door.list(maps[op.map]!, op.token, op.limit, op.pages);
    case 'get':
    case 'delete': {
      const id = op.target.kind === 'odd' ? op.target.id : (door.ids[op.target.position] ?? 'none yet');
      return door[op.kind](maps[op.map]!, op.token, id);
    }
    case 'deleteMap':
    case 'restoreMap': {
      // Maps have one door.
      const query = `mutation ($id: ID!) { ${op.kind}(input: {id: $id}) { map { isDeleted } } }`;
      await door.server.graphql(query, { id: maps[op.map] });
      return null;
    }
    case 'wait':
      return null;
  }
}

/** Everything that a map holds, in the order of its list, read in one way whatever door it came through. */
async function stateOf({ door, maps }: House): Promise<unknown[]> {
  const state: unknown[] = [];
  for (const index of MAPS.own) {
    const id = maps[index]!;
    await door.server.graphql(`mutation { restoreMap(input: {id: "${id}"}) { map { id } } }`);
    const { json } = await door.server.graphql(
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
        id: door.ids.indexOf(node.id),
        properties: JSON.stringify(node.properties),
      })),
    });
  }
  return state;
}

async function withHouses(
  run_: (houses: [House, House], wait: (hours: number) => void) => Promise<void>,
): Promise<void> {
  let now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  const houses: [House, House] = [await openHouse(restDoor, clock), await openHouse(graphqlDoor, clock)];
  try {
    await run_(houses, (hours) => (now += hours * HOUR_MS));
  } finally {
    for (const { door } of houses) await door.server.close();
  }
}

describe('the same operations through either door', () => {
  it('have the same outcomes and leave the same state', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40, size: 'max' }), (operations) =>
        withHouses(async (houses, wait) => {
          const [rest, graphql] = houses;
          for (const op of operations) {
            if (op.kind === 'wait') wait(op.hours);
            const [one, other] = [await run(rest, op), await run(graphql, op)];
            expect({ op, outcome: one }).toEqual({ op, outcome: other });
            const label = one === null ? 'none' : 'error' in one ? String(one.error) : op.kind;
            outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
          }
          expect(rest.door.server.geocoder.asked).toEqual(graphql.door.server.geocoder.asked);
          expect(await stateOf(rest)).toEqual(await stateOf(graphql));
        }),
      ),
      { numRuns: Number(process.env.EQUIVALENCE_RUNS ?? 40), examples: [[theWholeTable]] },
    );
    // Sequences that never came this far would agree for nothing.
    const expected = [
      'create',
      'list',
      'get',
      'delete',
      '400',
      '401',
      '403',
      '404',
      '409',
      '410',
      '422',
      '424',
      '429',
      '500',
      '503',
    ];
    expect(expected.filter((label) => !outcomes.has(label))).toEqual([]);
  });
});

describe('one mistake that GraphQL already finds in the variables', () => {
  const good = { Name: 'A', Address: 'B' };
  for (const [what, creation] of [
    ['fields that are a list', { fields: [] }],
    ['fields that are a string', { fields: 'x' }],
    ['fields that are null', { fields: null }],
    ['no fields', { fields: undefined }],
    ['an order that is a number', { fields: good, order: 1 }],
    ['an order that is an object', { fields: good, order: {} }],
    ['an order that is a list', { fields: good, order: ['1'] }],
    ['an order that is true', { fields: good, order: true }],
  ] as const) {
    it(`is BAD_USER_INPUT through both: ${what}`, () =>
      withHouses(async (houses) => {
        for (const { door, maps } of houses) {
          expect(await door.create(maps[0]!, 'write', creation)).toEqual({ error: 400 });
          expect(door.server.geocoder.asked).toEqual([]);
        }
      }));
  }

  it('is BAD_USER_INPUT through both: a number beyond the doubles', () =>
    withHouses(async ([{ door: rest, maps }, { door: graphql, maps: others }]) => {
      const text = '{"Name":"A","Address":"B","n":1e400}';
      const posted = await rest.server.request('POST', `/v0/map/${maps[0]}/location`, {
        body: `{"fields":${text}}`,
      });
      expect([posted.status, posted.json.error]).toEqual([400, 400]);
      const query =
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
      const body = `{"query":${JSON.stringify(query)},"variables":{"input":{"mapId":"${others[0]}","fields":${text}}}}`;
      const { json } = await graphql.server.request('POST', '/graphql', { body });
      expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }));
});
