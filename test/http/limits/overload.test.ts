/** OVERLOADED when requests wait too long for their handlers, or the event loop lags. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import type { Overload } from '../../../src/http/limits/overload.ts';
import { watchOverload } from '../../../src/http/limits/overload.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { listen, exchange } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';
import { createMap, fieldsOf } from '../../support/v0.ts';

/** Blocks the event loop. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('overload detection', () => {
  let now: number;
  let overload: Overload;
  const start = (limitMs: number) => {
    now = 0;
    overload = watchOverload(limitMs, () => now);
  };
  afterEach(() => overload.stop());

  it('reports an overload while the last started request waited too long and others wait', () => {
    start(50);
    const [first, second] = [overload.enter(), overload.enter()];
    now = 50;
    overload.leave();
    overload.started(first);
    expect(overload.isOverloaded()).toBe(false);
    now = 51;
    overload.started(second);
    expect(overload.isOverloaded()).toBe(true);
    overload.started(overload.enter());
    expect(overload.isOverloaded()).toBe(false);
  });

  it('lets the next request in when none waits, and measures its wait', () => {
    start(50);
    const first = overload.enter();
    now = 60;
    overload.leave();
    overload.started(first);
    expect(overload.isOverloaded()).toBe(false);
    const next = overload.enter();
    expect(overload.isOverloaded()).toBe(true);
    now = 70;
    overload.leave();
    overload.started(next);
    overload.enter();
    expect(overload.isOverloaded()).toBe(false);
  });

  it('reports an overload while the event loop lags', async () => {
    overload = watchOverload(300);
    expect(overload.isOverloaded()).toBe(false);
    block(500);
    expect(overload.isOverloaded()).toBe(true);
    // The timer that measures it runs before anything that has arrived meanwhile.
    await turn();
    expect(overload.isOverloaded()).toBe(true);
    while (overload.isOverloaded()) await delay(5);
  });

  it('reports none without a limit', async () => {
    overload = watchOverload(0);
    block(300);
    await turn();
    expect(overload.isOverloaded()).toBe(false);
  });
});

const LIMIT_MS = 2_000;

describe('an overloaded server', () => {
  const clock = performance.now.bind(performance);
  /** Milliseconds by which the clock is ahead. */
  let ahead: number;
  let server: TestServer;
  let map: string;
  let token: string;
  /** Null while token lookups do not wait; else resumes those that wait. */
  let held: (() => void)[] | null;

  beforeEach(async () => {
    held = null;
    ahead = 0;
    performance.now = () => clock() + ahead;
    const store = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }), {
      after: async ({ method }, response) => {
        if (method === 'findTokenByHash')
          await new Promise<void>((go) => {
            if (held === null) go();
            else held.push(go);
          });
        return response;
      },
    });
    server = await createTestServer({ OVERLOAD_MS: String(LIMIT_MS) }, { storage: store.storage });
    map = await createMap(server);
    token = await server.createToken();
  });
  afterEach(async () => {
    performance.now = clock;
    await server.close();
  });

  /** Does not read the /v0 document, which may be rejected too. */
  const get = async (url = `/v0/map/${map}`) => {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode: status, headers: received, json } = await server.app.inject({ url, headers });
    return { status, headers: received, json };
  };

  const isRefusing = async () => (await get('/nowhere')).status === 503;

  /** Advances the clock beyond the limit. The event loop seems to lag until the next measurement. */
  async function passTime(): Promise<void> {
    ahead += 2 * LIMIT_MS;
    while (await isRefusing()) await delay(5);
  }

  async function untilHeld(count: number): Promise<void> {
    while ((held?.length ?? count) < count) await delay(1);
  }

  /** A request whose token lookup waits. */
  async function beginToWait(): Promise<ReturnType<typeof get>[]> {
    held ??= [];
    const before = held.length;
    const waiting = get();
    await untilHeld(before + 1);
    return [waiting];
  }

  it('rejects new requests on every path but the probes, and recovers', async () => {
    const [slow] = await beginToWait();
    await passTime();
    const [waiting] = await beginToWait();
    held?.shift()?.();
    expect((await slow)?.status).toBe(200);
    const refused = await get();
    expect([refused.status, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '1',
      { error: 503, message: expect.stringContaining('overloaded') },
    ]);
    const graphql = await server.graphql('{ __typename }');
    expect([graphql.status, graphql.headers['retry-after'], graphql.json.errors[0].extensions.code]).toEqual([
      503,
      '1',
      'OVERLOADED',
    ]);
    expect((await get('/docs')).status).toBe(503);
    for (const probe of ['/healthz', '/readyz/']) expect((await get(probe)).status).toBe(200);
    held?.shift()?.();
    held = null;
    expect((await waiting)?.status).toBe(200);
    expect(await isRefusing()).toBe(false);
    expect((await get()).status).toBe(200);
  });

  it('does not count the time that a client takes to send its body', async () => {
    const port = await listen(server);
    const text = create('A');
    const { socket, statuses } = await open(port);
    socket.write(text.slice(0, -5));
    // The handler of a request on a later connection shows that this one has begun.
    await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await passTime();
    held = [];
    socket.write(text.slice(-5));
    // It waits for its token, which is looked up again.
    await untilHeld(1);
    expect(await isRefusing()).toBe(false);
    held.shift()?.();
    expect(await statuses(1)).toEqual([200]);
    socket.destroy();
  });

  it('does not count the time that earlier requests of the connection take', async () => {
    const port = await listen(server);
    held = [];
    const { socket, statuses } = await open(port);
    socket.write(create('A') + create('B'));
    await untilHeld(1);
    await passTime();
    held.shift()?.();
    held = null;
    expect(await statuses(2)).toEqual([200, 200]);
    const [waiting] = await beginToWait();
    expect(await isRefusing()).toBe(false);
    (held as unknown as (() => void)[]).shift()?.();
    expect((await waiting)?.status).toBe(200);
    socket.destroy();
  });

  function create(name: string): string {
    const body = JSON.stringify({ fields: fieldsOf(name) });
    return [
      `POST /v0/map/${map}/location HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  }
});

/** A connection, and the statuses of its responses once there are that many. */
async function open(port: number) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, 'connect');
  const statuses = async (count: number) => {
    for (;;) {
      const statuses = [...received.matchAll(/HTTP\/1\.1 ([2-5]\d\d)/g)].map(([, status]) => Number(status));
      if (statuses.length >= count) return statuses;
      await delay(1);
    }
  };
  return { socket, statuses };
}
