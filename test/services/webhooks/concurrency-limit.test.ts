/** Requests under way at once: who waits for whom. */

import { ConcurrencyLimit } from '../../../src/services/webhooks/concurrency-limit.ts';

/** Lets everything go on that can. */
const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('slots', () => {
  it('are given in the order in which they are asked for, as many as there are', async () => {
    const slots = new ConcurrencyLimit(2);
    const got: number[] = [];
    const back: (() => void)[] = [];
    for (let number = 0; number < 5; number += 1) {
      void slots.acquire(false).then((giveBack) => {
        got.push(number);
        back.push(giveBack);
      });
    }
    await settle();
    expect(got).toEqual([0, 1]);
    back[0]?.();
    // Giving back twice gives back once.
    back[0]?.();
    await settle();
    expect(got).toEqual([0, 1, 2]);
    back[1]?.();
    back[2]?.();
    await settle();
    expect(got).toEqual([0, 1, 2, 3, 4]);
  });

  it('leave at least half to receivers that do not fail', async () => {
    const slots = new ConcurrencyLimit(4);
    const got: string[] = [];
    const ask = (name: string, isFailing: boolean) =>
      slots.acquire(isFailing).then((giveBack) => {
        got.push(name);
        return giveBack;
      });
    const first = ask('failing 1', true);
    void ask('failing 2', true);
    void ask('failing 3', true);
    void ask('good 1', false);
    void ask('good 2', false);
    void ask('good 3', false);
    await settle();
    expect(got).toEqual(['failing 1', 'failing 2', 'good 1', 'good 2']);
    expect([slots.tryAcquire(true), slots.tryAcquire(false)]).toEqual([null, null]);
    // Who does not fail comes first.
    (await first)();
    await settle();
    expect(got.slice(4)).toEqual(['good 3']);
  });

  it('that are tried for are taken where there is one', () => {
    const slots = new ConcurrencyLimit(2);
    const giveBack = slots.tryAcquire(true);
    expect([slots.tryAcquire(true), giveBack === null]).toEqual([null, false]);
    giveBack?.();
    expect(slots.tryAcquire(true)).not.toBeNull();
  });
});
