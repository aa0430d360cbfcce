/** Variables from unauthenticated clients: the cost of coercing them. */

import type { Server } from '../../support/program.ts';
import { createFolder, killPrograms, startPlainServer } from '../../support/program.ts';
import { processorMs } from './process-memory.ts';

afterAll(killPrograms);

const CREATE_LOCATIONS =
  'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }';
const CREATE_MAP = 'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }';
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
const REQUESTS = 10;

describe('hostile variables', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startPlainServer(createFolder(), { RATE_LIMIT: '0' });
  });

  async function send(query: string, variables: unknown) {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, text: await response.text() };
  }

  const locations = (items: readonly unknown[]) => ({ input: { mapId: 'x', locations: items } });
  const many = (count: number, item: unknown): unknown[] => Array<unknown>(count).fill(item);
  const unknownMembers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a${index}`, 1]));

  const TOO_MANY = /^The variables have more than 20000 values/;
  const CASES: Readonly<Record<string, [query: string, variables: () => unknown, first: RegExp]>> = {
    '60,000 locations': [CREATE_LOCATIONS, () => locations(many(60_000, { fields: {} })), TOO_MANY],
    '200,000 invalid locations': [CREATE_LOCATIONS, () => locations(many(200_000, 1)), TOO_MANY],
    '200,000 ids': [NODES, () => ({ ids: many(200_000, '1') }), TOO_MANY],
    'the maximum number of values as invalid locations': [
      CREATE_LOCATIONS,
      () => locations(many(19_998, 1)),
      /at "input\.locations\[0\]"; Expected type/,
    ],
    'a long text with many unknown names': [
      CREATE_MAP,
      () => ({ input: { name: 'x'.repeat(1_000_000), ...unknownMembers } }),
      /Field "a0" is not defined/,
    ],
  };
  for (const [name, [query, variables, first]] of Object.entries(CASES)) {
    it(`are refused quickly: ${name}`, async () => {
      const given = variables();
      const { status, text } = await send(query, given);
      const { errors } = JSON.parse(text);
      expect(errors[0].message).toMatch(first);
      const codes = errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
      expect([status, [...new Set(codes)]]).toEqual([400, ['BAD_USER_INPUT']]);
      // Also once compiled: repeated operations are.
      for (let index = 0; index < 12; index += 1) await send(query, given);
      const before = processorMs(server.pid);
      for (let index = 0; index < REQUESTS; index += 1) await send(query, given);
      const cost = (processorMs(server.pid) - before) / REQUESTS;
      // Parsing the megabyte of JSON takes up to 20 ms; the rest is margin for a busy machine.
      expect(cost).toBeLessThan(100);
    });
  }
});
