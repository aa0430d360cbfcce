/** Several processes on one file. */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { newMapId } from '../../../src/domain/ids.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { append, idsOf, listPage, seedMap } from '../../contract/storage/fixtures.ts';
import { openConnection, temporaryFolder, valueOf } from './temporary.ts';
import { argumentsOf } from '../../support/own-program.ts';

const PROGRAM = new URL('../../support/append-process.ts', import.meta.url);
const EACH = 300;
const folder = temporaryFolder();

interface Acknowledged {
  readonly id: string;
  readonly order: string;
  readonly sequence: number;
}

interface Appender {
  readonly child: ChildProcess;
  /** Acknowledged writes reported so far; grows. */
  readonly acknowledged: Acknowledged[];
  /** Resolves to its exit code or signal. */
  readonly ended: Promise<number | string | null>;
}

interface Appends {
  /** Locations per chain. */
  readonly count: number;
  /** Each write starts when the previous one of its chain is acknowledged. */
  readonly chains?: number;
  /** The owner of a map that it creates. */
  readonly owner?: string;
}

function startAppender(url: string, mapId: string, { count, chains = 1, owner }: Appends): Appender {
  const parameters = [url, mapId, String(count), String(chains), ...(owner === undefined ? [] : [owner])];
  const child = spawn(process.execPath, [...argumentsOf(PROGRAM), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledged[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines.map((line) => JSON.parse(line) as Acknowledged));
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, acknowledged, ended };
}

async function integrityOf(path: string): Promise<unknown> {
  const connection = await openConnection(path);
  const verdict = valueOf(connection, 'PRAGMA integrity_check');
  await connection.close();
  return verdict;
}

describe('several processes on one file', () => {
  it('append each location at its own position, and lose none', async () => {
    const path = join(folder, 'appends.db');
    const url = `sqlite:${path}`;
    const storage = await openSqliteStorage(url, { timeoutMs: 60_000 });
    const map = await seedMap(storage);
    const appenders = [1, 2, 3].map(() => startAppender(url, map.id, { count: EACH }));
    expect(await Promise.all(appenders.map(({ ended }) => ended))).toEqual([0, 0, 0]);

    const listed = await listPage(storage, map.id);
    expect(listed).toHaveLength(3 * EACH);
    expect(listed.map(({ order }) => order)).toEqual(listed.map((_, index) => String(index + 1)));
    expect(new Set(listed.map(({ sequence }) => sequence)).size).toBe(3 * EACH);
    const ids = idsOf(listed);
    for (const { acknowledged } of appenders) {
      expect(acknowledged).toHaveLength(EACH);
      const indexes = acknowledged.map(({ id }) => ids.indexOf(id));
      expect(indexes).not.toContain(-1);
      // Each started after the previous one was acknowledged.
      expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    }
    await storage.close();
    expect(await integrityOf(path)).toBe('ok');
  });

  for (const chains of [1, 16]) {
    it(`lose no acknowledged write when one of them is killed, with ${chains} concurrent writes`, () =>
      expectNothingLost(chains));
  }

  async function expectNothingLost(chains: number): Promise<void> {
    const path = join(folder, `killed-${chains}.db`);
    const url = `sqlite:${path}`;
    const storage = await openSqliteStorage(url, { timeoutMs: 60_000 });
    const map = await seedMap(storage);
    const victim = startAppender(url, map.id, { count: 1_000_000, chains });
    const survivor = startAppender(url, map.id, { count: EACH });
    while (victim.acknowledged.length < 40 * chains && victim.child.exitCode === null) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
    victim.child.kill('SIGKILL');
    expect(await victim.ended).toBe('SIGKILL');
    expect(await survivor.ended).toBe(0);

    const acknowledged = [...victim.acknowledged, ...survivor.acknowledged];
    const found = await storage.getLocations(
      map.id,
      acknowledged.map(({ id }) => id),
    );
    expect(found.map((location) => location && { ...pick(location) })).toEqual(acknowledged);
    // Only writes in progress may be stored without a received acknowledgement.
    const count = await storage.countLocations(map.id);
    expect(count - acknowledged.length).toBeGreaterThanOrEqual(0);
    expect(count - acknowledged.length).toBeLessThanOrEqual(chains);
    expect((await append(storage, map.id)).order).toBe(String(count + 1));
    await storage.close();
    expect(await integrityOf(path)).toBe('ok');
  }

  it('create one schema when all of them open an empty file at once', async () => {
    const path = join(folder, 'empty', 'new.db');
    const mapIds = [newMapId(), newMapId(), newMapId(), newMapId()];
    const appenders = mapIds.map((id) =>
      startAppender(`sqlite:${path}`, id, { count: 1, owner: 'same owner' }),
    );
    expect(await Promise.all(appenders.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const storage = await openSqliteStorage(`sqlite:${path}`, { timeoutMs: 5000 });
    const owner = await storage.findOwnerByName('same owner');
    expect(await storage.countMaps({ ownerId: owner!.id, mapId: null })).toBe(4);
    for (const id of mapIds) expect(await storage.countLocations(id)).toBe(1);
    await storage.close();
    expect(await integrityOf(path)).toBe('ok');
  });
});

function pick({ id, order, sequence }: Acknowledged): Acknowledged {
  return { id, order, sequence };
}
