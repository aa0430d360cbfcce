/** /graphql over HTTP: methods, queries in the URL, response types, persisted queries, headers. */

import { createHash } from 'node:crypto';

import { codesOf, createLocation, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const TYPENAME = { __typename: 'Query' };
const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

describe('/graphql over HTTP', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  const get = (
    parameters: Record<string, string>,
    headers: Record<string, string> = {},
    token?: string | null,
  ) => server.request('GET', `/graphql?${new URLSearchParams(parameters).toString()}`, { headers, token });

  describe('methods', () => {
    it('GET runs a query, with variables and an operation name', async () => {
      const { id } = await makeMap(server, { name: 'By GET' });
      const query = 'query A { __typename } query B($id: ID!) { map(id: $id) { name } }';
      const response = await get({ query, variables: JSON.stringify({ id }), operationName: 'B' });
      expect(dataOf(response)).toEqual({ map: { name: 'By GET' } });
      expect(dataOf(await get({ query, operationName: 'A' }))).toEqual(TYPENAME);
    });

    it('GET refuses a mutation with 405 and does not run it', async () => {
      const response = await get({
        query: 'mutation { createMap(input: { name: "By GET again" }) { map { id } } }',
      });
      expect([response.status, codesOf(response), response.headers['allow']]).toEqual([
        405,
        ['BAD_REQUEST'],
        'POST',
      ]);
      const named = await get({
        query: 'query Q { __typename } mutation M { __typename }',
        operationName: 'M',
      });
      expect(named.status).toBe(405);
      const { viewer } = dataOf(await server.graphql('{ viewer { maps { nodes { name } } } }'));
      expect(viewer.maps.nodes.map(({ name }: { name: string }) => name)).not.toContain('By GET again');
    });

    it('GET with malformed parameters is 400', async () => {
      const query = '{ __typename }';
      for (const parameters of [{}, { query: '' }, { query, variables: '{' }, { query, extensions: 'x' }]) {
        const response = await get(parameters as Record<string, string>);
        expect([parameters, response.status, codesOf(response)]).toEqual([parameters, 400, ['BAD_REQUEST']]);
      }
      expect((await server.request('GET', '/graphql?query=%ff%zz')).status).toBe(400);
    });

    it('HEAD responds as GET without the body', async () => {
      const asked = await get({ query: '{ __typename }' });
      const response = await server.request('HEAD', '/graphql?query={__typename}');
      expect([response.status, response.text]).toEqual([200, '']);
      expect(response.headers['content-type']).toBe(asked.headers['content-type']);
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(asked.text)));
      expect((await server.request('HEAD', '/graphql?query={')).status).toBe(400);
      const refused = await server.request('HEAD', '/graphql?query={__typename}', { token: 'no' });
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    });

    it('OPTIONS needs no token and responds with 204 and Allow', async () => {
      for (const token of [null, undefined]) {
        const response = await server.request('OPTIONS', '/graphql', { token });
        expect([response.status, response.text]).toEqual([204, '']);
        expect(response.headers['allow']).toBe('GET, HEAD, POST, OPTIONS');
      }
    });

    for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE']) {
      it(`${method} is 405 with Allow, with and without a token`, async () => {
        for (const token of [null, undefined, 'not-a-token']) {
          const response = await server.request(method, '/graphql', {
            token,
            body: { query: '{ __typename }' },
          });
          expect([response.status, codesOf(response)]).toEqual([405, ['METHOD_NOT_ALLOWED']]);
          expect(response.headers['allow']).toBe('GET, HEAD, POST, OPTIONS');
        }
      });
    }

    it('one trailing slash is ignored', async () => {
      const response = await server.request('POST', '/graphql/', { body: { query: '{ __typename }' } });
      expect(dataOf(response)).toEqual(TYPENAME);
      expect((await server.request('PUT', '/graphql/')).status).toBe(405);
    });

    it('GET ignores a body and its type', async () => {
      const response = await server.request('GET', '/graphql?query={__typename}', {
        body: '{bad',
        headers: { 'content-type': 'text/plain' },
      });
      expect(dataOf(response)).toEqual(TYPENAME);
    });
  });

  describe('the response type', () => {
    const ACCEPTED: readonly (readonly [string | undefined, string])[] = [
      [undefined, JSON_TYPE],
      ['*/*', JSON_TYPE],
      ['application/*', JSON_TYPE],
      ['application/json', JSON_TYPE],
      ['application/json; charset=utf-8', JSON_TYPE],
      ['application/graphql-response+json', RESPONSE_TYPE],
      ['application/graphql-response+json, application/json;q=0.9', RESPONSE_TYPE],
      ['application/json;q=0.5, application/graphql-response+json;q=0.9, */*;q=0.1', RESPONSE_TYPE],
      ['application/json, application/graphql-response+json;q=0.5', JSON_TYPE],
      ['text/html, application/xhtml+xml, */*;q=0.8', JSON_TYPE],
    ];
    for (const [accept, type] of ACCEPTED) {
      it(`Accept ${accept ?? 'absent'}: ${type}`, async () => {
        const headers: Record<string, string> = accept === undefined ? {} : { accept };
        const response = await server.request('POST', '/graphql', {
          body: { query: '{ __typename }' },
          headers,
        });
        expect(dataOf(response)).toEqual(TYPENAME);
        expect(response.headers['content-type']).toBe(type);
        expect(String(response.headers['vary'])).toMatch(/\bAccept\b/);
      });
    }

    it('is 406 if neither type is accepted', async () => {
      for (const accept of ['image/png', 'text/html', 'multipart/mixed']) {
        const response = await get({ query: '{ __typename }' }, { accept });
        expect([accept, response.status, codesOf(response)]).toEqual([accept, 406, ['BAD_REQUEST']]);
      }
    });

    it('the status is 200 if an operation ran, whatever its result', async () => {
      const query = '{ map(id: "x") { id } viewer { owner } }';
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const response = await server.request('POST', '/graphql', { body: { query }, headers: { accept } });
        expect([response.status, codesOf(response)]).toEqual([200, ['MAP_NOT_FOUND']]);
        expect(response.json.data).toEqual({ map: null, viewer: { owner: 'tester' } });
      }
    });
  });

  describe('headers', () => {
    it('responses to a token are private', async () => {
      const response = await server.graphql('{ viewer { owner } }');
      expect(response.headers['cache-control']).toBe('private, no-cache');
      expect(String(response.headers['vary'])).toMatch(/\bAuthorization\b/);
    });

    it('a body is read as UTF-8 for any spelling of the charset, and its media type in any case', async () => {
      const { id: mapId } = await makeMap(server);
      const response = await createLocation(server, { mapId, fields: { Name: 'Þórshöfn 𝒳', Address: 'Ö' } });
      expect(dataOf(response).createLocation.location.name).toBe('Þórshöfn 𝒳');
      for (const type of [
        'application/json;charset=UTF-8',
        'Application/JSON',
        'application/json; charset="utf-8"',
      ]) {
        const typed = await server.request('POST', '/graphql', {
          body: '{"query":"{ __typename }"}',
          headers: { 'content-type': type },
        });
        expect([type, typed.status]).toEqual([type, 200]);
      }
    });

    it('a POST without Content-Type is 415', async () => {
      const response = await server.app.inject({
        method: 'POST',
        url: '/graphql',
        payload: Buffer.from('{}'),
      });
      expect(response.statusCode).toBe(415);
    });

    it('a token over its rate gets 429 with Retry-After, and other tokens do not', async () => {
      const limited = await createTestServer({ RATE_LIMIT: '3' });
      try {
        const tokens = [await limited.createToken(), await limited.createToken()];
        const statuses: number[] = [];
        for (let time = 0; time < 4; time += 1)
          statuses.push((await limited.graphql('{ __typename }', {}, tokens[0])).status);
        expect(statuses).toEqual([200, 200, 200, 429]);
        const response = await limited.graphql('{ __typename }', {}, tokens[0]);
        expect(codesOf(response)).toEqual(['RATE_LIMITED']);
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect((await limited.graphql('{ __typename }', {}, tokens[1])).status).toBe(200);
      } finally {
        await limited.close();
      }
    });
  });

  describe('automatic persisted queries', () => {
    const query = '{ viewer { owner } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const persistedQuery = { version: 1, sha256Hash };
    const post = (body: Record<string, unknown>) => server.request('POST', '/graphql', { body });

    it('work as Apollo documents them: unknown, registered, then by hash only, by POST and by GET', async () => {
      const unknown = await post({ extensions: { persistedQuery } });
      expect([unknown.status, codesOf(unknown), messageOf(unknown)]).toEqual([
        200,
        ['PERSISTED_QUERY_NOT_FOUND'],
        'PersistedQueryNotFound',
      ]);
      expect(dataOf(await post({ query, extensions: { persistedQuery } })).viewer.owner).toBe('tester');
      expect(dataOf(await post({ extensions: { persistedQuery } })).viewer.owner).toBe('tester');
      const response = await get({ extensions: JSON.stringify({ persistedQuery }) });
      expect(dataOf(response).viewer.owner).toBe('tester');
    });

    it('another caller may send the hash, and needs its own token', async () => {
      await post({ query, extensions: { persistedQuery } });
      const response = await server.request('POST', '/graphql', {
        token: null,
        body: { extensions: { persistedQuery } },
      });
      expect(codesOf(response)).toEqual(['UNAUTHENTICATED']);
    });

    it('a wrong hash and an unknown version are 400', async () => {
      const wrong = await post({ query: '{ __typename }', extensions: { persistedQuery } });
      expect([wrong.status, codesOf(wrong)]).toEqual([400, ['BAD_REQUEST']]);
      expect(messageOf(wrong)).toMatch(/sha does not match/);
      const version = await post({ query, extensions: { persistedQuery: { version: 2, sha256Hash } } });
      expect([version.status, codesOf(version)]).toEqual([400, ['BAD_REQUEST']]);
      expect(server.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    });
  });
});
