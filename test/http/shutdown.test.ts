/** How the connections of a server come to their end when it shuts down. */

import type { AddressInfo, Server } from 'node:net';
import { promisify } from 'node:util';

import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';

import { readConfig } from '../../src/config.ts';
import type { ServingGateway } from '../../src/gateway/gateway.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { createGatewayServer } from '../../src/gateway/server.ts';
import { prepareShutdown } from '../../src/http/shutdown.ts';
import { Deferred } from '../../src/serving/cluster/deferred.ts';
import type { RawConnection } from '../e2e/raw-http.ts';
import { openConnection, request } from '../e2e/raw-http.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import { TEST_SETTINGS } from '../support/server.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 600_000;

let gateway: ServingGateway;
let app: FastifyInstance;
/** Waits with the answers of /held. */
let held: Deferred<void>;
let askedForHeld: number;
let shutDown: (timeoutMs: number) => Promise<void>;
let hasEnded: boolean;

beforeEach(async () => {
  const config = readConfig({ DATABASE_URL: 'sqlite::memory:', ...TEST_SETTINGS });
  gateway = await openGateway(config, { geocoder: createFakeGeocoder() });
  app = await createGatewayServer(gateway, config, pino({ level: 'silent' }));
  held = new Deferred();
  askedForHeld = 0;
  app.get('/held', async () => {
    askedForHeld += 1;
    await held.promise;
    return 'held';
  });
  shutDown = prepareShutdown(app);
  hasEnded = false;
  await app.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(async () => {
  held.resolve();
  app.server.closeAllConnections();
  await app.close();
  await gateway.close();
});

const connect = () => openConnection((app.server.address() as AddressInfo).port);

/** A connection that has had an answer, and is kept. */
async function openKept(): Promise<RawConnection> {
  const connection = await connect();
  connection.write(request('GET', '/healthz'));
  await until(() => connection.answers().length === 1, 'the first answer');
  return connection;
}

function beginShutdown(timeoutMs = LIMIT_MS): void {
  void shutDown(timeoutMs).then(() => (hasEnded = true));
}

/** Until the server accepts no connections. From then on answers are the last of their connections. */
const untilDraining = () => until(() => !app.server.listening, 'the end of listening');

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))();

const untilEnd = () => until(() => hasEnded, 'the end');

describe('a shutdown', () => {
  it('does not wait for pipelined answers whose client has gone', async () => {
    const kept = await openKept();
    const leaving = await connect();
    leaving.write(request('GET', '/held') + request('GET', '/healthz'));
    await until(() => askedForHeld === 1, 'the request');
    leaving.socket.destroy();
    await until(async () => (await connectionsOf(app.server)) === 1, 'the end of its connection');
    held.resolve();
    beginShutdown();
    await untilEnd();
    await kept.closed;
  });

  it('tells a kept connection in its last answer that it ends, and in none before', async () => {
    const busy = await connect();
    busy.write(request('GET', '/held'));
    const kept = await openKept();
    const pipelining = await openKept();
    beginShutdown();
    await untilDraining();
    kept.write(request('GET', '/healthz'));
    pipelining.write(request('GET', '/healthz').repeat(3));
    await until(() => kept.answers().length === 2 && pipelining.answers().length === 4, 'the answers');
    const said = [kept, pipelining].map((connection) =>
      connection.answers().map(({ status, headers }) => `${status} ${headers.get('connection')}`),
    );
    expect(said).toEqual([
      ['200 keep-alive', '200 close'],
      ['200 keep-alive', '200 keep-alive', '200 keep-alive', '200 close'],
    ]);
    await Promise.all([kept.closed, pipelining.closed]);
    held.resolve();
    await untilEnd();
    expect(busy.answers().map(({ body }) => body)).toEqual(['held']);
  });
});
