import { exchange, listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import {
  createLocation,
  createMap,
  expectError,
  fieldsOf,
  withServer,
  PER_REQUEST_HEADERS,
} from '../support/v0.ts';

let server: TestServer;
let token: string;
let port: number;
let map: string;
let location: string;

beforeAll(async () => {
  server = await createTestServer();
  token = await server.createToken();
  port = await listen(server);
  map = await createMap(server);
  location = await createLocation(server, map, 'A');
});
afterAll(() => server.close());

interface SentHeaders {
  readonly authorization?: string;
  readonly 'if-none-match'?: string;
}

/** Sends a target unchanged; an injected request or fetch would normalize it. */
async function send(method: string, target: string, headers: SentHeaders = {}) {
  const all = { host: 'x', authorization: `Bearer ${token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const { responses } = await exchange(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, {
    head: method === 'HEAD',
  });
  const [response] = responses;
  if (response === undefined) throw new Error(`no response to ${method} ${target}`);
  return {
    status: response.status,
    text: response.body,
    headers: Object.fromEntries(response.headers),
    json: response.body === '' ? undefined : JSON.parse(response.body),
  };
}

describe('one trailing slash', () => {
  it('is ignored, without a redirect, on every route', async () => {
    for (const path of [
      `/v0/map/${map}`,
      `/v0/map/${map}/locations`,
      `/v0/map/${map}/location/${location}`,
    ]) {
      const plain = await send('GET', path);
      const slashed = await send('GET', `${path}/`);
      expect(plain.status).toBe(200);
      expect({ ...slashed.headers, ...PER_REQUEST_HEADERS }).toEqual({
        ...plain.headers,
        ...PER_REQUEST_HEADERS,
      });
      expect(slashed.text).toBe(plain.text);
      expect((await send('GET', `${path}/?limit=1`)).status).toBe(200);
    }
    const body = { fields: fieldsOf('B') };
    const created = await server.request('POST', `/v0/map/${map}/location/`, { body });
    expect(created.status).toBe(200);
    const deleted = await send('DELETE', `/v0/map/${map}/location/${created.json.data.id}/`);
    expect(deleted.status).toBe(200);
    expectError(await send('PUT', `/v0/map/${map}/`), 405, 405);
    expect((await send('OPTIONS', `/v0/map/${map}/`)).status).toBe(204);
  });

  it('is one: with two, or one elsewhere, the path does not exist', async () => {
    for (const path of [
      `/v0/map/${map}//`,
      `/v0/map/${map}/locations//`,
      `/v0/map/${map}/location//`,
      `/v0/map/${map}/location/${location}//`,
      `/v0/map//${map}`,
      `/v0//map/${map}`,
      `//v0/map/${map}`,
      `/v0/map/${map}//locations`,
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'TRACE']) {
        expectError(await send(method, path), 404, 404);
      }
    }
  });
});

describe('a path that /v0 lacks', () => {
  for (const path of [
    '/',
    '/v0',
    '/v0/',
    '/v0/map',
    '/v0/map/',
    '/v0/map//',
    '/v0/map//location',
    '/v0/map//locations',
    '/v0/maps',
    '/v0/map/x/y',
    '/v0/map/x/location/y/z',
    '/v1/map/x',
    '/V0/map/x',
    '/v0/Map/x',
    '/v0/map/x/LOCATIONS',
    '/v0/map/x/locations;jsessionid=1',
    '/v0/map/x/locations%2F',
    '/v0%2Fmap/x',
    '*',
  ]) {
    it(`${path} is unknown to every method, with or without a token`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const response = await send(method, path);
        expectError(response, 404, 404, /no such path/);
        expect(response.headers.allow).toBeUndefined();
        const withoutToken = await send(method, path, { authorization: '' });
        expect(withoutToken.text).toBe(response.text);
      }
    });
  }
});

describe('V0_ERROR_STATUS=400', () => {
  it('is the status of every path under /v0, known or not, and of no other', () =>
    withServer({ V0_ERROR_STATUS: '400' }, async (compatible) => {
      for (const path of ['/v0', '/v0/', '/v0/nothing', '/v0/map//', '/v0/map/x/y/z', '/v0?x=1']) {
        expectError(await compatible.request('GET', path), 400, 404);
      }
      for (const path of ['/', '/v1/map/x', '/v00', '/v0x/map']) {
        expectError(await compatible.request('GET', path), 404, 404);
      }
    }));
});

describe('a method that a path lacks', () => {
  const allowed = {
    '/v0/map/any': 'GET, HEAD, OPTIONS',
    '/v0/map/any/location': 'POST, OPTIONS',
    '/v0/map/any/locations': 'GET, HEAD, OPTIONS',
    '/v0/map/any/location/any': 'GET, HEAD, DELETE, OPTIONS',
  };
  const methods =
    'GET HEAD POST PUT PATCH DELETE TRACE PROPFIND MKCOL LOCK SEARCH REPORT PURGE QUERY M-SEARCH';
  for (const [path, allow] of Object.entries(allowed)) {
    it(`is 405 on ${path}, with Allow: ${allow}`, async () => {
      for (const method of methods.split(' ').filter((name) => !allow.split(', ').includes(name))) {
        for (const authorization of [`Bearer ${token}`, 'Bearer wrong']) {
          const response = await send(method, path, { authorization });
          expect([method, response.status, response.headers.allow]).toEqual([method, 405, allow]);
          if (method !== 'HEAD') expectError(response, 405, 405, allow);
        }
      }
    });

    it(`is listed by OPTIONS ${path}: 204, Allow, no body and no token needed`, async () => {
      for (const headers of [{ authorization: 'Bearer wrong' }, { authorization: '' }, {}]) {
        const response = await send('OPTIONS', path, headers);
        expect([response.status, response.headers.allow, response.text]).toEqual([204, allow, '']);
        expect(response.headers['content-type']).toBeUndefined();
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    });
  }
});

describe('HEAD', () => {
  it('returns the headers of GET without the body', async () => {
    for (const path of [
      `/v0/map/${map}`,
      `/v0/map/${map}/locations?limit=1`,
      `/v0/map/${map}/location/${location}`,
      `/v0/map/${map}/locations?limit=0`,
      '/v0/map/unknown',
      '/v0/map/%',
      '/v0/nothing',
    ]) {
      for (const extra of [{}, { authorization: 'Bearer wrong' }, { 'if-none-match': '*' }]) {
        const got = await send('GET', path, extra);
        const head = await send('HEAD', path, extra);
        expect([head.status, head.text]).toEqual([got.status, '']);
        expect({ ...head.headers, ...PER_REQUEST_HEADERS }).toEqual({
          ...got.headers,
          ...PER_REQUEST_HEADERS,
        });
      }
    }
  });
});

describe('an identifier in the path', () => {
  for (const id of [
    'a'.repeat(10_000),
    '%F0%9F%98%80'.repeat(800),
    '%2F',
    '..',
    '.',
    '..%2F..%2Fetc%2Fpasswd',
    '%00',
    '%0A%0D',
    '%25',
    '%25zz',
    '%5C',
    '%C3%A9',
    '%E2%80%AE',
    '%EF%BF%BF',
    "'%20OR%201=1--",
    '__proto__',
    'constructor',
    '$where',
    ':mapId',
    '*',
    'null',
    '0',
  ]) {
    const shown = id.length > 40 ? `${id.slice(0, 12)}… (${id.length} bytes)` : id;
    it(`${shown} is unknown like any other`, async () => {
      for (const path of [`/v0/map/${id}`, `/v0/map/${id}/locations`, `/v0/map/${id}/location/${location}`]) {
        expectError(await send('GET', path), 400, 404, /no such map/);
      }
      const body = { fields: fieldsOf('A') };
      if (!/^\.+$/.test(id)) {
        expectError(
          await server.request('POST', `/v0/map/${id}/location`, { body }),
          400,
          404,
          /no such map/,
        );
      }
      for (const method of ['GET', 'DELETE']) {
        expectError(await send(method, `/v0/map/${map}/location/${id}`), 400, 404, /no such location/);
      }
    });
  }

  it("of a location is unknown in another map, and a map's is no location's", async () => {
    const other = await createMap(server);
    for (const [mapId, id] of [
      [other, location],
      [map, map],
      [map, location.toUpperCase()],
      [map, `${location}x`],
      [map, location.slice(0, -1)],
      [map, `${map}_000000000000`],
    ] as const) {
      expectError(await send('GET', `/v0/map/${mapId}/location/${id}`), 400, 404, /no such location/);
      expectError(await send('DELETE', `/v0/map/${mapId}/location/${id}`), 400, 404, /no such location/);
    }
    expectError(await send('GET', `/v0/map/${location}`), 400, 404, /no such map/);
    expectError(await send('GET', `/v0/map/${map.toUpperCase()}`), 400, 404, /no such map/);
  });

  it('may be percent-encoded where it need not be', async () => {
    const encoded = [...map].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect((await send('GET', `/v0/map/${encoded}`)).status).toBe(200);
  });
});

describe('invalid percent-encoding', () => {
  for (const broken of ['%', '%2', '%zz', '%ff', '%C3%28', '%E0%A4%A', '%ED%A0%80', 'a%', '%u0041']) {
    it(`${broken} in the path is BAD_USER_INPUT before all else`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'TRACE', 'OPTIONS']) {
        for (const path of [`/v0/map/${broken}`, `/v0/map/${map}/location/${broken}`]) {
          expectError(
            await send(method, path, { authorization: 'Bearer wrong' }),
            400,
            400,
            /percent-encoding/,
          );
        }
      }
    });

    it(`${broken} in the query of a list is BAD_USER_INPUT`, async () => {
      for (const query of [`offset=${broken}`, `limit=${broken}`, `${broken}=1`]) {
        const response = await send('GET', `/v0/map/${map}/locations?${query}`);
        expectError(response, 400, 400, /percent-encoding/);
      }
    });
  }
});
