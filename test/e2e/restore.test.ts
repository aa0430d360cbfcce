/** During a restore, running servers serve the old store, then refuse calls, then serve the restored store. */

import { join } from 'node:path';

import { RESTORE_MARK } from '../../src/services/store/store-marks.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { insertOrders, listPage, seedMap } from '../contract/storage/fixtures.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
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
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

afterAll(killPrograms);

const mongodb = await testServer();
const STORES = {
  SQLite: () => `sqlite:${join(createFolder(), 'store.db')}`,
  MongoDB: () => ownDatabase(mongodb!),
};
/** A restore waits for this timeout plus a second: short, but enough for a call on a busy machine. */
const SETTINGS = { DATABASE_TIMEOUT_MS: '1500', DEMO: '0' };
/** Creating a store takes longer. */
const SETUP_TIMEOUT_MS = 30_000;

interface Setup {
  readonly cwd: string;
  readonly env: Settings;
  readonly storage: Storage;
  readonly mapId: string;
  readonly token: string;
  run(...args: string[]): ReturnType<typeof runProgram>;
}

async function setUp(url: string, locations: number): Promise<Setup> {
  const cwd = createFolder();
  const env = { ...SETTINGS, DATABASE_URL: url };
  const run = (...args: string[]) => runProgram(args, { cwd, env });
  const storage = await openStorage(url, { timeoutMs: SETUP_TIMEOUT_MS });
  const created = await runProgram(['token', 'create', '--owner', 'alice'], {
    cwd,
    env: { ...env, DATABASE_TIMEOUT_MS: String(SETUP_TIMEOUT_MS) },
  });
  expect(created).toMatchObject({ code: 0 });
  const token = created.stdout.trim();
  const [owner] = await storage.listOwners();
  const { id: mapId } = await seedMap(storage, { ownerId: owner!.id });
  for (let stored = 0; stored < locations; stored += 1_000) {
    await insertOrders(
      storage,
      mapId,
      Array.from({ length: Math.min(1_000, locations - stored) }, () => null),
    );
  }
  return { cwd, env, storage, mapId, token, run };
}

/** The number of the map's locations, or the status where it is not 200. */
async function readCount({ url }: Server, { mapId, token }: Setup): Promise<string> {
  const query = `{ map(id: "${mapId}") { locations { totalCount } } }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as {
    data?: { map: { locations: { totalCount: number } } | null } | null;
    errors?: { extensions: { code: string } }[];
  };
  return body.errors?.[0]?.extensions.code ?? String(body.data?.map?.locations.totalCount);
}

for (const [name, urlOf] of Object.entries(STORES)) {
  describeUnless(name === 'MongoDB' && mongodb === null && NO_MONGODB, `restoring ${name}`, () => {
    const url = name === 'MongoDB' && mongodb === null ? '' : urlOf();
    const second = name === 'MongoDB' && mongodb === null ? '' : urlOf();

    it('shows a server the old store, then none, then the new one, and nothing else', async () => {
      const setup = await setUp(url, 3);
      expect((await setup.run('backup', 'backup.gz')).code).toBe(0);
      await insertOrders(setup.storage, setup.mapId, [null, null]);
      const server = await startPlainServer(setup.cwd, setup.env);
      const seen: string[] = [];
      const state = { isEnded: false };
      const polling = (async () => {
        while (!state.isEnded) {
          seen.push(await readCount(server, setup));
          await delay(5);
        }
      })();
      const restored = await setup.run('restore', 'backup.gz', '--replace');
      expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining('Restored 1 map and 3')]);
      await until(async () => (await readCount(server, setup)) === '3', 'the restored store');
      state.isEnded = true;
      await polling;
      const steps = seen.filter((each, index) => each !== seen[index - 1]);
      expect(steps).toEqual(['5', 'STORAGE_UNAVAILABLE', '3']);
      expect(server.log().map(({ msg }) => msg)).toEqual(
        expect.arrayContaining([
          'The database is being restored from a backup; calls are refused.',
          'The database was restored from a backup.',
        ]),
      );
      await server.stop();
      await setup.storage.close();
    });

    it('leaves a store that no server serves when it is killed, until the next restore', async () => {
      const setup = await setUp(second, 8_000);
      const { cwd, env, storage, mapId } = setup;
      expect((await setup.run('backup', 'backup.gz')).code).toBe(0);
      const before = await listPage(storage, mapId);
      const server = await startPlainServer(cwd, env);
      const { child, exited } = spawnCommand(
        process.execPath,
        [PROGRAM, 'restore', 'backup.gz', '--replace'],
        { cwd, env },
      );
      // By now it has removed everything and stored a part.
      await until(async () => (await storage.getMeta(RESTORE_MARK)) !== null, 'the mark of a restore');
      await until(async () => {
        const count = await storage.countLocations(mapId);
        return count > 0 && count < before.length;
      }, 'a part of the locations');
      child.kill('SIGKILL');
      expect((await exited).signal).toBe('SIGKILL');
      expect(await storage.countLocations(mapId)).toBeLessThan(before.length);

      expect(await readCount(server, setup)).toBe('STORAGE_UNAVAILABLE');
      for (const args of [['serve'], ['token', 'list'], ['backup', 'other.gz']]) {
        const run = await setup.run(...args);
        expect([args, run.code]).toEqual([args, 1]);
        expect(run.stderr).toContain('run map-locations restore again');
      }
      const again = await setup.run('restore', 'backup.gz');
      expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('and 8000 locations')]);
      expect(await listPage(storage, mapId)).toEqual(before);
      await until(async () => (await readCount(server, setup)) === '8000', 'the restored store');
      await server.stop();
      await storage.close();
    });
  });
}
