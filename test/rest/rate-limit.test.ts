import type { TestResponse, TestServer } from '../support/server.ts';
import { createMap, expectError, withServer } from '../support/v0.ts';

const PATH = '/v0/map/any';

function expectLimited(response: TestResponse): void {
  expectError(response, 429, 429, /requests a minute/);
  const seconds = Number(response.headers['retry-after']);
  expect(String(response.headers['retry-after'])).toMatch(/^[0-9]+$/);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
}

async function statuses(count: number, send: () => Promise<TestResponse>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await send()).status);
  return found;
}

function sender(server: TestServer, token: string | null, headers: Record<string, string> = {}) {
  return () => server.request('GET', PATH, { token, headers });
}

describe('RATE_LIMIT=3', () => {
  it('rejects the fourth request of a token with 429 and Retry-After', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const send = sender(server, await server.createToken());
      expect(await statuses(3, send)).toEqual([400, 400, 400]);
      expectLimited(await send());
      expectLimited(await send());
    }));

  it('counts each token separately, and requests without one by address', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const [one, two] = [await server.createToken(), await server.createToken()];
      for (const token of [one, two]) {
        expect(await statuses(4, sender(server, token))).toEqual([400, 400, 400, 429]);
      }
      expect(await statuses(5, sender(server, null))).toEqual([401, 401, 401, 429, 429]);
      // The address is over its limit; a token that is not is still accepted from there.
      expect(await statuses(1, sender(server, await server.createToken()))).toEqual([400]);
    }));

  it('counts all invalid tokens towards their address', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const found = [
        ...(await statuses(1, sender(server, 'mlt_guess1'))),
        ...(await statuses(1, sender(server, 'mlt_guess2'))),
        ...(await statuses(1, sender(server, null, { authorization: 'Basic x' }))),
        ...(await statuses(1, sender(server, 'mlt_guess3'))),
        ...(await statuses(1, sender(server, null))),
      ];
      expect(found).toEqual([401, 401, 401, 429, 429]);
    }));

  it('counts both endpoints together', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const token = await server.createToken();
      expect((await server.graphql('{ __typename }', {}, token)).status).toBe(200);
      expect(await statuses(2, sender(server, token))).toEqual([400, 400]);
      expect((await server.graphql('{ __typename }', {}, token)).status).toBe(429);
      expectLimited(await sender(server, token)());
    }));

  it('counts failed and successful requests alike, and every method', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const token = await server.createToken();
      await server.request('POST', `${PATH}/location`, { token, body: '{' });
      await server.request('DELETE', `${PATH}/location/x`, { token });
      await server.request('HEAD', PATH, { token });
      expectLimited(await server.request('GET', PATH, { token }));
    }));

  it('does not count requests rejected before the token is checked', () =>
    withServer({ RATE_LIMIT: '1' }, async (server) => {
      const token = await server.createToken();
      for (const [method, path, status] of [
        ['GET', '/v0/nothing', 404],
        ['PUT', PATH, 405],
        ['OPTIONS', PATH, 204],
        ['GET', '/v0/map/%', 400],
      ] as const) {
        expect((await server.request(method, path, { token })).status).toBe(status);
        expect((await server.request(method, path, { token })).status).toBe(status);
      }
      expect(await statuses(2, sender(server, token))).toEqual([400, 429]);
    }));

  it('takes the address from X-Forwarded-For only if the proxy is trusted', async () => {
    const from = (server: TestServer, address: string) =>
      sender(server, null, { 'x-forwarded-for': address });
    await withServer({ RATE_LIMIT: '1' }, async (server) => {
      expect(await statuses(1, from(server, '192.0.2.1'))).toEqual([401]);
      expect(await statuses(1, from(server, '192.0.2.2'))).toEqual([429]);
    });
    await withServer({ RATE_LIMIT: '1', TRUST_PROXY: 'loopback' }, async (server) => {
      expect(await statuses(2, from(server, '192.0.2.1'))).toEqual([401, 429]);
      expect(await statuses(2, from(server, '192.0.2.2'))).toEqual([401, 429]);
      // Entries before the proxy's come from the client and are ignored.
      expect(await statuses(1, from(server, '198.51.100.7, 192.0.2.1'))).toEqual([429]);
    });
  });

  it('resets a minute after the first counted request', async () => {
    let now = 5_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      await withServer({ RATE_LIMIT: '2' }, async (server) => {
        const send = sender(server, await server.createToken());
        expect((await send()).status).toBe(400);
        now += 59_001;
        expect(await statuses(1, send)).toEqual([400]);
        expect((await send()).headers['retry-after']).toBe('1');
        now += 998;
        expect((await send()).status).toBe(429);
        now += 1;
        expect(await statuses(3, send)).toEqual([400, 400, 429]);
      });
    } finally {
      clock.mockRestore();
    }
  });

  it('counts concurrent requests exactly', () =>
    withServer({ RATE_LIMIT: '30' }, async (server) => {
      const send = sender(server, await server.createToken());
      const found = await Promise.all(Array.from({ length: 50 }, async () => (await send()).status));
      expect(found.filter((status) => status === 429).length).toBe(20);
    }));
});

describe('RATE_LIMIT=0', () => {
  it('is no limit', () =>
    withServer({ RATE_LIMIT: '0' }, async (server) => {
      const found = await statuses(200, sender(server, await server.createToken()));
      expect(new Set(found)).toEqual(new Set([400]));
      expect(new Set(await statuses(50, sender(server, null)))).toEqual(new Set([401]));
    }));
});

describe('RateLimit and RateLimit-Policy', () => {
  const rateHeaders = ({ headers }: TestResponse) => [headers['ratelimit-policy'], headers['ratelimit']];
  const rateLimitStatus = (name: string, left: number) =>
    expect.stringMatching(new RegExp(`^"${name}";r=${left};t=(60|5\\d)$`)) as unknown;

  it('report the remaining requests at both endpoints, and zero with Retry-After', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const token = await server.createToken();
      const policy = '"requests";q=3;w=60';
      const send = sender(server, token);
      expect(rateHeaders(await send())).toEqual([policy, rateLimitStatus('requests', 2)]);
      expect(rateHeaders(await server.graphql('{ __typename }', {}, token))).toEqual([
        policy,
        rateLimitStatus('requests', 1),
      ]);
      expect(rateHeaders(await send())).toEqual([policy, rateLimitStatus('requests', 0)]);
      const refused = await send();
      expectLimited(refused);
      expect(rateHeaders(refused)).toEqual([policy, rateLimitStatus('requests', 0)]);
      const graphql = await server.graphql('{ __typename }', {}, token);
      expect([graphql.status, ...rateHeaders(graphql)]).toEqual([
        429,
        policy,
        rateLimitStatus('requests', 0),
      ]);
      const failed = await server.request('GET', PATH, { token: 'wrong' });
      expect([failed.status, ...rateHeaders(failed)]).toEqual([401, policy, rateLimitStatus('requests', 2)]);
    }));

  it('are lists if a request counts towards two rates', () =>
    withServer({ RATE_LIMIT: '3', PUBLIC_RATE_LIMIT: '5' }, async (server) => {
      const url = '/maps/abcdefghjkmnpqrs/locations.csv';
      const policies = '"public";q=5;w=60, "requests";q=3;w=60';
      const own = await server.request('GET', url, { token: await server.createToken() });
      expect(own.headers['ratelimit-policy']).toBe(policies);
      expect(own.headers['ratelimit']).toMatch(/^"public";r=4;t=\d+, "requests";r=2;t=\d+$/);
      expect(rateHeaders(await server.request('GET', url, { token: null }))).toEqual([
        '"public";q=5;w=60',
        rateLimitStatus('public', 3),
      ]);
    }));

  it('are absent if a cache may reuse the response for others', () =>
    withServer({ RATE_LIMIT: '3', PUBLIC_RATE_LIMIT: '5' }, async (server) => {
      const token = await server.createToken();
      const id = await createMap(server, { isPublished: true }, token);
      const urls = [`/maps/${id}`, `/maps/${id}/locations.csv`, `/oembed?url=http://localhost/maps/${id}`];
      for (const url of urls) {
        const response = await server.request('GET', url, { token: null, headers: { host: 'localhost' } });
        expect([url, response.status, response.headers['cache-control']]).toEqual([
          url,
          200,
          'public, max-age=60',
        ]);
        expect(rateHeaders(response)).toEqual([undefined, undefined]);
      }
      const own = await server.request('GET', `/maps/${id}/locations.csv`, { token });
      expect(own.headers['cache-control']).toBe('private, no-cache');
      expect(own.headers['ratelimit']).toMatch(/^"public";r=1;t=\d+, "requests";r=1;t=\d+$/);
    }));

  it('are absent if there is no limit, or the request was not counted', async () => {
    await withServer({ RATE_LIMIT: '0' }, async (server) => {
      expect(rateHeaders(await sender(server, await server.createToken())())).toEqual([undefined, undefined]);
    });
    await withServer({ RATE_LIMIT: '3' }, async (server) => {
      expect(rateHeaders(await server.request('GET', '/healthz'))).toEqual([undefined, undefined]);
    });
  });
});
