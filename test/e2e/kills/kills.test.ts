/**
 * Two workers are killed repeatedly while eight clients write: no acknowledged write is lost, no operation is half done,
 * and the store stays sound. `npm run torture` kills 200 times on each store.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { listPage } from '../../contract/storage/fixtures.ts';
import { expectHistory } from '../../support/history.ts';
import { expectWhole } from '../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import type { Server, Settings } from '../../support/program.ts';
import {
  createFolder,
  killPrograms,
  PROGRAM,
  runProgram,
  spawnCommand,
  startServer,
  workersOf,
} from '../../support/program.ts';
import { describeUnless } from '../../support/skip.ts';
import { shortOrLong } from '../../support/torture.ts';
import { KillClient } from './client.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? shortOrLong(2, 200));
const CLIENTS = 8;
/** More rows than an import stores before it is killed. */
const IMPORTED = 4_000;
/** The same sequence in each run; the interleaving differs. */
const SEED = 20_26;

afterAll(killPrograms);

const mongodb = await testServer();

/** Mulberry32: a small generator, the same on every platform. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (const [name, urlOf] of [
  ['SQLite', () => `sqlite:${join(createFolder(), 'store.db')}`],
  ['MongoDB', () => (mongodb === null ? '' : ownDatabase(mongodb))],
] as const) {
  describeUnless(name === 'MongoDB' && mongodb === null && NO_MONGODB, `kill -9 on ${name}`, () => {
    const url = urlOf();

    it(`${ROUNDS} times under the writes of ${CLIENTS} clients loses no acknowledged write`, async () => {
      const cwd = createFolder();
      const env: Settings = {
        DATABASE_URL: url,
        DATABASE_TIMEOUT_MS: '20000',
        WORKERS: '2',
        DEMO: '0',
        GEOCODER: 'offline',
        // A timeout on a slow machine is no defect.
        OVERLOAD_MS: '0',
      };
      const run = (...args: string[]) => runProgram(args, { cwd, env });
      const random = randomFrom(SEED);
      const token = (await run('token', 'create', '--owner', 'alice')).stdout.trim();
      const newMap = async () =>
        (await run('map', 'create', '--owner', 'alice', '--name', '0')).stdout.trim();
      let server: Server | null = null;
      const target = { url: () => server?.url ?? '', token };
      const clients: KillClient[] = [];
      for (let index = 0; index < CLIENTS; index += 1) {
        clients.push(new KillClient(await newMap(), target, randomFrom(SEED + index + 1)));
      }
      const rows = Array.from({ length: IMPORTED }, (_, index) => `Imported ${index},A,1,2,${index}`);
      writeFileSync(join(cwd, 'rows.csv'), ['Name,Address,lat,lng,externalId', ...rows].join('\n'));
      const imported: string[] = [];
      const expectImported = async (storage: Storage, mapId: string) => {
        const names = (await listPage(storage, mapId)).map((location) => location.name);
        expect(names.join('\n')).toBe(rows.map((row) => row.split(',')[0]).join('\n'));
      };

      for (let round = 0; round < ROUNDS; round += 1) {
        server = await startServer({ cwd, env, ownGroup: true });
        for (const client of clients) await client.repeat();
        const importMap = round % 10 === 0 ? await newMap() : null;
        const importing =
          importMap === null
            ? null
            : spawnCommand(process.execPath, [PROGRAM, 'import', importMap, 'rows.csv', '--upsert'], {
                cwd,
                env,
              });

        let left = 20 + Math.floor(random() * 150);
        const isEnough = new Promise<void>((resolve) => {
          const running = clients.map((client) =>
            client.run(() => {
              left -= 1;
              if (left <= 0) resolve();
            }),
          );
          // If all clients end early, the check below reports it.
          void Promise.all(running).then(() => resolve());
        });
        await isEnough;
        if (round % 2 === 1) process.kill(workersOf(server)[0] ?? server.pid, 'SIGKILL');
        process.kill(-server.pid, 'SIGKILL');
        importing?.child.kill('SIGKILL');
        await Promise.all([server.exited, importing?.exited]);
        expect(clients.flatMap(({ faults }) => faults)).toEqual([]);
        // All clients ended before enough writes.
        if (left > 0)
          throw new Error(`Round ${round}: ${clients.map(({ lastFailure }) => lastFailure).join('; ')}`);

        const storage = await openStorage(url, { timeoutMs: 30_000 });
        for (const client of clients) {
          const list = await expectWhole(storage, client.mapId);
          await expectHistory(storage, client.mapId);
          const [map] = await storage.getMaps([client.mapId]);
          const items = list.map(({ id, name: called, properties }) => ({
            id,
            name: called,
            value: Number(properties['value']),
          }));
          const wrong = client.reconcile(map?.name ?? '', items);
          if (wrong !== null) throw new Error(`Round ${round}: ${wrong}`);
        }
        if (importMap !== null) {
          // The import may have finished before the kill; external ids prevent duplicates, and the file's order is kept.
          const again = await run('import', importMap, 'rows.csv', '--upsert');
          const rejected = join(cwd, 'rows.rejected.csv');
          expect(existsSync(rejected) ? readFileSync(rejected, 'utf8') : '').toBe('');
          expect([again.code, again.stderr]).toEqual([0, again.stderr]);
          await expectImported(storage, importMap);
          imported.push(importMap);
        }
        await storage.close();
        if (round % 10 === 0 || round === ROUNDS - 1) {
          const doctor = await run('doctor', '--json');
          expect([doctor.code, JSON.parse(doctor.stdout)]).toEqual([0, { findings: [] }]);
        }
      }

      const storage = await openStorage(url, { timeoutMs: 30_000 });
      expect(imported.length).toBeGreaterThan(0);
      // Later kills did not change the imported locations.
      for (const mapId of imported) await expectImported(storage, mapId);
      await storage.close();
      const kinds = new Map<string, number>();
      for (const { acknowledged } of clients) {
        for (const [kind, count] of acknowledged) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      }
      console.log(`${ROUNDS} kills, acknowledged: ${JSON.stringify(Object.fromEntries(kinds))}`);
      expect([...kinds.keys()].sort()).toEqual(
        ['create', 'create many', 'delete', 'move', 'undo', 'update', 'update the map', 'upsert'].sort(),
      );
    });
  });
}
