/** The circuit breaker, the limiter, the pacer and the cache per key. */

import fc from 'fast-check';

import { Breaker } from '../../../src/geocoding/resilience/breaker.ts';
import { PerKeyCache } from '../../../src/geocoding/resilience/per-key-cache.ts';
import { Limiter, QueueError } from '../../../src/geocoding/resilience/limiter.ts';
import { Pacer } from '../../../src/geocoding/resilience/pacer.ts';
import { ExtensibleDeadline } from '../../../src/geocoding/resilience/time.ts';
import { createFakeTime, settle } from '../../support/geocoding-time.ts';
import type { FakeTime } from '../../support/geocoding-time.ts';

const within = (time: FakeTime, milliseconds: number, signal = new AbortController().signal) => ({
  deadline: new ExtensibleDeadline(time, milliseconds),
  signal,
});
const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe('the circuit breaker', () => {
  const open = (time: FakeTime) => {
    const breaker = new Breaker(time, { faults: 3, openMs: 1000 });
    for (let fault = 0; fault < 3; fault += 1) breaker.begin()?.('fault');
    return breaker;
  };

  it('opens after consecutive faults', () => {
    const time = createFakeTime();
    const breaker = new Breaker(time, { faults: 3, openMs: 1000 });
    for (const outcome of ['fault', 'fault', 'success', 'fault', 'fault', 'ignored'] as const)
      breaker.begin()!(outcome);
    expect(breaker.waitMs()).toBe(0);
    breaker.begin()!('fault');
    expect(breaker.waitMs()).toBe(1000);
    expect(breaker.begin()).toBeNull();
  });

  it('allows a single probe after a while, and closes if it succeeds', async () => {
    const time = createFakeTime();
    const breaker = open(time);
    await time.advance(999);
    expect(breaker.begin()).toBeNull();
    await time.advance(1);
    const probe = breaker.begin()!;
    expect(breaker.begin()).toBeNull();
    expect(breaker.waitMs()).toBeGreaterThan(0);
    probe('success');
    expect([breaker.begin(), breaker.begin()]).not.toContain(null);
  });

  it('opens again if the probe fails, and probes again if its caller left', async () => {
    const time = createFakeTime();
    const breaker = open(time);
    await time.advance(1000);
    breaker.begin()!('ignored');
    breaker.begin()!('fault');
    expect(breaker.waitMs()).toBe(1000);
  });
});

describe('the limiter', () => {
  it('limits concurrency, and runs all work in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }),
        async (concurrency, durations) => {
          const time = createFakeTime();
          const limiter = new Limiter(time, { concurrency, queueLength: 100 });
          const started: number[] = [];
          let running = 0;
          const all = Promise.all(
            durations.map((duration, index) =>
              limiter.run(within(time, 100_000), async () => {
                started.push(index);
                running += 1;
                expect(running).toBeLessThanOrEqual(concurrency);
                await time.sleep(duration);
                running -= 1;
              }),
            ),
          );
          await time.advance(2_000);
          await all;
          expect(started).toEqual(durations.map((_, index) => index));
          expect(limiter.isIdle).toBe(true);
          expect(time.sleepers()).toBe(0);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('refuses work if the queue is full', async () => {
    const time = createFakeTime();
    const limiter = new Limiter(time, { concurrency: 1, queueLength: 1 });
    const run = () => limiter.run(within(time, 1000), () => time.sleep(10));
    const [first, second] = [run(), run()];
    expect(await caught(run())).toMatchObject({ reason: 'full' });
    await time.advance(20);
    await Promise.all([first, second]);
  });

  it('never starts the work of a caller whose deadline passed or who left', async () => {
    const time = createFakeTime();
    const limiter = new Limiter(time, { concurrency: 1, queueLength: 9 });
    const ran: string[] = [];
    const run = (name: string, ms: number, signal?: AbortSignal) =>
      limiter.run(within(time, ms, signal), () => {
        ran.push(name);
        return time.sleep(100);
      });
    const gone = new AbortController();
    const [first, late, aborted, last] = [
      run('first', 500),
      run('late', 50),
      run('gone', 500, gone.signal),
      run('last', 500),
    ];
    const [lateError, goneError] = [caught(late), caught(aborted)];
    await time.advance(60);
    gone.abort(new Error('gone'));
    await time.advance(300);
    expect(await lateError).toBeInstanceOf(QueueError);
    expect(await goneError).toMatchObject({ message: 'gone' });
    await Promise.all([first, last]);
    expect(ran).toEqual(['first', 'last']);
    expect(limiter.isIdle).toBe(true);
  });

  it('passes on the slot of a caller that leaves just as it gets it', async () => {
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
    };
    for (let offset = -15; offset <= 15; offset += 1) {
      const time = createFakeTime();
      const limiter = new Limiter(time, { concurrency: 1, queueLength: 9 });
      const gone = new AbortController();
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const first = limiter.run(within(time, 500), () => finished);
      const second = caught(limiter.run(within(time, 500, gone.signal), () => Promise.resolve('second')));
      const third = limiter.run(within(time, 500), () => Promise.resolve('third'));
      await settle();
      const go = turns(Math.max(0, -offset)).then(() => gone.abort(new Error('gone')));
      await turns(Math.max(0, offset));
      finish();
      await Promise.all([first, second, go]);
      await settle();
      // A lost slot would leave the third one waiting forever.
      expect(limiter.isIdle).toBe(true);
      expect(await third).toBe('third');
    }
  });

  it('passes on the slot if the work throws', async () => {
    const time = createFakeTime();
    const limiter = new Limiter(time, { concurrency: 1, queueLength: 9 });
    const fails = caught(limiter.run(within(time, 9), () => Promise.reject(new Error('no'))));
    expect(await limiter.run(within(time, 9), () => Promise.resolve('yes'))).toBe('yes');
    expect(await fails).toMatchObject({ message: 'no' });
  });

  it('continues to wait if the deadline is extended', async () => {
    const time = createFakeTime();
    const limiter = new Limiter(time, { concurrency: 1, queueLength: 9 });
    void limiter.run(within(time, 999), () => time.sleep(100));
    const bounds = within(time, 50);
    const second = limiter.run(bounds, () => Promise.resolve('done'));
    bounds.deadline.extendTo(200);
    await time.advance(150);
    expect(await second).toBe('done');
  });
});

describe('the pacer', () => {
  it('grants one slot per second to all callers', async () => {
    const time = createFakeTime();
    const pacer = new Pacer(time, 1000);
    const slots: number[] = [];
    const all = Array.from({ length: 5 }, async () => {
      await pacer.wait(within(time, 60_000));
      slots.push(time.now());
    });
    await time.advance(10_000);
    await Promise.all(all);
    expect(slots).toEqual([0, 1000, 2000, 3000, 4000]);
    await pacer.wait(within(time, 1));
    expect(time.now()).toBe(10_000);
  });

  it('takes no slot after the deadline, and returns the wait', async () => {
    const time = createFakeTime();
    const pacer = new Pacer(time, 1000);
    await pacer.wait(within(time, 1));
    expect(await pacer.wait(within(time, 1000))).toEqual({ isTooLate: true, seconds: 1 });
    const next = pacer.wait(within(time, 1001));
    await time.advance(1000);
    expect(await next).toEqual({ isTooLate: false, seconds: 1 });
  });

  it('drops a caller that leaves', async () => {
    const time = createFakeTime();
    const pacer = new Pacer(time, 1000);
    await pacer.wait(within(time, 1));
    const gone = new AbortController();
    const waiting = caught(pacer.wait(within(time, 5000, gone.signal)));
    gone.abort(new Error('gone'));
    expect(await waiting).toMatchObject({ message: 'gone' });
    await settle();
    expect(time.sleepers()).toBe(0);
  });
});

describe('PerKeyCache', () => {
  it('is bounded, and evicts the least recently used state that is not in use', () => {
    const states = new PerKeyCache(
      3,
      () => ({ isBusy: false }),
      ({ isBusy }) => !isBusy,
    );
    const a = states.get('a');
    a.isBusy = true;
    const b = states.get('b');
    for (let index = 0; index < 100; index += 1) states.get(`k${index}`);
    expect(states.size).toBe(3);
    expect(states.get('a')).toBe(a);
    expect(states.get('b')).not.toBe(b);
    expect(states.get(null)).toBe(states.get(null));
  });
});
