/** Addresses that are expensive for the offline geocoder do not delay other clients. */

import type { Server } from '../../support/program.ts';
import { createFolder, killPrograms, startPlainServer } from '../../support/program.ts';
import type { PreparedMap } from '../prepared-map.ts';
import { prepareMap } from '../prepared-map.ts';
import { waitsDuring } from './pings.ts';

afterAll(killPrograms);

/** On a blocked event loop the slowest ping takes as long as the attack; with time slices, some tens of milliseconds. */
const longestWait = (attackMs: number) => Math.max(1_000, attackMs / 4);

const MUTATION = `mutation ($input: CreateLocationsInput!) {
  createLocations(input: $input) { results { location { id } error { code } } }
}`;

let server: Server;
let prepared: PreparedMap;

beforeAll(async () => {
  const cwd = createFolder();
  prepared = await prepareMap(cwd);
  server = await startPlainServer(cwd);
  await createLocations(['Lisboa, Portugal']);
});

/** @returns the error codes; null for a stored location */
async function createLocations(addresses: readonly string[]): Promise<(string | null)[]> {
  const locations = addresses.map((Address, index) => ({ fields: { Name: `${index}`, Address } }));
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${prepared.token}` },
    body: JSON.stringify({
      query: MUTATION,
      variables: { input: { mapId: prepared.mapId, locations } },
    }),
  });
  const { data } = (await response.json()) as {
    data: { createLocations: { results: { error: { code: string } | null }[] } };
  };
  return data.createLocations.results.map(({ error }) => error?.code ?? null);
}

/** `unit` repeated, with a number that makes each address unique. */
function addressesOf(unit: string, length: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${unit.repeat(length / unit.length)} ${index}`);
}

const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  'a thousand addresses of towns that share a name': addressesOf('San Jose, ', 800, 1_000),
  'a thousand addresses of words without a town': addressesOf('quux zzyx ', 800, 1_000),
  'addresses of Chinese letters without a break': addressesOf('京都市', 1_000, 300),
  'addresses whose letters expand to several': addressesOf('㌖', 1_000, 300),
  'addresses of 64 kB': addressesOf('a Springfield ', 63_000, 15),
};

describe('while a client sends addresses that are slow to match', () => {
  for (const [name, addresses] of Object.entries(ATTACKS)) {
    it(`other clients do not wait long: ${name}`, async () => {
      const { worstMs, attackMs, result } = await waitsDuring(server.url, () => createLocations(addresses));
      expect(result.length).toBe(addresses.length);
      expect(worstMs).toBeLessThan(longestWait(attackMs));
    });
  }
});
