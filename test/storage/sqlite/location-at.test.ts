/** The location at a position beyond one stride. */

import { sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { insertOrders, seedMap } from '../../contract/storage/fixtures.ts';
import { openConnection } from './temporary.ts';

const COUNT = 25_000;

describe('a location far down a list', () => {
  it('is found by the number of locations before or after it, without blocking the event loop', async () => {
    const storage = sqliteStorage(await openConnection(':memory:'));
    const map = await seedMap(storage);
    const list = await insertOrders(storage, map.id, Array<null>(COUNT).fill(null));
    for (const index of [0, 9_999, 10_000, 10_001, 19_999, 20_000, COUNT - 1]) {
      const before = await storage.locationAt(map.id, { skipped: index, fromEnd: false });
      const fromEnd = await storage.locationAt(map.id, { skipped: COUNT - 1 - index, fromEnd: true });
      expect([index, before?.id, fromEnd?.id]).toEqual([index, list[index]!.id, list[index]!.id]);
    }
    for (const fromEnd of [false, true]) {
      for (const skipped of [COUNT, 30_000, 1_000_000])
        expect(await storage.locationAt(map.id, { skipped, fromEnd })).toBeNull();
    }
  });
});
