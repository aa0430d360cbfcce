/** Removal of history that is not kept any more. */

import { removeOldHistory } from '../../../src/services/history/remove-old.ts';
import { DAY_MS, DEFAULT_RETENTION, limitsOf } from '../../../src/services/history/retention.ts';
import type { HistoryLimits, Storage } from '../../../src/storage/storage.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { insertOrders, NOW, seedMap } from '../../contract/storage/fixtures.ts';
import { aCall, change, historyOf, remove, trashOf, versionsOf } from '../../contract/storage/history.ts';

const never = new AbortController().signal;
const noPause = () => Promise.resolve();

describe('old history', () => {
  it('is removed in steps of one walk, with a pause between two', async () => {
    const steps: (string | null)[] = [];
    const events: string[] = [];
    const storage: Pick<Storage, 'removeOldHistory'> = {
      async removeOldHistory(_limits, after, limit) {
        expect(limit).toBeLessThanOrEqual(1_000);
        steps.push(after);
        events.push('step');
        return { removed: 2, next: steps.length < 3 ? `after ${steps.length}` : null };
      },
    };
    const pause = async () => void events.push('pause');
    const removed = await removeOldHistory(storage, DEFAULT_RETENTION, { now: NOW, pause, signal: never });
    expect([removed, steps]).toEqual([6, [null, 'after 1', 'after 2']]);
    expect(events).toEqual(['step', 'pause', 'step', 'pause', 'step']);
  });

  it('stays when the server stops', async () => {
    const stop = new AbortController();
    const storage: Pick<Storage, 'removeOldHistory'> = {
      async removeOldHistory() {
        stop.abort();
        return { removed: 1, next: 'more' };
      },
    };
    const options = { now: NOW, pause: noPause, signal: stop.signal };
    expect(await removeOldHistory(storage, DEFAULT_RETENTION, options)).toBe(1);
  });

  it('has the limits of the settings; a record stays as long as a location in the trash', () => {
    const limits = (days: number, trashDays: number): HistoryLimits =>
      limitsOf({ days, maxVersions: 7, trashDays }, NOW);
    expect(limits(90, 30)).toEqual({
      recordsSince: NOW - 90 * DAY_MS,
      versionsSince: NOW - 90 * DAY_MS,
      trashSince: NOW - 30 * DAY_MS,
      mostVersions: 7,
    });
    expect(limits(0, 30)).toMatchObject({ recordsSince: NOW - 30 * DAY_MS, versionsSince: NOW });
    expect(limits(90, 0)).toMatchObject({ recordsSince: NOW - 90 * DAY_MS, trashSince: NOW });
    // Records tell whether a call under an idempotency key has written.
    expect(limits(0, 0)).toMatchObject({ recordsSince: NOW - 2 * DAY_MS, versionsSince: NOW });
  });

  it('is gone from a store after the walk, and the rest stays', async () => {
    const storage = await openStorage('sqlite::memory:', { timeoutMs: 1_000 });
    const map = await seedMap(storage);
    const list = await insertOrders(storage, map.id, Array<null>(1_200).fill(null));
    for (const location of list.slice(0, 600))
      await change(storage, location, aCall({ at: NOW - 91 * DAY_MS }));
    await remove(storage, list.slice(600, 1_100), aCall({ at: NOW - 31 * DAY_MS }));
    await remove(storage, list.slice(1_100), aCall({ at: NOW - 29 * DAY_MS }));
    const options = { now: NOW, pause: noPause, signal: never };
    // The states and records of the changes, and the states of the deleted locations.
    expect(await removeOldHistory(storage, DEFAULT_RETENTION, options)).toBe(600 + 600 + 500);
    expect(await historyOf(storage, map.id)).toHaveLength(2);
    expect(await trashOf(storage, map.id)).toHaveLength(100);
    expect(await versionsOf(storage, list[0]!)).toEqual([]);
    expect(await removeOldHistory(storage, DEFAULT_RETENTION, options)).toBe(0);
    await storage.close();
  });
});
