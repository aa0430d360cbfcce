import type { Environment } from '../../src/app/config.ts';
import { exchange, listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createLocations, createMap, withServer } from '../support/v0.ts';

/** RFC 8288: one target in angle brackets, of URI characters only, and its relation. */
const LINK = /^<([A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+)>; rel="next"$/;

async function threeLocations(server: TestServer): Promise<string> {
  const map = await createMap(server);
  await createLocations(server, map, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  return map;
}

/** The base URL of the target, for a first page requested with these headers. */
async function baseOf(server: TestServer, map: string, headers: Record<string, string>): Promise<string> {
  const { status, headers: answered } = await server.request('GET', `/v0/map/${map}/locations?limit=1`, {
    headers,
  });
  expect(status).toBe(200);
  const target = LINK.exec(String(answered.link))?.[1] ?? '';
  const path = `/v0/map/${map}/locations?limit=1&offset=2`;
  expect(target.endsWith(path)).toBe(true);
  expect(URL.canParse(target)).toBe(true);
  return target.slice(0, -path.length);
}

function withMap(environment: Environment, run: (server: TestServer, map: string) => Promise<void>) {
  return withServer(environment, async (server) => run(server, await threeLocations(server)));
}

describe('the Link of a page', () => {
  it('is on every page but the last, which may be empty', () =>
    withMap({}, async (server, map) => {
      for (const [query, isThere] of [
        ['?limit=1', true],
        ['?limit=2', true],
        ['?limit=3', false],
        ['?limit=100', false],
        ['', false],
        ['?limit=1&offset=2', true],
        ['?limit=1&offset=3', false],
        ['?limit=1&offset=4', false],
      ] as const) {
        const { headers } = await server.request('GET', `/v0/map/${map}/locations${query}`);
        expect([query, headers.link !== undefined]).toEqual([query, isThere]);
        if (isThere) expect(String(headers.link)).toMatch(LINK);
      }
    }));

  it('has the limit of the request or the default, and an offset that is an order', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      const items = Array.from({ length: 250 }, (_, index) => ({ name: `n${index}`, order: 'same' }));
      await createLocations(server, map, items);
      for (const [query, limit] of [
        ['', '100'],
        ['?limit=007', '7'],
        ['?limit=1', '1'],
      ] as const) {
        const { headers } = await server.request('GET', `/v0/map/${map}/locations${query}`);
        const { searchParams } = new URL(LINK.exec(String(headers.link))![1]!);
        expect([...searchParams.keys()].slice(0, 2)).toEqual(['limit', 'offset']);
        expect(searchParams.get('limit')).toBe(limit);
        expect(searchParams.get('offset')).toBe('same');
        // Alone, the offset starts at the first of the equal orders.
        const { json } = await server.request(
          'GET',
          `/v0/map/${map}/locations?offset=${searchParams.get('offset')}`,
        );
        expect(json[0].name).toBe('n0');
      }
    }));

  it('can be followed unchanged, and its parameters are rejected in other requests', () =>
    withMap({}, async (server, map) => {
      for (const query of [
        'offsetAfter=1',
        'offset=1&offsetAfter=',
        'offset=1&offsetAfter=x',
        'offset=1&offsetAfter=-1',
        'offset=1&offsetAfter=1&offsetAfter=1',
        `offset=1&offsetAfter=${'9'.repeat(16)}`,
      ]) {
        const { status } = await server.request('GET', `/v0/map/${map}/locations?${query}`);
        expect([query, status]).toEqual([query, 400]);
      }
    }));
});

describe("the Link's target is absolute", () => {
  it("with the request's own scheme and host", () =>
    withMap({}, async (server, map) => {
      for (const host of [
        'localhost',
        'maps.example.org',
        'maps.example.org:8080',
        '127.0.0.1:4000',
        '[::1]',
        '[::1]:80',
      ]) {
        expect(await baseOf(server, map, { host })).toBe(`http://${host}`);
      }
    }));

  it('with PUBLIC_URL, prefix and all, whatever the request says', () =>
    withMap(
      { PUBLIC_URL: 'https://maps.example.org/api/maps/', TRUST_PROXY: 'loopback' },
      async (server, map) => {
        const headers = { host: 'inside', 'x-forwarded-host': 'outside', 'x-forwarded-proto': 'http' };
        expect(await baseOf(server, map, headers)).toBe('https://maps.example.org/api/maps');
      },
    ));

  it('trusting no X-Forwarded-* by default', () =>
    withMap({}, async (server, map) => {
      const headers = {
        host: 'own',
        'x-forwarded-host': 'evil',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil',
      };
      expect(await baseOf(server, map, headers)).toBe('http://own');
    }));

  for (const proxy of ['loopback', '127.0.0.1', '127.0.0.0/8', '10.0.0.1, loopback']) {
    it(`trusting X-Forwarded-* of TRUST_PROXY=${proxy}`, () =>
      withMap({ TRUST_PROXY: proxy }, async (server, map) => {
        const forwarded = (host: string, scheme: string) =>
          baseOf(server, map, { host: 'own', 'x-forwarded-host': host, 'x-forwarded-proto': scheme });
        expect(await forwarded('maps.example.org', 'https')).toBe('https://maps.example.org');
        expect(await forwarded('maps.example.org:8443', 'http')).toBe('http://maps.example.org:8443');
        // The nearest proxy has the last word.
        expect(await forwarded('first.example, last.example', 'http, https')).toBe('https://last.example');
        expect(await baseOf(server, map, { host: 'own' })).toBe('http://own');
      }));
  }

  it('trusting X-Forwarded-* of no other address', () =>
    withMap({ TRUST_PROXY: '10.0.0.0/8, ::1' }, async (server, map) => {
      const headers = { host: 'own', 'x-forwarded-host': 'evil', 'x-forwarded-proto': 'https' };
      expect(await baseOf(server, map, headers)).toBe('http://own');
    }));

  it('whatever scheme a trusted proxy forwards', () =>
    withMap({ TRUST_PROXY: 'loopback' }, async (server, map) => {
      for (const scheme of ['javascript', 'wss', '"><x', 'HTTPS', 'ftp']) {
        expect(await baseOf(server, map, { host: 'own', 'x-forwarded-proto': scheme })).toMatch(
          /^https?:\/\/own$/,
        );
      }
    }));

  it('whatever the Host: an invalid one is replaced by the address of the server', () =>
    withMap({}, async (server, map) => {
      const port = await listen(server);
      const token = await server.createToken();
      for (const host of [
        'a b',
        '<evil>',
        'a>; rel="x"',
        'a/b',
        'a@b',
        'a?b',
        'a#b',
        'a\\b',
        'h:port',
        'h:999999',
        '[::1',
        'é',
        '%00',
        '',
      ]) {
        const { responses } = await exchange(
          port,
          Buffer.from(
            `GET /v0/map/${map}/locations?limit=1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
            'latin1',
          ),
        );
        expect([host, responses[0]?.status]).toEqual([host, 200]);
        const target = `<http://127.0.0.1:${port}/v0/map/${map}/locations?limit=1&offset=2>; rel="next"`;
        expect(responses[0]?.header('link')).toBe(target);
      }
    }));
});
