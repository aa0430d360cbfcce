/** A backup of SQLite is a snapshot. */

import { join } from 'node:path';

import { openSqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import type { StoredItem } from '../../../src/storage/storage.ts';
import {
  append,
  collect,
  expectUnavailable,
  insertOrders,
  NOW,
  seedMap,
} from '../../contract/storage/fixtures.ts';
import { rename } from 'node:fs/promises';
import { temporaryFolder } from './temporary.ts';

const folder = temporaryFolder();
const OPTIONS = { timeoutMs: 5_000 };

for (const [where, url] of [
  ['in a file', `sqlite:${join(folder, 'moment.db')}`],
  ['in memory', 'sqlite::memory:'],
] as const) {
  it(`has the state at its start, whatever is written before its end, ${where}`, async () => {
    const storage = await openSqliteStorage(url, OPTIONS);
    try {
      const [one, two] = [await seedMap(storage), await seedMap(storage)];
      for (const { id } of [one, two]) {
        await insertOrders(
          storage,
          id,
          Array.from({ length: 1_200 }, () => null),
        );
      }
      const before = await collect(storage.dump(NOW));
      const items: StoredItem[] = [];
      for await (const item of storage.snapshot(NOW)) {
        items.push(item);
        if (items.length === 1 || items.length === 1_300) {
          for (const { id } of [one, two]) {
            await append(storage, id);
            await storage.updateMap(id, { name: `at ${items.length}` }, { evenIfDeleted: true });
          }
          await seedMap(storage);
        }
      }
      expect(items).toEqual(before);
      expect(await collect(storage.dump(NOW))).not.toEqual(before);
    } finally {
      await storage.close();
    }
  });
}

it('releases the file if the reader stops early', async () => {
  const path = join(folder, 'early.db');
  const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
  const map = await seedMap(storage);
  for await (const item of storage.snapshot(NOW)) if (item.kind === 'map') break;
  await append(storage, map.id);
  await storage.close();
  // The log could be truncated: no reader uses an older snapshot.
  const again = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
  expect(await again.countLocations(map.id)).toBe(1);
  await again.close();
});

it('fails if the file was replaced', async () => {
  const path = join(folder, 'replaced.db');
  const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
  await seedMap(storage);
  await rename(path, `${path}.away`);
  const other = await openSqliteStorage(`sqlite:${join(folder, 'other.db')}`, OPTIONS);
  await other.close();
  await rename(join(folder, 'other.db'), path);
  await expectUnavailable(collect(storage.snapshot(NOW)));
  await rename(`${path}.away`, path);
  await storage.close();
});
