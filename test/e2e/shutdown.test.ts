/** SIGTERM and SIGINT: received requests get complete responses, nothing else delays the exit, the status is 0. */

import { readFileSync } from 'node:fs';

import { fetchDescribed } from '../support/openapi/fetch.ts';
import type { Exit, Server, Settings } from '../support/program.ts';
import { createFolder, delay, killPrograms, PROGRAM, spawnCommand } from '../support/program.ts';
import { startPlainServer } from '../support/program.ts';
import { SLOW_CLOCK } from '../support/slow-clock.ts';
import { until } from '../support/until.ts';
import type { PreparedMap } from './prepared-map.ts';
import { locationBody, lockStore, prepareMap } from './prepared-map.ts';
import type { RawConnection } from './raw-http.ts';
import { openConnection, request, untilRead } from './raw-http.ts';

/** The longest shutdown of an idle server; below the limit of 12 s. */
const AT_ONCE_MS = 8_000;
const LIMIT_MS = 1_500;
const MARGIN_MS = 8_000;

/** Makes lookups of all addresses of `localhost` return two on any machine. */
const TWO_ADDRESSES = `--import data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns';
  const { lookup } = dns;
  const both = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }];
  dns.lookup = (host, options, done) =>
    options.all ? process.nextTick(done, null, both) : lookup(host, options, done);
`)}`;

afterAll(killPrograms);

interface Fixture extends PreparedMap {
  readonly cwd: string;
  readonly server: Server;
}

async function start(env: Settings = {}): Promise<Fixture> {
  const cwd = createFolder();
  const prepared = await prepareMap(cwd);
  return { ...prepared, cwd, server: await startPlainServer(cwd, env) };
}

/** Milliseconds until the exit, with its status. */
async function endOf(server: Server): Promise<Pick<Exit, 'code' | 'signal' | 'ms'>> {
  const begun = performance.now();
  const { code, signal } = await server.exited;
  return { code, signal, ms: performance.now() - begun };
}

/** Waits until new connections are refused: the shutdown has begun. */
async function untilRefused({ port }: Server): Promise<void> {
  for (;;) {
    const outcome = await openConnection(port).catch((error: NodeJS.ErrnoException) => error.code);
    if (outcome === 'ECONNREFUSED') return;
    if (typeof outcome === 'object') outcome.socket.destroy();
    await delay(5);
  }
}

/** Waits until the process has received all its signals: equal pending signals merge. */
async function untilDelivered({ pid }: Server): Promise<void> {
  const arePending = () => {
    try {
      return !/^ShdPnd:\t0+$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      // The process has ended.
      return false;
    }
  };
  while (arePending()) await delay(1);
}

/** A create that lacks the last bytes of its body; `finish` sends them. */
async function beginCreate({ server, mapId, token }: Fixture, name: string) {
  const body = locationBody(name);
  const connection = await openConnection(server.port);
  const text = request('POST', `/v0/map/${mapId}/location`, { token, body });
  connection.write(text.slice(0, -20));
  await untilRead(server.port);
  return { connection, finish: () => connection.write(text.slice(-20)) };
}

function expectOneCompleteResponse(connection: RawConnection): void {
  expect(connection.rest().slice(0, 100)).toBe('');
  expect(connection.responses()).toHaveLength(1);
  const [response] = connection.responses();
  expect(response?.status).toBe(200);
  expect(() => JSON.parse(response?.body ?? '')).not.toThrow();
}

describe('a signal', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal} stops an idle server at once, also with open connections`, async () => {
      const { server, mapId, token } = await start();
      const idle = await openConnection(server.port);
      idle.write(request('GET', `/v0/map/${mapId}`, { token }));
      const silent = await openConnection(server.port);
      while (idle.responses().length === 0) await delay(5);
      expectOneCompleteResponse(idle);
      server.signal(signal);
      const exit = await endOf(server);
      expect(exit).toMatchObject({ code: 0, signal: null });
      expect(exit.ms).toBeLessThan(AT_ONCE_MS);
      await Promise.all([idle.closed, silent.closed]);
      expectOneCompleteResponse(idle);
      console.log(`${signal}: exited after ${Math.round(exit.ms)} ms`);
    });
  }

  it('stops the server as soon as it listens', async () => {
    const { child, exited, stderr } = spawnCommand(process.execPath, [PROGRAM, 'serve'], {
      cwd: createFolder(),
      env: { PORT: '0', DATABASE_URL: 'sqlite:store.db' },
    });
    await until(() => stderr().includes('Server listening'), 'the log line');
    child.kill('SIGTERM');
    expect(await exited).toMatchObject({ code: 0, signal: null });
  });

  it('refuses new connections, and completes a request whose body is still arriving', async () => {
    const fixture = await start();
    const { connection, finish } = await beginCreate(fixture, 'Slow');
    fixture.server.signal('SIGTERM');
    await untilRefused(fixture.server);
    finish();
    expect(await endOf(fixture.server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneCompleteResponse(connection);
    expect(connection.responses()[0]?.headers.get('connection')).toBe('close');
  });

  it('makes /readyz 503 and leaves /healthz 200 on open connections', async () => {
    const fixture = await start();
    const { server } = fixture;
    const probes = await openConnection(server.port);
    probes.write(request('GET', '/readyz'));
    while (probes.responses().length === 0) await delay(5);
    expect(probes.responses()[0]).toMatchObject({ status: 200, body: '{"status":"ready"}' });
    // Delays the server's exit.
    const { connection, finish } = await beginCreate(fixture, 'Slow');
    server.signal('SIGTERM');
    await untilRefused(server);
    probes.write(request('GET', '/readyz') + request('GET', '/healthz'));
    while (probes.responses().length < 3) await delay(5);
    const [, ready, health] = probes.responses();
    expect([ready?.status, JSON.parse(ready?.body ?? '')]).toEqual([
      503,
      { status: 'not ready', reason: 'The server is stopping.' },
    ]);
    expect([health?.status, health?.body]).toEqual([200, '{"status":"ok"}']);
    finish();
    expect(await endOf(server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneCompleteResponse(connection);
  });

  it('completes each pipelined request', async () => {
    const { server, cwd, mapId, token } = await start();
    const unlock = lockStore(cwd);
    const connection = await openConnection(server.port);
    // The first waits for the store, and the others for the first, which changes what they read.
    connection.write(
      [
        request('POST', `/v0/map/${mapId}/location`, { token, body: locationBody('First') }),
        request('GET', `/v0/map/${mapId}`, { token }),
        request('GET', `/v0/map/${mapId}/locations`, { token }),
      ].join(''),
    );
    await untilRead(server.port);
    server.signal('SIGTERM');
    await untilRefused(server);
    unlock();
    expect(await endOf(server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    const [location, map, locations, ...more] = connection.responses().map(({ body }) => JSON.parse(body));
    expect([location.data.name, map.data.id, locations, more]).toEqual(['First', mapId, [location.data], []]);
  });

  it('has no further effect when repeated', async () => {
    const fixture = await start();
    const { connection, finish } = await beginCreate(fixture, 'Slow');
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
      fixture.server.signal(signal);
      await untilDelivered(fixture.server);
    }
    await untilRefused(fixture.server);
    finish();
    expect(await endOf(fixture.server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneCompleteResponse(connection);
  });

  it('cuts a client that never finishes its body at the timeout', async () => {
    const fixture = await start({ SHUTDOWN_TIMEOUT_MS: String(LIMIT_MS) });
    const { connection } = await beginCreate(fixture, 'Never');
    fixture.server.signal('SIGTERM');
    await expectEndAtLimit(fixture.server);
    await connection.closed;
    expect(connection.responses()).toEqual([]);
  });

  it('has the same effect on every address of localhost', async () => {
    const fixture = await start({ HOST: 'localhost', NODE_OPTIONS: TWO_ADDRESSES });
    const { server, mapId, token } = fixture;
    const body = locationBody('Slow');
    const text = request('POST', `/v0/map/${mapId}/location`, { token, body });
    const host = await openConnection(server.port, '::1').then(
      ({ socket }) => (socket.destroy(), '::1'),
      () => '127.0.0.1',
    );
    const connection = await openConnection(server.port, host);
    connection.write(text.slice(0, -20));
    await untilRead(server.port, host);
    server.signal('SIGTERM');
    await untilRefused(server);
    connection.write(text.slice(-20));
    expect(await endOf(server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneCompleteResponse(connection);
  });
});

async function expectEndAtLimit(server: Server): Promise<void> {
  const exit = await endOf(server);
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.ms).toBeGreaterThan(LIMIT_MS - 200);
  expect(exit.ms).toBeLessThan(LIMIT_MS + MARGIN_MS);
}

describe('a keep-alive connection after a signal', () => {
  /** Longer than a server takes that waits for no client. */
  const PAUSE_MS = 200;

  for (const workers of ['1', '2']) {
    it(`gets complete responses, the last with Connection: close, with WORKERS=${workers}`, async () => {
      const { server, mapId, token } = await start({ WORKERS: workers, NODE_OPTIONS: SLOW_CLOCK });
      const send = async (connection: RawConnection): Promise<string | undefined> => {
        const count = connection.responses().length + 1;
        connection.write(request('GET', `/v0/map/${mapId}`, { token }));
        await Promise.race([
          connection.closed,
          until(() => connection.responses().length === count, 'a response'),
        ]);
        expect(connection.rest()).toBe('');
        expect(connection.responses()).toHaveLength(count);
        const { status, headers } = connection.responses()[count - 1]!;
        expect(status).toBe(200);
        return headers.get('connection');
      };
      const sendUntilLast = async (connection: RawConnection) => {
        do await delay(PAUSE_MS);
        while ((await send(connection)) !== 'close');
        await connection.closed;
      };
      // Several for each worker.
      const connections = await Promise.all(Array.from({ length: 6 }, () => openConnection(server.port)));
      for (const connection of connections) expect(await send(connection)).toBe('keep-alive');
      server.signal('SIGTERM');
      await Promise.all(connections.map(sendUntilLast));
      expect(await endOf(server)).toMatchObject({ code: 0, signal: null });
    });
  }
});

describe('a large response at the time of a signal', () => {
  // Far more than the kernel buffers for a connection.
  const COUNT = 100;
  const PADDING = 'x'.repeat(60_000);

  async function startWithLargePage(env: Settings): Promise<Fixture> {
    const fixture = await start(env);
    const { server, mapId, token } = fixture;
    for (let index = 0; index < COUNT; index += 1) {
      const response = await fetchDescribed(`${server.url}/v0/map/${mapId}/location`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: locationBody(`Café ${index}`, { padding: PADDING }),
      });
      expect(response.status).toBe(200);
    }
    return fixture;
  }

  async function requestPage({ server, mapId, token }: Fixture): Promise<RawConnection> {
    const connection = await openConnection(server.port);
    connection.write(request('GET', `/v0/map/${mapId}/locations`, { token }));
    // The server writes a response in one call: after its first bytes, the kernel holds as much as fits.
    await new Promise<void>((resolve) => {
      connection.socket.once('data', () => {
        connection.socket.pause();
        resolve();
      });
    });
    return connection;
  }

  it('arrives whole at a client that reads it slowly', async () => {
    const fixture = await startWithLargePage({});
    const connection = await requestPage(fixture);
    fixture.server.signal('SIGTERM');
    await untilRefused(fixture.server);
    connection.socket.resume();
    expect(await endOf(fixture.server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneCompleteResponse(connection);
    expect(JSON.parse(connection.responses()[0]?.body ?? '')).toHaveLength(COUNT);
  });

  it('is cut at the timeout when the client does not read it', async () => {
    const fixture = await startWithLargePage({ SHUTDOWN_TIMEOUT_MS: String(LIMIT_MS) });
    const connection = await requestPage(fixture);
    fixture.server.signal('SIGTERM');
    await expectEndAtLimit(fixture.server);
    connection.socket.destroy();
  });
});
