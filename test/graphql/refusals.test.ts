/** Requests that are refused before an operation runs, and invalid variables. */

import { codesOf, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('GraphQL refuses', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  const loggedErrors = (): string[] => server.log.filter((line) => JSON.parse(line).level >= 50);

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    server.request('POST', '/graphql', { body, headers });

  const CASES: readonly (readonly [string, number, string, () => Promise<TestResponse>])[] = [
    ['a syntax error', 400, 'GRAPHQL_PARSE_FAILED', () => send({ query: '{' })],
    ['an unknown field', 400, 'GRAPHQL_VALIDATION_FAILED', () => send({ query: '{ nothing }' })],
    [
      'a wrong argument type',
      400,
      'GRAPHQL_VALIDATION_FAILED',
      () => send({ query: '{ map(id: true) { id } }' }),
    ],
    [
      'an unknown operation name',
      400,
      'OPERATION_RESOLUTION_FAILURE',
      () => send({ query: 'query A { __typename }', operationName: 'B' }),
    ],
    [
      'two operations and no name',
      400,
      'OPERATION_RESOLUTION_FAILURE',
      () => send({ query: 'query A { __typename } query B { __typename }' }),
    ],
    [
      'a missing variable',
      400,
      'BAD_USER_INPUT',
      () => send({ query: 'query ($id: ID!) { map(id: $id) { id } }' }),
    ],
    [
      'a variable of another type',
      400,
      'BAD_USER_INPUT',
      () => send({ query: 'query ($id: ID!) { map(id: $id) { id } }', variables: { id: {} } }),
    ],
    ['no query', 400, 'BAD_REQUEST', () => send({})],
    ['a query that is not a string', 400, 'BAD_REQUEST', () => send({ query: 5 })],
    [
      'variables that are not an object',
      400,
      'BAD_REQUEST',
      () => send({ query: '{ __typename }', variables: [] }),
    ],
    ['a batch', 400, 'BAD_REQUEST', () => send([{ query: '{ __typename }' }])],
    ['a body of null', 400, 'BAD_REQUEST', () => send('null')],
    ['a body that is not JSON', 400, 'BAD_REQUEST', () => send('{bad')],
    [
      'a body that is not UTF-8',
      400,
      'BAD_REQUEST',
      () => send(Buffer.from('{"query":"{__typename}\xff"}', 'latin1')),
    ],
    [
      'a body of another type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () => send('query', { 'content-type': 'application/graphql' }),
    ],
    [
      'a form',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () => send('query=x', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
  ];
  for (const [name, status, code, ask] of CASES) {
    it(`${name}: ${status} ${code}`, async () => {
      const logged = loggedErrors().length;
      const response = await ask();
      expect([response.status, codesOf(response)]).toEqual([status, [code]]);
      expect('data' in response.json).toBe(false);
      expect(response.headers['content-type']).toMatch(/^application\/json; charset=utf-8$/);
      // None of these is the server's fault.
      expect(loggedErrors().slice(logged)).toEqual([]);
    });
  }

  it('a variable that makes an argument with a default null or invalid is BAD_USER_INPUT', async () => {
    const cases: readonly (readonly [string, Record<string, unknown>])[] = [
      ['query ($v: ID = "x") { map(id: $v) { id } }', { v: null }],
      ['query ($v: Boolean = true) { viewer @skip(if: $v) { owner } }', { v: null }],
      ['query ($v: Boolean = true) { viewer { owner @include(if: $v) } }', { v: null }],
      [
        'mutation ($v: String = "x") { createMap(input: { name: $v, geocodingApiKey: "hush" }) { map { id } } }',
        { v: null },
      ],
    ];
    const logged = loggedErrors().length;
    for (const [query, variables] of cases) {
      const response = await server.graphql(query, variables);
      expect([query, codesOf(response)]).toEqual([query, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(/^Argument "\w+" /);
      expect(response.text).not.toContain('hush');
    }
    expect(loggedErrors().slice(logged)).toEqual([]);
  });

  it('a refused variable is named by its path, never by its value', async () => {
    const query = 'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }';
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [{ geocodingApiKey: 'hush' }, /^Variable "\$input" got invalid value; Field "name" of required type/],
      [{ name: 'N', geocodingApiKey: ['hush'] }, / at "input\.geocodingApiKey"; String cannot represent/],
      [
        { name: 'N', geocodingApiKey: { a: 'x at "input.name"; hush' } },
        / at "input\.geocodingApiKey"; String/,
      ],
      [{ name: 'N', geocodingApiKey: 'hush', nonsense: 1 }, /; Field "nonsense" is not defined by type/],
      [['hush'], /got invalid value; Expected type "CreateMapInput" to be an object/],
      [
        { name: 'N', fields: [{ name: 'hush', type: 'txt' }] },
        / at "input\.fields\[0\]\.type"; The value does not exist in "FieldType" enum: it has text, date, .*, number, openingHours\.$/,
      ],
      [
        { name: 'N', fields: [{ type: 'text', hush: 1 }] },
        / at "input\.fields\[0\]"; Field "name" of required/,
      ],
    ];
    for (const [input, expected] of cases) {
      const response = await server.graphql(query, { input });
      expect([response.status, new Set(codesOf(response))]).toEqual([400, new Set(['BAD_USER_INPUT'])]);
      expect(messageOf(response)).toMatch(expected);
      expect(messageOf(response)).not.toMatch(/hush/);
    }
  });
});
