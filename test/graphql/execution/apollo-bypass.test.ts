/** Repeated queries bypass Apollo Server with the same responses; Apollo handles invalid ones. */

import { parse } from 'graphql';

import type { RequestContext } from '../../../src/graphql/context.ts';
import { createErrorFormatter } from '../../../src/graphql/format-error.ts';
import type { Executor } from '../../../src/graphql/execution/execution.ts';
import { executeWithoutApollo } from '../../../src/graphql/execution/apollo-bypass.ts';
import type { Headers } from '../../../src/graphql/execution/operation.ts';
import { Operation } from '../../../src/graphql/execution/operation.ts';
import { createSchema } from '../../../src/graphql/schema.ts';
import { graphqlJs } from '../../support/executor-parity.ts';
import { createLocation, makeMap } from '../../support/graphql.ts';
import { PER_REQUEST_HEADERS } from '../../support/v0.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

const ACCEPTS = [
  undefined,
  '*/*',
  'application/json',
  'application/graphql-response+json, application/json;q=0.9',
  'application/graphql-response+json',
  'text/plain',
];

describe('a repeated query', () => {
  let server: TestServer;
  let mapId: string;

  beforeAll(async () => {
    server = await createTestServer();
    mapId = (await makeMap(server, { name: 'M' })).id;
    await createLocation(server, { mapId, fields: { Name: 'N', Address: 'A' } });
  });
  afterAll(() => server.close());

  const send = (body: unknown, accept?: string, token?: string | null) =>
    server.request('POST', '/graphql', {
      body,
      headers: accept === undefined ? {} : { accept },
      ...(token === undefined ? {} : { token }),
    });

  for (const accept of ACCEPTS) {
    it(`has the status, headers and body of the first response, for ${accept ?? 'no'} Accept`, async () => {
      const query = `query Again($id: ID!) { map(id: $id) { name locations { nodes { id } totalCount } } } # ${accept}`;
      const body = { query, variables: { id: mapId } };
      const [first, ...others] = [
        await send(body, accept),
        await send(body, accept),
        await send(body, accept),
      ];
      for (const other of others) {
        expect({ status: other.status, text: other.text }).toEqual({
          status: first.status,
          text: first.text,
        });
        expect({ ...other.headers, ...PER_REQUEST_HEADERS }).toEqual({
          ...first.headers,
          ...PER_REQUEST_HEADERS,
        });
      }
    });
  }

  it('is executed again for each caller', async () => {
    const body = { query: '{ viewer { owner } }' };
    for (const _ of [1, 2])
      expect((await send(body)).json).toEqual({ data: { viewer: { owner: 'tester' } } });
    const another = await server.createToken({ owner: 'another' });
    expect((await send(body, undefined, another)).json.data.viewer.owner).toBe('another');
    const nobody = await send(body, undefined, null);
    expect(nobody.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const named = { query: 'query ($id: ID!) { map(id: $id) { name } }', variables: { id: mapId } };
    await send(named);
    await server.graphql(`mutation { updateMap(input: { id: "${mapId}", name: "Renamed" }) { map { id } } }`);
    expect((await send(named)).json.data.map.name).toBe('Renamed');
  });

  it('fails like the first one', async () => {
    const query =
      'query ($id: ID!, $first: Int) { map(id: $id) { locations(first: $first) { nodes { id } } } }';
    const good = { query, variables: { id: mapId, first: 1 } };
    const bad = [
      { query, variables: { id: mapId, first: 0 } },
      { query, variables: { id: mapId, first: 'x' } },
      { query, variables: {} },
      { query, variables: null },
      { query, variables: [] },
      { query, variables: 'x' },
      { query, variables: { id: 'none' } },
      { query, variables: { id: mapId }, operationName: 'Other' },
      { query, variables: { id: mapId }, operationName: 7 },
      { query, variables: { id: mapId }, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
    ];
    const fresh = await createTestServer({}, {});
    const token = await fresh.createToken();
    const firsts = [];
    for (const body of bad) firsts.push(await fresh.request('POST', '/graphql', { body, token }));
    for (const _ of [1, 2, 3]) expect((await send(good)).json.errors).toBeUndefined();
    for (const [index, body] of bad.entries()) {
      const response = await send(body);
      expect(response.status).toBe(firsts[index]?.status);
      expect(response.headers['content-type']).toBe(firsts[index]?.headers['content-type']);
      expect(Object.keys(response.headers)).toEqual(Object.keys(firsts[index]?.headers ?? {}));
      const codes = (errors: { extensions: { code: string } }[]) =>
        errors.map(({ extensions }) => extensions.code);
      // The other server does not have the map.
      if (index !== 0) expect(codes(response.json.errors)).toEqual(codes(firsts[index]?.json.errors));
    }
    await fresh.close();
  });

  it('is rejected without Apollo if its variables are invalid', async () => {
    const operation = new Operation(
      parse('query ($first: Int) { viewer { maps(first: $first) { totalCount } } }'),
    );
    const headers: Headers = [['content-type', 'application/json; charset=utf-8']];
    operation.headers.set('', headers);
    let executions = 0;
    const executor: Executor = (request) => {
      executions += 1;
      return graphqlJs(createSchema())(request);
    };
    const plain = { query: '', operationName: null, variables: { first: 'x' }, accept: '' };
    const format = createErrorFormatter((error) => {
      throw error;
    }, null);
    const context = { scope: { caller: null } } as unknown as RequestContext;
    const response = await executeWithoutApollo(operation, plain, context, executor, format);
    expect([response?.status, response?.headers, executions]).toEqual([400, headers, 1]);
    expect(JSON.parse(String(response?.body))).toEqual({
      errors: [
        {
          message: 'Variable "$first" got invalid value; Int cannot represent non-integer value.',
          locations: [{ line: 1, column: 8 }],
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
  });

  it('runs a mutation once per request', async () => {
    const query = `mutation ($fields: JSONObject!) {
      createLocation(input: { mapId: "${mapId}", fields: $fields }) { location { name } }
    }`;
    const count = () => server.gateway.storage.countLocations(mapId);
    const before = await count();
    for (const _ of [1, 2, 3]) await send({ query, variables: { fields: { Name: 'X', Address: 'A' } } });
    for (const _ of [1, 2]) await send({ query, variables: { fields: { Name: 'X', Address: 'unknown:' } } });
    expect(await count()).toBe(before + 3);
  });

  it('does not run another operation of the document', async () => {
    const query = `query Read { viewer { owner } }
      mutation Write { createMap(input: { name: "Unwanted" }) { map { id } } }`;
    for (const _ of [1, 2]) await send({ query, operationName: 'Read' });
    const count = async () =>
      (await send({ query: '{ viewer { maps { totalCount } } }' })).json.data.viewer.maps.totalCount;
    const before = await count();
    await send({ query, operationName: 'Write' });
    expect(await count()).toBe(before + 1);
    expect((await send({ query })).json.errors[0].extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
  });
});
