import type { TestResponse, TestServer } from '../support/server.ts';
import { createMap, withServer } from '../support/v0.ts';

const LISTED = 'https://maps.example.org';
const OTHER = 'http://localhost:5173';

function corsOf({ headers }: TestResponse): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

/** One request for every source of a response: routes, route errors, the router, the framework. */
async function responses(server: TestServer, origin: string | null): Promise<TestResponse[]> {
  const map = await createMap(server);
  const headers: Record<string, string> = origin === null ? {} : { origin };
  const get = (path: string, more: object = {}) => server.request('GET', path, { headers, ...more });
  return Promise.all([
    get(`/v0/map/${map}`),
    get(`/v0/map/${map}/locations`),
    get(`/v0/map/${map}`, { headers: { ...headers, 'if-none-match': '*' } }),
    get('/v0/map/unknown'),
    get(`/v0/map/${map}`, { token: null }),
    get(`/v0/map/${map}`, { token: 'wrong' }),
    get('/v0/nothing'),
    get('/v0/map/%'),
    server.request('PUT', `/v0/map/${map}`, { headers }),
    server.request('HEAD', `/v0/map/${map}`, { headers }),
    server.request('POST', `/v0/map/${map}/location`, { headers, body: '{' }),
    server.request('POST', `/v0/map/${map}/location`, { headers, body: ' '.repeat(2_000_000) }),
    server.request('OPTIONS', `/v0/map/${map}`, { headers }),
  ]);
}

describe('CORS', () => {
  it('is off by default: no CORS headers for any origin, but OPTIONS works', () =>
    withServer({}, async (server) => {
      for (const origin of [null, LISTED, 'null']) {
        for (const response of await responses(server, origin)) {
          expect(corsOf(response)).toEqual({});
          expect(String(response.headers.vary ?? '')).not.toMatch(/origin/i);
        }
      }
      const headers = { origin: LISTED, 'access-control-request-method': 'GET' };
      const preflight = await server.request('OPTIONS', '/v0/map/x', { headers, token: null });
      expect([preflight.status, preflight.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect(corsOf(preflight)).toEqual({});
    }));

  it('names a listed origin on every response, including errors, and exposes headers', () =>
    withServer({ CORS_ORIGINS: `${LISTED}, ${OTHER}` }, async (server) => {
      for (const origin of [LISTED, OTHER]) {
        for (const response of await responses(server, origin)) {
          expect(corsOf(response)).toEqual({
            'access-control-allow-origin': origin,
            'access-control-expose-headers':
              'Link, ETag, Retry-After, X-Fields-Left-Out, RateLimit, RateLimit-Policy, X-Request-Id',
          });
          expect(response.headers.vary).toMatch(/^Origin(, Authorization)?$/);
        }
      }
    }));

  it('names no unlisted or missing origin, but sends Vary', () =>
    withServer({ CORS_ORIGINS: LISTED }, async (server) => {
      const near = [
        `${LISTED}:443`,
        `${LISTED}/`,
        'http://maps.example.org',
        `${LISTED}.evil.example`,
        'null',
        '*',
      ];
      for (const origin of [null, ...near, LISTED.toUpperCase()]) {
        for (const response of await responses(server, origin)) {
          expect(corsOf(response)).toEqual({});
          expect(response.headers.vary).toMatch(/^Origin(, Authorization)?$/);
        }
      }
    }));

  it('names any origin if * is listed', () =>
    withServer({ CORS_ORIGINS: '*' }, async (server) => {
      for (const origin of [LISTED, 'null', 'chrome-extension://abc']) {
        const response = await server.request('GET', '/v0/map/x', { headers: { origin } });
        expect(response.headers['access-control-allow-origin']).toBe(origin);
      }
      expect(corsOf(await server.request('GET', '/v0/map/x'))).toEqual({});
    }));

  it('allows no cookies or other credentials', () =>
    withServer({ CORS_ORIGINS: `*,${LISTED}` }, async (server) => {
      for (const response of await responses(server, LISTED)) {
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      }
    }));

  it("answers a listed origin's preflight without a token: methods, headers, and max age", () =>
    withServer({ CORS_ORIGINS: LISTED }, async (server) => {
      const headers = {
        origin: LISTED,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      };
      const preflight = await server.request('OPTIONS', '/v0/map/x/location', { headers, token: null });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.allow).toBe('POST, OPTIONS');
      expect(preflight.text).toBe('');
      const cors = corsOf(preflight);
      expect(cors['access-control-allow-origin']).toBe(LISTED);
      expect(cors['access-control-allow-methods']).toBe('POST, OPTIONS');
      const allowed = String(cors['access-control-allow-headers']).toLowerCase().split(', ');
      const needed = ['authorization', 'content-type', 'idempotency-key', 'if-none-match'];
      expect(needed.filter((name) => !allowed.includes(name))).toEqual([]);
      expect(Number(cors['access-control-max-age'])).toBeGreaterThan(0);

      const unlisted = { ...headers, origin: OTHER };
      expect(corsOf(await server.request('OPTIONS', '/v0/map/x/location', { headers: unlisted }))).toEqual(
        {},
      );
    }));

  it('does not reveal unknown paths to a preflight', () =>
    withServer({ CORS_ORIGINS: LISTED }, async (server) => {
      const headers = { origin: LISTED, 'access-control-request-method': 'GET' };
      expect((await server.request('OPTIONS', '/v0/nothing', { headers, token: null })).status).toBe(404);
    }));
});

describe('the GraphQL endpoint and an opaque origin, as of a sandboxed frame', () => {
  const NULL = { origin: 'null' };
  const ask = (server: TestServer, headers: Record<string, string>, token: string | null = null) =>
    server.request('POST', '/graphql', {
      token,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
  const preflight = (server: TestServer, names: string, path = '/graphql') =>
    server.request('OPTIONS', path, {
      token: null,
      headers: {
        ...NULL,
        'access-control-request-method': 'POST',
        'access-control-request-headers': names,
      },
    });

  it('lets a map’s page read what everybody may read, and names no other origin', () =>
    withServer({}, async (server) => {
      expect((await preflight(server, 'content-type')).headers).toMatchObject({
        'access-control-allow-origin': 'null',
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        vary: 'Origin',
      });
      const response = await ask(server, NULL);
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([200, 'null']);
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      for (const origin of [LISTED, 'NULL', 'null null', `${LISTED}, null`]) {
        expect(corsOf(await ask(server, { origin }))).toEqual({});
      }
    }));

  it('is not named for a request with a token or a cookie, nor a preflight that asks for one', () =>
    withServer({}, async (server) => {
      expect(
        corsOf(
          await server.request('POST', '/graphql', { headers: NULL, body: { query: '{ __typename }' } }),
        ),
      ).toEqual({});
      expect(corsOf(await ask(server, NULL, 'wrong'))).toEqual({});
      expect(corsOf(await ask(server, { ...NULL, cookie: 'a=b' }))).toEqual({});
      for (const names of ['authorization', 'content-type, Authorization', 'AUTHORIZATION,content-type']) {
        expect(corsOf(await preflight(server, names))).toEqual({});
      }
      for (const path of ['/auth/password', '/v0/map', '/console']) {
        expect(corsOf(await preflight(server, 'content-type', path))).toEqual({});
      }
    }));
});

describe('a response to a token', () => {
  it('is private, must be revalidated, and varies by Authorization, also for errors', () =>
    withServer({}, async (server) => {
      for (const response of await responses(server, null)) {
        const isPrivate = response.headers['cache-control'] === 'private, no-cache';
        expect(isPrivate).toBe(response.headers.vary === 'Authorization');
        // The one request without a token.
        if (!isPrivate) expect(response.status).toBe(401);
      }
    }));
});
