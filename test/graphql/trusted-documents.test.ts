/** Documents chosen by the operator: executed by id and by hash, and nothing else if so configured. */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { OperatorError } from '../../src/errors.ts';
import { codesOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const OWNER = 'query Owner { viewer { owner } }';
const MAP = 'query Map($id: ID!) { map(id: $id) { name } }';
const MAKE = 'mutation Make($name: String!) { createMap(input: { name: $name }) { map { id name } } }';
const TWO = 'query A { a: viewer { owner } } query B { b: viewer { owner } }';
/** 13 levels; 12 are allowed. */
const DEEP = `{ viewer { maps { nodes { ${'locations { nodes { map { '.repeat(3)} id ${'} } } '.repeat(3)} } } } }`;
const DOCUMENTS = { owner: OWNER, map: MAP, make: MAKE, two: TWO, deep: DEEP, toString: OWNER };
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex');
const byHash = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: shaOf(text) } });
const owner = { viewer: { owner: 'tester' } };

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trusted-'));
  path = join(folder, 'documents.json');
  writeFileSync(path, JSON.stringify(DOCUMENTS));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function withServer(
  only: boolean,
  work: (server: TestServer) => Promise<void>,
  more = {},
): Promise<void> {
  const server = await createTestServer({
    TRUSTED_DOCUMENTS: path,
    GRAPHQL_TRUSTED_ONLY: only ? '1' : '0',
    ...more,
  });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const post = (server: TestServer, body: unknown, headers = {}): Promise<TestResponse> =>
  server.request('POST', '/graphql', { body, headers });
const get = (server: TestServer, parameters: Record<string, string>): Promise<TestResponse> =>
  server.request('GET', `/graphql?${new URLSearchParams(parameters).toString()}`);

function expectNotFound(response: TestResponse): void {
  expect([response.status, codesOf(response)]).toEqual([200, ['PERSISTED_QUERY_NOT_FOUND']]);
}

describe.each([true, false])('a trusted document, with only trusted documents allowed: %s', (only) => {
  it('is executed by its id and by its hash, repeatedly', () =>
    withServer(only, async (server) => {
      for (let times = 0; times < 3; times += 1) {
        expect((await post(server, { documentId: 'owner' })).json).toEqual({ data: owner });
        expect((await post(server, { documentId: 'toString' })).json).toEqual({ data: owner });
        expect((await post(server, { extensions: byHash(OWNER) })).json).toEqual({ data: owner });
        expect((await get(server, { documentId: 'owner' })).json).toEqual({ data: owner });
        const extensions = JSON.stringify(byHash(OWNER));
        expect((await get(server, { extensions })).json).toEqual({ data: owner });
      }
    }));

  it('accepts variables and an operation name', () =>
    withServer(only, async (server) => {
      const made = await post(server, { documentId: 'make', variables: { name: 'Mine' } });
      const { id } = made.json.data.createMap.map as { id: string };
      const variables = { id };
      const expected = { data: { map: { name: 'Mine' } } };
      expect((await post(server, { documentId: 'map', variables })).json).toEqual(expected);
      expect((await get(server, { documentId: 'map', variables: JSON.stringify(variables) })).json).toEqual(
        expected,
      );
      expect((await post(server, { documentId: 'two', operationName: 'B' })).json).toEqual({
        data: { b: owner.viewer },
      });
      expect((await get(server, { documentId: 'two', operationName: 'A' })).json).toEqual({
        data: { a: owner.viewer },
      });
    }));

  it('wins over a query sent along with its id or hash', () =>
    withServer(only, async (server) => {
      const query = '{ __typename }';
      expect((await post(server, { documentId: 'owner', query })).json).toEqual({ data: owner });
      expect((await post(server, { extensions: byHash(OWNER), query })).json).toEqual({ data: owner });
      expect((await get(server, { documentId: 'owner', query })).json).toEqual({ data: owner });
    }));

  it('that is unknown is not found, whatever is sent along with it', () =>
    withServer(only, async (server) => {
      for (const documentId of ['another', '', '__proto__', 'constructor', 'map-locations:docs']) {
        expectNotFound(await post(server, { documentId }));
        expectNotFound(await post(server, { documentId, query: OWNER }));
        expectNotFound(await get(server, { documentId, query: OWNER }));
      }
      expectNotFound(await post(server, { extensions: byHash('{ __typename }') }));
    }));

  it('changes nothing by GET', () =>
    withServer(only, async (server) => {
      const response = await get(server, { documentId: 'make', variables: '{"name":"By GET"}' });
      expect(response.status).toBe(405);
      const maps = await post(server, { documentId: 'owner' });
      expect(maps.json).toEqual({ data: owner });
      expect(await server.gateway.storage.listOwners()).toHaveLength(1);
    }));

  it('obeys the limits: depth, rows, values and rates', () =>
    withServer(
      only,
      async (server) => {
        const deep = await post(server, { documentId: 'deep' });
        expect([deep.status, codesOf(deep)]).toEqual([400, ['GRAPHQL_VALIDATION_FAILED']]);
        const statuses = [];
        for (let times = 0; times < 3; times += 1)
          statuses.push((await post(server, { documentId: 'owner' })).status);
        expect(statuses).toEqual([200, 200, 429]);
      },
      { RATE_LIMIT: '3' },
    ));
});

describe('with only trusted documents allowed', () => {
  it('no query text is executed, not even that of a trusted document', () =>
    withServer(true, async (server) => {
      await post(server, { documentId: 'owner' });
      for (const query of [OWNER, '{ __typename }', '{ __schema { queryType { name } } }', 'no GraphQL']) {
        expectNotFound(await post(server, { query }));
        expectNotFound(await post(server, { query, documentId: null }));
        expectNotFound(await post(server, { query, documentId: 5 }));
        expectNotFound(await get(server, { query }));
      }
      for (const body of [{}, [], [{ documentId: 'owner' }], { documentId: ['owner'] }, { extensions: 1 }]) {
        expectNotFound(await post(server, body));
      }
    }));

  it('no query can be registered by its hash', () =>
    withServer(true, async (server) => {
      const query = '{ viewer { maps { totalCount } } }';
      expectNotFound(await post(server, { query, extensions: byHash(query) }));
      expectNotFound(await get(server, { query, extensions: JSON.stringify(byHash(query)) }));
      expectNotFound(await post(server, { extensions: byHash(query) }));
    }));

  it('/v0 and the pages work as before', () =>
    withServer(true, async (server) => {
      const made = await post(server, { documentId: 'make', variables: { name: 'Mine' } });
      const { id } = made.json.data.createMap.map as { id: string };
      expect((await server.request('GET', `/v0/map/${id}`)).json.data.name).toBe('Mine');
      const console_ = await server.request('GET', '/console', { token: null });
      expect(console_.text).toContain('"documentId":"map-locations:console"');
      const viewer = await post(server, { documentId: 'map-locations:console', operationName: 'Viewer' });
      expect(viewer.json.data.viewer.owner).toBe('tester');
      const place = { documentId: 'map-locations:map', operationName: 'FindLocations', variables: { id } };
      expect(codesOf(await post(server, place))).toEqual(['MAP_NOT_FOUND']);
    }));
});

describe('with other documents allowed', () => {
  it('queries are executed, and registered by their hashes', () =>
    withServer(false, async (server) => {
      const query = '{ viewer { maps { totalCount } } }';
      const data = { viewer: { maps: { totalCount: 0 } } };
      expect((await post(server, { query })).json).toEqual({ data });
      expectNotFound(await post(server, { extensions: byHash(query) }));
      expect((await post(server, { query, extensions: byHash(query) })).json).toEqual({ data });
      expect((await post(server, { extensions: byHash(query) })).json).toEqual({ data });
      expect((await server.request('GET', '/console', { token: null })).text).toContain('"documentId":null');
    }));
});

describe('an invalid file of documents ends startup', () => {
  const fails = async (content: string | null, more = {}) => {
    const file = join(folder, 'wrong.json');
    if (content === null) rmSync(file, { force: true });
    else writeFileSync(file, content);
    const error: unknown = await createTestServer({ TRUSTED_DOCUMENTS: file, ...more }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  };

  it.each([
    ['is not there', null, /cannot be read \(ENOENT\)/],
    ['is not JSON', '{', /not JSON/],
    ['is a list', '["{ __typename }"]', /must be a JSON object/],
    ['has an empty id', '{"": "{ __typename }"}', /an id is empty/],
    ['has a value that is not a string', '{"a": {}}', /"a" is not a string/],
    ['has a document that does not parse', '{"a": "{"}', /"a" is not valid: Syntax Error/],
    [
      'has an invalid document',
      '{"ok": "{ __typename }", "b": "{ viewr { owner } }"}',
      /"b" is not valid: Cannot query field "viewr"/,
    ],
    [
      'has an integer that no double holds',
      '{"c": "mutation { createLocation(input: {mapId: \\"x\\", fields: {id: 9007199254740993}}) { map { id } } }"}',
      /"c" is not valid: input\.fields\.id is an integer beyond ±9007199254740991/,
    ],
  ])('if it %s', async (_what, content, message) => {
    expect(await fails(content)).toMatch(message);
  });

  it('if it queries the schema while introspection is off', async () => {
    const content = '{"schema": "{ __schema { queryType { name } } }"}';
    expect(await fails(content, { INTROSPECTION: '0' })).toMatch(/"schema" is not valid: .*introspection/);
  });
});
