/** A gateway in front of one of our servers: what it serves, refuses and passes through. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';

import { findCanaries, makeCanary } from '../support/canaries.ts';
import type { GatewayDeployment } from '../support/gateway.ts';
import { openGatewayDeployment } from '../support/gateway.ts';
import {
  MUTATIONS,
  PUBLIC_QUERIES,
  QUERIES,
  SESSION_MUTATIONS,
  SUBSCRIPTIONS,
  UNKNOWN,
} from '../support/root-fields.ts';
import { createLocation, createLocations, createMap, expectError, fieldsOf } from '../support/v0.ts';

let deployment: GatewayDeployment;
let mapId: string;
let ids: string[];
beforeAll(async () => {
  deployment = await openGatewayDeployment();
  mapId = await createMap(deployment.upstream, { providerMapApiKey: 'p-key', isPublished: true });
  ids = [];
  for (const name of ['A', 'B', 'C']) ids.push(await createLocation(deployment.upstream, mapId, name));
});
afterAll(() => deployment.close());

const execute = (query: string, variables: Record<string, unknown> = {}, token?: string | null) =>
  deployment.gateway.graphql(query, { mapId, ...variables }, token);

describe('/v0 of a gateway', () => {
  it('responds as the upstream does, to the byte, with one call each', async () => {
    for (const [path, verb] of [
      [`/v0/map/${mapId}`, 'getMap'],
      [`/v0/map/${mapId}/locations?limit=2`, 'listLocations'],
      [`/v0/map/${mapId}/locations?offset=2`, 'listLocations'],
      [`/v0/map/${mapId}/location/${ids[1]}`, 'getLocation'],
    ] as const) {
      const direct = await deployment.upstream.request('GET', path);
      const before = deployment.gateway.calls.length;
      const through = await deployment.gateway.request('GET', path);
      expect(through.text).toBe(direct.text);
      expect(through.status).toBe(200);
      expect(deployment.gateway.calls.slice(before).map((call) => call.verb)).toEqual([verb]);
    }
  });

  it('links to its own address; following the links visits every location', async () => {
    const found: string[] = [];
    let path: string | undefined = `/v0/map/${mapId}/locations?limit=1`;
    while (path !== undefined) {
      const { headers, json } = await deployment.gateway.request('GET', path, {
        headers: { host: 'gate.test' },
      });
      found.push(...(json as { id: string }[]).map(({ id }) => id));
      const link = headers.link as string | undefined;
      if (link !== undefined) expect(link).toMatch(/^<http:\/\/gate\.test\/v0\/map\//);
      path = link === undefined ? undefined : /^<http:\/\/gate\.test(.*)>; rel="next"$/.exec(link)?.[1];
    }
    expect(found).toEqual(ids);
  });

  it('passes the upstream’s ETag on, and If-None-Match back', async () => {
    const path = `/v0/map/${mapId}/location/${ids[0]}`;
    const { headers } = await deployment.upstream.request('GET', path);
    const etag = String(headers.etag);
    const through = await deployment.gateway.request('GET', path);
    expect(through.headers.etag).toBe(etag);
    const known = await deployment.gateway.request('GET', path, { headers: { 'if-none-match': etag } });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', etag]);
    expect(deployment.gateway.calls.at(-1)?.outcome).toBe('304');
    const other = await deployment.gateway.request('GET', path, { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it('links from an unchanged page to its own address', async () => {
    const path = `/v0/map/${mapId}/locations?limit=1`;
    const host = 'gate.test';
    const { headers } = await deployment.gateway.request('GET', path, { headers: { host } });
    const known = { host, 'if-none-match': String(headers.etag) };
    const unchanged = await deployment.gateway.request('GET', path, { headers: known });
    expect([unchanged.status, unchanged.headers.link]).toEqual([304, headers.link]);
    expect(unchanged.headers.link).toMatch(/^<http:\/\/gate\.test\/v0\/map\//);
    const last = `/v0/map/${mapId}/locations?limit=100`;
    const { etag } = (await deployment.gateway.request('GET', last)).headers;
    const end = await deployment.gateway.request('GET', last, { headers: { 'if-none-match': String(etag) } });
    expect([end.status, end.headers.link]).toEqual([304, undefined]);
  });

  it('passes Idempotency-Key on: the second response equals the first, and nothing more is stored', async () => {
    const map = await createMap(deployment.upstream);
    const create = (fields: unknown) =>
      deployment.gateway.request('POST', `/v0/map/${map}/location`, {
        body: { fields },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await create(fieldsOf('K')), await create(fieldsOf('K'))];
    expect([first.status, second.text]).toEqual([200, first.text]);
    expectError(await create(fieldsOf('L')), 400, 409);
    const { json } = await deployment.upstream.request('GET', `/v0/map/${map}/locations`);
    expect(json).toHaveLength(1);
  });

  it('leaves a number beyond the range of a double to the upstream', async () => {
    const map = await createMap(deployment.upstream);
    const refusal = { error: 400, message: 'A number in fields is beyond the range of an IEEE double.' };
    for (const value of ['1e400', '-1e400', '{"deep": [1, {"n": 1e999}]}']) {
      const request = {
        method: 'POST' as const,
        url: `/v0/map/${map}/location`,
        headers: { authorization: `Bearer ${deployment.token}`, 'content-type': 'application/json' },
        payload: `{"fields": {"Name": "N", "Address": "Lisboa, Portugal", "n": ${value}}}`,
      };
      for (const { app } of [deployment.upstream, deployment.gateway]) {
        const answered = await app.inject(request);
        expect([value, answered.statusCode, answered.json()]).toEqual([value, 400, refusal]);
      }
    }
    const literal =
      'mutation { createLocation(input: {mapId: "MAP", fields: {Name: "N", Address: "A", n: 1e400}}) { location { id } } }';
    const variable =
      'mutation ($fields: JSONObject!) { createLocation(input: {mapId: "MAP", fields: $fields}) { location { id } } }';
    for (const [query, fields] of [
      [literal, '{}'],
      [variable, '{"Name": "N", "Address": "A", "n": [1e400]}'],
    ] as const) {
      const answered = await deployment.gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `Bearer ${deployment.token}`, 'content-type': 'application/json' },
        payload: `{"query": ${JSON.stringify(query.replace('MAP', map))}, "variables": {"fields": ${fields}}}`,
      });
      const [error] = answered.json<{ errors: { message: string; extensions: { code: string } }[] }>().errors;
      expect([error?.message, error?.extensions.code]).toEqual([refusal.message, 'BAD_USER_INPUT']);
    }
    const { json } = await deployment.upstream.request('GET', `/v0/map/${map}/locations`);
    expect(json).toEqual([]);
  });

  it('recognizes its own parameter however the name is encoded', async () => {
    const path = `/v0/map/${mapId}/locations?%6cimit=1`;
    const direct = await deployment.upstream.request('GET', path);
    const through = await deployment.gateway.request('GET', path);
    expect([through.status, through.text]).toEqual([200, direct.text]);
    expect(through.json).toHaveLength(1);
  });

  it('deletes, and only checks that there is a token', async () => {
    const map = await createMap(deployment.upstream);
    const id = await createLocation(deployment.upstream, map, 'D');
    const path = `/v0/map/${map}/location/${id}`;
    expect(
      await deployment.gateway.callsOf(() => deployment.gateway.request('GET', path, { token: null })),
    ).toEqual([]);
    expectError(await deployment.gateway.request('GET', path, { token: null }), 401, 401);
    expectError(await deployment.gateway.request('GET', path, { token: 'mlt_wrong' }), 401, 401);
    const { status, json } = await deployment.gateway.request('DELETE', path);
    expect([status, (json as { id: string }[])[0]?.id]).toEqual([200, id]);
    expectError(await deployment.gateway.request('GET', path), 400, 404);
  });

  it('treats an id that would change the path as unknown', async () => {
    const url = new URL(await deployment.gateway.app.listen({ host: '127.0.0.1', port: 0 }));
    for (const path of [
      '/v0/map/%2e%2e',
      `/v0/map/${mapId}/location/%2e%2e`,
      `/v0/map/${mapId}/location/.`,
    ]) {
      // Unlike fetch, it does not normalize the path.
      const asked = httpRequest({
        ...{ host: url.hostname, port: url.port, path },
        headers: { authorization: `Bearer ${deployment.token}` },
      });
      asked.end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      expect([path, response.statusCode]).toEqual([path, 400]);
    }
    const { json } = await execute(
      `query ($mapId: ID!, $long: ID!) {
        a: location(mapId: $mapId, id: "..") { id } b: location(mapId: $mapId, id: "") { id }
        c: map(id: "../x") { id } d: map(id: $long) { id } }`,
      { long: 'x'.repeat(100_000) },
    );
    expect(
      json.errors.map((error: { extensions: { code: string } }) => error.extensions.code).sort(),
    ).toEqual(['LOCATION_NOT_FOUND', 'LOCATION_NOT_FOUND', 'MAP_NOT_FOUND', 'MAP_NOT_FOUND']);
  });
});

describe('GraphQL of a gateway', () => {
  it('reads what /v0 offers', async () => {
    const { json } = await execute(`query ($mapId: ID!) { map(id: $mapId) {
      id name isDeleted isPublished createdAt providerMapApiKey geocodingApiKey fields { name type }
      locations(first: 2) { nodes { id name placeId latLngLiteral { lat lng } latitude longitude properties map { id } }
        edges { cursor distance node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
    } }`);
    const direct = await deployment.upstream.graphql(
      `query ($mapId: ID!) { map(id: $mapId) { id name isDeleted isPublished createdAt providerMapApiKey geocodingApiKey
        fields { name type } locations(first: 2) {
        nodes { id name placeId latLngLiteral { lat lng } latitude longitude properties map { id } }
        edges { distance node { id } } pageInfo { hasNextPage hasPreviousPage } } } }`,
      { mapId },
      deployment.token,
    );
    expect(json.errors).toBeUndefined();
    const { locations, ...map } = json.data.map;
    const { locations: directLocations, ...directMap } = direct.json.data.map;
    expect(map).toEqual(directMap);
    expect(locations).toMatchObject(directLocations);
    expect(locations.edges[1].cursor).toBe(locations.pageInfo.endCursor);
  });

  it('pages forwards from any cursor', async () => {
    const page = async (after: string | null, first = 2) => {
      const { json } = await execute(
        `query ($mapId: ID!, $after: String, $first: Int) { map(id: $mapId) { locations(first: $first, after: $after) {
          edges { cursor node { id } } pageInfo { hasNextPage endCursor } } } }`,
        { after, first },
      );
      expect(json.errors).toBeUndefined();
      const { edges, pageInfo } = json.data.map.locations as {
        edges: { cursor: string; node: { id: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
      return { ids: edges.map(({ node }) => node.id), cursors: edges.map(({ cursor }) => cursor), pageInfo };
    };
    const first = await page(null);
    expect([first.ids, first.pageInfo.hasNextPage]).toEqual([ids.slice(0, 2), true]);
    const second = await page(first.pageInfo.endCursor);
    expect([second.ids, second.pageInfo.hasNextPage]).toEqual([[ids[2]], false]);
    expect((await page(first.cursors[0] ?? null)).ids).toEqual(ids.slice(1, 3));
    expect((await page(second.pageInfo.endCursor)).ids).toEqual([]);
    // The page size equals the number of locations: the last page is full, and has no Link.
    const whole = await page(null, 3);
    expect([whole.ids, whole.pageInfo.hasNextPage]).toEqual([ids, false]);
    expect(await page(whole.pageInfo.endCursor)).toMatchObject({ ids: [], pageInfo: { hasNextPage: false } });
  });

  it('makes two calls for a page of 100 locations with their map, and one for repeated lookups', async () => {
    const map = await createMap(deployment.upstream);
    await createLocations(
      deployment.upstream,
      map,
      Array.from({ length: 120 }, (_, index) => ({ name: `N${index}` })),
    );
    const calls = await deployment.gateway.callsOf(async () => {
      const { json } = await execute(
        `query ($mapId: ID!) { map(id: $mapId) { name locations(first: 100) {
          nodes { id name properties map { id name locations(first: 1) { nodes { id } } } } pageInfo { hasNextPage endCursor }
        } } }`,
        { mapId: map },
      );
      expect(json.errors).toBeUndefined();
      expect(json.data.map.locations.nodes).toHaveLength(100);
    });
    expect(calls.filter((verb) => verb === 'getMap')).toHaveLength(1);
    const plain = await deployment.gateway.callsOf(() =>
      execute(
        `query ($mapId: ID!) { map(id: $mapId) { name locations(first: 100) { nodes { id map { id name } } } } }`,
        { mapId: map },
      ),
    );
    expect(plain).toEqual(['getMap', 'listLocations']);
    const references = Array.from(
      { length: 40 },
      (_, index) => `r${index}: location(mapId: $mapId, id: "${ids[index % 2]}") { name map { name } }`,
    );
    const same = await deployment.gateway.callsOf(async () => {
      const { json } = await execute(`query ($mapId: ID!) { ${references.join(' ')} }`);
      expect(json.errors).toBeUndefined();
    });
    expect([...same].sort()).toEqual(['getLocation', 'getLocation', 'getMap']);
  });

  it('reports whether the map or the location is unknown', async () => {
    const codeOf = async (query: string) => (await execute(query)).json.errors[0].extensions.code as string;
    const unknown = '0000000000000000';
    for (const [query, code] of [
      [`query ($mapId: ID!) { location(mapId: $mapId, id: "x") { id } }`, 'LOCATION_NOT_FOUND'],
      [`{ location(mapId: "${unknown}", id: "x") { id } }`, 'MAP_NOT_FOUND'],
      [`query ($mapId: ID!) { map(id: $mapId) { location(id: "x") { id } } }`, 'LOCATION_NOT_FOUND'],
      [`{ map(id: "${unknown}") { id } }`, 'MAP_NOT_FOUND'],
      [
        `mutation ($mapId: ID!) { deleteLocation(input: {mapId: $mapId, id: "x"}) { deletedId } }`,
        'LOCATION_NOT_FOUND',
      ],
      [`mutation { deleteLocation(input: {mapId: "${unknown}", id: "x"}) { deletedId } }`, 'MAP_NOT_FOUND'],
      [
        `mutation { createLocation(input: {mapId: "${unknown}", fields: {}}) { location { id } } }`,
        'MAP_NOT_FOUND',
      ],
    ] as const) {
      expect([query, await codeOf(query)]).toEqual([query, code]);
    }
  });

  it('writes, and reads the map of the result only if selected', async () => {
    const map = await createMap(deployment.upstream);
    const create = (selection: string) =>
      deployment.gateway.callsOf(async () => {
        const { json } = await execute(
          `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { ${selection} } }`,
          { input: { mapId: map, fields: fieldsOf('W') } },
        );
        expect(json.errors).toBeUndefined();
      });
    expect(await create('location { id }')).toEqual(['createLocation']);
    expect(await create('location { id } map { name }')).toEqual(['createLocation', 'getMap']);
  });

  it('refuses every other root field with a token, and requires one without', async () => {
    const own = ['map', 'location', 'createLocation', 'deleteLocation'];
    const given = { ...UNKNOWN, mapId, locationId: ids[0] ?? '' };
    const all = Object.entries({ ...QUERIES, ...PUBLIC_QUERIES, ...MUTATIONS, ...SESSION_MUTATIONS });
    const calls = await deployment.gateway.callsOf(async () => {
      for (const [name, query] of all) {
        if (own.includes(name)) continue;
        const { json } = await deployment.gateway.graphql(query(given));
        const [error] = json.errors;
        expect([name, error.extensions.code, error.message]).toEqual([
          name,
          'BAD_USER_INPUT',
          expect.stringContaining(`The upstream does not have ${name}`),
        ]);
        expect(json.data).toEqual({ [name]: null });
        const anonymous = await deployment.gateway.graphql(query(given), {}, null);
        expect([name, anonymous.json.errors[0].extensions.code]).toEqual([name, 'UNAUTHENTICATED']);
      }
    });
    expect(calls).toEqual([]);
  });

  it('refuses subscriptions', async () => {
    for (const [name, query] of Object.entries(SUBSCRIPTIONS)) {
      const { body } = await deployment.gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `Bearer ${deployment.token}`, accept: 'text/event-stream' },
        payload: { query: query({ ...UNKNOWN, mapId }) },
      });
      expect(body).toContain(`The upstream does not have ${name}`);
      expect(body).toContain('BAD_USER_INPUT');
      expect(body).toContain('event: complete');
    }
  });

  it('returns null with an error for fields that /v0 does not have, and the other fields', async () => {
    const { json } = await execute(`query ($mapId: ID!) { map(id: $mapId) { name updatedAt
      fields { name isPublic } clusters(bbox: {west: 0, south: 0, east: 1, north: 1}, zoom: 1) { count }
      locationByExternalId(externalId: "e") { id }
      locations(first: 1) { totalCount nextOrder nodes {
        name order externalId version createdAt updatedAt geocoding { provider } } } } }`);
    const nothing = { order: null, externalId: null, version: null, createdAt: null, updatedAt: null };
    expect(json.data.map).toMatchObject({
      name: 'A map',
      updatedAt: null,
      clusters: null,
      locationByExternalId: null,
      fields: [
        { name: 'Name', isPublic: null },
        { name: 'Address', isPublic: null },
      ],
      locations: { totalCount: null, nextOrder: null, nodes: [{ name: 'A', ...nothing, geocoding: null }] },
    });
    expect(
      new Set(json.errors.map((error: { extensions: { code: string } }) => error.extensions.code)),
    ).toEqual(new Set(['BAD_USER_INPUT']));
    expect(json.errors).toHaveLength(13);
    expect(json.errors.map((error: { message: string }) => error.message)).toContain(
      'The upstream does not have Location.order: it is not part of /v0, the API that this gateway calls.',
    );
  });

  it('refuses arguments that /v0 does not have', async () => {
    for (const args of ['last: 1', 'first: 1, before: "x"', 'filter: {search: "a"}', 'orderBy: {by: name}']) {
      const { json } = await execute(
        `query ($mapId: ID!) { map(id: $mapId) { locations(${args}) { nodes { id } } } }`,
      );
      expect([args, json.errors[0].extensions.code, json.data.map.locations]).toEqual([
        args,
        'BAD_USER_INPUT',
        null,
      ]);
    }
    for (const more of [{ externalId: 'e' }, { position: { latitude: 1, longitude: 2 } }]) {
      const input = { mapId, fields: fieldsOf('X'), ...more };
      const { json } = await execute(
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
        { input },
      );
      expect(json.errors[0].message).toMatch(/^The upstream does not have input\.(externalId|position)/);
    }
    const deleted = await execute(
      'mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) { deletedId } }',
      { input: { mapId, id: 'any', idempotencyKey: 'key' } },
    );
    expect(deleted.json.errors[0].message).toContain('The upstream does not have input.idempotencyKey');
    for (const after of ['x', Buffer.from(`l:${mapId}:1:x`).toString('base64url')]) {
      const { json } = await execute(
        `query ($mapId: ID!, $after: String) { map(id: $mapId) { locations(after: $after) { nodes { id } } } }`,
        { after },
      );
      expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});

describe('the pages and probes of a gateway', () => {
  it('exclude the pages that need a store', async () => {
    for (const path of [
      '/console',
      `/maps/${mapId}`,
      `/maps/${mapId}.svg`,
      `/maps/${mapId}/locations.geojson`,
      `/oembed?url=x`,
    ]) {
      const { status } = await deployment.gateway.request('GET', path);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it('include a start page that describes the gateway', async () => {
    const { text } = await deployment.gateway.request('GET', '/', { headers: { accept: 'text/html' } });
    expect(text).toContain('A gateway');
    expect(text).not.toContain('token create');
    const links = [...text.matchAll(/href="\.(\/[^"]*)"/g)].map(([, path]) => path ?? '');
    expect(links).toEqual(['/graphiql', '/docs', '/schema.graphql']);
    for (const path of links) expect((await deployment.gateway.request('GET', path)).status).toBe(200);
  });

  it('link to one another, and only to existing pages', async () => {
    for (const [page, others] of [
      ['/graphiql', ['/', '/docs']],
      ['/docs', ['/', '/graphiql']],
    ] as const) {
      const { text } = await deployment.gateway.request('GET', page, { headers: { accept: 'text/html' } });
      const [, nav = ''] = /(<(?:header|div id="access")[^]*?)<\/(?:header|div)>/.exec(text) ?? [];
      const links = [...nav.matchAll(/href="\.(\/[^"]*)"/g)].map(([, path]) => path ?? '');
      expect(links.slice(0, 2)).toEqual(others);
      expect(text).not.toContain('./console');
    }
  });

  it('report readiness while the upstream responds', async () => {
    const ready = await deployment.gateway.request('GET', '/readyz', { token: null });
    expect([ready.status, ready.json]).toEqual([200, { status: 'ready' }]);
  });
});

it('the log never holds a token, whatever the outcome of the request', async () => {
  const canary = makeCanary('mlt_');
  await deployment.gateway.request('GET', `/v0/map/${mapId}`, { token: canary });
  await execute('query ($mapId: ID!) { map(id: $mapId) { name } viewer { owner } }', {}, canary);
  await deployment.gateway.request('POST', `/v0/map/${mapId}/location`, {
    token: canary,
    body: { fields: {} },
  });
  expect(deployment.gateway.log.length).toBeGreaterThan(2);
  expect(findCanaries({ token: canary, own: deployment.token }, deployment.gateway.log.join('\n'))).toEqual(
    [],
  );
  // Nor anything derived from it.
  expect(deployment.gateway.log.join('\n')).not.toContain('tokenId');
});
