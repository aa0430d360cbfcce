/** Requests that a session's cookie authenticates: where it counts, and that they come from the server's own pages. */

import { dataOf, makeMap } from '../../support/graphql.ts';
import type { TestResponse, TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { cheapPasswords, jarOf, OWN_PAGE, PASSWORD, postAuth, signUp } from '../../support/sign-in.ts';

const HOST = { host: 'maps.test' };
const CSRF = {
  code: 'CSRF',
  message:
    'A request with the cookie of a session must come from a page of this server; other clients send a token.',
};

describe('a session', () => {
  let server: TestServer;
  let jar: { readonly cookie: string };
  const { passwords } = cheapPasswords();
  beforeAll(async () => {
    server = await createTestServer({}, { passwords });
    jar = await signUp(server, 'anna');
  });
  afterAll(() => server.close());

  const query = (headers: Record<string, string>, text = '{ viewer { owner } }') =>
    server.request('POST', '/graphql', { token: null, headers, body: { query: text } });
  const codeOf = ({ json }: TestResponse): unknown => json.errors?.[0]?.extensions?.code;

  it('reads and writes as its owner, in GraphQL', async () => {
    const name = 'A map of Anna';
    const created = await query(
      { ...OWN_PAGE, ...jar },
      `mutation { createMap(input: { name: "${name}", fields: [{ name: "Name", type: placeName }, { name: "Address", type: address }] }) { map { id } } }`,
    );
    const { id } = dataOf(created).createMap.map;
    const read = `{ viewer { owner scope token { id } } map(id: "${id}") { name } }`;
    const response = await query({ ...OWN_PAGE, ...jar }, read);
    expect(dataOf(response)).toEqual({
      viewer: { owner: 'anna', scope: 'write', token: null },
      map: { name },
    });
    expect(response.headers['cache-control']).toBe('private, no-cache');
    expect(String(response.headers['vary']).split(', ')).toEqual(
      expect.arrayContaining(['Authorization', 'Cookie']),
    );
    const get = await server.request('GET', `/graphql?query=${encodeURIComponent(read)}`, {
      token: null,
      headers: { ...HOST, ...jar, accept: 'application/json', 'apollo-require-preflight': '1' },
    });
    expect(dataOf(get).map).toEqual({ name });
  });

  it.each<[string, Record<string, string>]>([
    ['no page at all', {}],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another port of the same host', { 'sec-fetch-site': 'same-site', origin: 'http://maps.test:8080' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site', origin: 'http://other.maps.test' }],
    [
      'another site, with its own origin forged',
      { 'sec-fetch-site': 'cross-site', origin: 'http://maps.test' },
    ],
    ['another port, by a browser without Sec-Fetch-Site', { origin: 'http://maps.test:8080' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
  ])('is refused with CSRF for a POST from %s', async (_case, headers) => {
    const response = await query({ ...HOST, ...headers, ...jar });
    expect([response.status, codeOf(response)]).toEqual([403, 'CSRF']);
    for (const name of ['sign-in', 'setup', 'reset', 'link', 'sign-out']) {
      const auth = await server.request('POST', `/auth/${name}`, {
        token: null,
        headers: { ...HOST, ...headers, ...jar },
        body: { name: 'anna', password: PASSWORD, secret: 'x' },
      });
      expect([name, auth.status, auth.json]).toEqual([name, 403, CSRF]);
    }
    expect((await query({ ...OWN_PAGE, ...jar })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['by a browser', { 'sec-fetch-site': 'same-origin' }],
    ['by a browser without Sec-Fetch-Site', { origin: 'http://maps.test' }],
    ['behind a proxy that terminates TLS', { origin: 'https://maps.test' }],
  ])('is accepted from its own pages, %s', async (_case, headers) => {
    expect(dataOf(await query({ ...HOST, ...headers, ...jar })).viewer).toEqual({ owner: 'anna' });
  });

  it('with PUBLIC_URL over https, is refused from a page over http', async () => {
    const secure = await createTestServer({ PUBLIC_URL: 'https://maps.test' }, { passwords });
    const cookie = await signUp(secure, 'anna');
    const from = async (origin: string) =>
      (
        await secure.request('POST', '/graphql', {
          token: null,
          headers: { ...cookie, host: 'internal:4000', origin },
          body: { query: '{ viewer { owner } }' },
        })
      ).status;
    expect([await from('https://maps.test'), await from('http://maps.test')]).toEqual([200, 403]);
    expect([await from('https://internal:4000'), await from('https://other.test')]).toEqual([200, 403]);
    await secure.close();
  });

  it('needs no page of the server to read', async () => {
    const map = await makeMap(server);
    const url = `/graphql?query=${encodeURIComponent('{ viewer { owner } }')}`;
    const response = await server.request('GET', url, {
      token: null,
      headers: { ...HOST, ...jar, accept: 'application/json', 'apollo-require-preflight': '1' },
    });
    expect(dataOf(response).viewer).toEqual({ owner: 'anna' });
    expect(map.id).toBeTruthy();
  });

  it('is ignored beside a token, from wherever the request comes', async () => {
    const token = await server.createToken({ owner: 'ben' });
    const headers = { ...HOST, ...jar, authorization: `Bearer ${token}`, origin: 'https://evil.example' };
    expect(dataOf(await query(headers)).viewer).toEqual({ owner: 'ben' });
    const wrong = await query({ ...OWN_PAGE, ...jar, authorization: 'Bearer mlt_wrong' });
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('that has ended is as none, also from elsewhere', async () => {
    const old = jarOf(await postAuth(server, 'sign-in', { name: 'anna', password: PASSWORD }));
    await postAuth(server, 'sign-out', {}, old);
    const response = await query({ ...HOST, ...old, origin: 'https://evil.example' });
    expect([response.status, codeOf(response)]).toEqual([200, 'UNAUTHENTICATED']);
    for (const value of ['', 'x', 'mls_', `mls_${'x'.repeat(5_000)}`]) {
      const cookie = `${old.cookie.split('=')[0]}=${value}`;
      expect(codeOf(await query({ ...OWN_PAGE, cookie }))).toBe('UNAUTHENTICATED');
    }
  });

  it('does not count at /v0, on the start page, nor on the page of a map', async () => {
    const created = await query(
      { ...OWN_PAGE, ...jar },
      'mutation { createMap(input: { name: "Public", fields: [{ name: "Name", type: placeName }, { name: "Address", type: address }], isPublished: true }) { map { id } } }',
    );
    const { id } = dataOf(created).createMap.map;
    for (const [method, url] of [
      ['GET', `/v0/map/${id}`],
      ['POST', `/v0/map/${id}/location`],
    ] as const) {
      const response = await server.request(method, url, { token: null, headers: { ...OWN_PAGE, ...jar } });
      expect([method, response.status]).toEqual([method, 401]);
    }
    for (const url of ['/', `/maps/${id}`, `/maps/${id}/preview.png`, '/console']) {
      const get = (headers: Record<string, string>) =>
        server.request('GET', url, { token: null, headers: { ...HOST, accept: 'text/html', ...headers } });
      const [plain, withSession] = [await get({}), await get(jar)];
      expect([url, withSession.text]).toEqual([url, plain.text]);
      const varying = ['cache-control', 'vary', 'etag', 'set-cookie'];
      for (const name of varying) expect(withSession.headers[name]).toEqual(plain.headers[name]);
    }
  });

  it('exports the owner’s view, which no shared cache keeps', async () => {
    const created = await query(
      { ...OWN_PAGE, ...jar },
      `mutation { createMap(input: { name: "Mine", fields: [
         { name: "Name", type: placeName }, { name: "Address", type: address }, { name: "Note", type: text, isPublic: false }
       ] }) { map { id } } }`,
    );
    const { id } = dataOf(created).createMap.map;
    const get = (headers: Record<string, string>) =>
      server.request('GET', `/maps/${id}/locations.csv`, { token: null, headers: { ...HOST, ...headers } });
    expect((await get({})).status).toBe(404);
    const own = await get(jar);
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(String(own.headers['vary']).split(', ').sort()).toEqual(['Authorization', 'Cookie']);
    expect(own.text).toContain('Note');
    await query(
      { ...OWN_PAGE, ...jar },
      `mutation { updateMap(input: { id: "${id}", isPublished: true }) { map { id } } }`,
    );
    const [stranger, public_] = [await get(await signUp(server, `stranger of ${id}`)), await get({})];
    expect([stranger.text, stranger.headers['cache-control']]).toEqual([
      public_.text,
      public_.headers['cache-control'],
    ]);
    expect(public_.text).not.toContain('Note');
    expect((await get(jar)).text).toContain('Note');
  });

  it('counts for the rate limit by its owner, and a wrong page by the address', async () => {
    const limited = await createTestServer({ RATE_LIMIT: '9' }, { passwords });
    // Two requests from this address.
    const cookie = await signUp(limited, 'anna');
    const send = (headers: Record<string, string>) =>
      limited.request('POST', '/graphql', {
        token: null,
        headers: { ...HOST, ...headers },
        body: { query: '{ viewer { owner } }' },
      });
    const again = jarOf(await postAuth(limited, 'sign-in', { name: 'anna', password: PASSWORD }));
    for (let count = 0; count < 9; count += 1) {
      expect((await send({ ...OWN_PAGE, ...(count % 2 === 0 ? cookie : again) })).status).toBe(200);
    }
    expect((await send({ ...OWN_PAGE, ...again })).status).toBe(429);
    const statuses = [];
    for (let count = 0; count < 8; count += 1) {
      statuses.push((await send({ ...again, origin: 'https://evil.example' })).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 403, 429]);
    await limited.close();
  });
});
