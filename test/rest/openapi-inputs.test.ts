/** The routes check inputs exactly as the OpenAPI document describes them. */

import type { ValidateFunction } from 'ajv';
import * as fc from 'fast-check';

import type { OpenApiDocument } from '../../src/rest/openapi/openapi.ts';
import { anyJson } from '../support/any-json.ts';
import { createAjv } from '../support/openapi/response-check.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createMap, fieldsOf } from '../support/v0.ts';

const MAX_KEYS = 4;
const RUNS = { numRuns: 60 };

let server: TestServer;
let map: string;
let document: OpenApiDocument;

beforeAll(async () => {
  server = await createTestServer({ FIELDS_MAX_KEYS: String(MAX_KEYS) });
  map = await createMap(server);
  document = (await server.request('GET', '/v0/openapi.json')).json as OpenApiDocument;
});
afterAll(() => server.close());

/** Whether the document allows a value as a parameter of an operation. */
function validatorOf(path: string, method: 'get' | 'post', name: string): ValidateFunction {
  const parameter = document.paths[path]?.[method]?.parameters.find((candidate) => candidate.name === name);
  if (parameter === undefined) throw new Error(`${name} is not described.`);
  return createAjv().compile(parameter.schema);
}

/** Texts at the edges of the rules, and arbitrary ones. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', ' ', '0', '-1', '1.5', 'é', '𝄞', 'a\u0000', 'a\n', '\u007f', '\u009f', '\u00a0'),
  fc
    .constantFrom(255, 256, 257, 258)
    .chain((length) => fc.constantFrom('9', 'x', '𝄞').map((unit) => unit.repeat(length))),
);

describe('a query parameter is accepted exactly if the document allows it:', () => {
  const LIST = '/v0/map/{mapId}/locations';
  const statusOf = async (query: Record<string, string>) =>
    (await server.request('GET', `/v0/map/${map}/locations?${new URLSearchParams(query).toString()}`)).status;

  it('offset', async () => {
    const isAllowed = validatorOf(LIST, 'get', 'offset');
    await fc.assert(
      fc.asyncProperty(text, async (offset) => {
        expect(await statusOf({ offset })).toBe(isAllowed(offset) ? 200 : 400);
      }),
      RUNS,
    );
  });

  // Integers are sent as digits without leading zeros.
  const wholeNumber = fc.oneof(
    fc.integer({ min: -3, max: 120 }),
    fc.constantFrom(100, 101, 0, 1, 999_999_999_999_999, 1_000_000_000_000_000),
  );
  const notWhole = fc.constantFrom('', ' 1', '1 ', '+1', '1.0', '1e1', '0x1', 'one', 'null', '١');

  it.each(['limit', 'offsetAfter'])('%s', async (name) => {
    const isAllowed = validatorOf(LIST, 'get', name);
    const others: Record<string, string> = name === 'limit' ? {} : { offset: '1' };
    await fc.assert(
      fc.asyncProperty(fc.oneof(wholeNumber, notWhole), async (value) => {
        expect(await statusOf({ ...others, [name]: String(value) })).toBe(isAllowed(value) ? 200 : 400);
      }),
      RUNS,
    );
  });
});

describe('a new location is accepted exactly if the document allows it:', () => {
  const CREATE = '/v0/map/{mapId}/location';
  const statusOf = async (body: unknown, headers: Record<string, string> = {}) =>
    (await server.request('POST', `/v0/map/${map}/location`, { body, headers })).status;
  const isBody = () => {
    const ajv = createAjv();
    ajv.addSchema(document, 'openapi');
    return ajv.compile({ $ref: 'openapi#/components/schemas/NewLocation' });
  };

  it('its order', async () => {
    const isAllowed = isBody();
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.constantFrom(null, 1, true, [], {})), async (order) => {
        const body = { fields: fieldsOf('A'), order };
        expect(await statusOf(body)).toBe(isAllowed(body) ? 200 : 400);
      }),
      RUNS,
    );
  });

  it('its fields and other members', async () => {
    const isAllowed = isBody();
    const fields = fc.oneof(
      fc
        .dictionary(fc.string({ maxLength: 3 }), anyJson({ maxDepth: 2 }), { maxKeys: MAX_KEYS })
        .map((more) => ({ ...more, ...fieldsOf('A') })),
      fc.constantFrom(undefined, null, 'Name', 1, ['Name']),
    );
    const hasNul = (value: unknown) => value !== undefined && JSON.stringify(value).includes('\\u0000');
    await fc.assert(
      fc.asyncProperty(fields, anyJson({ maxDepth: 1 }), async (given, other) => {
        fc.pre(!hasNul(given));
        const body = { fields: given, other };
        expect(await statusOf(body)).toBe(isAllowed(body) ? 200 : 400);
      }),
      RUNS,
    );
  });

  it('its idempotency key', async () => {
    const isAllowed = validatorOf(CREATE, 'post', 'Idempotency-Key');
    const key = fc.oneof(
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.constantFrom('a'.repeat(255), 'a'.repeat(256), 'é', '\t'),
    );
    await fc.assert(
      fc.asyncProperty(key, async (value) => {
        const status = await statusOf({ fields: fieldsOf('A') }, { 'idempotency-key': value });
        expect(status).toBe(isAllowed(value) ? 200 : 400);
      }),
      RUNS,
    );
  });
});
