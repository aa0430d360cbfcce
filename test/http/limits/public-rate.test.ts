/** The requests that PUBLIC_RATE_LIMIT and RATE_LIMIT count, by the table in docs/settings.md. */

import { createPublishedMap } from '../../support/published-map.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

const LIMIT = 2;

let server: TestServer;
let mapId: string;
let clients = 0;

beforeAll(async () => {
  server = await createTestServer({
    ...{ PUBLIC_RATE_LIMIT: String(LIMIT), RATE_LIMIT: String(LIMIT), TRUST_PROXY: 'loopback' },
    PUBLIC_URL: 'https://maps.example.org',
  });
  ({ mapId } = await createPublishedMap(server));
});
afterAll(() => server.close());

const withMap = (path: string) => path.replaceAll('MAP', mapId);

/** The statuses of requests by one client, or by new clients with one token. */
async function statusesOf(path: string, token: string | null): Promise<readonly (number | 'limited')[]> {
  const statuses: (number | 'limited')[] = [];
  clients += 1;
  for (let count = 0; count <= LIMIT; count += 1) {
    if (token !== null) clients += 1;
    const headers = { 'x-forwarded-for': `10.0.${clients >> 8}.${clients & 255}` };
    const { status } = await server.request('GET', withMap(path), { token, headers });
    statuses.push(status === 429 ? 'limited' : status);
  }
  return statuses;
}

const MAP_PATHS = ['/maps/MAP/tiles.json', '/maps/MAP/tiles/0/0/0.mvt', '/maps/MAP/locations.geojson'];
const OGC_PATHS = [
  '',
  '/conformance',
  '/api',
  '/collections',
  '/collections/MAP',
  '/collections/MAP/items',
].concat('/collections/MAP/items/none');
/** Also with a token. */
const DATA = [...MAP_PATHS, ...OGC_PATHS.map((path) => `/ogc${path}`)];
const PAGES = [
  ...['/maps/MAP', '/maps/MAP/picture.png', '/maps/MAP/logo', '/sitemap.xml', '/robots.txt'],
  '/oembed?url=https://maps.example.org/maps/MAP',
];

it.each([...PAGES, ...DATA])('PUBLIC_RATE_LIMIT counts requests of an address to %s', async (path) => {
  const [first, second, third] = await statusesOf(path, null);
  expect(first).not.toBe('limited');
  expect([second, third]).toEqual([first, 'limited']);
});

it.each(DATA)('RATE_LIMIT counts requests with a token to %s', async (path) => {
  const [first, second, third] = await statusesOf(path, await server.createToken());
  expect(first).not.toBe('limited');
  expect([second, third]).toEqual([first, 'limited']);
});

it.each(DATA)('PUBLIC_RATE_LIMIT counts requests of an address with tokens to %s', async (path) => {
  clients += 1;
  const headers = { 'x-forwarded-for': `10.1.0.${clients & 255}` };
  const statuses: number[] = [];
  for (let count = 0; count <= LIMIT; count += 1) {
    const token = await server.createToken();
    statuses.push((await server.request('GET', withMap(path), { token, headers })).status);
  }
  expect(statuses[0]).not.toBe(429);
  expect(statuses.slice(1)).toEqual([statuses[0], 429]);
});
