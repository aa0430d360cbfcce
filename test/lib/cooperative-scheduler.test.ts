/** Long work in slices: other work gets its turn, short work does not wait, and nothing starves. */

import { setImmediate as turn } from 'node:timers/promises';

import { yieldIfDue, yieldWhenLong } from '../../src/lib/cooperative-scheduler.ts';

/** A clock that advances only with work, unaffected by other processes. */
let now = 0;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function work(milliseconds: number): void {
  now += milliseconds;
}

/** The number of event-loop turns until the work is done. */
async function turnsDuring(works: readonly Promise<unknown>[]): Promise<number> {
  const done = new AbortController();
  void Promise.all(works).then(() => done.abort());
  let turns = 0;
  for (; !done.signal.aborted; turns += 1) await turn();
  return turns;
}

async function pieces(
  count: number,
  milliseconds: number,
  pause: typeof yieldIfDue = yieldIfDue,
): Promise<void> {
  for (let piece = 0; piece < count; piece += 1) {
    const slice = pause();
    if (slice !== undefined) await slice;
    work(milliseconds);
  }
}

describe('work in pieces', () => {
  it('continues in the same turn while the slice lasts', async () => {
    expect(await turnsDuring([pieces(4, 2)])).toBe(await turnsDuring([]));
  });

  it('lets the event loop turn every few milliseconds', async () => {
    expect(await turnsDuring([pieces(50, 2)])).toBeGreaterThanOrEqual(8);
  });

  it('shares one slice with all other work', async () => {
    expect(await turnsDuring(Array.from({ length: 50 }, () => pieces(1, 2)))).toBeGreaterThanOrEqual(8);
  });

  it('finishes while new work keeps coming', async () => {
    const done = new AbortController();
    const begun = pieces(20, 1).then(() => done.abort());
    const newcomers: Promise<void>[] = [];
    for (; newcomers.length < 200 && !done.signal.aborted; await turn()) {
      newcomers.push(pieces(1, 5), pieces(1, 5), pieces(1, 5), pieces(1, 5));
    }
    expect(done.signal.aborted).toBe(true);
    await begun;
    await Promise.all(newcomers);
  });

  it('finishes in order while new work keeps coming', async () => {
    const begun: number[] = [];
    const one = async (index: number) => {
      const slice = yieldIfDue();
      if (slice !== undefined) await slice;
      begun.push(index);
      work(2);
    };
    const works: Promise<void>[] = [];
    // Like clients that send the next request on each response.
    for (let turns = 0; turns < 20; turns += 1, await turn()) {
      for (let index = 0; index < 8; index += 1) works.push(one(works.length));
    }
    await Promise.all(works);
    expect(begun).toEqual([...begun].sort((a, b) => a - b));
  });

  it('uses the whole slice in each turn', async () => {
    const works = Array.from({ length: 100 }, () => pieces(1, 2));
    // Five of two milliseconds in each.
    expect(await turnsDuring(works)).toBeLessThanOrEqual(25);
  });

  it('continues after a long pause of all work', async () => {
    await pieces(10, 2);
    await turn();
    await turn();
    expect(yieldIfDue()).toBeUndefined();
  });
});

describe('short work', () => {
  it('does not wait for the long work of others', async () => {
    const long = [pieces(30, 2), pieces(30, 2), pieces(30, 2)];
    await turn();
    expect(Array.from({ length: 20 }, () => yieldWhenLong()())).toContain(undefined);
    expect(yieldIfDue()).toBeInstanceOf(Promise);
    await Promise.all(long);
  });

  it('waits once it becomes long', async () => {
    expect(await turnsDuring([pieces(50, 2, yieldWhenLong())])).toBeGreaterThanOrEqual(8);
  });
});
