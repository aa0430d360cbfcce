/**
 * Requests that the OpenAPI document allows or nearly allows: none fails with a server error, and the document
 * describes every response.
 */

import fc from 'fast-check';

import type { OpenApiDocument } from '../../src/rest/openapi/openapi.ts';
import type { ReadSchema } from '../support/json-schema-arbitrary.ts';
import { valueOf } from '../support/json-schema-arbitrary.ts';
import { createResponseCheck } from '../support/openapi/response-check.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { shortOrLong } from '../support/torture.ts';
import { createLocation, createMap, deleteMap, fieldsOf } from '../support/v0.ts';
import { propertyRuns } from '../support/scope.ts';

const RUNS = shortOrLong(propertyRuns(3_000), 100_000);

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly token: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: ReadSchema;
}

let server: TestServer;
let document: OpenApiDocument;
let text: string;
const tokens: Record<string, string | null> = { none: null, bad: 'mlt_unknown' };
let maps: readonly string[];
let locations: readonly string[];

beforeAll(async () => {
  server = await createTestServer();
  tokens['write'] = await server.createToken();
  tokens['read'] = await server.createToken({ scope: 'read' });
  tokens['another'] = await server.createToken({ owner: 'another' });
  const map = await createMap(server);
  const deleted = await createMap(server);
  locations = await Promise.all(['A', 'B', 'C'].map((name) => createLocation(server, map, name)));
  await deleteMap(server, deleted);
  maps = [map, map, map, map, deleted];
  ({ text } = await server.request('GET', '/v0/openapi.json'));
  document = JSON.parse(text) as OpenApiDocument;
});
afterAll(() => server.close());

const resolve = (ref: string): ReadSchema =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as ReadSchema;

/** Any text that fits in a URL or a header. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '0', '-1', '1e9', 'null', '../..', '%00', '\u0000', "' OR 1=1", '{"$gt":""}', '🌍'),
);
const orAnyText = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: arbitrary.map(String) }, { weight: 1, arbitrary: anyText });

/** A request for an operation of the document, parts of which may be invalid. */
function requests(): fc.Arbitrary<Request> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const parameters = operation.parameters as unknown as readonly Parameter[];
    const given = (place: string): fc.Arbitrary<Record<string, string>> => {
      const named = parameters.filter((parameter) => parameter.in === place);
      const values = named.map(({ name, schema }) => {
        const known = name === 'mapId' ? maps : name === 'locationId' ? locations : null;
        const value = valueOf(schema, resolve);
        return [
          name,
          orAnyText(
            known === null ? value : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, value),
          ),
        ] as const;
      });
      return fc.record(Object.fromEntries(values), {
        requiredKeys: named.filter(({ required }) => required === true).map(({ name }) => name),
      });
    };
    const schema = operation.requestBody?.content['application/json'].schema as ReadSchema | undefined;
    return fc.record({
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PUT', 'PATCH', 'OPTIONS', 'GET', 'POST', 'DELETE') },
      ),
      url: fc
        .tuple(given('path'), given('query'), fc.constantFrom('', '', '', '/'))
        .map(([inPath, inQuery, end]) => {
          const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(segmentOf(inPath[name] ?? '')),
          );
          const query = new URLSearchParams(inQuery).toString();
          return `${filled}${end}${query === '' ? '' : `?${query}`}`;
        }),
      headers: fc
        .tuple(
          given('header'),
          fc.constantFrom<Record<string, string>>({}, {}, {}, { 'content-type': 'text/plain' }),
        )
        .map(([inHeader, type]) => ({ ...headersOf(inHeader), ...type })),
      body: schema === undefined ? fc.constant(undefined) : bodies(schema),
      token: fc.constantFrom('write', 'write', 'write', 'write', 'read', 'another', 'none', 'bad'),
    });
  });
}

/** Clients resolve these before they send the path, however they are encoded. */
function segmentOf(value: string): string {
  return value === '.' || value === '..' ? `${value}a` : value;
}

/** Headers can carry only certain bytes. */
function headersOf(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.toLowerCase(),
      value.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ''),
    ]),
  );
}

/** What the schema allows, mostly with the required fields; sometimes truncated, or any JSON. */
function bodies(schema: ReadSchema): fc.Arbitrary<string> {
  const allowed = fc.tuple(valueOf(schema, resolve), fc.boolean()).map(([value, isWhole]) => {
    const body = value as { fields?: object };
    return JSON.stringify(isWhole ? { ...body, fields: { ...body.fields, ...fieldsOf('N') } } : body);
  });
  return fc.oneof(
    { weight: 8, arbitrary: allowed },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.tuple(allowed, fc.nat(60)).map(([whole, length]) => whole.slice(0, length)) },
  );
}

it(`${RUNS} requests by the document get described responses, and no server error`, async () => {
  const find = createResponseCheck(text);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(requests(), async ({ method, url, headers, body, token }) => {
      const bearer = tokens[token] ?? null;
      const response = await server.app.inject({
        method: method as 'GET',
        url,
        headers: {
          ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: body }),
      });
      const { statusCode: status } = response;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(status).toBeLessThan(500);
      expect(find(method, url, { status, headers: response.headers, text: response.body })).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  console.log(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
  // Both valid and invalid requests occurred.
  for (const status of [200, 400, 401]) expect(statuses.get(status) ?? 0).toBeGreaterThan(RUNS / 50);
});
