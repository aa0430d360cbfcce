/** The first start on an empty store: its output, the printed commands, and when it makes no demo. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import type { Server, Settings } from '../support/program.ts';
import { createFolder, delay, killPrograms, PROGRAM, runProgram, runShell } from '../support/program.ts';
import { failuresIn, spawnCommand, startServer } from '../support/program.ts';
import { until } from '../support/until.ts';
import { processorMs } from './attacks/process-memory.ts';
import { ALICE, inStore, locationBody, lockStore, prepareMap } from './prepared-map.ts';

const TOKEN = /mlt_[A-Za-z0-9_-]{43}/g;

afterAll(killPrograms);

describe('the first start on an empty store', () => {
  it('prints the address of each endpoint and two commands that work as printed', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd, env: { LOG_LEVEL: 'trace' } });
    const text = await printedDemo(server);
    expect(text).toContain(`${server.url}/graphql`);
    expect(text).toContain(`${server.url}/graphiql`);
    expect(text).toContain(`${server.url}/v0`);
    // Plain text for a person: no log line, no colour.
    expect(text).not.toContain('{"level"');
    expect(text).not.toContain('\u001b');

    const commands = text.split('\n').filter((line) => line.trim().startsWith('curl '));
    expect(commands).toHaveLength(2);
    const [viaRest, viaGraphql] = await Promise.all(commands.map((command) => runShell(command, { cwd })));
    expect([viaRest?.code, viaGraphql?.code]).toEqual([0, 0]);
    const locations = JSON.parse(viaRest?.stdout ?? '');
    expect(locations).toHaveLength(3);
    const { data, errors } = JSON.parse(viaGraphql?.stdout ?? '');
    expect(errors).toBeUndefined();
    expect(data.map.locations.totalCount).toBe(60);
    expect(data.map.locations.nodes.map(({ name }: { name: string }) => name)).toEqual(
      locations.map(({ name }: { name: string }) => name),
    );
    await server.stop();
  });

  it('prints the token once, to stdout only', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd, env: { LOG_LEVEL: 'trace' } });
    const [token, ...more] = new Set((await printedDemo(server)).match(TOKEN));
    expect(more).toEqual([]);
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { scope maps(first: 5) { totalCount nodes { name } } } }' }),
    });
    expect(await response.json()).toEqual({
      data: {
        viewer: { scope: 'write', maps: { totalCount: 1, nodes: [{ name: 'Museums of the world' }] } },
      },
    });
    await server.stop();
    expect(server.stderr()).not.toContain(token);
    expect(server.stderr()).toContain('"Request completed"');
    for (const file of ['store.db', 'store.db-wal'].map((name) => join(cwd, name)).filter(existsSync)) {
      expect(readFileSync(file).includes(String(token))).toBe(false);
    }
  });

  it('prints one link to the console, whose account owns the demo map and the token', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd });
    const text = await printedDemo(server);
    const links = [...text.matchAll(/^ {2}(http:\S+\/console)#setup=([\w-]{43})$/gm)];
    expect(links.map(([, page]) => page)).toEqual([`${server.url}/console`]);
    const headers = { 'content-type': 'application/json', origin: server.url };
    const setup = await fetch(`${server.url}/auth/setup`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ secret: links[0]?.[2], name: 'anna', password: 'correct horse battery' }),
    });
    expect(setup.status).toBe(200);
    const [cookie = ''] = setup.headers.getSetCookie()[0]?.split(';') ?? [];
    const read = async (as: Record<string, string>) => {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, ...as },
        body: JSON.stringify({ query: '{ viewer { owner maps { nodes { name } } } }' }),
      });
      return ((await response.json()) as { data: { viewer: unknown } }).data.viewer;
    };
    const annas = { owner: 'anna', maps: { nodes: [{ name: 'Museums of the world' }] } };
    expect(await read({ cookie })).toEqual(annas);
    expect(await read({ authorization: `Bearer ${text.match(TOKEN)?.[0]}` })).toEqual(annas);
    await server.stop();
    expect(server.stderr()).not.toContain(links[0]?.[2]);
  });

  it('takes little work to serve health checks, and little more to geocode the first address', async () => {
    const server = await startServer({ cwd: createFolder() });
    console.log(`/healthz responded ${Math.round(server.startMs)} ms after the start of the process`);
    expect(processorMs(server.pid)).toBeLessThan(5_000);
    await printedDemo(server);
    await server.stop();

    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const other = await startServer({ cwd });
    const before = processorMs(other.pid);
    const response = await fetch(`${other.url}/v0/map/${mapId}/location`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: locationBody('A Brasileira'),
    });
    const ms = processorMs(other.pid) - before;
    expect(response.status).toBe(200);
    console.log(`the first address took ${ms} ms of processor time; ${residentMemory(other.pid)} resident`);
    expect(ms).toBeLessThan(5_000);
    await other.stop();
  });

  it('prints no token at the second start and leaves the demo map unchanged', async () => {
    const cwd = createFolder();
    const first = await startServer({ cwd });
    await printedDemo(first);
    await first.stop();
    const second = await startServer({ cwd });
    await second.stop();
    expect(second.stdout()).not.toMatch(/mlt_|curl |#setup=/);
    expect(second.stdout()).toMatch(/^ {2}Demo map +http\S+\/maps\/\S+$/m);
    expect(await countMaps(cwd)).toBe(1);
  });

  it('puts each museum at its position on a published map', async () => {
    const server = await startServer({ cwd: createFolder() });
    const text = await printedDemo(server);
    const [mapId] = /(?<=\/v0\/map\/)[^/]+/.exec(text) ?? [];
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${text.match(TOKEN)?.[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `{ map(id: "${mapId}") { isPublished locations {
          nodes { name latitude longitude properties geocoding { provider } } } } }`,
      }),
    });
    const { map } = JSON.parse(await response.text()).data;
    expect(map.isPublished).toBe(true);
    expect(map.locations.nodes[0]).toEqual({
      name: 'Musée du Louvre',
      latitude: 48.8611,
      longitude: 2.3364,
      properties: {
        Name: 'Musée du Louvre',
        Address: 'Rue de Rivoli, 75001 Paris, France',
        Website: 'https://www.louvre.fr/',
        Category: 'Art',
      },
      geocoding: { provider: 'manual' },
    });
    await server.stop();
  });

  it('prints a reachable address when it listens on every interface', async () => {
    const server = await startServer({ cwd: createFolder(), env: { HOST: '0.0.0.0' } });
    const text = await printedDemo(server);
    expect(text).toContain(`http://localhost:${server.port}/graphql`);
    expect(text).not.toContain('0.0.0.0');
    await server.stop();
  });

  it('makes one demo when two processes start at once on one file', async () => {
    const cwd = createFolder();
    const servers = await Promise.all([startServer({ cwd }), startServer({ cwd }), startServer({ cwd })]);
    await Promise.race(servers.map(printedDemo));
    await Promise.all(servers.map((server) => server.stop()));
    const printed = servers.map((server) => server.stdout()).filter((text) => text.includes('curl '));
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain('60 locations');
    expect(servers.flatMap((server) => failuresIn(server.log()))).toEqual([]);
    expect(await countMaps(cwd)).toBe(1);
  });

  it('finishes the demo before it stops at a signal', async () => {
    const cwd = createFolder();
    const env = { PORT: '0', DATABASE_URL: 'sqlite:store.db', DATABASE_TIMEOUT_MS: '20000' };
    await inStore(cwd, () => Promise.resolve());
    const { child, exited, stdout, stderr } = spawnCommand(process.execPath, [PROGRAM, 'serve'], {
      cwd,
      env,
    });
    await until(() => countOwners(cwd) > 0, "the demo's owner");
    // The demo is under way; its locations wait for the lock.
    const unlock = lockStore(cwd);
    child.kill('SIGTERM');
    while (!stderr().includes('"Stopping"') && child.exitCode === null) await delay(1);
    unlock();
    expect(await exited).toMatchObject({ code: 0 });
    expect(stdout()).toContain('60 locations');
    expect(stderr()).not.toMatch(/"level":"(warn|error|fatal)"/);
  });
});

describe('no demo is made', () => {
  it('with DEMO=0', async () => {
    const cwd = createFolder();
    const text = await expectNoDemo(cwd, { DEMO: '0' });
    expect(await countMaps(cwd)).toBe(0);
    expect(text).toMatch(/^ {2}http:\S+\/console#setup=[\w-]{43}$/m);
  });

  it('when the store holds an owner', async () => {
    const cwd = createFolder();
    await inStore(cwd, ({ services }) => services.tokens.findOrCreateOwner('alice'));
    await expectNoDemo(cwd);
  });

  it('when the store holds a revoked token', async () => {
    const cwd = createFolder();
    await inStore(cwd, async ({ services }) => {
      const { token } = await services.tokens.createToken(ALICE);
      await services.tokens.revokeToken(token);
    });
    await expectNoDemo(cwd);
  });

  it('when the store held a map, now deleted', async () => {
    const cwd = createFolder();
    await inStore(cwd, async ({ services }) => {
      const { token } = await services.tokens.createToken(ALICE);
      const alice = await services.tokens.authenticate(token);
      const { id } = await services.maps.createMap({ caller: alice }, { name: 'Cafés' });
      await services.maps.deleteMap({ caller: alice }, id);
    });
    await expectNoDemo(cwd);
    expect(await countMaps(cwd)).toBe(1);
  });

  it('when the command line created a token', async () => {
    const cwd = createFolder();
    const env = { DATABASE_URL: 'sqlite:store.db' };
    const { code, stdout } = await runProgram(['token', 'create', '--owner', 'alice'], { cwd, env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^mlt_\S{43}\n$/)]);
    await expectNoDemo(cwd);
  });
});

/** Waits until stdout holds the whole demo message. */
async function printedDemo(server: Server): Promise<string> {
  await until(
    () => /^ {2}curl [^\n]*\/graphql\n\n$/m.test(server.stdout()),
    () => `the demo:\n${server.stderr()}`,
  );
  return server.stdout();
}

/** @returns stdout */
async function expectNoDemo(cwd: string, env: Settings = {}): Promise<string> {
  const server = await startServer({ cwd, env });
  // Shutdown waits for a demo under way, as a test above shows.
  await server.stop();
  expect(server.stdout()).not.toMatch(/mlt_|curl |demo/i);
  return server.stdout();
}

/** Reads the file directly, so that no write lock delays it. */
function countOwners(cwd: string): number {
  const database = new DatabaseSync(join(cwd, 'store.db'), { readOnly: true });
  const row = database.prepare('SELECT count(*) AS count FROM owners').get();
  database.close();
  return Number(row?.count);
}

/** The number of maps of the owners in these tests. */
async function countMaps(cwd: string): Promise<number> {
  return inStore(cwd, async ({ storage }) => {
    let count = 0;
    for (const name of ['demo', 'alice']) {
      const owner = await storage.findOwnerByName(name);
      if (owner !== null) count += await storage.countMaps({ ownerId: owner.id, mapId: null });
    }
    return count;
  });
}

function residentMemory(pid: number): string {
  try {
    return /^VmRSS:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
