/** X-Request-Id: on every response, the client's own if it is valid. */

import { exchange, listen } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

describe('X-Request-Id', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ CORS_ORIGINS: 'https://app.example' });
  });
  afterAll(() => server.close());

  const idOf = async (own?: string, url = '/healthz') => {
    const headers: Record<string, string> = own === undefined ? {} : { 'x-request-id': own };
    return (await server.request('GET', url, { headers, token: null })).headers['x-request-id'];
  };

  it.each(['a', 'Trace_1.2-3', 'x'.repeat(128)])('is the request’s own if valid: %s', async (own) => {
    expect(await idOf(own)).toBe(own);
  });

  it.each(['', ' ', 'two words', 'a,b', 'é', 'x'.repeat(129), 'a/b'])(
    "is a new one if the request's own is invalid: %j",
    async (own) => {
      expect(await idOf(own)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );

  it('is unique for each request without one', async () => {
    expect(await idOf()).not.toBe(await idOf());
  });

  it('is on errors of both endpoints and of unknown paths, and exposed to other origins', async () => {
    for (const [method, url] of [
      ['GET', '/v0/map/x'],
      ['GET', '/nowhere'],
      ['DELETE', '/graphql'],
      ['POST', '/graphql'],
      ['GET', '/v0/map/%'],
      ['OPTIONS', '/graphql'],
    ] as const) {
      const headers = { 'x-request-id': 'mine', origin: 'https://app.example' };
      const response = await server.request(method, url, { headers, token: null });
      expect([method, url, response.headers['x-request-id']]).toEqual([method, url, 'mine']);
      expect(response.headers['access-control-expose-headers']).toContain('X-Request-Id');
    }
  });

  it('is in the log of the request', async () => {
    await idOf('find-me');
    expect(server.log.some((line) => line.includes('"requestId":"find-me"'))).toBe(true);
  });

  it('is new if two were sent, and on the response to invalid HTTP', async () => {
    const port = await listen(server);
    const twice = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n';
    for (const bytes of [twice, 'nonsense\r\n\r\n']) {
      const { responses } = await exchange(port, bytes);
      expect(responses[0]?.header('x-request-id')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });
});
