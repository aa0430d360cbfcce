/** How long one request may wait for the store. */

import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'expect';

import { withinBudget } from '../../src/storage/budget.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';

const BUDGET_MS = 300;
const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE' };

/** Every call takes so long. */
function slowStorage(milliseconds: () => number): Storage {
  return new Proxy({} as Storage, {
    get: () => async () => {
      await delay(milliseconds());
      return 'answered';
    },
  });
}

describe('a store within the budget of a request', () => {
  it('passes every call on, and its answer or failure', async () => {
    const storage = await openStorage('sqlite::memory:', { timeoutMs: 1000 });
    const budgeted = withinBudget(storage, 1000);
    for (const method of Object.keys(storage)) expect(budgeted).toHaveProperty(method);
    expect(await budgeted.setMetaIfAbsent('key', 'value')).toBe(true);
    expect(await budgeted.getMeta('key')).toBe('value');
    const items = [];
    for await (const item of budgeted.dump(0)) items.push(item);
    expect(items).toEqual([{ kind: 'meta', key: 'key', value: 'value' }]);
    await expect(budgeted.load(items)).rejects.toThrow(/UNIQUE/);
    await budgeted.close();
    await expect(storage.ping()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('waits no longer for all calls together than a request may', async () => {
    const storage = withinBudget(
      slowStorage(() => 120),
      BUDGET_MS,
    );
    const begun = performance.now();
    expect(await storage.getMeta('1')).toBe('answered');
    expect(await storage.getMeta('2')).toBe('answered');
    await expect(storage.getMeta('3')).rejects.toMatchObject(UNAVAILABLE);
    const ms = performance.now() - begun;
    expect(ms).toBeGreaterThan(BUDGET_MS - 5);
    expect(ms).toBeLessThan(360);
    // Nothing is left: the next is not waited for at all.
    await expect(storage.ping()).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - begun - ms).toBeLessThan(60);
  });

  it('gives each request a budget of its own', async () => {
    const slow = slowStorage(() => 200);
    const first = withinBudget(slow, BUDGET_MS);
    await first.ping();
    const second = withinBudget(slow, BUDGET_MS);
    const answers = await Promise.allSettled([first.getMeta('a'), second.getMeta('b')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
