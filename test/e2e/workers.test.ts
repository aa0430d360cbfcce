/** WORKERS: several processes serve and stop like one. */

import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { freePort } from '../support/free-port.ts';
import type { Run, Server, Settings } from '../support/program.ts';
import {
  createFolder,
  delay,
  failuresIn,
  killPrograms,
  runProgram,
  startServer,
  workersOf,
} from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';
import { locationBody, prepareMap } from './prepared-map.ts';

afterAll(killPrograms);

const mongodb = await testServer();

function start(env: Settings = {}, cwd = createFolder()): Promise<Server> {
  return startServer({ cwd, env: { WORKERS: '2', LOG_LEVEL: 'debug', ...env }, ownGroup: true });
}

/** Sends a request on a new connection. */
function send(url: string, token?: string, body?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const options = { method: body === undefined ? 'GET' : 'POST', headers, agent: false };
    const sent = request(url, options, (response) => {
      text(response).then((got) => resolve({ status: response.statusCode ?? 0, text: got }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A create whose body ends when the test calls `finish`. */
function holdCreate(url: string, token: string) {
  const body = locationBody('Held');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const sent = request(url, { method: 'POST', headers, agent: false });
  const status = once(sent, 'response').then(([response]: { statusCode: number; resume(): void }[]) => {
    response?.resume();
    return response?.statusCode;
  });
  sent.flushHeaders();
  sent.write(body.slice(0, -5));
  return { begun: once(sent, 'continue'), finish: () => sent.end(body.slice(-5)), status };
}

const messages = (server: Server, pattern: RegExp) =>
  server.log().filter(({ msg }) => pattern.test(String(msg)));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function expectAllExited(server: Server): Promise<void> {
  await until(() => ![server.pid, ...workersOf(server)].some(isAlive), 'the end of every process');
}

function expectNoFailures(server: Server): void {
  expect(failuresIn(server.log())).toEqual([]);
}

describe('WORKERS=2', () => {
  it('makes one demo and prints it once, serves from both workers, and stops both at SIGTERM', async () => {
    const server = await start();
    await until(() => server.stdout().includes('--data'), 'the demo');
    const [token = ''] = /mlt_\S+/.exec(server.stdout()) ?? [];
    const [path = ''] = /\/v0\/map\/\S+\/locations/.exec(server.stdout()) ?? [];
    for (let count = 0; count < 20; count += 1) {
      const { status, text: body } = await send(`${server.url}${path}`, token);
      expect([status, JSON.parse(body).length]).toEqual([200, 60]);
    }
    const [one = 0, two = 0, ...more] = workersOf(server);
    expect([isAlive(one), isAlive(two), more]).toEqual([true, true, []]);
    expect(new Set([one, two, server.pid]).size).toBe(3);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
    expect(new Set(messages(server, /^Request completed/).map(({ pid }) => pid))).toEqual(
      new Set([one, two]),
    );
    expect(server.stdout().match(/^Map Locations /gm)).toHaveLength(1);
    expect(messages(server, /^Server listening/)).toHaveLength(1);
    expectNoFailures(server);
    await expectAllExited(server);
  });

  it('is not ready after the signal, also while a worker still accepts connections', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const server = await start({ DEMO: '0' }, cwd);
    // A request delays the exit of each worker, and the last of them still accepts connections.
    const url = `${server.url}/v0/map/${mapId}/location`;
    const held = Array.from({ length: 2 }, () => holdCreate(url, token));
    for (const { begun } of held) await begun;
    await until(async () => (await send(`${server.url}/readyz`)).status === 200, 'readiness');
    server.signal('SIGTERM');
    await until(async () => {
      const { status, text: body } = await send(`${server.url}/readyz`);
      return status === 503 && body.includes('stopping');
    }, 'the end of readiness on a new connection');
    for (const { finish } of held) finish();
    expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200]);
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expectNoFailures(server);
  });

  it('stops cleanly at Ctrl-C, which signals every process', async () => {
    const server = await start({ DEMO: '0' });
    process.kill(-server.pid, 'SIGINT');
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(messages(server, /Worker listening|A worker ended/)).toHaveLength(2);
    expectNoFailures(server);
    await expectAllExited(server);
  });

  it('leaves no worker running when the first process is killed', async () => {
    const server = await start({ DEMO: '0' });
    server.signal('SIGKILL');
    await expectAllExited(server);
  });

  it('replaces a killed worker and goes on serving', async () => {
    const server = await start({ DEMO: '0' });
    const [victim = 0] = workersOf(server);
    process.kill(victim, 'SIGKILL');
    await until(() => workersOf(server).length === 3, 'another worker');
    expect(messages(server, /A worker ended/)).toMatchObject([{ worker: victim, signal: 'SIGKILL' }]);
    for (let count = 0; count < 6; count += 1) {
      expect((await send(`${server.url}/healthz`)).status).toBe(200);
    }
    expect(await server.stop()).toMatchObject({ code: 0 });
    await expectAllExited(server);
  });

  it('reassigns a connection whose worker exits before it takes it', async () => {
    const server = await start({ DEMO: '0' });
    const [victim = 0] = workersOf(server);
    process.kill(victim, 'SIGSTOP');
    let responded = 0;
    const requests = Array.from({ length: 4 }, async () => {
      const { status } = await send(`${server.url}/healthz`);
      responded += 1;
      return status;
    });
    await until(() => responded === 3, 'the responses of the other worker');
    process.kill(victim, 'SIGKILL');
    expect(await Promise.all(requests)).toEqual([200, 200, 200, 200]);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('closes handed-over connections when all workers exit', async () => {
    const server = await start({ DEMO: '0' });
    const workers = workersOf(server);
    for (const worker of workers) process.kill(worker, 'SIGSTOP');
    const requests = Array.from({ length: 4 }, () => send(`${server.url}/healthz`));
    const ends = Promise.allSettled(requests);
    // Within some milliseconds a connection is handed over or queued.
    await delay(200);
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    expect((await ends).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await until(() => workersOf(server).length === 4, 'other workers');
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('replaces a worker that receives SIGTERM, after its last response', async () => {
    const server = await start({ DEMO: '0' });
    const [one = 0] = workersOf(server);
    process.kill(one, 'SIGTERM');
    await until(() => workersOf(server).length === 3, 'another worker');
    expect(messages(server, /A worker ended/)).toMatchObject([{ worker: one, code: 0 }]);
    expect(await server.stop()).toMatchObject({ code: 0 });
    expectNoFailures(server);
  });

  it('stores concurrent writes through both workers, each once', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const server = await start({}, cwd);
    const create = (name: string) =>
      send(`${server.url}/v0/map/${mapId}/location`, token, locationBody(name));
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => create(`Café ${index}`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const query = `{ map(id: "${mapId}") { locations(first: 50) { nodes { order } } } }`;
    const list = await send(`${server.url}/graphql`, token, JSON.stringify({ query }));
    const { nodes } = JSON.parse(list.text).data.map.locations;
    const orders = nodes.map(({ order }: { order: string }) => Number(order));
    expect(orders).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('applies RATE_LIMIT to all workers together', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const server = await start({ RATE_LIMIT: '40' }, cwd);
    const url = `${server.url}/v0/map/${mapId}`;
    const found: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      found.push((await send(url, token)).status);
      // The time in which a worker hears of the other's.
      await delay(10);
    }
    const allowed = found.filter((status) => status === 200).length;
    console.log(`${allowed} of 60 requests, of which 40 are allowed`);
    expect(allowed).toBeGreaterThanOrEqual(40);
    // A busy machine delays what a worker hears. Workers that count alone allow all 60.
    expect(allowed).toBeLessThanOrEqual(50);
    await server.stop();
  });

  it('applies PUBLIC_RATE_LIMIT to all workers together, apart from RATE_LIMIT', async () => {
    const server = await start({ RATE_LIMIT: '50', PUBLIC_RATE_LIMIT: '20' });
    const found: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      found.push((await send(`${server.url}/maps/abcdefghjkmnpqrs/locations.csv`)).status);
      // The time in which a worker hears of the other's.
      await delay(10);
    }
    const allowed = found.filter((status) => status === 404).length;
    console.log(`${allowed} of 40 exports, of which 20 are allowed`);
    expect(allowed).toBeGreaterThanOrEqual(20);
    // Workers that count alone allow all 40.
    expect(allowed).toBeLessThanOrEqual(30);
    expect(new Set(found)).toEqual(new Set([404, 429]));
    const query = JSON.stringify({ query: '{ publicMap(id: "x") { id } }' });
    expect((await send(`${server.url}/graphql`, undefined, query)).status).toBe(200);
    await server.stop();
  });

  it('serves the metrics of all processes as one, which do not fall when a process ends', async () => {
    const port = await freePort();
    const server = await start({ DEMO: '0', METRICS_PORT: String(port) });
    const read = async () => (await send(`http://127.0.0.1:${port}/metrics`)).text;
    const healthChecks = async () => {
      const found = /^map_locations_http_request_duration_seconds_count\{[^}]*healthz[^}]*\} (\d+)$/m;
      return Number(found.exec(await read())?.[1]);
    };
    const before = await healthChecks();
    for (let count = 0; count < 20; count += 1) await send(`${server.url}/healthz`);
    expect(await healthChecks()).toBe(before + 20);
    expect(await read()).toMatch(/^map_locations_workers 2$/m);
    expect(await read()).toMatch(/^map_locations_build_info\{[^}]*node_version="[^}]*\} 1$/m);
    process.kill(workersOf(server)[0] ?? 0, 'SIGKILL');
    await until(async () => workersOf(server).length === 3, 'another worker');
    await send(`${server.url}/healthz`);
    expect(await healthChecks()).toBe(before + 21);
    expect(await read()).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
    await server.stop();
  });
});

describe('a start with WORKERS=2 is refused', () => {
  async function failedStart(env: Settings): Promise<Run> {
    const run = await runProgram(['serve'], {
      cwd: createFolder(),
      env: { PORT: '0', DATABASE_URL: 'sqlite:store.db', WORKERS: '2', ...env },
      ownGroup: true,
    });
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 1, stdout: '' });
    expect(run.stderr).not.toMatch(/\n\s+at |\\n\s+at /);
    return run;
  }

  it('with a store in memory, naming both settings', async () => {
    const { stderr } = await failedStart({ DATABASE_URL: 'sqlite::memory:' });
    expect(stderr).toMatch(/WORKERS must be 1 with DATABASE_URL=sqlite::memory:/);
  });

  it('with the public Nominatim, naming both settings', async () => {
    const { stderr } = await failedStart({ GEOCODER: 'google,nominatim', NOMINATIM_EMAIL: 'a@example.org' });
    expect(stderr).toMatch(/WORKERS must be 1 to use the public Nominatim .*NOMINATIM_URL/);
  });

  it('when the port is in use, in one message', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = String(typeof address === 'object' ? address?.port : undefined);
    const { stderr } = await failedStart({ PORT: port });
    occupant.close();
    expect(stderr.split('\n').filter((line) => line.includes('"level":"fatal"'))).toHaveLength(1);
    expect(stderr).toMatch(/EADDRINUSE/);
    expect(stderr).toContain(`127.0.0.1:${port}`);
  });

  it('when workers keep ending before they serve', async () => {
    const code = `import cluster from 'node:cluster'; if (cluster.isWorker) process.exit(7);`;
    const preload = `data:text/javascript,${encodeURIComponent(code)}`;
    const { stderr } = await failedStart({ NODE_OPTIONS: `--import ${preload}` });
    expect(stderr).toMatch(/The workers keep ending before they serve/);
    expect(stderr).toMatch(/"code":7/);
  });
});

describeUnless(mongodb === null && NO_MONGODB, 'mongodb: WORKERS=2', () => {
  it('makes one demo, serves from both workers, and stops both', async () => {
    if (mongodb === null) return;
    const server = await start({ DATABASE_URL: ownDatabase(mongodb), DATABASE_TIMEOUT_MS: '20000' });
    await until(() => server.stdout().includes('--data'), 'the demo');
    const [token = ''] = /mlt_\S+/.exec(server.stdout()) ?? [];
    const [path = ''] = /\/v0\/map\/\S+\/locations/.exec(server.stdout()) ?? [];
    for (let count = 0; count < 6; count += 1) {
      const { status, text: body } = await send(`${server.url}${path}`, token);
      expect([status, JSON.parse(body).length]).toEqual([200, 60]);
    }
    expect(await server.stop()).toMatchObject({ code: 0 });
    expect(new Set(messages(server, /^Request completed/).map(({ pid }) => pid)).size).toBe(2);
    await expectAllExited(server);
  });
});
