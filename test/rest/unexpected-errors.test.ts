import { internalMessage, ServiceError } from '../../src/errors.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import type { TestServer } from '../support/server.ts';
import { createLocation, createMap, expectError, fieldsOf, withServer } from '../support/v0.ts';

const INTERNAL_MESSAGE = 'SQLITE_CORRUPT at 10.0.0.7 in /var/lib/secret.db';
const KEYS = { providerMapApiKey: 'provider-secret', geocodingApiKey: 'geocoding-secret' };

interface Broken {
  readonly server: TestServer;
  readonly faulty: StorageProxy;
  readonly map: string;
  readonly location: string;
  readonly token: string;
}

async function withFaults(run: (broken: Broken) => Promise<void>): Promise<void> {
  const faulty = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }));
  await withServer(
    {},
    async (server) => {
      const map = await createMap(server, KEYS);
      const location = await createLocation(server, map, 'A');
      await run({ server, faulty, map, location, token: await server.createToken() });
    },
    { storage: faulty.storage },
  );
}

/** Lines of level error and above. */
function failuresIn(log: readonly string[]): string[] {
  return log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
}

const ROUTES: readonly [string, keyof Storage, number, (broken: Broken) => [string, string]][] = [
  ['get a map', 'getMaps', 400, ({ map }) => ['GET', `/v0/map/${map}`]],
  ['get a map with a slash', 'getMaps', 400, ({ map }) => ['GET', `/v0/map/${map}/?x=1`]],
  ['the token of get a map', 'findTokenByHash', 400, ({ map }) => ['GET', `/v0/map/${map}`]],
  ['create', 'insertLocations', 500, ({ map }) => ['POST', `/v0/map/${map}/location`]],
  ['the map of create', 'getMaps', 500, ({ map }) => ['POST', `/v0/map/${map}/location`]],
  ['list', 'listLocationsJson', 500, ({ map }) => ['GET', `/v0/map/${map}/locations`]],
  [
    'get a location',
    'getLocations',
    500,
    ({ map, location }) => ['GET', `/v0/map/${map}/location/${location}`],
  ],
  ['delete', 'deleteLocation', 500, ({ map, location }) => ['DELETE', `/v0/map/${map}/location/${location}`]],
  ['the token of delete', 'findTokenByHash', 500, ({ map }) => ['DELETE', `/v0/map/${map}/location/x`]],
];

describe('an unexpected error', () => {
  for (const [name, method, status, request] of ROUTES) {
    it(`of ${name} is ${status} and 500 in the body, reveals no internals, and is logged in full`, () =>
      withFaults(async (broken) => {
        const { server, faulty, token } = broken;
        for (const thrown of [
          new Error(INTERNAL_MESSAGE),
          new TypeError(INTERNAL_MESSAGE),
          INTERNAL_MESSAGE,
          { code: INTERNAL_MESSAGE },
          Object.create(null) as object,
          { code: Object.create(null) as object },
        ]) {
          faulty.fail(method, thrown);
          const before = server.log.length;
          const [verb, path] = request(broken);
          const body = verb === 'POST' ? { body: { fields: fieldsOf('B') } } : {};
          const response = await server.request(verb, path, { token, ...body });
          expectError(response, status, 500);
          const requestId = String(response.headers['x-request-id']);
          expect(response.json.message).toBe(internalMessage(requestId));
          expect(JSON.stringify(response.headers)).not.toContain('SQLITE');

          const lines = failuresIn(server.log.slice(before));
          expect(lines.length).toBe(1);
          expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId, code: 'INTERNAL_SERVER_ERROR' });
          if (thrown instanceof Error) {
            expect(lines[0]).toContain(INTERNAL_MESSAGE);
            expect(lines[0]).toContain('stack');
          }
        }
      }));
  }

  it('of HEAD has the status of GET', () =>
    withFaults(async ({ server, faulty, map }) => {
      faulty.fail('getMaps', new Error(INTERNAL_MESSAGE));
      const head = await server.request('HEAD', `/v0/map/${map}`);
      expect([head.status, head.text]).toEqual([400, '']);
    }));

  it('does not affect the next request', () =>
    withFaults(async ({ server, faulty, map }) => {
      faulty.fail('getMaps', new Error(INTERNAL_MESSAGE));
      await server.request('GET', `/v0/map/${map}`);
      faulty.fail('getMaps', null);
      expect((await server.request('GET', `/v0/map/${map}`)).status).toBe(200);
    }));

  it('of the geocoder is an internal error', () =>
    withFaults(async ({ server, map }) => {
      const body = { fields: fieldsOf('B', 'bug:') };
      const response = await server.request('POST', `/v0/map/${map}/location`, { body });
      expectError(response, 500, 500);
      expect(response.text).not.toContain('inside');
      expect(failuresIn(server.log).join('')).toContain('secret inside of the provider');
    }));
});

describe('a store that cannot be reached', () => {
  const unavailable = new ServiceError('STORAGE_UNAVAILABLE', 'Not now.', {
    retryAfterSeconds: 2.1,
    cause: new Error(INTERNAL_MESSAGE),
  });
  for (const [name, method, , request] of ROUTES) {
    it(`is 503 with whole seconds of Retry-After for ${name}, and its cause is logged`, () =>
      withFaults(async (broken) => {
        const { server, faulty } = broken;
        faulty.fail(method, unavailable);
        const [verb, path] = request(broken);
        const body = verb === 'POST' ? { body: { fields: fieldsOf('B') } } : {};
        const response = await server.request(verb, path, body);
        expectError(response, 503, 503);
        expect(response.headers['retry-after']).toBe('3');
        expect(response.text).not.toContain('SQLITE');
        expect(failuresIn(server.log).join('')).toContain(INTERNAL_MESSAGE);
      }));
  }
});

describe('the log', () => {
  it('never holds a token, a key, a body or a query string', () =>
    withFaults(async ({ server, faulty, map, location, token }) => {
      const body = { fields: { ...fieldsOf('Whoever', 'bug: Wherever'), private: 'personal-data' } };
      const requests = async () => {
        await server.request('GET', `/v0/map/${map}?access_token=${token}`, { token });
        await server.request('GET', `/v0/map/${map}/locations?offset=personal-data`, { token });
        await server.request('GET', `/v0/map/${map}/location/${location}`, { token });
        await server.request('POST', `/v0/map/${map}/location`, { token, body });
        await server.request('POST', `/v0/map/${map}/location`, { token: 'mlt_unknown-token', body });
        await server.request('GET', `/v0/map/%?${token}`, { token });
      };
      await requests();
      faulty.fail('getMaps', new Error(INTERNAL_MESSAGE));
      await requests();
      const log = server.log.join('\n');
      expect(failuresIn(server.log).length).toBeGreaterThan(3);
      for (const secret of [token, 'mlt_', ...Object.values(KEYS), 'personal-data', 'Wherever']) {
        expect(log).not.toContain(secret);
      }
    }));

  it("has no error for a client's own mistakes", () =>
    withFaults(async ({ server, map }) => {
      await server.request('GET', '/v0/map/%');
      await server.request('GET', '/v0/nothing');
      await server.request('PUT', `/v0/map/${map}`);
      await server.request('GET', `/v0/map/${map}`, { token: 'wrong' });
      await server.request('POST', `/v0/map/${map}/location`, { body: '{' });
      await server.request('POST', `/v0/map/${map}/location`, { body: ' '.repeat(2_000_000) });
      await server.request('POST', `/v0/map/${map}/location`, {
        body: '{}',
        headers: { 'content-type': 'a' },
      });
      await server.request('POST', `/v0/map/${map}/location`, {
        body: '{}',
        headers: { 'content-length': '9' },
      });
      await server.request('POST', `/v0/map/${map}/location`, {
        body: { fields: fieldsOf('B', 'unknown:') },
      });
      await server.request('GET', `/v0/map/${'a'.repeat(100_000)}`);
      expect(failuresIn(server.log)).toEqual([]);
    }));
});
