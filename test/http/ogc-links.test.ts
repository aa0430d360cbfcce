/** The links of /ogc and of tiles, by the address that clients use: behind a prefix and behind proxies. */

import { openGatewayDeployment } from '../support/gateway.ts';
import type { Fetch } from '../support/ogc/crawl.ts';
import { crawlOgc, crawlTiles } from '../support/ogc/crawl.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const RELATIONS = [
  ...['self', 'alternate', 'service-desc', 'service-doc', 'conformance', 'data', 'items', 'next'],
  'collection',
];
const PROXY = { 'x-forwarded-host': 'maps.example.org', 'x-forwarded-proto': 'https' };

const DEPLOYMENTS: readonly {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly base: string;
}[] = [
  {
    name: 'PUBLIC_URL with a path',
    settings: { PUBLIC_URL: 'https://maps.example.org/below/' },
    headers: {},
    base: 'https://maps.example.org/below',
  },
  {
    name: 'the forwarded headers of a trusted proxy',
    settings: { TRUST_PROXY: 'loopback' },
    headers: PROXY,
    base: 'https://maps.example.org',
  },
  {
    name: 'PUBLIC_URL, whatever a trusted proxy forwards',
    settings: { PUBLIC_URL: 'https://maps.example.org/below', TRUST_PROXY: 'loopback' },
    headers: { ...PROXY, 'x-forwarded-host': 'other.example' },
    base: 'https://maps.example.org/below',
  },
  {
    name: 'the Host, where no proxy is trusted',
    settings: {},
    headers: { ...PROXY, host: 'localhost:4000' },
    base: 'http://localhost:4000',
  },
];

describe.each(DEPLOYMENTS)('with $name', ({ settings, headers, base }) => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer(settings);
    const locations = Array.from({ length: 12 }, (_, index) => placeAt(`P${index}`, index, index));
    ({ mapId } = await createPublishedMap(server, { locations }));
  });
  afterAll(() => server.close());

  /** As a proxy that removes the prefix. */
  const fetchUrl: Fetch = async (url) => {
    const path = url.slice(base.length);
    const response = await server.request('GET', path, { token: null, headers });
    const { status, text } = response;
    return { status, text, type: String(response.headers['content-type']) };
  };

  it('every link of /ogc leads to its document', async () => {
    expect([...(await crawlOgc(base, fetchUrl))].sort()).toEqual([...RELATIONS].sort());
  });

  it('the TileJSON leads to tiles', async () => {
    expect((await crawlTiles(base, mapId, fetchUrl)).text).not.toBe('');
  });

  it('the page of an error leads to /ogc', async () => {
    const { status, text } = await fetchUrl(`${base}/ogc/none?f=html`);
    expect(status).toBe(404);
    expect(text).toContain(`<a href="${base}/ogc?f=html">`);
  });
});

describe('behind a gateway, which has neither', () => {
  it.each(['/ogc', '/ogc/collections', '/ogc/%zz', '/maps/x/tiles.json', '/maps/x/tiles/0/0/0.mvt'])(
    '%s fails as every unknown path',
    async (path) => {
      const deployment = await openGatewayDeployment();
      const { status, json, headers } = await deployment.gateway.request('GET', path, {
        token: null,
        headers: { accept: 'text/html' },
      });
      const expected = path.includes('%') ? 400 : 404;
      expect([status, json]).toEqual([expected, { error: expected, message: expect.any(String) }]);
      expect(headers['cache-control']).toBe('no-store');
      await deployment.close();
    },
  );
});
