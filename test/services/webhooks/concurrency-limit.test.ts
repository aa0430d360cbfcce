/** The limit of concurrent requests, and the order in which they wait. */

import { ConcurrencyLimit } from '../../../src/services/webhooks/concurrency-limit.ts';

/** Runs all pending microtasks and callbacks. */
const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('slots', () => {
  it('are acquired in order of request, up to the limit', async () => {
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
    // A second release has no effect.
    back[0]?.();
    await settle();
    expect(got).toEqual([0, 1, 2]);
    back[1]?.();
    back[2]?.();
    await settle();
    expect(got).toEqual([0, 1, 2, 3, 4]);
  });

  it('are reserved by half for receivers that do not fail', async () => {
    const slots = new ConcurrencyLimit(4);
    const got: string[] = [];
    const acquire = (name: string, isFailing: boolean) =>
      slots.acquire(isFailing).then((giveBack) => {
        got.push(name);
        return giveBack;
      });
    const first = acquire('failing 1', true);
    void acquire('failing 2', true);
    void acquire('failing 3', true);
    void acquire('good 1', false);
    void acquire('good 2', false);
    void acquire('good 3', false);
    await settle();
    expect(got).toEqual(['failing 1', 'failing 2', 'good 1', 'good 2']);
    expect([slots.tryAcquire(true), slots.tryAcquire(false)]).toEqual([null, null]);
    // Receivers that do not fail come first.
    (await first)();
    await settle();
    expect(got.slice(4)).toEqual(['good 3']);
  });

  it('are acquired by a try when one is free', () => {
    const slots = new ConcurrencyLimit(2);
    const giveBack = slots.tryAcquire(true);
    expect([slots.tryAcquire(true), giveBack === null]).toEqual([null, false]);
    giveBack?.();
    expect(slots.tryAcquire(true)).not.toBeNull();
  });
});
