/** Introspection and GraphiQL: on by default for developers, off by default in production. */

import { readConfig } from '../../src/app/config.ts';
import { codesOf } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

async function withServer(
  environment: Record<string, string>,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await createTestServer(environment);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

describe('introspection and GraphiQL', () => {
  const of = (environment: Record<string, string>) => {
    const { graphql, graphiql } = readConfig(environment);
    return [graphql.introspection, graphiql];
  };

  it('are on by default, but not in production', () => {
    expect(of({})).toEqual([true, true]);
    expect(of({ NODE_ENV: 'development' })).toEqual([true, true]);
    expect(of({ NODE_ENV: 'production' })).toEqual([false, false]);
  });

  it('follow their own settings, also in production', () => {
    for (const NODE_ENV of ['production', 'test']) {
      expect(of({ NODE_ENV, INTROSPECTION: '1', GRAPHIQL: '0' })).toEqual([true, false]);
      expect(of({ NODE_ENV, INTROSPECTION: '0', GRAPHIQL: '1' })).toEqual([false, true]);
    }
  });
});

describe('without introspection', () => {
  it('every query of the schema fails validation', () =>
    withServer({ INTROSPECTION: '0' }, async (server) => {
      for (const query of [
        '{ __schema { types { name } } }',
        '{ s: __schema { queryType { name } } }',
        '{ __type(name: "Map") { fields { name } } }',
        'query ($n: String!) { __type(name: $n) { name } }',
        '{ ...F } fragment F on Query { __schema { queryType { name } } }',
        '{ viewer { owner } ... on Query { __type(name: "Map") { name } } }',
      ]) {
        for (let times = 0; times < 2; times += 1) {
          const response = await server.graphql(query, { n: 'Map' });
          expect([query, response.status, new Set(codesOf(response)), response.json.data]).toEqual([
            query,
            400,
            new Set(['GRAPHQL_VALIDATION_FAILED']),
            undefined,
          ]);
          expect(response.text).not.toMatch(/apollo/i);
        }
      }
      expect((await server.graphql('{ __typename viewer { __typename owner } }')).json).toEqual({
        data: { __typename: 'Query', viewer: { __typename: 'Viewer', owner: 'tester' } },
      });
    }));

  /** Misspelt queries, each with the name that would be suggested. */
  const WRONG: readonly (readonly [string, Record<string, unknown>?])[] = [
    ['{ viewr { owner } }'],
    ['{ viewer { ownr } }'],
    ['{ viewer { maps } }'],
    ['{ node(id: "x") { name } }'],
    ['{ map(idd: "x") { id } }'],
    ['{ map(id: "x") { ...F } } fragment F on Mapp { id }'],
    ['query ($a: LocationFiltr) { map(id: "x") { locations(filter: $a) { totalCount } } }'],
    ['mutation { createMap(input: { nam: "A", name: "A" }) { map { id } } }'],
    ['mutation { createToken(input: { scope: raed }) { secret } }'],
    ['mutation { createToken(input: { scope: "read" }) { secret } }'],
    [
      'mutation ($i: CreateMapInput!) { createMap(input: $i) { map { id } } }',
      { i: { name: 'A', nam: 'B' } },
    ],
    ['mutation ($i: CreateTokenInput!) { createToken(input: $i) { secret } }', { i: { scope: 'raed' } }],
    [
      'mutation ($i: CreateMapInput!) { createMap(input: $i) { map { id } } }',
      { i: { name: 'A', fields: [{ name: 'A', type: 'txt', isPublc: true }] } },
    ],
  ];

  it('errors suggest no names; with introspection they do', async () => {
    const errorTexts = (environment: Record<string, string>) => {
      const texts: string[] = [];
      return withServer(environment, async (server) => {
        for (const [query, variables] of WRONG) {
          // Compiled operations report the same errors.
          for (let times = 0; times < 2; times += 1) {
            const response = await server.graphql(query, variables);
            expect(codesOf(response).length).toBeGreaterThan(0);
            texts.push(response.text);
          }
        }
      }).then(() => texts);
    };
    for (const text of await errorTexts({ INTROSPECTION: '0' })) {
      expect(text).not.toMatch(/did you mean/i);
      expect(text).not.toMatch(/raed|txt|it has/);
    }
    const helpful = await errorTexts({});
    expect(helpful.filter((text) => /did you mean/i.test(text)).length).toBeGreaterThan(8);
    expect(helpful.filter((text) => text.includes('enum: it has read, write.'))).toHaveLength(4);
  });

  it('errors still name a missing required argument', () =>
    withServer({ INTROSPECTION: '0' }, async (server) => {
      const { json } = await server.graphql('{ map { id } }');
      expect(json.errors[0].message).toContain('"id"');
    }));
});

describe('without GraphiQL', () => {
  it('its page and files are 404, and no page links to it', () =>
    withServer({ GRAPHIQL: '0' }, async (server) => {
      const html = { headers: { accept: 'text/html' }, token: null };
      for (const url of ['/graphiql', '/graphiql/', '/graphiql/assets/page.js']) {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
          expect([method, url, (await server.request(method, url, html)).status]).toEqual([method, url, 404]);
        }
      }
      expect((await server.request('GET', '/graphql', html)).headers['content-type']).not.toContain('html');
      for (const url of ['/', '/docs']) {
        const page = await server.request('GET', url, html);
        expect([page.status, page.text.toLowerCase().includes('graphiql')]).toEqual([200, false]);
      }
      expect((await server.graphql('{ viewer { owner } }')).status).toBe(200);
    }));

  it('with GraphiQL, pages link to it', () =>
    withServer({}, async (server) => {
      for (const url of ['/', '/docs']) {
        const page = await server.request('GET', url, { headers: { accept: 'text/html' }, token: null });
        expect(page.text).toContain('graphiql');
      }
    }));
});
