/** SIGTERM and SIGINT: what was received is answered whole, nothing else delays the end, and the exit status is 0. */

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

/** Where nothing is under way; below the limit of 12 s. */
const AT_ONCE_MS = 8_000;
const LIMIT_MS = 1_500;
const MARGIN_MS = 8_000;

/** Makes `localhost` have two addresses on any machine, for whoever asks for all of them. */
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

/** Milliseconds from now to the exit, and how it was. */
async function endOf(server: Server): Promise<Pick<Exit, 'code' | 'signal' | 'ms'>> {
  const begun = performance.now();
  const { code, signal } = await server.exited;
  return { code, signal, ms: performance.now() - begun };
}

/** Until no new connection is let in: the shutdown has begun. */
async function untilRefused({ port }: Server): Promise<void> {
  for (;;) {
    const outcome = await openConnection(port).catch((error: NodeJS.ErrnoException) => error.code);
    if (outcome === 'ECONNREFUSED') return;
    if (typeof outcome === 'object') outcome.socket.destroy();
    await delay(5);
  }
}

/** Until the process has taken every signal that was sent to it: two of a kind that wait are one. */
async function untilDelivered({ pid }: Server): Promise<void> {
  const areWaiting = () => {
    try {
      return !/^ShdPnd:\t0+$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      // It has ended.
      return false;
    }
  };
  while (areWaiting()) await delay(1);
}

/** A create that the server has read up to the last bytes of its body; `finish` sends those. */
async function beginCreate({ server, mapId, token }: Fixture, name: string) {
  const body = locationBody(name);
  const connection = await openConnection(server.port);
  const text = request('POST', `/v0/map/${mapId}/location`, { token, body });
  connection.write(text.slice(0, -20));
  await untilRead(server.port);
  return { connection, finish: () => connection.write(text.slice(-20)) };
}

function expectOneWholeAnswer(connection: RawConnection): void {
  expect(connection.rest().slice(0, 100)).toBe('');
  expect(connection.responses()).toHaveLength(1);
  const [response] = connection.responses();
  expect(response?.status).toBe(200);
  expect(() => JSON.parse(response?.body ?? '')).not.toThrow();
}

describe('a signal', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal} ends an idle server at once, whatever connections are open`, async () => {
      const { server, mapId, token } = await start();
      const idle = await openConnection(server.port);
      idle.write(request('GET', `/v0/map/${mapId}`, { token }));
      const silent = await openConnection(server.port);
      while (idle.responses().length === 0) await delay(5);
      expectOneWholeAnswer(idle);
      server.signal(signal);
      const exit = await endOf(server);
      expect(exit).toMatchObject({ code: 0, signal: null });
      expect(exit.ms).toBeLessThan(AT_ONCE_MS);
      await Promise.all([idle.closed, silent.closed]);
      expectOneWholeAnswer(idle);
      console.log(`${signal}: gone after ${Math.round(exit.ms)} ms`);
    });
  }

  it('ends the server from its first listening on', async () => {
    const { child, exited, stderr } = spawnCommand(process.execPath, [PROGRAM, 'serve'], {
      cwd: createFolder(),
      env: { PORT: '0', DATABASE_URL: 'sqlite:store.db' },
    });
    await until(() => stderr().includes('Server listening'), 'the line of the log');
    child.kill('SIGTERM');
    expect(await exited).toMatchObject({ code: 0, signal: null });
  });

  it('accepts no new connection, and answers a request in full whose body is still arriving', async () => {
    const fixture = await start();
    const { connection, finish } = await beginCreate(fixture, 'Slow');
    fixture.server.signal('SIGTERM');
    await untilRefused(fixture.server);
    finish();
    expect(await endOf(fixture.server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneWholeAnswer(connection);
    expect(connection.responses()[0]?.headers.get('connection')).toBe('close');
  });

  it('makes /readyz 503 and leaves /healthz 200 on connections that are open', async () => {
    const fixture = await start();
    const { server } = fixture;
    const probes = await openConnection(server.port);
    probes.write(request('GET', '/readyz'));
    while (probes.responses().length === 0) await delay(5);
    expect(probes.responses()[0]).toMatchObject({ status: 200, body: '{"status":"ready"}' });
    // Keeps the server from its end.
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
    expectOneWholeAnswer(connection);
  });

  it('answers each pipelined request in full', async () => {
    const { server, cwd, mapId, token } = await start();
    const unlock = lockStore(cwd);
    const connection = await openConnection(server.port);
    // The first has to wait for the store, and the others for the first, which changes what they read.
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

  it('has no further effect when it is sent again', async () => {
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
    expectOneWholeAnswer(connection);
  });

  it('cuts a client that never finishes its body when the limit is over', async () => {
    const fixture = await start({ SHUTDOWN_TIMEOUT_MS: String(LIMIT_MS) });
    const { connection } = await beginCreate(fixture, 'Never');
    fixture.server.signal('SIGTERM');
    await expectEndAtLimit(fixture.server);
    await connection.closed;
    expect(connection.responses()).toEqual([]);
  });

  it('is the same for every address that localhost has', async () => {
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
    expectOneWholeAnswer(connection);
  });
});

async function expectEndAtLimit(server: Server): Promise<void> {
  const exit = await endOf(server);
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.ms).toBeGreaterThan(LIMIT_MS - 200);
  expect(exit.ms).toBeLessThan(LIMIT_MS + MARGIN_MS);
}

describe('a kept connection after a signal', () => {
  /** Longer than a server takes that waits for no client. */
  const PAUSE_MS = 200;

  for (const workers of ['1', '2']) {
    it(`has whole answers, the last of which says so, with WORKERS=${workers}`, async () => {
      const { server, mapId, token } = await start({ WORKERS: workers, NODE_OPTIONS: SLOW_CLOCK });
      const ask = async (connection: RawConnection): Promise<string | undefined> => {
        const count = connection.responses().length + 1;
        connection.write(request('GET', `/v0/map/${mapId}`, { token }));
        await Promise.race([
          connection.closed,
          until(() => connection.responses().length === count, 'an answer'),
        ]);
        expect(connection.rest()).toBe('');
        expect(connection.responses()).toHaveLength(count);
        const { status, headers } = connection.responses()[count - 1]!;
        expect(status).toBe(200);
        return headers.get('connection');
      };
      const askUntilLast = async (connection: RawConnection) => {
        do await delay(PAUSE_MS);
        while ((await ask(connection)) !== 'close');
        await connection.closed;
      };
      // Several of each process.
      const kept = await Promise.all(Array.from({ length: 6 }, () => openConnection(server.port)));
      for (const connection of kept) expect(await ask(connection)).toBe('keep-alive');
      server.signal('SIGTERM');
      await Promise.all(kept.map(askUntilLast));
      expect(await endOf(server)).toMatchObject({ code: 0, signal: null });
    });
  }
});

describe('a large answer at the time of a signal', () => {
  // Together far more than what the kernel holds for a connection.
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

  async function askForPage({ server, mapId, token }: Fixture): Promise<RawConnection> {
    const connection = await openConnection(server.port);
    connection.write(request('GET', `/v0/map/${mapId}/locations`, { token }));
    // The server hands over an answer at once: after its first bytes the rest is with the kernel, as far as that takes it.
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
    const connection = await askForPage(fixture);
    fixture.server.signal('SIGTERM');
    await untilRefused(fixture.server);
    connection.socket.resume();
    expect(await endOf(fixture.server)).toMatchObject({ code: 0, signal: null });
    await connection.closed;
    expectOneWholeAnswer(connection);
    expect(JSON.parse(connection.responses()[0]?.body ?? '')).toHaveLength(COUNT);
  });

  it('is cut when the limit is over, where the client does not read it', async () => {
    const fixture = await startWithLargePage({ SHUTDOWN_TIMEOUT_MS: String(LIMIT_MS) });
    const connection = await askForPage(fixture);
    fixture.server.signal('SIGTERM');
    await expectEndAtLimit(fixture.server);
    connection.socket.destroy();
  });
});
