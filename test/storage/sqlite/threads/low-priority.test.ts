/** Reader threads let the event loop run first. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openSqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import { append, seedMap } from '../../../contract/storage/fixtures.ts';
import { temporaryFolder } from '../temporary.ts';

const folder = temporaryFolder();
const FORMAT = { format: 'ndjson', fields: [], isForSpreadsheet: false, isPublic: false } as const;

/** Niceness of each thread of this process, by its id (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html). */
function nicenessOfThreads(): ReadonlyMap<number, number> {
  return new Map(
    readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      // Fields from the third on follow the name, which may contain anything; nice is the 19th.
      return [Number(id), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19 - 3])];
    }),
  );
}

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('a reader thread has a lower priority than the event loop', async () => {
  const storage = await openSqliteStorage(`sqlite:${join(folder, 'a.db')}`, { timeoutMs: 60_000 });
  const map = await seedMap(storage);
  const first = await append(storage, map.id);
  const before = nicenessOfThreads();
  // A thread reads the locations after the first ones.
  await storage.exportLocations(map.id, { limit: 10, after: first }, FORMAT);
  const after = nicenessOfThreads();
  const started = [...after].filter(([id]) => !before.has(id)).map(([, nice]) => nice);
  expect(Math.max(...started)).toBe(Math.min((after.get(process.pid) ?? 0) + 10, 19));
  for (const [id, nice] of before) expect([id, after.get(id)]).toEqual([id, nice]);
  await storage.close();
});
