/** How a server closes its connections on shutdown. Its clock stands still unless a test sets it. */

import type { AddressInfo, Server } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';

import { readConfig } from '../../src/app/config.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import { createApplicationServer } from '../../src/app/composition/server.ts';
import type { Acceptor } from '../../src/http/shutdown.ts';
import { prepareShutdown } from '../../src/http/shutdown.ts';
import { Deferred } from '../../src/lib/deferred.ts';
import type { RawConnection } from '../e2e/raw-http.ts';
import { openConnection, request } from '../e2e/raw-http.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import { TEST_SETTINGS } from '../support/server.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 12_000;
/** How long a connection must be quiet before it is closed. */
const QUIET_MS = 250;
/** Real time in which the server checks its connections more than once. */
const SEVERAL_CHECKS_MS = 150;

let gateway: StoreApplication;
let app: FastifyInstance;
let clock: number;
/** Until it resolves, /held does not respond, and /begun does not finish. */
let held: Deferred<void>;
let heldRequested: number;
let hasEnded: boolean;

beforeEach(async () => {
  const config = readConfig({ DATABASE_URL: 'sqlite::memory:', ...TEST_SETTINGS });
  gateway = await openStoreApplication(config, { geocoder: createFakeGeocoder() });
  app = await createApplicationServer(gateway, config, pino({ level: 'silent' }));
  clock = 1_000;
  held = new Deferred();
  heldRequested = 0;
  hasEnded = false;
  app.get('/held', async () => {
    heldRequested += 1;
    await held.promise;
    return 'held';
  });
  app.get('/begun', (_request, reply) => {
    const body = new PassThrough();
    void reply.header('content-length', '10').send(body);
    body.write('begun');
    void held.promise.then(() => body.end('ended'));
  });
});

afterEach(async () => {
  held.resolve();
  app.server.closeAllConnections();
  await app.close();
  await gateway.close();
});

/** @returns a function that begins the shutdown */
async function listen(acceptor: Acceptor | null = null): Promise<(timeoutMs?: number) => void> {
  const shutDown = prepareShutdown(app, acceptor, () => clock);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (timeoutMs = LIMIT_MS) => {
    void shutDown(timeoutMs).then(() => (hasEnded = true));
  };
}

const connect = () => openConnection((app.server.address() as AddressInfo).port);

/** A kept-alive connection that has received a response. */
async function openKept(): Promise<RawConnection> {
  const connection = await connect();
  connection.write(request('GET', '/healthz'));
  await until(() => connection.responses().length === 1, 'the first answer');
  return connection;
}

/** Waits until the server accepts no connections. From then on each response is the last of its connection. */
const untilDraining = () => until(() => !app.server.listening, 'the end of listening');

async function expectOpen({ socket }: RawConnection): Promise<void> {
  await delay(SEVERAL_CHECKS_MS);
  expect([socket.closed, hasEnded]).toEqual([false, false]);
}

async function expectLastResponse(connection: RawConnection): Promise<void> {
  await connection.closed;
  expect(connection.rest()).toBe('');
  const [before, last, ...more] = connection.responses();
  expect([before?.headers.get('connection'), more]).toEqual(['keep-alive', []]);
  expect([last?.status, last?.headers.get('connection'), last?.body]).toEqual([
    200,
    'close',
    '{"status":"ok"}',
  ]);
}

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))();

const untilEnd = () => until(() => hasEnded, 'the end');

describe('a shutdown', () => {
  it('responds to the next request on a kept connection with Connection: close', async () => {
    const begin = await listen();
    const kept = await openKept();
    begin();
    await untilDraining();
    clock += QUIET_MS - 1;
    await expectOpen(kept);
    kept.write(request('GET', '/healthz'));
    await expectLastResponse(kept);
    await untilEnd();
  });

  it('closes kept connections after a quarter of a second without data', async () => {
    const begin = await listen();
    const kept = [await openKept(), await openKept()];
    begin();
    await untilDraining();
    await expectOpen(kept[0]!);
    clock += QUIET_MS;
    await untilEnd();
    for (const connection of kept) {
      await connection.closed;
      expect(connection.responses()).toHaveLength(1);
    }
  });

  it('counts that time from a response without Connection: close', async () => {
    const begin = await listen();
    const kept = await connect();
    kept.write(request('GET', '/begun'));
    await until(() => kept.rest().endsWith('begun'), 'half of the response');
    begin();
    await untilDraining();
    clock += 10 * QUIET_MS;
    await expectOpen(kept);
    held.resolve();
    await until(() => kept.responses().length === 1, 'the answer');
    await expectOpen(kept);
    clock += QUIET_MS - 1;
    await expectOpen(kept);
    kept.write(request('GET', '/healthz'));
    await expectLastResponse(kept);
    await untilEnd();
  });

  it('restarts that time when no process accepts connections any more', async () => {
    const portClosed = new Deferred<void>();
    const begin = await listen({ handOver: () => Promise.resolve(), closed: () => portClosed.promise });
    const kept = await openKept();
    begin();
    await untilDraining();
    clock += 10 * QUIET_MS;
    await expectOpen(kept);
    portClosed.resolve();
    await expectOpen(kept);
    kept.write(request('GET', '/healthz'));
    await expectLastResponse(kept);
    await untilEnd();
  });

  it('responds to requests that arrived while the process was blocked', async () => {
    const begin = await listen();
    const kept = await openKept();
    begin();
    await untilDraining();
    await expectOpen(kept);
    // The next turn runs due timers first, and then reads what has arrived.
    await turn();
    kept.write(request('GET', '/healthz'));
    clock += QUIET_MS;
    for (const until = performance.now() + SEVERAL_CHECKS_MS; performance.now() < until;);
    await expectLastResponse(kept);
    await untilEnd();
  });

  it('does not wait if no connection is kept', async () => {
    const begin = await listen();
    const silent = await connect();
    const asking = await connect();
    asking.write(request('GET', '/held'));
    await until(() => heldRequested === 1, 'the request');
    begin();
    await untilDraining();
    await silent.closed;
    held.resolve();
    await asking.closed;
    expect(asking.responses()).toMatchObject([{ status: 200, body: 'held' }]);
    await untilEnd();
  });

  it('ends at its time limit, even if a kept connection would have more time', async () => {
    const begin = await listen();
    const kept = await openKept();
    begin(QUIET_MS / 2);
    await untilDraining();
    await expectOpen(kept);
    clock += QUIET_MS / 2;
    await untilEnd();
    await kept.closed;
  });

  it('does not wait for pipelined responses to a disconnected client', async () => {
    const begin = await listen();
    const kept = await openKept();
    const leaving = await connect();
    leaving.write(request('GET', '/held') + request('GET', '/healthz'));
    await until(() => heldRequested === 1, 'the request');
    leaving.socket.destroy();
    await until(async () => (await connectionsOf(app.server)) === 1, 'the end of its connection');
    held.resolve();
    begin();
    await untilDraining();
    clock += QUIET_MS;
    await untilEnd();
    await kept.closed;
  });

  it('sends Connection: close in the last response of a kept connection, and in none before', async () => {
    const begin = await listen();
    const busy = await connect();
    busy.write(request('GET', '/held'));
    const kept = await openKept();
    const pipelining = await openKept();
    begin();
    await untilDraining();
    kept.write(request('GET', '/healthz'));
    pipelining.write(request('GET', '/healthz').repeat(3));
    await until(() => kept.responses().length === 2 && pipelining.responses().length === 4, 'the answers');
    const said = [kept, pipelining].map((connection) =>
      connection.responses().map(({ status, headers }) => `${status} ${headers.get('connection')}`),
    );
    expect(said).toEqual([
      ['200 keep-alive', '200 close'],
      ['200 keep-alive', '200 keep-alive', '200 keep-alive', '200 close'],
    ]);
    await Promise.all([kept.closed, pipelining.closed]);
    held.resolve();
    await untilEnd();
    expect(busy.responses().map(({ body }) => body)).toEqual(['held']);
  });
});
