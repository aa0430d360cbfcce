/** Errors of /ogc: in the form of the standard for programs, and as pages for browsers. */

import { readConfig } from '../../src/app/config.ts';
import { storageUnavailable } from '../../src/errors.ts';
import { openStorage } from '../../src/storage/open.ts';
import { Issuer } from '../support/issuer.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { exchange, listen } from '../support/raw-http.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer, openTestEndpoints, TEST_SETTINGS } from '../support/server.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { deleteMap } from '../support/v0.ts';

const BASE = 'https://maps.example.org/below';
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly path: string;
  readonly method?: string;
  readonly token?: string;
}

let server: TestServer;
let store: StorageProxy;
let issuer: Issuer;
let mapId: string;
let deletedId: string;
let owner: string;

beforeAll(async () => {
  issuer = await Issuer.start();
  store = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 5_000 }));
  server = await createTestServer({ PUBLIC_URL: BASE, ...issuer.settings }, { storage: store.storage });
  ({ mapId } = await createPublishedMap(server, { locations: [placeAt('A', 1, 2)] }));
  ({ mapId: deletedId } = await createPublishedMap(server));
  await deleteMap(server, deletedId);
  owner = await server.createToken();
});
afterEach(() => store.fail('getMaps', null));
afterAll(async () => {
  await server.close();
  await issuer.stop();
});

const get = (
  path: string,
  { method = 'GET', token = null as string | null, accept = '*/*' } = {},
): Promise<TestResponse> => server.request(method, path, { token, headers: { accept } });

/** Each status, and each way of a request to get it. */
async function failures(): Promise<readonly Failure[]> {
  const items = `/ogc/collections/${mapId}/items`;
  return [
    { status: 400, code: 'BAD_USER_INPUT', path: `${items}?limit=0` },
    { status: 400, code: 'BAD_USER_INPUT', path: '/ogc?x=1' },
    { status: 400, code: 'BAD_USER_INPUT', path: '/ogc/collections/%zz' },
    { status: 401, code: 'UNAUTHENTICATED', path: '/ogc/collections', token: 'mlt_none' },
    { status: 403, code: 'FORBIDDEN', path: items, token: await issuer.sign({ scope: 'other' }) },
    { status: 404, code: 'MAP_NOT_FOUND', path: '/ogc/collections/none' },
    { status: 404, code: 'LOCATION_NOT_FOUND', path: `${items}/none` },
    { status: 404, code: 'NOT_FOUND', path: '/ogc/none' },
    { status: 404, code: 'NOT_FOUND', path: '/ogc/collections//items' },
    { status: 405, code: 'METHOD_NOT_ALLOWED', path: items, method: 'POST' },
    { status: 410, code: 'MAP_DELETED', path: `/ogc/collections/${deletedId}/items`, token: owner },
  ];
}

function expectJson(response: TestResponse, status: number, code: string): void {
  expect([response.status, response.json]).toEqual([status, { code, description: expect.any(String) }]);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
}

function expectPage(response: TestResponse, status: number, code: string): void {
  const { headers, text } = response;
  expect([response.status, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expect(text).toContain(`<dd><code>${code}</code></dd>`);
  expect(text).toContain(`<h1>${status} `);
  expect(text).toContain(`<a href="${BASE}/ogc?f=html">`);
  expect(text).not.toMatch(/<script|\sstyle=/);
  expect(headers['x-content-type-options']).toBe('nosniff');
}

describe('an error of /ogc', () => {
  it('is JSON for programs, and a page for browsers, with the same headers', async () => {
    const document = await get('/ogc', { accept: HTML });
    for (const { status, code, path, ...options } of await failures()) {
      const [json, page] = [await get(path, options), await get(path, { ...options, accept: HTML })];
      expectJson(json, status, code);
      expectPage(page, status, code);
      expect(page.text).toContain(escaped(json.json.description));
      expect(page.headers['content-security-policy']).toBe(document.headers['content-security-policy']);
      for (const { headers } of [json, page]) {
        expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
        expect(headers.vary).toMatch(/\bAccept\b/);
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
        expect(headers.allow).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
      }
    }
  });

  it('is a page also when the database fails, and says when to try again', async () => {
    store.fail('getMaps', storageUnavailable());
    const unavailable = await get(`/ogc/collections/${mapId}/items`, { accept: HTML });
    expectPage(unavailable, 503, 'STORAGE_UNAVAILABLE');
    expect(unavailable.headers['retry-after']).toBe('1');
    store.fail('getMaps', new Error('secret'));
    const broken = await get(`/ogc/collections/${mapId}/items`, { accept: HTML });
    expectPage(broken, 500, 'INTERNAL_SERVER_ERROR');
    expect(broken.text).not.toContain('secret');
  });

  it('is a page also over the rate limit', async () => {
    const limited = await createTestServer({ PUBLIC_RATE_LIMIT: '1', PUBLIC_URL: BASE });
    const ask = () => limited.request('GET', '/ogc/collections', { token: null, headers: { accept: HTML } });
    expect((await ask()).status).toBe(200);
    const over = await ask();
    expectPage(over, 429, 'RATE_LIMITED');
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    await limited.close();
  });

  it('is a page also for a request that no route sees', async () => {
    const config = readConfig({ ...TEST_SETTINGS, PUBLIC_URL: BASE });
    const starting = { ...server.gateway, isReady: () => false, close: () => Promise.resolve() };
    const endpoints = await openTestEndpoints(starting, config, owner, { executesOnce: true });
    for (const path of ['/ogc', '/ogc/none']) {
      const headers = { accept: HTML };
      expectPage(await endpoints.request('GET', path, { headers }), 503, 'STORAGE_UNAVAILABLE');
    }
    await endpoints.close();
  });

  it('leads to the address of the server where the request has no Host', async () => {
    const own = await createTestServer();
    const port = await listen(own);
    const { responses } = await exchange(port, 'GET /ogc HTTP/1.1\r\nAccept: text/html\r\n\r\n');
    expect([responses[0]?.status, responses[0]?.header('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
    expect(responses[0]?.body).toContain(`<a href="http://127.0.0.1:${port}/ogc?f=html">`);
    await own.close();
  });

  it('has the format of f before that of Accept, unless f is the error', async () => {
    const path = '/ogc/collections/none';
    expectJson(await get(`${path}?f=json`, { accept: HTML }), 404, 'MAP_NOT_FOUND');
    expectPage(await get(`${path}?f=html`), 404, 'MAP_NOT_FOUND');
    expectJson(await get('/ogc?f=xml'), 400, 'BAD_USER_INPUT');
    expectPage(await get('/ogc?f=xml', { accept: HTML }), 400, 'BAD_USER_INPUT');
    expectPage(await get('/ogc?f=html&%zz'), 400, 'BAD_USER_INPUT');
  });

  it('repeats no markup of the request', async () => {
    const markup = encodeURIComponent('"><script>alert(1)</script><i>');
    for (const path of [
      `/ogc?${markup}=1`,
      `/ogc?f=${markup}`,
      `/ogc/${markup}`,
      `/ogc/collections/${markup}`,
    ]) {
      const { status, text } = await get(path, { accept: HTML });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(/<script|<i>/);
    }
  });
});

/** As HTML has it in text. */
function escaped(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
