/** Limits: documents, selections, bodies and JSON of any size or depth get a prompt response. */

import { createHash } from 'node:crypto';

import { getIntrospectionQuery, Lexer, Source, TokenKind } from 'graphql';

import { codesOf, dataOf, makeLocations, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const MAX_TOKENS = 8_000;
const MAX_BODY = 1_048_576;

function countTokens(document: string): number {
  const lexer = new Lexer(new Source(document));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  return count;
}

/** A valid document of this many tokens: one field, with unknown ids. */
function documentOf(tokens: number): string {
  const frame = (ids: string) => `{ viewer { owner } nodes(ids: [${ids}]) { id } }`;
  const spare = tokens - countTokens(frame(''));
  return frame('"x" '.repeat(spare));
}

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('GraphQL limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  /** Fails if the response takes long: none here has a reason to. */
  async function soon(response: Promise<TestResponse>, seconds = 15): Promise<TestResponse> {
    const begun = performance.now();
    const answered = await response;
    expect(performance.now() - begun).toBeLessThan(seconds * 1000);
    return answered;
  }

  describe('of a document', () => {
    it('accepts 8,000 tokens', async () => {
      const document = documentOf(MAX_TOKENS);
      expect(countTokens(document)).toBe(MAX_TOKENS);
      // The resolver refuses more than 100 ids: the document itself was accepted.
      expect(codesOf(await server.graphql(document))).toEqual(['BAD_USER_INPUT']);
    });

    it('refuses 8,001 tokens, and 400,000, with 400', async () => {
      for (const tokens of [MAX_TOKENS + 1, 400_000]) {
        const query = tokens > 10_000 ? `{${'a '.repeat(tokens)}}` : documentOf(tokens);
        const response = await soon(server.graphql(query));
        expect([response.status, codesOf(response)]).toEqual([400, ['GRAPHQL_PARSE_FAILED']]);
        expect(messageOf(response)).toMatch(/8000 tokens|800002 characters; at most 131072/);
      }
    });

    it('accepts a mutation with 50 literal locations', async () => {
      const map = await makeMap(server);
      const items = times(
        50,
        (index) => `{ fields: { Name: "N${index}", Address: "A${index}", a: [1, 2, { b: null }] } }`,
      );
      const response = await server.graphql(
        `mutation { createLocations(input: { mapId: "${map.id}", locations: [${items}] }) { results { location { id } } } }`,
      );
      expect(dataOf(response).createLocations.results).toHaveLength(50);
    });

    it('refuses more than 12 levels of fields, also through fragments', async () => {
      const nested = (levels: number) => {
        // viewer, maps, nodes and then location-and-map pairs: an odd number of levels ends in a map's name.
        const pairs = (levels - 4) / 2;
        return `{ viewer { maps { nodes { ${'location(id: "x") { map { '.repeat(pairs)} name ${'} }'.repeat(pairs)} } } } }`;
      };
      expect((await server.graphql(nested(12))).status).toBe(200);
      const deep = await server.graphql(nested(14));
      expect([deep.status, codesOf(deep)]).toEqual([400, ['GRAPHQL_VALIDATION_FAILED']]);
      expect(messageOf(deep)).toMatch(/nests 14 levels.*at most 12/);
      const fragments = `{ viewer { maps { nodes { ...F0 } } } }
        ${times(6, (index) => `fragment F${index} on Map { location(id: "x") { map { ...F${index + 1} } } }`)}
        fragment F6 on Map { ... on Map { name } }`;
      expect(messageOf(await server.graphql(fragments))).toMatch(/nests 16 levels/);
    });

    it('refuses more than 50 aliases, counting those of fragments at every spread', async () => {
      const aliased = (count: number) => `{ viewer { ${times(count, (index) => `a${index}: owner`)} } }`;
      expect((await server.graphql(aliased(50))).status).toBe(200);
      expect(messageOf(await server.graphql(aliased(51)))).toMatch(/51 aliases.*at most 50/);
      const spread = `{ viewer { ...F } a: viewer { ...F } b: viewer { ...F } }
        fragment F on Viewer { ${times(17, (index) => `a${index}: owner`)} }`;
      expect(messageOf(await server.graphql(spread))).toMatch(/53 aliases/);
      const doubling = `{ viewer { ...F0 } } ${times(60, (index) => `fragment F${index} on Viewer { ...F${index + 1} ... on Viewer { ...F${index + 1} } }`)} fragment F60 on Viewer { a: owner }`;
      expect(messageOf(await soon(server.graphql(doubling)))).toMatch(/aliases/);
    });

    it('visits each fragment once, however often it is spread', async () => {
      const spread = (type: string, end: string) =>
        `${times(60, (index) => `fragment F${index} on ${type} { ...F${index + 1} ...F${index + 1} }`)} fragment F60 on ${type} { ${end} }`;
      const documents = [
        `{ __schema { ...F0 } } ${spread('__Schema', '__typename')}`,
        `{ ...F0 } ${spread('Query', '...Missing')}`,
        `{ ...F0 } ${spread('Query', '__typename')}`,
      ];
      for (const query of documents) await soon(server.graphql(query), 5);
    });

    it('counts introspection once for all operations of a document', async () => {
      const operations = times(900, (index) => `query a${index} { ...F }`);
      const query = `fragment F on Query { __schema { types { name fields { name args { name } } } } } ${operations}`;
      const response = await soon(server.graphql(query), 5);
      expect(response.status).toBe(400);
    });

    it('accepts names of 256 characters, and refuses longer ones', async () => {
      const named = (length: number) => `{ ${'a'.repeat(length)}: __typename }`;
      expect(codesOf(await server.graphql(named(256)))).toEqual([]);
      expect(messageOf(await server.graphql(named(257)))).toMatch(/257 characters; at most 256/);
    });

    it('refuses many aliased mutations, and runs none of them', async () => {
      const mutation = `mutation { ${times(51, (index) => `m${index}: createMap(input: { name: "Many" }) { map { id } }`)} }`;
      expect(codesOf(await server.graphql(mutation))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
      const { viewer } = dataOf(await server.graphql('{ viewer { maps(last: 1) { nodes { name } } } }'));
      expect(viewer.maps.nodes[0]?.name).not.toBe('Many');
    });

    it('refuses fragment cycles without following them', async () => {
      const cycles = [
        '{ viewer { ...A } } fragment A on Viewer { owner ...A }',
        '{ viewer { ...A } } fragment A on Viewer { a: owner ...B } fragment B on Viewer { b: owner ...C } fragment C on Viewer { ...A }',
        '{ ...A } fragment A on Query { viewer { maps { nodes { id } } } ...A ... on Query { ...A } }',
      ];
      for (const query of cycles) {
        const response = await soon(server.graphql(query));
        expect(codesOf(response)).toContain('GRAPHQL_VALIDATION_FAILED');
        expect(response.status).toBe(400);
      }
    });

    it('responds soon to many equal fields, directives and arguments', async () => {
      const documents = [
        `{ ${'__typename '.repeat(7_990)} }`,
        `{ ${'viewer { owner } '.repeat(1_900)} }`,
        `{ __typename ${'@a '.repeat(3_900)} }`,
        `{ __typename ${'@skip(if: false) '.repeat(1_300)} }`,
        `{ __typename ${'@include(if: true) '.repeat(1_300)} }`,
        `{ viewer(${times(2_000, (index) => `a${index}: 1`)}) { owner } }`,
        `query (${times(1_900, (index) => `$a${index}: Int`)}) { __typename }`,
        `${times(1_200, (index) => `query Q${index} { __typename }`)}`,
        `{ ...F } ${times(1_200, () => 'fragment F on Query { __typename }')}`,
      ];
      for (const query of documents) {
        const response = await soon(server.graphql(query));
        expect([query.slice(0, 30), response.status]).toEqual([query.slice(0, 30), 400]);
        expect(response.text.length).toBeLessThan(100_000);
      }
    });

    it('responds with 400 or a result however deep a document nests', async () => {
      const shapes: readonly (readonly [string, (depth: number) => string])[] = [
        ['selections', (depth) => `${'{a'.repeat(depth)}${'}'.repeat(depth)}`],
        ['inline fragments', (depth) => `${'{...'.repeat(depth)}{__typename}${'}'.repeat(depth)}`],
        ['lists', (depth) => `{map(id:${'['.repeat(depth)}${']'.repeat(depth)}){id}}`],
        [
          'types of variables',
          (depth) => `query($a:${'['.repeat(depth)}Int${']'.repeat(depth)}){__typename}`,
        ],
        [
          'wrapped types',
          (depth) => `{__type(name:"Map"){${'ofType{'.repeat(depth)}name${'}'.repeat(depth)}}}`,
        ],
        [
          'lists in JSON',
          (depth) =>
            `mutation{createLocation(input:{mapId:"x",fields:{a:${'['.repeat(depth)}${']'.repeat(depth)}}}){map{id}}}`,
        ],
        [
          'objects in JSON',
          (depth) =>
            `mutation{createLocation(input:{mapId:"x",fields:${'{a:'.repeat(depth)}1${'}'.repeat(depth)}}){map{id}}}`,
        ],
      ];
      for (const [name, shape] of shapes) {
        for (const depth of [150, 600, 1_200, 1_900, 2_600, 3_900, 100_000]) {
          const response = await soon(server.graphql(shape(depth)));
          expect([name, depth, [200, 400].includes(response.status)]).toEqual([name, depth, true]);
          expect([name, depth, codesOf(response)]).not.toContain('INTERNAL_SERVER_ERROR');
        }
      }
    });

    it('accepts very long strings, in the document and in variables', async () => {
      const long = 'x'.repeat(500_000);
      const short = 'x'.repeat(130_000);
      expect(codesOf(await soon(server.graphql(`{ map(id: "${short}") { id } }`)))).toEqual([
        'MAP_NOT_FOUND',
      ]);
      expect(
        codesOf(await soon(server.graphql('query ($id: ID!) { map(id: $id) { id } }', { id: long }))),
      ).toEqual(['MAP_NOT_FOUND']);
      const cursor = await soon(server.graphql(`{ viewer { maps(after: "${short}") { totalCount } } }`));
      expect(codesOf(cursor)).toEqual(['BAD_USER_INPUT']);
      // An error does not repeat the whole value.
      const refused = await server.graphql(
        'query ($id: Int) { viewer { maps(first: $id) { totalCount } } }',
        {
          id: long,
        },
      );
      expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
      expect(refused.text.length).toBeLessThan(1_000);
      expect(cursor.text.length).toBeLessThan(1_000);
    });
  });

  describe('of variables', () => {
    const CREATE_LOCATIONS = `mutation ($input: CreateLocationsInput!) {
      createLocations(input: $input) { results { location { id } } }
    }`;
    const TOO_MANY = 'The variables have more than 20000 values; send fewer at a time.';
    const loggedErrors = () => server.log.filter((line) => JSON.parse(line).level >= 50);

    it('accepts 1,000 locations of maximum size', async () => {
      const { id: mapId } = await makeMap(server);
      const locations = Array.from({ length: 1_000 }, (_, index) => ({
        fields: { Name: `N${index}`, Address: 'A' },
        order: `${index}`,
        idempotencyKey: `key-${index}`,
        position: { latitude: 1, longitude: 2, placeId: 'p' },
      }));
      const response = await server.graphql(CREATE_LOCATIONS, { input: { mapId, locations } });
      expect(dataOf(response).createLocations.results).toHaveLength(1_000);
    });

    it('counts the fields of a location as one value', async () => {
      const { id: mapId } = await makeMap(server);
      const fields = { Name: 'N', Address: 'A', list: Array<number>(30_000).fill(1) };
      const locations = Array<unknown>(10).fill({ fields });
      const response = await server.graphql(CREATE_LOCATIONS, { input: { mapId, locations } });
      expect(dataOf(response).createLocations.results).toHaveLength(10);
    });

    it('accepts 20,000 values in all variables together, and refuses one more with 400', async () => {
      const query = 'query ($a: [ID!]!, $b: [ID!]!) { nodes(ids: $a) { id } b: nodes(ids: $b) { id } }';
      const ids = (count: number) => Array<string>(count).fill('x');
      const full = await server.graphql(query, { a: ids(10_000), b: ids(10_000) });
      expect(messageOf(full)).toMatch(/^ids has 10000 items/);
      for (const b of [ids(10_001), ids(200_000)]) {
        const response = await server.graphql(query, { a: ids(10_000), b });
        expect([response.status, codesOf(response), messageOf(response)]).toEqual([
          400,
          ['BAD_USER_INPUT'],
          TOO_MANY,
        ]);
        expect('data' in response.json).toBe(false);
      }
      const { id: mapId } = await makeMap(server);
      // Two members, and three for each location.
      const locations = Array<unknown>(6_667).fill({ fields: {}, order: '1' });
      expect(messageOf(await server.graphql(CREATE_LOCATIONS, { input: { mapId, locations } }))).toBe(
        TOO_MANY,
      );
      expect(
        messageOf(
          await server.graphql(CREATE_LOCATIONS, { input: { mapId, locations: locations.slice(1) } }),
        ),
      ).toMatch(/1 to 1000 are allowed/);
    });

    it('counts them for a document sent by its hash alone', async () => {
      const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
      const sha256Hash = createHash('sha256').update(nodes).digest('hex');
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      const post = (body: Record<string, unknown>) =>
        server.request('POST', '/graphql', { body: { extensions, ...body } });
      expect((await post({ query: nodes, variables: { ids: [] } })).status).toBe(200);
      const response = await post({ variables: { ids: Array<string>(20_001).fill('x') } });
      expect([response.status, messageOf(response)]).toEqual([400, TOO_MANY]);
    });

    it('lists five errors, and says if there are more', async () => {
      const logged = loggedErrors().length;
      const refused = (count: number) =>
        server.graphql(CREATE_LOCATIONS, { input: { mapId: 'x', locations: Array<number>(count).fill(1) } });
      expect(codesOf(await refused(5))).toEqual(Array<string>(5).fill('BAD_USER_INPUT'));
      for (const count of [6, 6, 60, 19_000]) {
        const response = await refused(count);
        expect([response.status, codesOf(response)]).toEqual([400, Array<string>(6).fill('BAD_USER_INPUT')]);
        expect(response.json.errors[5].message).toBe(
          'The variables have more than 5 errors; the first are listed.',
        );
      }
      expect(loggedErrors().slice(logged)).toEqual([]);
    });
  });

  describe('of introspection', () => {
    it('allows the whole introspection query, with and without a token', async () => {
      const query = getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      });
      for (const token of [undefined, null]) {
        const { __schema } = dataOf(await server.graphql(query, {}, token));
        expect(__schema.types.length).toBeGreaterThan(30);
      }
    });

    it('refuses to multiply it by aliases, without a token as well', async () => {
      const query = `{ __schema { types { ${times(30, (index) => `a${index}: fields { ...F }`)} } } }
        fragment F on __Field { ${times(30, (index) => `a${index}: type { ...T }`)} }
        fragment T on __Type { ${times(30, (index) => `a${index}: name`)} }`;
      const response = await soon(server.graphql(query, {}, null));
      expect([response.status, codesOf(response)]).toEqual([400, ['GRAPHQL_VALIDATION_FAILED']]);
      expect(messageOf(response)).toMatch(/aliases/);
    });

    it('refuses to nest its lists', async () => {
      const nested = '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }';
      expect(codesOf(await server.graphql(nested))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    });
  });

  describe('of rows', () => {
    it('is 20,000 maps and locations for one operation, however they multiply', async () => {
      const map = await makeMap(server);
      const pages = (count: number) =>
        `{ map(id: "${map.id}") { ${times(count, (index) => `a${index}: locations { nodes { id } }`)} } }`;
      expect((await server.graphql(pages(50))).json.errors).toBeUndefined();
      const small = await createTestServer({ GRAPHQL_MAX_ROWS: '150' });
      try {
        const own = await makeMap(small);
        await makeLocations(small, own.id, Array<null>(100).fill(null));
        const one = `a: map(id: "${own.id}") { locations(first: 75) { nodes { id } } }`;
        const two = `${one} b: map(id: "${own.id}") { locations(first: 75) { nodes { id } } }`;
        expect(codesOf(await small.graphql(`{ ${two} }`))).toEqual([]);
        const three = await small.graphql(
          `{ ${two} c: map(id: "${own.id}") { locations(first: 1) { nodes { id } } } }`,
        );
        expect(codesOf(three)).toEqual(['BAD_USER_INPUT']);
        expect(messageOf(three)).toMatch(/150 maps and locations/);
        // Rows that a short page does not use are released for the pages below it.
        const few = await makeMap(small);
        await makeLocations(small, few.id, [null, null]);
        const below = `{ map(id: "${few.id}") { locations { nodes { map { locations(first: 50) { nodes { id } } } } } } }`;
        expect(codesOf(await small.graphql(below))).toEqual([]);
        const ids = Array<string>(100).fill(own.id);
        const nodes = 'query ($ids: [ID!]!) { a: nodes(ids: $ids) { id } b: nodes(ids: $ids) { id } }';
        expect(codesOf(await small.graphql(nodes, { ids }))).toEqual(['BAD_USER_INPUT']);
      } finally {
        await small.close();
      }
    });
  });

  describe('of a response', () => {
    it('counts its errors as they are sent, with and without data', async () => {
      const missing = (fields: string) => `{ ${times(20, (index) => `a${index}: ${fields}`)} }`;
      const queries = [
        missing('location(mapId: "missing", id: "missing") { id }'),
        missing('map(id: "missing") { name }'),
        `{ viewer { owner ${times(20, (index) => `a${index}: maps(first: 0) { totalCount }`)} } }`,
      ];
      for (const query of queries) {
        const { text } = await server.graphql(query);
        const bytes = Buffer.byteLength(text);
        expect([bytes > 2_000, JSON.parse(text).errors.length > 0]).toEqual([true, true]);
        // To the byte, but for errors whose codes are shorter than the longest.
        const small = await createTestServer({ ANSWER_LIMIT: String(bytes - 1) });
        const ample = await createTestServer({ ANSWER_LIMIT: String(bytes + 20 * 20) });
        try {
          expect(codesOf(await small.graphql(query))).toEqual(['PAYLOAD_TOO_LARGE']);
          expect((await ample.graphql(query)).text).toBe(text);
        } finally {
          await small.close();
          await ample.close();
        }
      }
    });
  });

  describe('of a body', () => {
    const bodyOf = (bytes: number) => {
      const frame = (padding: string) => JSON.stringify({ query: '{ __typename }', extensions: { padding } });
      return frame('x'.repeat(bytes - frame('').length));
    };

    it('accepts 1,048,576 bytes, and refuses one more with 413', async () => {
      expect(Buffer.byteLength(bodyOf(MAX_BODY))).toBe(MAX_BODY);
      const fits = await server.request('POST', '/graphql', { body: bodyOf(MAX_BODY) });
      expect(dataOf(fits)).toEqual({ __typename: 'Query' });
      const over = await server.request('POST', '/graphql', { body: bodyOf(MAX_BODY + 1) });
      expect([over.status, codesOf(over)]).toEqual([413, ['PAYLOAD_TOO_LARGE']]);
    });

    it('runs no batches', async () => {
      for (const body of [[{ query: '{ __typename }' }], []]) {
        const response = await server.request('POST', '/graphql', { body });
        expect([response.status, codesOf(response)]).toEqual([400, ['BAD_REQUEST']]);
      }
    });

    it('survives JSON nested as deep as a body is long', async () => {
      const deep = 500_000;
      const array = '['.repeat(deep) + ']'.repeat(deep);
      const object = `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`;
      const query = '"query": "query ($v: Int) { viewer { maps(first: $v) { totalCount } } }"';
      const bodies = [
        array,
        '['.repeat(1_000_000),
        object,
        `{"query": ${array}}`,
        `{${query}, "variables": ${array}}`,
        `{${query}, "variables": ${object}}`,
        `{${query}, "variables": {"v": ${array}}}`,
        `{${query}, "variables": {"v": ${object}}}`,
        `{"query": "{ __typename }", "extensions": ${object}}`,
        `{"query": "{ __typename }", "operationName": ${array}}`,
      ];
      for (const body of bodies) {
        const response = await soon(server.request('POST', '/graphql', { body }));
        expect([body.slice(0, 60), response.status, codesOf(response)]).toEqual([
          body.slice(0, 60),
          400,
          ['BAD_REQUEST'],
        ]);
      }
      const search = new URLSearchParams({
        query: 'query ($v: Int) { viewer { maps(first: $v) { totalCount } } }',
        variables: `{"v": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      });
      const get = await soon(server.request('GET', `/graphql?${search.toString()}`));
      expect(get.status).toBe(400);
    });
  });
});
