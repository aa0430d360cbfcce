/** GraphQL over server-sent events at /graphql: one connection per operation. */

import { createClient } from 'graphql-sse';

import {
  createLocation,
  dataOf,
  deleteLocation,
  deleteMap,
  makeLocations,
  makeMap,
} from '../../support/graphql.ts';
import type { LiveStream } from '../../support/live.ts';
import { CHANGES, closeServers, openStream, startServer } from '../../support/live.ts';

describe('GraphQL over server-sent events', () => {
  const streams: LiveStream[] = [];
  const open = async (...given: Parameters<typeof openStream>) => {
    const stream = await openStream(...given);
    streams.push(stream);
    return stream;
  };
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await closeServers();
  });

  it('sends the same results for queries and mutations as a POST, and completes', async () => {
    const { server, port, token } = await startServer();
    const { id } = await makeMap(server);
    const operations: readonly (readonly [string, Record<string, unknown>?])[] = [
      ['{ viewer { owner } }'],
      ['query ($id: ID!) { map(id: $id) { name locations { nodes { id } totalCount } } }', { id }],
      ['{ map(id: "0123456789abcdef") { id } viewer { owner } }'],
      ['mutation ($id: ID!) { updateMap(input: { id: $id, name: "Another" }) { map { name } } }', { id }],
      ['{'],
      ['{ nothing }'],
      [`{ ${'a: __typename '.repeat(60)} }`],
      ['query ($id: ID!) { map(id: $id) { id } }'],
    ];
    for (const [query, variables] of operations) {
      const { json } = await server.graphql(query, variables, token);
      const stream = await open(port, token, { query, variables });
      expect([stream.status, stream.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      expect(await stream.events.take(2)).toEqual([
        { event: 'next', data: json },
        { event: 'complete', data: null },
      ]);
      await stream.ended;
    }
  });

  it('is 401 for an invalid token; without a token the error is in the stream', async () => {
    const { port } = await startServer();
    const wrong = await open(port, 'wrong', { query: CHANGES, variables: { mapId: '0123456789abcdef' } });
    expect(wrong.status).toBe(401);
    const anonymous = await open(port, null, { query: CHANGES, variables: { mapId: '0123456789abcdef' } });
    expect(anonymous.status).toBe(200);
    expect((await anonymous.events.next()).data.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await anonymous.events.next()).event).toBe('complete');
  });

  it('sends changes as they are made, and resumes after a cursor', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const stream = await open(port, token, { query: CHANGES, variables: { mapId: map.id } });
    expect(stream.headers.get('cache-control')).toContain('no-cache');
    const [first] = await stream.events.take(1);
    expect(first?.data.data.locationChanges.kind).toBe('resync');
    const { location } = dataOf(
      await createLocation(server, { mapId: map.id, fields: { Name: 'New', Address: 'A' } }),
    ).createLocation;
    expect((await stream.events.next()).data.data.locationChanges).toMatchObject({
      kind: 'created',
      locationId: location.id,
      location: { id: location.id, name: 'New', version: 1 },
    });
    await deleteLocation(server, map.id, location.id);
    expect((await stream.events.next()).data.data.locationChanges).toMatchObject({
      kind: 'deleted',
      locationId: location.id,
      location: null,
    });
    const again = await open(port, token, {
      query: CHANGES,
      variables: { mapId: map.id, since: first?.data.data.locationChanges.cursor },
    });
    const received = (await again.events.take(2)).map(({ data }) => data.data.locationChanges);
    expect(received.map(({ kind, location: shown }) => [kind, shown])).toEqual([
      ['created', null],
      ['deleted', null],
    ]);
  });

  it('completes with MAP_DELETED when the map is deleted', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const stream = await open(port, token, { query: CHANGES, variables: { mapId: map.id } });
    await stream.events.next();
    await deleteMap(server, map.id);
    expect((await stream.events.next()).data.errors[0].extensions.code).toBe('MAP_DELETED');
    expect((await stream.events.next()).event).toBe('complete');
    await stream.ended;
  });

  it('ends without complete on shutdown, so that clients reconnect', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const stream = await open(port, token, { query: CHANGES, variables: { mapId: map.id } });
    await stream.events.next();
    server.app.live.drain();
    await stream.ended.catch(() => {});
    expect(stream.events.all.map(({ event }) => event)).toEqual(['next']);
  });

  it('accepts subscriptions by GET, as EventSource sends them, but no mutations', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const get = { method: 'GET' } as const;
    const stream = await open(port, token, { query: CHANGES, variables: { mapId: map.id } }, get);
    expect((await stream.events.next()).data.data.locationChanges.kind).toBe('resync');
    const query = await open(port, token, { query: '{ viewer { owner } }' }, get);
    expect((await query.events.next()).data).toEqual({ data: { viewer: { owner: 'tester' } } });
    const mutation = await open(
      port,
      token,
      { query: `mutation { deleteMap(input: { id: "${map.id}" }) { map { id } } }` },
      get,
    );
    expect((await mutation.events.next()).data.errors[0].message).toContain('GET');
    expect(
      dataOf(await server.graphql('query ($id: ID!) { map(id: $id) { isDeleted } }', { id: map.id })),
    ).toEqual({
      map: { isDeleted: false },
    });
  });

  it('streams only subscriptions to clients that also accept JSON; a plain POST gets an explanation', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const headers = { accept: 'application/graphql-response+json, application/json, text/event-stream' };
    const query = await server.request('POST', '/graphql', {
      body: { query: '{ viewer { owner } }' },
      headers,
    });
    expect(query.json).toEqual({ data: { viewer: { owner: 'tester' } } });
    const body = { query: CHANGES, variables: { mapId: map.id } };
    const stream = await open(port, token, body, { headers });
    expect((await stream.events.next()).data.data.locationChanges.kind).toBe('resync');
    const plain = await server.request('POST', '/graphql', { body });
    expect(plain.json.errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    expect(plain.json.errors[0].message).toContain('text/event-stream');
  });

  it('counts towards the rate limit and connection limit of its token', async () => {
    const { server, port, token } = await startServer({
      LIVE_MAX_CONNECTIONS_OF_CLIENT: '1',
      RATE_LIMIT: '4',
    });
    const map = await makeMap(server, {}, token);
    const body = { query: CHANGES, variables: { mapId: map.id } };
    const first = await open(port, token, body);
    await first.events.next();
    expect((await open(port, token, body)).status).toBe(429);
    first.close();
    await first.ended.catch(() => {});
    const other = await server.createToken();
    expect((await open(port, other, body)).status).toBe(200);
    await open(port, token, { query: '{ viewer { owner } }' });
    const limited = await open(port, token, body);
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).not.toBeNull();
  });

  it('works with the client of graphql-sse', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const client = createClient({
      url: `http://127.0.0.1:${port}/graphql`,
      headers: { authorization: `Bearer ${token}` },
    });
    const changes = client.iterate<{ locationChanges: { kind: string } }>({
      query: CHANGES,
      variables: { mapId: map.id },
    });
    const next = async () =>
      ((await changes.next()).value as { data: { locationChanges: { kind: string } } }).data;
    expect((await next()).locationChanges.kind).toBe('resync');
    await makeLocations(server, map.id, [null]);
    expect((await next()).locationChanges.kind).toBe('created');
    await changes.return?.();
    client.dispose();
  });
});
