/** GraphQL over WebSocket at /graphql: operations as over POST, subscriptions, and closing. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { createFakeGeocoder } from '../../support/fake-geocoder.ts';
import type { LiveSocket } from '../../support/live.ts';
import {
  CHANGES,
  closeServers,
  closeSockets,
  openSession,
  openSocket,
  startServer,
} from '../../support/live.ts';
import {
  createLocation,
  dataOf,
  deleteLocation,
  deleteMap,
  makeLocations,
  makeMap,
} from '../../support/graphql.ts';

describe('GraphQL over WebSocket', () => {
  afterEach(async () => {
    closeSockets();
    await closeServers();
  });

  const responseOf = async (
    live: LiveSocket,
    query: string,
    variables?: Record<string, unknown>,
    more?: object,
  ) => {
    live.subscribe('op', query, variables, more);
    const response = await live.messages.next();
    if (response.type === 'next') expect(await live.messages.next()).toEqual({ id: 'op', type: 'complete' });
    return response;
  };

  it('returns the same results for queries and mutations as a POST, including errors', async () => {
    const { server, port, token } = await startServer();
    const live = await openSession(port, token);
    const { id } = await makeMap(server);
    const posted = async (query: string, variables?: Record<string, unknown>) =>
      (await server.graphql(query, variables, token)).json;
    const operations: readonly (readonly [string, Record<string, unknown>?])[] = [
      ['{ viewer { owner } }'],
      ['query ($id: ID!) { map(id: $id) { name locations { nodes { id } totalCount } } }', { id }],
      ['{ map(id: "0123456789abcdef") { id } viewer { owner } }'],
      ['mutation ($id: ID!) { updateMap(input: { id: $id, name: "Another" }) { map { name } } }', { id }],
      ['mutation { deleteMap(input: { id: "0123456789abcdef" }) { map { id } } }'],
    ];
    for (const [query, variables] of operations) {
      for (let time = 0; time < 2; time += 1) {
        const response = await responseOf(live, query, variables);
        expect(response).toEqual({ id: 'op', type: 'next', payload: await posted(query, variables) });
      }
    }
    for (const query of [
      '{',
      '{ nothing }',
      `{ ${'a '.repeat(60)} }`,
      '',
      'query ($id: ID!) { map(id: $id) { id } }',
    ]) {
      const response = await responseOf(live, query);
      expect(response).toEqual({ id: 'op', type: 'error', payload: (await posted(query)).errors });
    }
  });

  it('sends changes as they are made, with the current location', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const [old] = await makeLocations(server, map.id, [null]);
    const live = await openSession(port, token);
    live.subscribe('s', CHANGES, { mapId: map.id });
    expect(await live.messages.next()).toMatchObject({
      id: 's',
      type: 'next',
      payload: { data: { locationChanges: { kind: 'resync', locationId: null, location: null } } },
    });
    const created = dataOf(
      await createLocation(server, { mapId: map.id, fields: { Name: 'New', Address: 'A' } }),
    ).createLocation.location;
    const update = (input: Record<string, unknown>) =>
      server.graphql(
        'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { version } } }',
        { input: { mapId: map.id, id: created.id, ...input } },
      );
    dataOf(await update({ fields: { Name: 'Newer' } }));
    dataOf(await update({ order: '7' }));
    dataOf(await update({ order: '8', fields: { Name: 'Newest' } }));
    // Changes nothing.
    dataOf(await update({ order: '8' }));
    await deleteLocation(server, map.id, old?.id ?? '');
    const received = (await live.messages.take(5)).map(({ payload }) => payload.data.locationChanges);
    expect(received.map(({ kind, locationId }) => [kind, locationId])).toEqual([
      ['created', created.id],
      ['updated', created.id],
      ['moved', created.id],
      ['updated', created.id],
      ['deleted', old?.id],
    ]);
    expect(received[4].location).toBeNull();
    expect(received[3].location).toEqual({ id: created.id, name: 'Newest', order: '8', version: 4 });
  });

  it('resumes after a cursor, and rejects one of another map', async () => {
    const { server, port, token } = await startServer();
    const [map, other] = [await makeMap(server), await makeMap(server)];
    const live = await openSession(port, token);
    live.subscribe('s', CHANGES, { mapId: map.id });
    const first = (await live.messages.next()).payload.data.locationChanges;
    live.send({ id: 's', type: 'complete' });
    const made = await makeLocations(server, map.id, [null, null, null]);
    live.subscribe('t', CHANGES, { mapId: map.id, since: first.cursor });
    const received = (await live.messages.take(3)).map(({ payload }) => payload.data.locationChanges);
    expect(received.map(({ kind, locationId }) => [kind, locationId])).toEqual(
      made.map(({ id }) => ['created', id]),
    );
    live.subscribe('u', CHANGES, { mapId: map.id, since: received[1].cursor });
    expect((await live.messages.next()).payload.data.locationChanges).toEqual(received[2]);
    for (const [mapId, since] of [
      [other.id, first.cursor],
      [map.id, 'garbage'],
      [map.id, ''],
    ]) {
      live.subscribe('v', CHANGES, { mapId, since });
      expect(await live.messages.next()).toMatchObject({
        id: 'v',
        type: 'error',
        payload: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      });
    }
  });

  it('rejects a subscription with the errors of the locations list', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server, { isPublished: true });
    const deleted = await makeMap(server);
    await deleteMap(server, deleted.id);
    const codeFor = async (who: string | null, mapId: string) => {
      const live = await openSession(port, who);
      live.subscribe('s', CHANGES, { mapId });
      return (await live.messages.next()).payload[0].extensions.code;
    };
    expect(await codeFor(null, map.id)).toBe('UNAUTHENTICATED');
    expect(await codeFor(await server.createToken({ owner: 'another' }), map.id)).toBe('MAP_NOT_FOUND');
    expect(await codeFor(token, deleted.id)).toBe('MAP_DELETED');
  });

  it('ends only the subscription of a deleted map, with MAP_DELETED', async () => {
    const { server, port, token } = await startServer();
    const [map, other] = [await makeMap(server), await makeMap(server)];
    const live = await openSession(port, token);
    live.subscribe('s', CHANGES, { mapId: map.id });
    live.subscribe('t', CHANGES, { mapId: other.id });
    await live.messages.take(2);
    await deleteMap(server, map.id);
    expect(await live.messages.next()).toMatchObject({
      id: 's',
      type: 'error',
      payload: [{ extensions: { code: 'MAP_DELETED' } }],
    });
    await makeLocations(server, other.id, [null]);
    expect(await live.messages.next()).toMatchObject({ id: 't', type: 'next' });
  });

  it('sends nothing more for a subscription that the client completed, and frees its id', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const live = await openSession(port, token);
    live.subscribe('s', CHANGES, { mapId: map.id });
    await live.messages.next();
    live.send({ id: 's', type: 'complete' });
    await responseOf(live, '{ viewer { owner } }');
    await makeLocations(server, map.id, [null]);
    live.subscribe('s', CHANGES, { mapId: map.id });
    expect((await live.messages.next()).payload.data.locationChanges.kind).toBe('resync');
  });

  it('needs a valid token in connection_init or the upgrade; without one only public maps are visible', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server, { isPublished: true });
    const viewer = '{ viewer { owner } }';
    const byHeader = await openSession(port, null, { headers: { authorization: `Bearer ${token}` } });
    expect((await responseOf(byHeader, viewer)).payload.data.viewer.owner).toBe('tester');
    const other = await server.createToken({ owner: 'other' });
    const byInit = await openSession(port, other, { headers: { authorization: `Bearer ${token}` } });
    expect((await responseOf(byInit, viewer)).payload.data.viewer.owner).toBe('other');
    const anonymous = await openSession(port, null);
    expect((await responseOf(anonymous, viewer)).payload.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const shown = await responseOf(anonymous, `{ publicMap(id: "${map.id}") { name } }`);
    expect(shown.payload.data.publicMap.name).toBe('A map');
    for (const payload of [
      { authorization: 'Bearer wrong' },
      { authorization: token },
      { authorization: '' },
    ]) {
      const live = await openSocket(port);
      live.send({ type: 'connection_init', payload });
      expect(await live.closed).toMatchObject({ code: 4403 });
    }
  });

  it('accepts its own origin, listed origins, and programs without one', async () => {
    const { port } = await startServer({ CORS_ORIGINS: 'https://listed.example' });
    for (const origin of [`http://127.0.0.1:${port}`, 'https://listed.example']) {
      await openSession(port, null, { origin });
    }
    for (const origin of ['https://other.example', 'null', 'http://127.0.0.1:1']) {
      await expect(openSocket(port, { origin })).rejects.toThrow('403');
    }
  });

  it('sends the request id in the upgrade response, or the client’s own', async () => {
    const { port } = await startServer();
    const own = await openSocket(port, { headers: { 'x-request-id': 'mine' } });
    expect(own.headers['x-request-id']).toBe('mine');
    expect((await openSocket(port)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('closes a connection without connection_init, with an earlier message, or with another protocol', async () => {
    const { port } = await startServer({ LIVE_INIT_TIMEOUT_MS: '50' });
    expect(await (await openSocket(port)).closed).toMatchObject({ code: 4408 });
    const early = await openSocket(port);
    early.subscribe('s', '{ viewer { owner } }');
    expect(await early.closed).toMatchObject({ code: 4401 });
    const garbage = await openSocket(port);
    garbage.socket.send('{"type":"what"}');
    expect(await garbage.closed).toMatchObject({ code: 4400 });
    const twice = await openSession(port, null);
    twice.send({ type: 'connection_init' });
    expect(await twice.closed).toMatchObject({ code: 4429 });
    const other = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-ws');
    // graphql-ws's client reports this itself; any other is closed with 4406.
    const [error] = (await once(other, 'error')) as [Error];
    expect(error.message).toContain('subprotocol');
    const none = new WebSocket(`ws://127.0.0.1:${port}/graphql`);
    const [code] = (await once(none, 'close')) as [number];
    expect(code).toBe(4406);
  });

  it('rejects upgrades on other paths, and messages longer than a body may be', async () => {
    const { port, token } = await startServer({ BODY_LIMIT: '2000' });
    const elsewhere = new WebSocket(`ws://127.0.0.1:${port}/elsewhere`, 'graphql-transport-ws');
    const [error] = (await once(elsewhere, 'error')) as [Error];
    expect(error.message).toContain('404');
    const live = await openSession(port, token);
    live.subscribe('s', `{ viewer { owner } } # ${'x'.repeat(2_000)}`);
    expect(await live.closed).toMatchObject({ code: 1009 });
  });

  it('counts every operation towards the rate limit of its token', async () => {
    const { port, token } = await startServer({ RATE_LIMIT: '3' });
    const live = await openSession(port, token);
    for (let count = 0; count < 3; count += 1) {
      expect((await responseOf(live, '{ viewer { owner } }')).type).toBe('next');
    }
    expect(await responseOf(live, '{ viewer { owner } }')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'RATE_LIMITED' } }],
    });
    const another = await openSession(port, token);
    expect((await responseOf(another, '{ viewer { owner } }')).type).toBe('error');
  });

  it('counts invalid tokens towards the address', async () => {
    const { port } = await startServer({ RATE_LIMIT: '2' });
    for (let count = 0; count < 2; count += 1) {
      const live = await openSocket(port);
      live.send({ type: 'connection_init', payload: { authorization: 'Bearer wrong' } });
      await live.closed;
    }
    const anonymous = await openSession(port, null);
    expect((await responseOf(anonymous, '{ viewer { owner } }')).payload[0].extensions.code).toBe(
      'RATE_LIMITED',
    );
  });

  it('limits all connections, those of a client, and the operations of one', async () => {
    const { server, port, token } = await startServer({
      LIVE_MAX_CONNECTIONS: '3',
      LIVE_MAX_CONNECTIONS_OF_CLIENT: '2',
      LIVE_MAX_OPERATIONS: '2',
    });
    const map = await makeMap(server);
    const first = await openSession(port, token);
    await openSession(port, token);
    const third = await openSocket(port);
    third.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    expect(await third.closed).toMatchObject({ code: 4429 });
    const anonymous = await openSession(port, null);
    const tooMany = await openSocket(port);
    expect(await tooMany.closed).toMatchObject({ code: 1013 });
    anonymous.close();
    await anonymous.closed;
    for (const id of ['a', 'b', 'c']) first.subscribe(id, CHANGES, { mapId: map.id });
    const responses = await first.messages.take(3);
    expect(responses.map(({ type }) => type).toSorted()).toEqual(['error', 'next', 'next']);
    expect(responses.find(({ type }) => type === 'error').payload[0].extensions.code).toBe('RATE_LIMITED');
  });

  it('executes trusted documents by id, and nothing else if so configured', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trusted-live-'));
    const documents = join(folder, 'documents.json');
    writeFileSync(documents, JSON.stringify({ owner: 'query Owner { viewer { owner } }', changes: CHANGES }));
    const { server, port, token } = await startServer({
      TRUSTED_DOCUMENTS: documents,
      GRAPHQL_TRUSTED_ONLY: '1',
    });
    rmSync(folder, { recursive: true });
    const trustedId = (documentId: string) => ({ documentId });
    const live = await openSession(port, token);
    expect(await responseOf(live, '', undefined, trustedId('owner'))).toMatchObject({
      type: 'next',
      payload: { data: { viewer: { owner: 'tester' } } },
    });
    for (const [query, more] of [
      ['{ viewer { owner } }', {}],
      [CHANGES, trustedId('another')],
    ] as const) {
      const { json } = await server.request('POST', '/graphql', { body: { query, ...more }, token });
      expect(json.errors).toHaveLength(1);
      expect(await responseOf(live, query, undefined, more)).toEqual({
        id: 'op',
        type: 'error',
        payload: json.errors,
      });
    }
    const { maps, tokens } = server.gateway.services;
    const map = await maps.createMap({ caller: await tokens.authenticate(token) }, { name: 'M' });
    live.subscribe('changes', '', { mapId: map.id }, trustedId('changes'));
    expect((await live.messages.next()).payload.data.locationChanges.kind).toBe('resync');
  });

  it('enforces the operation limits of POST', async () => {
    const { server, port, token } = await startServer({ GRAPHQL_MAX_DEPTH: '2', GRAPHQL_MAX_ALIASES: '1' });
    const live = await openSession(port, token);
    for (const query of ['{ viewer { maps { nodes { id } } } }', '{ a: viewer { b: owner } }']) {
      const { json } = await server.graphql(query, {}, token);
      expect(json.errors).toHaveLength(1);
      expect(await responseOf(live, query)).toEqual({ id: 'op', type: 'error', payload: json.errors });
    }
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    live.socket.send(
      `{"id":"op","type":"subscribe","payload":{"query":"{ viewer { owner } }","variables":{"x":${deep}}}}`,
    );
    expect((await live.messages.next()).payload[0].message).toContain('nests deeper');
  });

  it('closes on shutdown after pending operations', async () => {
    const geocoder = createFakeGeocoder();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      const geocode = geocoder.geocode.bind(geocoder);
      geocoder.geocode = async (query) => {
        resolve();
        await held;
        return geocode(query);
      };
    });
    const { server, port, token } = await startServer({}, { geocoder });
    const map = await makeMap(server);
    const [busy, idle] = [await openSession(port, token), await openSession(port, token)];
    idle.subscribe('s', CHANGES, { mapId: map.id });
    await idle.messages.next();
    busy.subscribe(
      'c',
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { name } } }',
      {
        input: { mapId: map.id, fields: { Name: 'Last', Address: 'A' } },
      },
    );
    await asked;
    server.app.live.drain();
    expect(await idle.closed).toMatchObject({ code: 1001 });
    release();
    expect((await busy.messages.next()).payload.data.createLocation.location.name).toBe('Last');
    expect(await busy.closed).toMatchObject({ code: 1001 });
  });

  it('ignores upgrades to other protocols, and serves the request with its body', async () => {
    const { port, token } = await startServer();
    const socket = connect(port, '127.0.0.1');
    const body = '{"query":"{ viewer { owner } }"}';
    const request = (headers: string) =>
      `POST /graphql HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n${headers}\r\n${body}`;
    const received = (async () => {
      let text = '';
      for await (const chunk of socket) {
        text += String(chunk);
        if (text.split('HTTP/1.1 200').length === 3 && text.endsWith('}\n')) break;
      }
      return text;
    })();
    // As Java's HTTP client sends it, on a connection that stays open.
    socket.write(
      request('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n'),
    );
    await once(socket, 'data').catch(() => {});
    socket.write(request('Connection: close\r\n'));
    const text = await received;
    expect(text.split('"owner":"tester"')).toHaveLength(3);
    socket.destroy();
  });

  it('rejects an integer that a double cannot hold, and stays open', async () => {
    const { port, token } = await startServer();
    const live = await openSession(port, token);
    const send = (variables: string) =>
      live.socket.send(
        `{"id":"op","type":"subscribe","payload":{"query":"query ($id: ID!) { map(id: $id) { id } }","variables":${variables}}}`,
      );
    for (let time = 0; time < 2; time += 1) {
      send('{"id":9007199254740993}');
      expect(await live.messages.next()).toEqual({
        id: 'op',
        type: 'error',
        payload: [
          {
            message:
              'variables.id is an integer beyond ±9007199254740991, which JSON numbers cannot hold exactly; send it as a string.',
            extensions: { code: 'BAD_USER_INPUT' },
          },
        ],
      });
      send('{"id":"9007199254740993"}');
      expect(await live.messages.take(2)).toMatchObject([
        { id: 'op', type: 'next', payload: { errors: [{ extensions: { code: 'MAP_NOT_FOUND' } }] } },
        { id: 'op', type: 'complete' },
      ]);
    }
  });

  it('rejects only the operation with such an integer, however many are running', async () => {
    const { server, port, token } = await startServer({ LIVE_MAX_OPERATIONS: '1' });
    const map = await makeMap(server);
    const live = await openSession(port, token);
    live.subscribe('s', CHANGES, { mapId: map.id });
    await live.messages.next();
    const query = '"query":"{ __typename }"';
    live.socket.send(
      `{"id":"op","type":"subscribe","payload":{${query},"variables":{"a":9007199254740993}}}`,
    );
    await live.messages.next();
    live.send({ id: 's', type: 'complete' });
    live.send({ id: 'op', type: 'subscribe', payload: { query: '{ __typename }' } });
    expect(await live.messages.next()).toMatchObject({ id: 'op', type: 'next' });
  });

  it('closes the connection if another message has such an integer', async () => {
    const { port, token } = await startServer();
    for (const message of [
      '{"type":"ping","payload":{"n":9007199254740993}}',
      '{"type":"subscribe","id":9007199254740993,"payload":{"query":"{ __typename }"}}',
      '[9007199254740993]',
    ]) {
      const live = await openSession(port, token);
      live.socket.send(message);
      expect(await live.closed).toEqual({
        code: 4400,
        reason: 'The message has an integer beyond ±9007199254740991; send it as a string',
      });
    }
  });

  it('works with the client of graphql-ws', async () => {
    const { server, port, token } = await startServer();
    const map = await makeMap(server);
    const client = createClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
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
    await client.dispose();
  });
});
