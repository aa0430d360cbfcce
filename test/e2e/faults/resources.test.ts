/** A machine runs out of a resource and gets it back: responses report it, and the server recovers without a restart. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import type { Server } from '../../support/program.ts';
import { createFolder, killPrograms, PROGRAM, runProgram, startPlainServer } from '../../support/program.ts';
import { describeUnless } from '../../support/skip.ts';
import { until } from '../../support/until.ts';
import type { PreparedMap } from '../prepared-map.ts';
import { locationBody, prepareMap } from '../prepared-map.ts';
import { openConnection, request } from '../raw-http.ts';
import { descriptorsOf, hasPrlimit, limit, NEEDS_PRLIMIT } from './process.ts';

afterEach(killPrograms);

async function create({ url }: Pick<Server, 'url'>, { token, mapId }: PreparedMap, name: string) {
  const response = await fetch(`${url}/v0/map/${mapId}/location`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: locationBody(name),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

async function namesOf({ url }: Pick<Server, 'url'>, { token, mapId }: PreparedMap): Promise<string[]> {
  const response = await fetch(`${url}/v0/map/${mapId}/locations`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { name: string }[]).map(({ name }) => name);
}

describeUnless(!hasPrlimit && NEEDS_PRLIMIT, 'on a full disk', () => {
  it('writes fail with STORAGE_UNAVAILABLE, reads work, and writes work again once there is room', async () => {
    const cwd = createFolder();
    const map = await prepareMap(cwd);
    const server = await startPlainServer(cwd, { GEOCODER: 'offline' });
    const stored = [];
    for (const name of ['A', 'B']) {
      expect((await create(server, map, name)).status).toBe(200);
      stored.push(name);
    }
    limit(server.pid, 'fsize', statSync(join(cwd, 'store.db-wal')).size);
    for (let times = 0; times < 3; times += 1) {
      const refused = await create(server, map, 'refused');
      expect([refused.status, JSON.parse(refused.text).error, refused.retryAfter]).toEqual([
        503,
        503,
        expect.stringMatching(/^\d+$/),
      ]);
      expect(await namesOf(server, map)).toEqual(stored);
    }
    limit(server.pid, 'fsize', 'unlimited');
    expect((await create(server, map, 'C')).status).toBe(200);
    expect(await namesOf(server, map)).toEqual([...stored, 'C']);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  });
});

describe('on a read-only file system', () => {
  // Root can write a file of any mode.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;

  it('the server and the commands refuse to start, say why, and change nothing', async () => {
    const cwd = createFolder();
    await prepareMap(cwd);
    const path = join(cwd, 'store.db');
    const before = readFileSync(path);
    const names = readdirSync(cwd);
    chmodSync(path, 0o444);
    chmodSync(cwd, 0o555);
    try {
      const env = { DATABASE_URL: 'sqlite:store.db', PORT: '0', GEOCODER: 'offline' };
      const served = await runProgram(['serve'], { cwd, env, uid });
      expect([served.code, served.stdout]).toEqual([1, '']);
      expect(served.stderr).toMatch(/"Cannot start: The database cannot be reached at the moment\. EACCES: /);
      const listed = await runProgram(['map', 'list'], { cwd, env, uid });
      expect([listed.code, listed.stdout]).toEqual([1, '']);
      expect(listed.stderr).toMatch(
        /^map-locations: The database cannot be reached at the moment\. \(EACCES: [^\n]*\)\n$/,
      );
      expect(readdirSync(cwd)).toEqual(names);
      expect(readFileSync(path).equals(before)).toBe(true);
    } finally {
      chmodSync(cwd, 0o755);
    }
  });
});

describeUnless(!hasPrlimit && NEEDS_PRLIMIT, 'with all file descriptors in use', () => {
  it('open connections are served, and new ones again once descriptors are free', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const server = await startPlainServer(cwd, { GEOCODER: 'offline' });
    // `fetch` may open a second connection before it reuses the first.
    const connection = await openConnection(server.port);
    let sent = 0;
    const send = async (text: string) => {
      connection.write(text);
      sent += 1;
      await until(() => connection.responses().length === sent, 'a response on the open connection');
      return connection.responses().at(-1);
    };
    const create = (name: string) =>
      send(request('POST', `/v0/map/${mapId}/location`, { token, body: locationBody(name) }));
    expect(await create('A')).toMatchObject({ status: 200 });
    // Open descriptors stay open; a new one would take the lowest free number.
    const taken = new Set(descriptorsOf(server.pid));
    let free = 0;
    while (taken.has(free)) free += 1;
    limit(server.pid, 'nofile', free);
    const sockets = Array.from({ length: 40 }, () =>
      connect(server.port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    await until(() => sockets.some(({ closed }) => closed), 'the end of a connection beyond the limit');
    expect(await create('B')).toMatchObject({ status: 200 });
    const listed = await send(request('GET', `/v0/map/${mapId}/locations`, { token }));
    expect([listed?.status, JSON.parse(listed?.body ?? '')]).toMatchObject([
      200,
      [{ name: 'A' }, { name: 'B' }],
    ]);
    for (const socket of sockets) socket.destroy();
    limit(server.pid, 'nofile', 1_024);
    const fresh = await openConnection(server.port);
    fresh.write(request('GET', '/healthz', { headers: ['Connection: close'] }));
    await fresh.closed;
    expect(fresh.responses()).toMatchObject([{ status: 200 }]);
    expect(await create('C')).toMatchObject({ status: 200 });
    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  });
});

describe.each(['stdout', 'stderr', 'stdout and stderr'])('after the reader of %s has closed it', (closed) => {
  it('the server starts, serves and stops cleanly', async () => {
    const cwd = createFolder();
    const map = await prepareMap(cwd);
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      cwd,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        METRICS_PORT: '0',
        DATABASE_URL: 'sqlite:store.db',
        DEMO: '0',
        GEOCODER: 'offline',
        LOG_LEVEL: 'trace',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    try {
      if (closed.includes('stdout')) child.stdout.destroy();
      let log = '';
      child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
      const addressIn = () => /Server listening at (http:\S+?)"/.exec(log)?.[1];
      await until(() => addressIn() !== undefined, 'its address');
      const server = { url: addressIn() ?? '' };
      expect((await create(server, map, 'A')).status).toBe(200);
      if (closed.includes('stderr')) child.stderr.destroy();
      for (const name of ['B', 'C', 'D']) expect((await create(server, map, name)).status).toBe(200);
      expect(await namesOf(server, map)).toEqual(['A', 'B', 'C', 'D']);
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
