/** Authorization of every root field: without a token, with a token that lacks access, and with an invalid one. */

import { createSchema } from '../../src/graphql/schema.ts';
import type { MadeLocation, MadeMap } from '../support/graphql.ts';
import {
  codesOf,
  dataOf,
  lastHistoryId,
  makeLocations,
  makeMap,
  makeWebhook,
  messageOf,
} from '../support/graphql.ts';
import { shareMap } from '../support/members.ts';
import type { Ids } from '../support/root-fields.ts';
import {
  MUTATIONS,
  PUBLIC_QUERIES,
  QUERIES,
  SESSION_MUTATIONS,
  SUBSCRIPTIONS,
  UNKNOWN,
} from '../support/root-fields.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { cheapPasswords, OWN_PAGE, signUp } from '../support/sign-in.ts';

describe('access through GraphQL', () => {
  let server: TestServer;
  let map: MadeMap;
  let location: MadeLocation;
  let ids: Ids;
  beforeAll(async () => {
    server = await createTestServer({}, { passwords: cheapPasswords().passwords });
    map = await makeMap(server, {
      providerMapApiKey: 'provider-secret',
      geocodingApiKey: 'geocoding-secret',
    });
    [location] = (await makeLocations(server, map.id, [null, null])) as [MadeLocation];
    ids = { ...UNKNOWN, mapId: map.id, locationId: location.id };
  });
  afterAll(() => server.close());

  it('the tables below list every root field', () => {
    const schema = createSchema();
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort()).toEqual(
      Object.keys({ ...QUERIES, ...PUBLIC_QUERIES }).sort(),
    );
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort()).toEqual(
      Object.keys({ ...MUTATIONS, ...SESSION_MUTATIONS }).sort(),
    );
    expect(Object.keys(schema.getSubscriptionType()?.getFields() ?? {})).toEqual(Object.keys(SUBSCRIPTIONS));
  });

  for (const [field, document] of Object.entries({ ...QUERIES, ...MUTATIONS })) {
    it(`${field} without a token is UNAUTHENTICATED, and has no effect`, async () => {
      const response = await server.graphql(document(ids), {}, null);
      expect([response.status, codesOf(response)]).toEqual([200, ['UNAUTHENTICATED']]);
      expect(response.json.errors[0].path).toEqual([field]);
      expect(response.json.data?.[field] ?? null).toBeNull();
    });
    it(`${field} with a token works`, async () => {
      // A separate map for each, since some fields delete it.
      const own = await makeMap(server);
      const [ownLocation] = await makeLocations(server, own.id, [null]);
      const { record } = await server.gateway.services.tokens.createToken({
        owner: 'tester',
        scope: 'read',
        mapId: null,
        expiresAt: null,
      });
      const response = await server.graphql(
        document({
          ...{ mapId: own.id, locationId: ownLocation?.id ?? '', tokenId: record.id },
          webhookId: await makeWebhook(server, own.id),
          ...(await shareMap(server, own.id)),
          historyId: await lastHistoryId(server, own.id),
        }),
      );
      expect(dataOf(response)[field]).toBeTruthy();
    });
  }

  for (const [field, document] of Object.entries(SESSION_MUTATIONS)) {
    it(`${field} without a session is refused, and works with one`, async () => {
      const [anonymous, program] = [
        await server.graphql(document(ids), {}, null),
        await server.graphql(document(ids)),
      ];
      expect([codesOf(anonymous), codesOf(program)]).toEqual([['UNAUTHENTICATED'], ['FORBIDDEN']]);
      expect(messageOf(program)).toBe('A token may not do this; it needs a session of the console.');
      const headers = { ...OWN_PAGE, ...(await signUp(server, `for ${field}`)) };
      const body = { query: document(ids) };
      expect(dataOf(await server.request('POST', '/graphql', { token: null, headers, body }))).toEqual({
        [field]: { endedIds: [] },
      });
    });
  }

  it('a malformed id without a token is UNAUTHENTICATED, too', async () => {
    const fields = [
      'node(id: "x")',
      'nodes(ids: ["x"])',
      'nodes(ids: [])',
      'map(id: "x")',
      'location(mapId: "x", id: "x")',
    ];
    for (const field of fields) {
      const response = await server.graphql(`{ ${field} { id } }`, {}, null);
      expect([field, codesOf(response)]).toEqual([field, ['UNAUTHENTICATED']]);
    }
  });

  it.each([
    'mapId: "x"',
    'mapId: "x", ids: []',
    'mapId: "x", ids: ["x"], filter: {}',
    'mapId: "x", filter: {}',
    'mapId: "x", filter: {search: "-"}, expectedCount: 1',
    'mapId: "x", ids: ["x"], expectedCount: 1',
  ])('deleteLocations(%s) is UNAUTHENTICATED without a token, and MAP_NOT_FOUND with one', async (input) => {
    const document = `mutation { deleteLocations(input: {${input}}) { deletedCount } }`;
    expect(codesOf(await server.graphql(document, {}, null))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await server.graphql(document))).toEqual(['MAP_NOT_FOUND']);
  });

  it('__schema, __type and __typename need no token, even next to a field that does', async () => {
    const query = '{ __typename __schema { queryType { name } } __type(name: "Map") { name } }';
    expect(dataOf(await server.graphql(query, {}, null))).toEqual({
      __typename: 'Query',
      __schema: { queryType: { name: 'Query' } },
      __type: { name: 'Map' },
    });
    const mixed = await server.graphql('{ __typename map(id: "x") { id } }', {}, null);
    expect(mixed.json.data).toEqual({ __typename: 'Query', map: null });
    expect(dataOf(await server.graphql('mutation { __typename }', {}, null))).toEqual({
      __typename: 'Mutation',
    });
  });

  for (const [field, document] of Object.entries(MUTATIONS)) {
    it(`${field} with a read-only token is FORBIDDEN, also for unknown ids`, async () => {
      const reader = await server.createToken({ scope: 'read' });
      for (const asked of [ids, UNKNOWN]) {
        const response = await server.graphql(document(asked), {}, reader);
        expect([response.status, codesOf(response)]).toEqual([200, ['FORBIDDEN']]);
      }
    });
  }

  it('createMap with a token limited to one map is FORBIDDEN', async () => {
    const limited = await server.createToken({ mapId: map.id });
    const response = await server.graphql(
      'mutation { createMap(input: { name: "" }) { map { id } } }',
      {},
      limited,
    );
    expect(codesOf(response)).toEqual(['FORBIDDEN']);
  });

  it('a token limited to one map does not see others', async () => {
    const other = await makeMap(server);
    const limited = await server.createToken({ mapId: map.id });
    expect(dataOf(await server.graphql(QUERIES['map']!(ids), {}, limited)).map.id).toBe(map.id);
    const query = `{ map(id: "${other.id}") { id } node(id: "${other.id}") { id } }`;
    const response = await server.graphql(query, {}, limited);
    expect([response.json.data, codesOf(response)]).toEqual([{ map: null, node: null }, ['MAP_NOT_FOUND']]);
  });

  for (const authorization of ['Bearer nonsense', 'Bearer', 'Basic dXNlcjpwYXNz', 'Bearer a b', '']) {
    it(`"Authorization: ${authorization}" is 401 before any other check`, async () => {
      const good = { body: { query: '{ __typename }' } };
      const bodies = [
        good,
        { body: '{bad json' },
        { body: { query: '{ bad query' } },
        { body: 'x'.repeat(2_000_000) },
      ];
      for (const { body } of bodies) {
        const response = await server.request('POST', '/graphql', {
          token: null,
          body,
          headers: { authorization },
        });
        expect([response.status, codesOf(response)]).toEqual([401, ['UNAUTHENTICATED']]);
        expect(response.headers['www-authenticate']).toBe('Bearer');
      }
      const wrongType = await server.request('POST', '/graphql', {
        token: null,
        body: 'x',
        headers: { authorization, 'content-type': 'text/plain' },
      });
      expect(wrongType.status).toBe(401);
      const get = await server.request('GET', '/graphql?query={__typename}', {
        token: null,
        headers: { authorization },
      });
      expect(get.status).toBe(401);
    });
  }

  it('a token fails from the first request after it is revoked', async () => {
    const token = await server.createToken();
    expect((await server.graphql('{ viewer { owner } }', {}, token)).status).toBe(200);
    await server.gateway.services.tokens.revokeToken(token);
    expect((await server.graphql('{ viewer { owner } }', {}, token)).status).toBe(401);
  });
});
