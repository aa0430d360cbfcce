/** Pages read as JSON equal pages of objects. */

import { execute, parse, validate } from 'graphql';

import { stringifyJson } from '../../../src/domain/json/json-text.ts';
import { ResponseMemory } from '../../../src/graphql/limits/response-memory.ts';
import { createContext } from '../../../src/graphql/context.ts';
import { rewritePages } from '../../../src/graphql/execution/json-pages/rewrite.ts';
import { createPrivateSchema, createSchema } from '../../../src/graphql/schema.ts';
import { operatorFor } from '../../../src/services/operator.ts';
import { makeLocations, makeMap } from '../../support/graphql.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

const schema = createSchema();
const jsonPagesSchema = createPrivateSchema(schema);

/** Selections of a connection that are read as JSON. */
const PLAIN = [
  '{ nodes { id } }',
  '{ nodes { id name placeId latitude longitude properties order createdAt } }',
  '{ nodes { latLngLiteral { lng lat } geocoding { precision provider } } }',
  '{ nodes { __typename latLngLiteral { __typename north: lat lat } geocoding { __typename } } }',
  '{ __typename all: nodes { a: order b: order __typename } pageInfo { endCursor hasNextPage } }',
  '{ nodes { id } nodes { name id } }',
  '{ nodes { geocoding { provider } ... on Location { geocoding { precision provider } } } }',
  '{ nodes { ... on Node { id } ...Plain } }',
  '{ ...Page }',
  '{ nodes { id } totalCount nextOrder pageInfo { startCursor endCursor hasNextPage hasPreviousPage } }',
  '{ pageInfo { endCursor } }',
  '{ totalCount }',
  '{ nodes { id } pageInfo @include(if: false) { endCursor } totalCount @skip(if: true) }',
];

/** Selections that are not. */
const OTHERS = [
  '{ edges { cursor node { id } } }',
  '{ nodes { id map { id } } }',
  '{ nodes { id name @include(if: true) } }',
  '{ nodes @skip(if: false) { id } }',
  '{ nodes { id ... on Location @include(if: true) { name } } }',
  '{ a: nodes { id } b: nodes { name } }',
  // A value as long as all fields together, written once per alias.
  '{ nodes { a: name b: name } }',
  '{ nodes { a: properties b: properties } }',
  '{ ...Page @include(if: true) }',
];

const PAGES = ['', '(first: 3)', '(last: 3)', '(first: 3, after: $cursor)', '(last: 2, before: $cursor)'];
const FOUND_PAGES = [
  '(filter: {bbox: {south: -90, west: -180, north: 90, east: 180}}, first: 3)',
  '(filter: {not: {search: "nothing"}}, orderBy: {by: list, direction: desc}, last: 2)',
  '(filter: {search: "nothing"})',
  '(orderBy: {by: name})',
];
const FRAGMENTS = `
  fragment Plain on Location { name order }
  fragment Page on LocationConnection { nodes { ...Plain id } totalCount }`;

describe('pages as JSON', () => {
  let server: TestServer;
  let mapId: string;
  let cursor: string;

  beforeAll(async () => {
    server = await createTestServer();
    mapId = (await makeMap(server, { name: 'M' })).id;
    await makeLocations(server, mapId, ['3', '1', null, 'text', '2', '2', null]);
    const response = await server.graphql(
      `{ map(id: "${mapId}") { locations(first: 4) { pageInfo { endCursor } } } }`,
    );
    cursor = String(response.json.data.map.locations.pageInfo.endCursor);
  });
  afterAll(() => server.close());

  const documentOf = (selection: string, page = '', parent = `map(id: "${mapId}")`) => {
    const used = [...selection.matchAll(/\.\.\.(Plain|Page)\b/g)].map(([, name]) => name);
    const isPage = used.includes('Page');
    const fragments = FRAGMENTS.split('\n').filter(
      (line) => (isPage && line.trim() !== '') || used.some((name) => line.includes(`fragment ${name} `)),
    );
    const variable = page.includes('$cursor') ? '($cursor: String)' : '';
    const document = parse(
      `query ${variable} { ${parent} { __typename locations${page} ${selection} } }\n${fragments.join('\n')}`,
    );
    expect(validate(schema, document)).toEqual([]);
    return document;
  };

  const expectSame = async (document: ReturnType<typeof parse>) => {
    const rewritten = rewritePages(schema, document);
    expect(rewritten).not.toBeNull();
    const [expected, response] = [await run(document), await run(rewritten ?? document, jsonPagesSchema)];
    expect(expected.errors).toBeUndefined();
    expect(stringifyJson(response)).toBe(JSON.stringify(expected));
  };

  const run = async (document: ReturnType<typeof parse>, on = schema) => {
    const { owner } = await server.gateway.services.tokens.findOrCreateOwner('tester');
    const contextValue = createContext(
      server.gateway.services,
      { caller: operatorFor(owner) },
      { maxRows: 1000, maxBytes: Infinity, memory: new ResponseMemory(Infinity) },
    );
    return execute({ schema: on, document, contextValue, variableValues: { cursor } });
  };

  for (const selection of PLAIN) {
    it(`equals ${selection} to the byte`, async () => {
      for (const page of PAGES) await expectSame(documentOf(selection, page));
    });

    it(`equals ${selection} of search results to the byte`, async () => {
      for (const page of FOUND_PAGES) {
        await expectSame(documentOf(selection, page));
        await expectSame(documentOf(selection, page, 'viewer'));
      }
    });
  }

  it('works for a map and the viewer in one document', async () => {
    const page = 'locations(filter: {search: "place"}) { nodes { id } totalCount }';
    await expectSame(parse(`{ viewer { ${page} } map(id: "${mapId}") { ${page} } }`));
  });

  it('continues after the cursor of a search result', async () => {
    const first = await server.graphql(
      `{ map(id: "${mapId}") { locations(first: 2, orderBy: {by: name}) { pageInfo { endCursor } } } }`,
    );
    const after = String(first.json.data.map.locations.pageInfo.endCursor);
    const page = `(first: 3, after: "${after}", orderBy: {by: name})`;
    await expectSame(documentOf('{ nodes { id } pageInfo { hasPreviousPage hasNextPage } }', page));
  });

  for (const selection of OTHERS) {
    it(`leaves ${selection} unchanged`, () => {
      expect(rewritePages(schema, documentOf(selection))).toBeNull();
    });
  }

  it('does not rewrite merged pages', () => {
    const merged = `{ map(id: "${mapId}") { locations { nodes { id } } ... on Map { locations { nodes { name } } } } }`;
    expect(rewritePages(schema, parse(merged))).toBeNull();
  });

  it('reads several pages of one operation each in its own way', async () => {
    const document = parse(`{
      a: map(id: "${mapId}") { first: locations(first: 1) { nodes { id } } last: locations(last: 1) { nodes { name } } }
      b: map(id: "${mapId}") { edges: locations(first: 2) { edges { node { id } } } }
    }`);
    const rewritten = rewritePages(schema, document);
    expect(JSON.stringify(rewritten).match(/_locationsJson/g)).toHaveLength(2);
    const response = await run(rewritten ?? document, jsonPagesSchema);
    expect(stringifyJson(response)).toBe(JSON.stringify(await run(document)));
  });

  it('fails like pages of objects', async () => {
    const document = parse(`{ map(id: "${mapId}") { id locations(first: 0) { nodes { id } } } }`);
    const [expected, response] = [
      await run(document),
      await run(rewritePages(schema, document)!, jsonPagesSchema),
    ];
    expect(JSON.stringify(response)).toBe(JSON.stringify(expected));
    expect(expected.errors?.[0]?.path).toEqual(['map', 'locations']);
  });

  it('fails like search results as objects', async () => {
    for (const parent of ['viewer', `map(id: "${mapId}")`]) {
      const document = parse(`{ ${parent} { locations(filter: {or: []}) { nodes { id } totalCount } } }`);
      const [expected, response] = [
        await run(document),
        await run(rewritePages(schema, document)!, jsonPagesSchema),
      ];
      expect(JSON.stringify(response)).toBe(JSON.stringify(expected));
      expect(expected.errors?.[0]?.path?.at(-1)).toBe('locations');
    }
  });

  it('hides its own fields from clients', async () => {
    const asked = `{ map(id: "${mapId}") { locations { nodes { id } } } __type(name: "Map") { fields { name } } }`;
    const response = await server.graphql(asked);
    expect(response.json.data.__type.fields.map(({ name }: { name: string }) => name)).not.toContain(
      '_locationsJson',
    );
    const guessed = await server.graphql(
      `{ map(id: "${mapId}") { _locationsJson(template: "[]") { _nodesJson } } }`,
    );
    expect(guessed.json.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});
