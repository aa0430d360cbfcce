/** Unexpected errors reveal no internals, and secrets stay secret. */

import { ServiceError } from '../../src/errors.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import type { MadeMap } from '../support/graphql.ts';
import { codesOf, createLocation, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import { UNKNOWN_MAP } from '../support/root-fields.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('GraphQL shows no', () => {
  let server: TestServer;
  let counting: StorageProxy;
  let map: MadeMap;
  /** The storage method that fails, and its error. */
  let failure: { readonly method: string; readonly error: Error } | null = null;
  beforeAll(async () => {
    counting = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1000 }), {
      before: ({ method }) => (method === failure?.method ? Promise.reject(failure.error) : undefined),
    });
    server = await createTestServer({}, { storage: counting.storage });
    map = await makeMap(server, {
      providerMapApiKey: 'provider-secret',
      geocodingApiKey: 'geocoding-secret',
    });
  });
  afterAll(() => server.close());
  afterEach(() => {
    failure = null;
  });

  const requestIdOf = ({ headers }: TestResponse) => String(headers['x-request-id']);
  const loggedErrors = (): string[] => server.log.filter((line) => JSON.parse(line).level >= 50);

  describe('internals', () => {
    it('of an unexpected error, which the log has in full', async () => {
      const logged = loggedErrors().length;
      const response = await createLocation(server, {
        mapId: map.id,
        fields: { Name: 'N', Address: 'bug: x' },
      });
      expect([response.status, codesOf(response)]).toEqual([200, ['INTERNAL_SERVER_ERROR']]);
      expect(messageOf(response)).toBe(`Internal server error (request ${requestIdOf(response)}).`);
      expect(response.text).not.toMatch(/secret|stack|TypeError|\.ts|node_modules/i);
      const lines = loggedErrors().slice(logged);
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
        type: 'TypeError',
        message: 'secret inside of the provider',
        stack: expect.stringContaining('TypeError'),
      });
    });

    it('of a store that fails in any call', async () => {
      const fields = { Name: 'N', Address: 'A' };
      const pages = `{ viewer { maps(first: 1) { totalCount } } map(id: "${map.id}") { locations(first: 1) { nodes { id } totalCount } } }`;
      const cases = [
        ['getMaps', () => server.graphql(`{ map(id: "${map.id}") { id } }`)],
        ['getMaps', () => server.graphql(`{ node(id: "${map.id}") { id } }`)],
        ['getMaps', () => server.graphql(`{ nodes(ids: ["${map.id}"]) { id } }`)],
        ['listMaps', () => server.graphql(pages)],
        ['countMaps', () => server.graphql(pages)],
        ['listLocationsJson', () => server.graphql(pages)],
        [
          'listLocations',
          () =>
            server.graphql(pages.replace(/nodes \{ id \} totalCount \} \} \}$/, 'edges { cursor } } } }')),
        ],
        ['countLocations', () => server.graphql(pages)],
        ['insertLocations', () => createLocation(server, { mapId: map.id, fields })],
        ['insertMap', () => server.graphql('mutation { createMap(input: { name: "N" }) { map { id } } }')],
        [
          'updateMap',
          () => server.graphql(`mutation { deleteMap(input: { id: "${map.id}" }) { map { id } } }`),
        ],
      ] as const;
      for (const [method, ask] of cases) {
        const inside = new Error(`SQLITE_CORRUPT: hush at /var/lib/${method}`);
        failure = { method, error: inside };
        const logged = loggedErrors().length;
        const response = await ask();
        expect([method, response.status, codesOf(response)]).toEqual([
          method,
          200,
          ['INTERNAL_SERVER_ERROR'],
        ]);
        expect(messageOf(response)).toBe(`Internal server error (request ${requestIdOf(response)}).`);
        expect(response.text).not.toMatch(/hush|SQLITE|\/var/);
        expect(loggedErrors().slice(logged).join()).toContain(inside.message);

        const error = new ServiceError('STORAGE_UNAVAILABLE', 'The database does not answer.', {
          cause: inside,
        });
        failure = { method, error };
        const loggedBefore = loggedErrors().length;
        const unavailable = await ask();
        expect([method, unavailable.status, codesOf(unavailable)]).toEqual([
          method,
          200,
          ['STORAGE_UNAVAILABLE'],
        ]);
        expect(unavailable.text).not.toMatch(/hush|SQLITE|\/var/);
        expect(loggedErrors().slice(loggedBefore).join()).toContain(inside.message);
      }
    });

    it('of a store that fails at the token lookup, before an operation runs', async () => {
      const inside = new Error('SQLITE_BUSY: hush');
      const error = new ServiceError('STORAGE_UNAVAILABLE', 'The database does not answer.', {
        cause: inside,
      });
      failure = { method: 'findTokenByHash', error };
      const response = await server.graphql('{ __typename }');
      expect([response.status, codesOf(response)]).toEqual([503, ['STORAGE_UNAVAILABLE']]);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      failure = { method: 'findTokenByHash', error: inside };
      const broken = await server.graphql('{ __typename }');
      expect([broken.status, codesOf(broken)]).toEqual([500, ['INTERNAL_SERVER_ERROR']]);
      expect(response.text + broken.text).not.toMatch(/hush|SQLITE/);
      expect(loggedErrors().at(-1)).toContain('hush');
      // Only the log has it; the test of secrets below looks for this word.
      server.log.splice(0);
    });

    it('logs no error for an expected failure', async () => {
      const logged = loggedErrors().length;
      await createLocation(server, { mapId: map.id, fields: { Name: 'N', Address: 'unknown: x' } });
      await server.graphql(`{ map(id: "${UNKNOWN_MAP}") { id } }`);
      expect(loggedErrors().slice(logged)).toEqual([]);
    });
  });

  describe('secrets', () => {
    const KEYS = '{ map(id: "ID") { providerMapApiKey geocodingApiKey } }';

    it('keys are visible to a token that may write, and null for a read-only one', async () => {
      const query = KEYS.replace('ID', map.id);
      expect(dataOf(await server.graphql(query)).map).toEqual({
        providerMapApiKey: 'provider-secret',
        geocodingApiKey: 'geocoding-secret',
      });
      const reader = await server.createToken({ scope: 'read' });
      expect(dataOf(await server.graphql(query, {}, reader)).map).toEqual({
        providerMapApiKey: null,
        geocodingApiKey: null,
      });
    });

    it('neither keys nor tokens are in the log, whatever fails', async () => {
      const token = await server.createToken();
      const variables = { input: { mapId: map.id, fields: { Name: 'N', Address: 'bug: x' } } };
      await server.graphql(
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
        variables,
        token,
      );
      await server.graphql(
        'mutation { updateMap(input: { id: "x", geocodingApiKey: "hush" }) { map { id } } }',
        {},
        token,
      );
      await server.graphql(
        'mutation ($i: UpdateMapInput!) { updateMap(input: $i) { map { id } } }',
        { i: { geocodingApiKey: 'hush' } },
        token,
      );
      await server.request('GET', `/graphql?query={__typename}&token=hush`, { token });
      const log = server.log.join('\n');
      expect(log.length).toBeGreaterThan(0);
      for (const secret of [token, 'provider-secret', 'geocoding-secret', 'hush'])
        expect([secret, log.includes(secret)]).toEqual([secret, false]);
    });
  });
});
