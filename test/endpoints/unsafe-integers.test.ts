/**
 * Integers that a double cannot hold, and byte order marks, are rejected by name at both endpoints of a server and a
 * gateway.
 */

import { codesOf, dataOf, messageOf } from '../support/graphql.ts';
import type { GatewayDeployment } from '../support/gateway.ts';
import { openGatewayEndpoints, openGatewayDeployment } from '../support/gateway.ts';
import type { Fault } from '../support/minimal-upstream.ts';
import { respondWith, MAP_ID, startMinimalUpstream, TOKEN } from '../support/minimal-upstream.ts';
import type { TestResponse, TestEndpoints } from '../support/server.ts';
import { createMap, expectError } from '../support/v0.ts';

const UNSAFE = '9007199254740993';

let deployment: GatewayDeployment;
let map: string;
beforeAll(async () => {
  deployment = await openGatewayDeployment();
  map = await createMap(deployment.upstream);
});
afterAll(() => deployment.close());

function refusalOf(path: string): string {
  return `${path} is an integer beyond ±9007199254740991, which JSON numbers cannot hold exactly; send it as a string.`;
}

function expectRefused(refused: TestResponse, path: string, status = 400): void {
  expect([refused.status, codesOf(refused), messageOf(refused)]).toEqual([
    status,
    ['BAD_USER_INPUT'],
    refusalOf(path),
  ]);
  expect(refused.text).not.toContain(UNSAFE);
  expect('data' in refused.json).toBe(false);
}

const CREATE =
  'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { properties } } }';

for (const name of ['upstream', 'gateway'] as const) {
  describe(`the ${name === 'upstream' ? 'server' : 'gateway'}`, () => {
    let endpoints: TestEndpoints;
    let token: string;
    beforeAll(() => {
      endpoints = deployment[name];
      ({ token } = deployment);
    });
    const count = async () => {
      const { json } = await deployment.upstream.request('GET', `/v0/map/${map}/locations`, { token });
      return (json as unknown[]).length;
    };
    const post = (body: string | Buffer, given: string | null = token) =>
      endpoints.request('POST', `/v0/map/${map}/location`, { token: given, body });
    const graphql = (body: string | Buffer, headers: Record<string, string> = {}) =>
      endpoints.request('POST', '/graphql', { token, body, headers });
    const withVariables = (variables: string, query = CREATE) =>
      `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    const literal = (fields: string) =>
      endpoints.graphql(
        `mutation { createLocation(input: { mapId: "${map}", fields: ${fields} }) { location { properties } } }`,
        undefined,
        token,
      );

    for (const [body, path] of [
      [`{"fields":{"Name":"A","Address":"B","Id":${UNSAFE}}}`, 'fields.Id'],
      [`{"fields":{"Name":"A","Address":"B","Shop id":[{"a":-${UNSAFE}}]}}`, 'fields["Shop id"][0].a'],
      [`{"fields":{"Name":"A","Address":"B"},"order":${UNSAFE}}`, 'order'],
      [`{"ignored":${UNSAFE},"fields":{"Name":"A","Address":"B"}}`, 'ignored'],
      [`{"fields":{"Name":"A","Address":"B","x":${'9'.repeat(400)}}}`, 'fields.x'],
      [`[${UNSAFE}]`, '[0]'],
      [UNSAFE, 'The body'],
    ] as const) {
      it(`/v0 rejects ${path}, and stores nothing`, async () => {
        const before = await count();
        const refused = await post(body);
        expectError(refused, 400, 400, refusalOf(path));
        expect(refused.text).not.toContain(UNSAFE);
        expect(await count()).toBe(before);
      });
    }

    it('/v0 accepts safe integers, digits in strings, and doubles', async () => {
      const fields =
        `{"Name":"A","Address":"Lisboa, Portugal","a":9007199254740991,"b":-9007199254740991,"${UNSAFE}":"${UNSAFE}",` +
        '"c":0.1234567890123456,"d":9007199254740993.0,"e":9007199254740993e0}';
      const { status, text } = await post(`{"fields":${fields}}`);
      expect(status).toBe(200);
      expect(text).toContain(
        `"a":9007199254740991,"b":-9007199254740991,"${UNSAFE}":"${UNSAFE}",` +
          '"c":0.1234567890123456,"d":9007199254740992,"e":9007199254740992}',
      );
    });

    it('/v0 checks it after the token, the type and the JSON, and before the map', async () => {
      const body = `{"fields":{"Id":${UNSAFE}}}`;
      expectError(await post(body, null), 401, 401);
      expectError(await post(body.slice(1)), 400, 400, 'The body is not valid JSON.');
      const request = { token, body };
      expectError(
        await endpoints.request('POST', '/v0/map/0123456789abcdef/location', request),
        ...([400, 400] as const),
        refusalOf('fields.Id'),
      );
      const typed = { ...request, headers: { 'content-type': 'text/plain' } };
      expectError(await endpoints.request('POST', `/v0/map/${map}/location`, typed), 415, 415);
    });

    it('GraphQL rejects it in variables, however often the operation was executed', async () => {
      const fields = (more: string) =>
        `{"input":{"mapId":"${map}","fields":{"Name":"A","Address":"Lisboa, Portugal"${more}}}}`;
      for (let time = 0; time < 3; time += 1) {
        expectRefused(await graphql(withVariables(fields(`,"id":${UNSAFE}`))), 'variables.input.fields.id');
        dataOf(await graphql(withVariables(fields(`,"id":"${UNSAFE}"`))));
      }
      const query = 'query ($id: ID!) { map(id: $id) { id } }';
      expectRefused(await graphql(withVariables(`{"id":${UNSAFE}}`, query)), 'variables.id');
      expectRefused(
        await graphql(`{"query":"{ __typename }","extensions":{"a":[${UNSAFE}]}}`),
        'extensions.a[0]',
      );
      expectRefused(
        await graphql(`[{"query":"{ __typename }","variables":{"a":${UNSAFE}}}]`),
        '[0].variables.a',
      );
    });

    it('GraphQL rejects it with an error status, whatever the media type', async () => {
      const accept = 'application/graphql-response+json';
      expectRefused(await graphql(withVariables(`{"a":${UNSAFE}}`), { accept }), 'variables.a');
    });

    it('GraphQL rejects it in the parameters of a GET, also for server-sent events', async () => {
      const get = (parameters: Record<string, string>, headers = {}) =>
        endpoints.request('GET', `/graphql?${new URLSearchParams(parameters).toString()}`, {
          token,
          headers,
        });
      const query = 'query ($id: ID!) { map(id: $id) { id } }';
      for (const accept of ['application/json', 'text/event-stream']) {
        expectRefused(await get({ query, variables: `{"id":${UNSAFE}}` }, { accept }), 'variables.id');
        const extensions = `{"persistedQuery":{"version":${UNSAFE}}}`;
        expectRefused(await get({ query, extensions }, { accept }), 'extensions.persistedQuery.version');
        expectRefused(await graphql(withVariables(`{"id":${UNSAFE}}`, query), { accept }), 'variables.id');
      }
      // This parameter is not JSON.
      dataOf(await get({ query: '{ __typename }', other: UNSAFE }));
    });

    for (const [fields, path] of [
      [`{ Name: "A", Address: "B", id: ${UNSAFE} }`, 'input.fields.id'],
      [`{ Name: "A", Address: "B", ids: [1, { a: [-${UNSAFE}] }] }`, 'input.fields.ids[1].a[0]'],
      [`{ Name: "A", Address: "B", x: 1${'0'.repeat(400)} }`, 'input.fields.x'],
    ] as const) {
      it(`GraphQL rejects it in a literal: ${path}`, async () => {
        const before = await count();
        for (let time = 0; time < 3; time += 1) {
          const refused = await literal(fields);
          expectRefused(refused, path);
          expect(refused.json.errors[0].locations).toMatchObject([{ line: 1 }]);
        }
        expect(await count()).toBe(before);
      });
    }

    it('GraphQL rejects it in the default value of a variable, and in an operation that is not executed', async () => {
      const query = `mutation ($f: JSONObject! = { id: ${UNSAFE} }) { createLocation(input: { mapId: "${map}", fields: $f }) { location { id } } }`;
      expectRefused(await endpoints.graphql(query, undefined, token), '$f.id');
      expectRefused(await endpoints.graphql(query, { f: { Name: 'A', Address: 'B' } }, token), '$f.id');
      const two = `query A { __typename } mutation B { createLocation(input: { mapId: "x", fields: { id: ${UNSAFE} } }) { location { id } } }`;
      const body = JSON.stringify({ query: two, operationName: 'A' });
      expectRefused(await graphql(body), 'input.fields.id');
    });

    it('GraphQL reports syntax and validation errors first', async () => {
      expect(codesOf(await literal(`{ id: ${UNSAFE}`))).toEqual(['GRAPHQL_PARSE_FAILED']);
      const query = `mutation { createLocation(input: { none: ${UNSAFE} }) { location { id } } }`;
      expect(new Set(codesOf(await endpoints.graphql(query, undefined, token)))).toEqual(
        new Set(['GRAPHQL_VALIDATION_FAILED']),
      );
    });

    it('GraphQL accepts the digits of an ID, a string and a double', async () => {
      const missing = await endpoints.graphql(`{ map(id: ${UNSAFE}) { id } }`, undefined, token);
      expect(codesOf(missing)).toEqual(['MAP_NOT_FOUND']);
      const made = await literal(
        `{ Name: "${UNSAFE}", Address: "Lisboa, Portugal", d: ${UNSAFE}.0, i: 9007199254740991 }`,
      );
      expect(dataOf(made).createLocation.location.properties).toEqual({
        ...{ Name: UNSAFE, Address: 'Lisboa, Portugal' },
        ...{ d: 9007199254740992, i: 9007199254740991 },
      });
    });

    for (const [mark, bytes] of [
      ['UTF-8', (text: string) => Buffer.from(`\ufeff${text}`)],
      ['UTF-16LE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ] as const) {
      it(`both endpoints name the byte order mark of ${mark}`, async () => {
        const message = 'The body begins with a byte order mark; send UTF-8 without one.';
        const before = await count();
        expectError(await post(bytes('{"fields":{"Name":"A","Address":"B"}}')), 400, 400, message);
        expectError(await post(bytes('')), 400, 400, message);
        expect(await count()).toBe(before);
        const refused = await graphql(bytes('{"query":"{ __typename }"}'));
        expect([refused.status, codesOf(refused), messageOf(refused)]).toEqual([
          400,
          ['BAD_USER_INPUT'],
          message,
        ]);
      });
    }

    it('a byte order mark inside a text is a character', async () => {
      const { status, text } = await post('{"fields":{"Name":"\ufeffA","Address":"Lisboa, Portugal"}}');
      expect([status, text.includes('"\ufeffA"')]).toEqual([200, true]);
    });
  });
}

describe('an integer in the response of an upstream', () => {
  it('passes the gateway with all its digits, at both endpoints', async () => {
    const properties = `{"Name":"A","id":${UNSAFE},"deep":[{"n":-${'9'.repeat(30)}},1.5,"${UNSAFE}"],"__proto__":{"p":1${UNSAFE}}}`;
    const location = `{"name":"A","id":"l","placeId":"p","latLngLiteral":{"lat":"1.5","lng":"-2"},"properties":${properties}}`;
    const gives = (text: string): Fault => respondWith(200, text);
    const upstream = await startMinimalUpstream();
    const gateway = await openGatewayEndpoints(upstream.url, { token: TOKEN, executesOnce: true });
    try {
      const path = `/v0/map/${encodeURIComponent(MAP_ID)}`;
      const query = `{ location(mapId: "${MAP_ID}", id: "l") { properties } }`;
      for (let time = 0; time < 3; time += 1) {
        upstream.fail(gives(`[${location}]`), gives(`[${location}]`), gives(`{"data":${location}}`));
        expect((await gateway.request('GET', `${path}/location/l`)).text).toBe(`[${location}]`);
        expect((await gateway.request('GET', `${path}/locations`)).text).toBe(`[${location}]`);
        const body = { fields: { Name: 'A', Address: 'B' } };
        expect((await gateway.request('POST', `${path}/location`, { body })).text).toBe(
          `{"data":${location}}`,
        );
        upstream.fail(gives(`[${location}]`));
        const { text } = await gateway.graphql(query);
        expect(text).toContain(`"properties":${properties}`);
      }
    } finally {
      await gateway.close();
      await upstream.close();
    }
  });
});
