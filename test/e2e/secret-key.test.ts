/** SECRET_KEY: it seals the keys in the file, and no part of the program opens such a store without it. */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { aWebhook } from '../contract/storage/fixtures.ts';
import type { Server, Settings } from '../support/program.ts';
import {
  createFolder,
  delay,
  killPrograms,
  PROGRAM,
  runProgram,
  spawnCommand,
  startPlainServer,
} from '../support/program.ts';
import { ALICE, inStore } from './prepared-map.ts';

afterAll(killPrograms);

const SECRET_KEY = 'correct horse battery staple, and more of it';
const OTHER_KEY = 'another horse, another battery, another staple';
const PROVIDER_KEY = 'provider-key-AIzaSyA-0123456789';
const GEOCODING_KEY = 'geocoding-key-AIzaSyB-9876543210';

function createToken(cwd: string, settings: Settings = {}): Promise<string> {
  return inStore(cwd, async ({ services }) => (await services.tokens.createToken(ALICE)).token, settings);
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows the shape of its response
async function query(server: Server, token: string, query: string): Promise<any> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

async function createMap(server: Server, token: string): Promise<string> {
  const data = await query(
    server,
    token,
    `mutation { createMap(input: { name: "Cafés", providerMapApiKey: "${PROVIDER_KEY}",
      geocodingApiKey: "${GEOCODING_KEY}" }) { map { id } } }`,
  );
  return String(data.createMap.map.id);
}

async function keysOf(server: Server, token: string, mapId: string): Promise<unknown> {
  return (await query(server, token, `{ map(id: "${mapId}") { providerMapApiKey geocodingApiKey } }`)).map;
}

interface PreparedKeys {
  readonly token: string;
  /** Maps with both keys. */
  readonly ids: readonly string[];
}

const MANY = 60;
const SEALED = expect.stringMatching(/^aes-256-gcm:[A-Za-z0-9_-]{60,}$/);
const KEYS = { providerMapApiKey: PROVIDER_KEY, geocodingApiKey: GEOCODING_KEY };

/** Whether a file of the store holds either key in plain text. */
function isReadable(cwd: string): boolean {
  const bytes = readdirSync(cwd).map((name) => readFileSync(join(cwd, name)));
  expect(bytes.length).toBeGreaterThan(0);
  return [PROVIDER_KEY, GEOCODING_KEY].some((key) => bytes.some((file) => file.includes(key)));
}

/** The keys of all maps as stored in the database. */
function storedKeys(cwd: string): string[] {
  const database = new DatabaseSync(join(cwd, 'store.db'));
  const rows = database.prepare('SELECT provider_map_api_key AS a, geocoding_api_key AS b FROM maps').all();
  database.close();
  return rows.flatMap(({ a, b }) => [String(a), String(b)]);
}

async function expectRefusal(cwd: string, args: readonly string[], env: Settings): Promise<void> {
  const run = await runProgram(args, {
    cwd,
    env: { DATABASE_URL: 'sqlite:store.db', PORT: '0', DEMO: '0', ...env },
  });
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 1, stdout: '' });
  expect(run.stderr).toContain('SECRET_KEY');
  expect(run.stderr).not.toMatch(/\n\s+at |\\n\s+at /);
  for (const key of [SECRET_KEY, OTHER_KEY]) expect(run.stderr).not.toContain(key);
}

describe('keys stored under SECRET_KEY', () => {
  it('are unreadable in the files during and after a run, and readable through the server', async () => {
    const cwd = createFolder();
    const token = await createToken(cwd);
    const server = await startPlainServer(cwd, { SECRET_KEY });
    const mapId = await createMap(server, token);
    expect(await keysOf(server, token, mapId)).toEqual(KEYS);
    expect(readdirSync(cwd)).toContain('store.db-wal');
    expect(isReadable(cwd)).toBe(false);
    await server.stop();
    expect(isReadable(cwd)).toBe(false);
    const again = await startPlainServer(cwd, { SECRET_KEY });
    expect(await keysOf(again, token, mapId)).toEqual(KEYS);
    await again.stop();
  });

  it('are readable in the files without SECRET_KEY, which proves that this test can fail', async () => {
    const cwd = createFolder();
    const token = await createToken(cwd);
    const server = await startPlainServer(cwd);
    await createMap(server, token);
    expect(isReadable(cwd)).toBe(true);
    await server.stop();
  });

  it('keep the server and the commands from starting without it or with another', async () => {
    const cwd = createFolder();
    await createToken(cwd, { SECRET_KEY });
    for (const env of [{}, { SECRET_KEY: OTHER_KEY }]) {
      await expectRefusal(cwd, ['serve'], env);
      await expectRefusal(cwd, ['token', 'list'], env);
    }
    const list = await runProgram(['token', 'list'], {
      cwd,
      env: { DATABASE_URL: 'sqlite:store.db', SECRET_KEY },
    });
    expect(list.code).toBe(0);
  });
});

describe('keys stored before SECRET_KEY was set', () => {
  it('are sealed at the next start with a SECRET_KEY, without plain copies in the files', async () => {
    const cwd = createFolder();
    // Enough to fill pages that are freed afterwards.
    const { token, mapId } = await inStore(cwd, async ({ services }) => {
      const { token } = await services.tokens.createToken(ALICE);
      const alice = await services.tokens.authenticate(token);
      let mapId = '';
      for (let index = 0; index < MANY; index += 1) {
        mapId = (await services.maps.createMap({ caller: alice }, { name: `Cafés ${index}`, ...KEYS })).id;
      }
      return { token, mapId };
    });
    expect(new Set(storedKeys(cwd))).toEqual(new Set([`plain:${PROVIDER_KEY}`, `plain:${GEOCODING_KEY}`]));
    const server = await startPlainServer(cwd, { SECRET_KEY });
    expect(await keysOf(server, token, mapId)).toEqual(KEYS);
    await server.stop();
    expect(storedKeys(cwd)).toEqual(Array.from({ length: 2 * MANY }, () => SEALED));
    await expectRefusal(cwd, ['serve'], {});
    // Not in free pages, nor in the write-ahead log.
    expect(isReadable(cwd)).toBe(false);
  });

  it('are sealed at a later start when a process without SECRET_KEY stored more', async () => {
    const cwd = createFolder();
    const token = await createToken(cwd);
    const without = await startPlainServer(cwd);
    const claiming = await startPlainServer(cwd, { SECRET_KEY });
    const mapId = await createMap(without, token);
    await Promise.all([without.stop(), claiming.stop()]);
    expect(storedKeys(cwd)).toEqual([`plain:${PROVIDER_KEY}`, `plain:${GEOCODING_KEY}`]);
    const later = await startPlainServer(cwd, { SECRET_KEY });
    expect(await keysOf(later, token, mapId)).toEqual(KEYS);
    await later.stop();
    expect(storedKeys(cwd)).toEqual([SEALED, SEALED]);
  });

  it('belong to one SECRET_KEY when processes with different ones start at once', async () => {
    const cwd = createFolder();
    const token = await createToken(cwd);
    const first = await startPlainServer(cwd);
    const mapId = await createMap(first, token);
    await first.stop();
    const keys = [SECRET_KEY, OTHER_KEY];
    const started = await Promise.allSettled(keys.map((key) => startPlainServer(cwd, { SECRET_KEY: key })));
    const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(servers).toHaveLength(1);
    for (const server of servers) {
      expect(await keysOf(server, token, mapId)).toEqual(KEYS);
      await server.stop();
    }
  });
});

describe('the rotation of SECRET_KEY', () => {
  const BOTH = { SECRET_KEY: OTHER_KEY, SECRET_KEY_FALLBACK: SECRET_KEY };
  const rotate = (cwd: string, env: Settings, ...args: string[]) =>
    runProgram(['secrets', 'rotate', ...args], { cwd, env: { DATABASE_URL: 'sqlite:store.db', ...env } });

  async function prepare(cwd: string): Promise<PreparedKeys> {
    const prepared = await inStore(
      cwd,
      async ({ services }) => {
        const { token } = await services.tokens.createToken(ALICE);
        const caller = await services.tokens.authenticate(token);
        const ids: string[] = [];
        for (let index = 0; index < MANY; index += 1) {
          ids.push((await services.maps.createMap({ caller }, { name: `Cafés ${index}`, ...KEYS })).id);
        }
        return { token, ids };
      },
      { SECRET_KEY },
    );
    expect(new Set(storedKeys(cwd)).size).toBe(2 * MANY);
    return prepared;
  }

  it('completes while a server serves, however often the command is killed', async () => {
    const cwd = createFolder();
    const { token, ids } = await prepare(cwd);
    const before = storedKeys(cwd);
    const server = await startPlainServer(cwd, BOTH);
    const first = spawnCommand(process.execPath, [PROGRAM, 'secrets', 'rotate'], {
      cwd,
      env: { DATABASE_URL: 'sqlite:store.db', ...BOTH },
    });
    // After the first write, or once the command is done.
    const ended = once(first.child, 'exit').then(() => true);
    while (storedKeys(cwd)[0] === before[0] && !(await Promise.race([ended, delay(1)])));
    first.child.kill('SIGKILL');
    await ended;
    for (const id of [ids[0]!, ids[MANY - 1]!]) expect(await keysOf(server, token, id)).toEqual(KEYS);
    expect(await rotate(cwd, BOTH)).toMatchObject({ code: 0, stdout: '' });
    expect(storedKeys(cwd).filter((key) => before.includes(key))).toEqual([]);
    for (const id of [ids[0]!, ids[MANY - 1]!]) expect(await keysOf(server, token, id)).toEqual(KEYS);
    await server.stop();
    const after = await startPlainServer(cwd, { SECRET_KEY: OTHER_KEY });
    expect(await keysOf(after, token, ids[0]!)).toEqual(KEYS);
    await after.stop();
    await expectRefusal(cwd, ['serve'], { SECRET_KEY });
  });

  it('changes nothing without the right former key, and says so', async () => {
    const cwd = createFolder();
    await prepare(cwd);
    const before = storedKeys(cwd);
    for (const env of [{}, { SECRET_KEY: OTHER_KEY }, { SECRET_KEY_FALLBACK: SECRET_KEY }]) {
      const run = await rotate(cwd, env);
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain('SECRET_KEY');
    }
    expect(storedKeys(cwd)).toEqual(before);
    const json = await rotate(cwd, BOTH, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      { encrypted: 2 * MANY, unreadable: [], unreadableWebhooks: [] },
    ]);
    const again = await rotate(cwd, { SECRET_KEY: OTHER_KEY });
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringMatching(/^Re-encrypted 0 API keys and webhook secrets\./),
    ]);
  });

  it('names the maps whose keys neither key decrypts, with exit status 1', async () => {
    const cwd = createFolder();
    const { ids } = await prepare(cwd);
    const database = new DatabaseSync(join(cwd, 'store.db'));
    database.exec(`UPDATE maps SET geocoding_api_key = 'aes-256-gcm:AAAA' WHERE id = '${ids[3]}'`);
    database.close();
    const run = await rotate(cwd, BOTH);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(ids[3]!)]);
    await expectRefusal(cwd, ['serve'], { SECRET_KEY: OTHER_KEY });
  });

  it('names the webhooks whose secrets neither key decrypts, with exit status 1', async () => {
    const cwd = createFolder();
    const { ids } = await prepare(cwd);
    await inStore(
      cwd,
      ({ storage }) =>
        storage.insertWebhook(aWebhook(ids[3]!, { id: 'webhook_1', secret: 'aes-256-gcm:AAAA' }), 1),
      { SECRET_KEY },
    );
    const run = await rotate(cwd, BOTH, '--json');
    expect([run.code, JSON.parse(run.stdout)]).toEqual([
      1,
      { encrypted: 2 * MANY, unreadable: [], unreadableWebhooks: ['webhook_1'] },
    ]);
    expect(run.stderr).toContain('The secrets of 1 webhook');
    await expectRefusal(cwd, ['serve'], { SECRET_KEY: OTHER_KEY });
  });
});
