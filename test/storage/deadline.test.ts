/** The time limit of all storage calls of a request, on both adapters. */

import { Deadline } from '../../src/storage/deadline.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';
import { temporaryFolder } from './sqlite/temporary.ts';

const HOUR_MS = 3_600_000;
const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE' };

describe('the deadline of a request', () => {
  it('bounds its calls of SQLite together, however long each of them might wait', async () => {
    const path = `${temporaryFolder()}/x.db`;
    const storage = await openSqliteStorage(`sqlite:${path}`, { timeoutMs: HOUR_MS });
    const other = openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    const deadline = new Deadline({ totalMs: Infinity, storageMs: HOUR_MS });
    deadline.storage.spend(HOUR_MS - 100);
    const write = () => storage.deleteLocation('map', 'location', { deadline });
    // The first call waits for the remaining time, and the second has none left. Neither gets the store's hour.
    for (const leastMs of [99, 0]) {
      const begun = performance.now();
      await expect(write()).rejects.toMatchObject(UNAVAILABLE);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(leastMs);
      expect(deadline.storage.leftMs).toBeLessThanOrEqual(1);
    }
    // Another request has its own time.
    const own = new Deadline({ totalMs: 0, storageMs: 10_000 });
    const waiting = storage.deleteLocation('map', 'location', { deadline: own });
    other.exec('ROLLBACK');
    expect(await waiting).toEqual({ kind: 'map-missing' });
    other.close();
    await storage.close();
  });
});
