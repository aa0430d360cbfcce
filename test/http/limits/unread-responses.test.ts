/** Unread responses of any kind: their connection is cut, and their memory is released. */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { openStorage } from '../../../src/storage/open.ts';
import { codesOf, dataOf, makeMap } from '../../support/graphql.ts';
import { listen } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

const SETTINGS = { UNREAD_TIMEOUT_MS: '300', UNREAD_LIMIT: '25000000', FIELDS_MAX_BYTES: '130000' };
/** A page is 10,000,000 bytes, both read and written. */
const LOCATIONS = 100;
const FIELD_BYTES = 100_000;

describe('unread responses', () => {
  let server: TestServer;
  let port: number;
  let mapId: string;
  let token: string;

  beforeAll(async () => {
    const storage = await openStorage('sqlite::memory:', { timeoutMs: 1000 });
    server = await createTestServer(SETTINGS, { storage });
    port = await listen(server);
    mapId = (await makeMap(server)).id;
    token = await server.createToken();
    const fields = { Name: 'N', Address: 'A', text: 'x'.repeat(FIELD_BYTES) };
    for (let batch = 0; batch < LOCATIONS; batch += 10) {
      const locations = Array.from({ length: 10 }, () => ({ fields }));
      dataOf(
        await server.graphql(
          'mutation ($mapId: ID!, $locations: [CreateLocationsItemInput!]!) { createLocations(input: { mapId: $mapId, locations: $locations }) { map { id } } }',
          { mapId, locations },
        ),
      );
    }
  });
  afterAll(() => server.close());

  /** Sends requests without reading, and resolves when the server has cut the connection. */
  async function untilCut(requests: string): Promise<Socket> {
    const arrived = once(server.app.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    client.pause();
    client.write(requests);
    const [socket] = await arrived;
    if (!socket.closed) await once(socket, 'close');
    client.destroy();
    return socket;
  }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const post = (query: string) => {
    const body = JSON.stringify({ query });
    return `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const page = () => get(`/v0/map/${mapId}/locations`);
  const query = () => post(`{ map(id: "${mapId}") { locations { nodes { properties } } } }`);

  const REQUESTS: Readonly<Record<string, () => string | Promise<string>>> = {
    'a page of /v0': page,
    'a GraphQL response': query,
    'several pages at once': () => page().repeat(3),
    'several GraphQL responses at once': () => query().repeat(3),
    'a page, and many short responses behind it': () => page() + get(`/v0/map/${mapId}`).repeat(50),
    "GraphiQL's files": async () => {
      const { text } = await server.request('GET', '/graphiql', { token: null });
      const path = /\/graphiql\/assets\/graphiql\.[^"]*\.js/.exec(text)?.[0] ?? 'none';
      const file = await server.request('GET', path, { token: null });
      expect(file.text.length).toBeGreaterThan(100_000);
      return get(path).repeat(200);
    },
    failures: () => 'GET /none HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40_000),
  };
  for (const [name, requestsOf] of Object.entries(REQUESTS)) {
    it(`are cut with their connection after the timeout: ${name}`, async () => {
      await untilCut(await requestsOf());
      // Larger than the memory allowed, so it is served only when nothing else is counted. Requests of the cut
      // connection may still be running.
      const pages = `{ map(id: "${mapId}") { a: locations { nodes { properties } } b: locations { nodes { properties } } } }`;
      while (codesOf(await server.graphql(pages)).length > 0) await turn();
    });
  }

  it('leave few listeners on their connection', async () => {
    const counts: number[] = [];
    server.app.server.once('connection', (socket: Socket) => {
      socket.on('newListener', (event) => event === 'close' && counts.push(socket.listenerCount('close')));
    });
    await untilCut(page() + get(`/v0/map/${mapId}`).repeat(200));
    expect(Math.max(...counts)).toBeLessThan(10);
  });
});
