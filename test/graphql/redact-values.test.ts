/** No error repeats a value of a request, whatever it is and wherever it occurs. */

import fc from 'fast-check';

import { codesOf } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

/** Unlike any text of a schema or a message. */
const secret = fc
  .string({
    unit: fc.constantFrom('q', 'x', 'z', 'Q', 'X', 'Z', '7', ' ', '"', '\\', ':', '.', ';', 'é'),
    minLength: 3,
    maxLength: 30,
  })
  .map((text) => `zq${text}xz`);

/** A name that a document can hold unquoted, as an enum value. */
const secretName = fc
  .string({ unit: fc.constantFrom('q', 'x', 'z', 'Q'), minLength: 4, maxLength: 20 })
  .map((text) => `zq${text}`);

describe('an error', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  const LITERALS: readonly ((literal: string) => string)[] = [
    (value) => `mutation { updateMap(input: [{ id: "a", geocodingApiKey: ${value} }]) { map { id } } }`,
    (value) => `mutation { updateMap(input: ${value}) { map { id } } }`,
    (value) =>
      `mutation { createMap(input: { name: "N", fields: [{ name: "F", type: ${value} }] }) { map { id } } }`,
    (value) => `mutation { createMap(input: { name: "N", isPublished: ${value} }) { map { id } } }`,
    (value) => `{ viewer { maps(first: ${value}) { totalCount } } }`,
    (value) => `{ map(id: [${value}]) { id } }`,
    (value) => `mutation { createLocation(input: { mapId: "x", fields: ${value} }) { location { id } } }`,
    (value) =>
      `mutation { createLocation(input: { mapId: "x", fields: {}, position: { latitude: ${value}, longitude: 1 } }) { location { id } } }`,
    (value) => `{ viewer @include(if: ${value}) { owner } }`,
    (value) => `{ viewer ${value} }`,
    (value) => `query ($x: Int = ${value}) { viewer { maps(first: $x) { totalCount } } }`,
    (value) => `{ map(id: ${value} ${value}) { id } }`,
  ];

  it('repeats no literal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...LITERALS), secret, async (documentOf, value) => {
        const response = await server.graphql(documentOf(JSON.stringify(value)));
        expect(codesOf(response).length).toBeGreaterThan(0);
        for (const shown of [value, JSON.stringify(value).slice(1, -1)])
          expect(
            response.json.errors.map(({ message }: { message: string }) => message).join(),
          ).not.toContain(shown);
      }),
      { numRuns: 150 },
    );
  });

  it('repeats no name in the position of a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...LITERALS.slice(0, 9)), secretName, async (documentOf, value) => {
        const response = await server.graphql(documentOf(value));
        expect(response.text).not.toContain(value);
      }),
      { numRuns: 80 },
    );
  });

  it('repeats no invalid escape sequence', async () => {
    for (const literal of ['"zqxz\\uQQQQ"', '"zqxz\\q"', '"zqxz', '"""zqxz', '12zqxz']) {
      const response = await server.graphql(`{ map(id: ${literal}) { id } }`);
      expect(codesOf(response)).toEqual(['GRAPHQL_PARSE_FAILED']);
      expect(response.text).not.toMatch(/zqxz|QQQQ/);
    }
  });

  const VARIABLES: readonly (readonly [type: string, document: string])[] = [
    ['UpdateMapInput!', 'updateMap(input: $x) { map { id } }'],
    ['CreateMapInput!', 'createMap(input: $x) { map { id } }'],
    ['CreateLocationInput!', 'createLocation(input: $x) { location { id } }'],
    ['CreateLocationsInput!', 'createLocations(input: $x) { map { id } }'],
  ];

  it('repeats no value of a variable', async () => {
    const wrappers = fc.constantFrom<(value: string) => unknown>(
      (value) => value,
      (value) => [value],
      (value) => ({ id: 'a', name: 5, geocodingApiKey: value }),
      (value) => ({ id: [value], name: value, isPublished: value }),
      (value) => ({ name: 'N', fields: [{ name: 'F', type: value }] }),
      (value) => ({ mapId: 'x', fields: value, position: { latitude: value } }),
      (value) => ({ mapId: 'x', locations: [{ fields: {}, order: [value] }, value] }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...VARIABLES),
        wrappers,
        secret,
        async ([type, field], wrap, value) => {
          const response = await server.graphql(`mutation ($x: ${type}) { ${field} }`, { x: wrap(value) });
          if (response.json.errors === undefined) return;
          const messages = response.json.errors.map(({ message }: { message: string }) => message).join();
          for (const shown of [value, JSON.stringify(value).slice(1, -1)])
            expect(messages).not.toContain(shown);
        },
      ),
      { numRuns: 200 },
    );
  });
});
