/** Response memory: responses that do not fit are rejected early, and every byte is released once. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { ResponseMemory } from '../../../src/graphql/limits/response-memory.ts';
import { OperationBudget } from '../../../src/graphql/limits/operation-budget.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { codesOf, dataOf, makeMap } from '../../support/graphql.ts';
import { listen } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';

/**
 * A page is about 20,400 bytes when read, and 20,700 when written. The limit fits a page besides three that are read:
 * the third may be reserved before it is read.
 */
const UNREAD_LIMIT = '105000';
const LOCATIONS = 10;
const FIELD_BYTES = 2_000;

describe('responses in progress', () => {
  let server: TestServer;
  let port: number;
  let mapId: string;
  /** Pages that are read before the gate closes; the others wait for it. */
  let free = Number.POSITIVE_INFINITY;
  let gate = Promise.resolve();
  let openGate = () => {};
  let waiting = 0;

  beforeAll(async () => {
    const { storage } = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1000 }), {
      after: ({ method }, page) => {
        if (method !== 'listLocations' && method !== 'listLocationsJson') return page;
        free -= 1;
        if (free >= 0) return page;
        waiting += 1;
        return gate.then(() => page);
      },
    });
    server = await createTestServer({ UNREAD_LIMIT }, { storage });
    port = await listen(server);
    mapId = (await makeMap(server)).id;
    const fields = { Name: 'N', Address: 'A', text: 'x'.repeat(FIELD_BYTES) };
    const locations = Array.from({ length: LOCATIONS }, () => ({ fields }));
    const made = dataOf(
      await server.graphql(
        'mutation ($mapId: ID!, $locations: [CreateLocationsItemInput!]!) { createLocations(input: { mapId: $mapId, locations: $locations }) { results { error { code } } } }',
        { mapId, locations },
      ),
    );
    expect(made.createLocations.results).toEqual(Array(LOCATIONS).fill({ error: null }));
  });
  // Reads that a failed case left waiting would break the next ones.
  afterEach(() => openGate());
  afterAll(() => server.close());
  const pages = (count: number) =>
    `{ map(id: "${mapId}") { ${Array.from({ length: count }, (_, index) => `p${index}: locations { edges { node { properties } } }`).join(' ')} } }`;

  /** More than fits: served only while nothing else is counted. */
  async function expectAllRoom(): Promise<void> {
    expect(codesOf(await server.graphql(pages(4)))).toEqual([]);
  }

  /**
   * Starts work that reads pages, and resolves when this many reads wait after the first ones. `openGate` releases
   * them.
   */
  async function hold<T>(
    { after, reads = 1 }: { readonly after: number; readonly reads?: number },
    begin: () => Promise<T>,
  ): Promise<{ readonly end: Promise<T> }> {
    free = after;
    waiting = 0;
    gate = new Promise((resolve) => {
      openGate = resolve;
    });
    const end = begin();
    while (waiting < reads) await turn();
    free = Number.POSITIVE_INFINITY;
    return { end };
  }

  it('always fit while there are no others', async () => {
    await expectAllRoom();
  });

  it('are rejected with 503 and Retry-After only when others use the memory', async () => {
    const first = await hold({ after: 2 }, () => server.graphql(pages(3)));
    expect(codesOf(await server.graphql(pages(1)))).toEqual([]);
    const refused = await server.graphql(pages(4));
    expect([refused.status, codesOf(refused), refused.headers['retry-after'], refused.json.data]).toEqual([
      503,
      ['OVERLOADED'],
      '1',
      undefined,
    ]);
    openGate();
    expect(codesOf(await first.end)).toEqual([]);
    await expectAllRoom();
  });

  it('release their bytes when they fail', async () => {
    const failing = `{ a: map(id: "${mapId}") { locations { edges { node { properties } } } } b: map(id: "missing") { id } }`;
    expect(codesOf(await server.graphql(failing))).toEqual(['MAP_NOT_FOUND']);
    await expectAllRoom();
    const unfit = `query ($first: Int) { map(id: "${mapId}") { a: locations { edges { node { properties } } } b: locations(first: $first) { edges { node { properties } } } } }`;
    expect(codesOf(await server.graphql(unfit, { first: 0 }))).toEqual(['BAD_USER_INPUT']);
    await expectAllRoom();
  });

  it('release their bytes in /v0 as well', async () => {
    for (const path of [`/v0/map/${mapId}/locations`, `/v0/map/${mapId}/location/none`]) {
      await server.request('GET', path);
      await expectAllRoom();
    }
  });

  async function openConnection(): Promise<{ readonly client: Socket; readonly serverEnd: Socket }> {
    const arrived = once(server.app.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    const [serverEnd] = await arrived;
    return { client, serverEnd };
  }

  /** Work in progress ends some turns later. */
  async function expectAllRoomSoon(): Promise<void> {
    let rounds = 0;
    for (let codes = ['OVERLOADED']; codes.length > 0; codes = codesOf(await server.graphql(pages(4)))) {
      expect(codes).toEqual(['OVERLOADED']);
      rounds += 1;
      expect(rounds).toBeLessThan(1_000);
      await turn();
    }
  }

  it.each([
    ['before the connection is closed', false],
    ['after the connection is closed', true],
  ])('release their bytes when the client disconnects, made %s', async (_when, isClosed) => {
    const token = await server.createToken();
    const body = JSON.stringify({ query: pages(3) });
    const request = `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { client, serverEnd } = await openConnection();
    await hold({ after: 2 }, async () => client.write(request));
    // Not earlier: a request whose client disconnected reads no third page.
    client.destroy();
    expect(codesOf(await server.graphql(pages(4)))).toEqual(['OVERLOADED']);
    if (isClosed && !serverEnd.closed) await once(serverEnd, 'close');
    openGate();
    await expectAllRoomSoon();
  });

  it('are not counted if the connection closes before it is assigned to them', async () => {
    const token = await server.createToken();
    const request = `GET /v0/map/${mapId}/locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const responses: ServerResponse[] = [];
    server.app.server.on('request', (_request, response) => responses.push(response));
    const { client, serverEnd } = await openConnection();
    await hold({ after: 0, reads: 2 }, async () => client.write(request.repeat(2)));
    client.destroy();
    if (!serverEnd.closed) await once(serverEnd, 'close');
    openGate();
    while (responses.length < 2 || !responses.every(({ writableEnded }) => writableEnded)) await turn();
    await expectAllRoomSoon();
  });
});

describe('an operation budget', () => {
  const limits = (memory: ResponseMemory) => ({ maxRows: 1_000, maxBytes: 1_000_000, memory });
  const bytes = (value: number) => value;

  it('reserves the size of the longest read before the next one', async () => {
    const memory = new ResponseMemory(100);
    memory.add(1);
    const budget = new OperationBudget(limits(memory));
    await budget.read(() => Promise.resolve(60), bytes);
    const reads: number[] = [];
    const second = budget.read(() => Promise.resolve(reads.push(1)), bytes);
    await expect(second).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(reads).toEqual([]);
    budget.release();
    expect(memory.bytes).toBe(1);
  });

  it('reads nothing after the response was sent, and releases reads in progress', async () => {
    const memory = new ResponseMemory(100);
    const budget = new OperationBudget(limits(memory));
    const ends: ((value: number) => void)[] = [];
    const read = () =>
      new Promise<number>((resolve) => {
        ends.push(resolve);
      });
    const late = budget.read(read, bytes);
    while (ends.length === 0) await turn();
    budget.release();
    ends[0]?.(50);
    await late;
    await expect(budget.read(() => Promise.resolve(50), bytes)).rejects.toThrow('The client disconnected.');
    expect(memory.bytes).toBe(0);
    budget.release();
    expect(memory.bytes).toBe(0);
  });

  it('reads one long page per event-loop turn, across operations', async () => {
    const turns: number[] = [];
    let now = 0;
    const read = () => {
      turns.push(now);
      const end = performance.now() + 12;
      while (performance.now() < end);
      return Promise.resolve(1);
    };
    const memory = new ResponseMemory(100);
    const operations = [new OperationBudget(limits(memory)), new OperationBudget(limits(memory))];
    const reading = Promise.all(
      operations.flatMap((operation) => [1, 2, 3].map(() => operation.read(read, bytes))),
    );
    for (; turns.length < 6; now += 1) await turn();
    await reading;
    // The first two may fall into the same interval.
    expect(new Set(turns).size).toBeGreaterThanOrEqual(5);
  });
});
