import type { Clock, CountRequest, SharedCounts, Total } from '../../../src/http/limits/rate-limit.ts';
import { createRateLimit, createRateTotals } from '../../../src/http/limits/rate-limit.ts';
import { createFakeTime } from '../../support/geocoding-time.ts';

/** Limits of as many processes, which hear of one another after so long; their time, and how often they told. */
function createProcesses(count: number, limit: number, latencyMs = 1) {
  const time = createFakeTime();
  const clock: Clock = {
    now: () => time.now(),
    setTimer(work, milliseconds) {
      const timer = new AbortController();
      time.sleep(milliseconds, timer.signal).then(work, () => undefined);
      return () => timer.abort();
    },
  };
  const add = createRateTotals(limit, clock);
  const listeners: ((totals: readonly Total[]) => void)[] = [];
  const reports = { count: 0 };
  const shared: SharedCounts = {
    processes: count,
    onUsedUp: (listener) => void listeners.push(listener),
    add: async (counts) => {
      reports.count += 1;
      await time.sleep(latencyMs);
      const { totals, usedUp } = add(counts);
      await time.sleep(latencyMs);
      if (usedUp.length > 0) for (const listener of listeners) listener(usedUp);
      return totals;
    },
  };
  const limits = Array.from({ length: count }, () => createRateLimit(limit, shared, clock));
  return { limits, reports, pass: (milliseconds: number) => time.advance(milliseconds) };
}

function isAllowed(count: CountRequest, key = 'token x'): boolean {
  try {
    count(key);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED' });
    return false;
  }
}

describe('a limit', () => {
  it('never says that a window lasts longer than it does, whenever that begins', () => {
    let now = 0;
    const clock: Clock = { now: () => now, setTimer: () => () => {} };
    const limit = createRateLimit(1, null, clock);
    for (let index = 0; index < 1_000; index += 1) {
      now = index * 1_234.567_891;
      let resetsInMs = 0;
      limit(`token ${index}`, (rateLimitStatus) => ({ resetsInMs } = rateLimitStatus));
      expect([index, Math.ceil(resetsInMs / 1_000)]).toEqual([index, 60]);
    }
  });
});

describe('a limit in several processes', () => {
  it('is held to the request where requests come one after another', async () => {
    const { limits, pass } = createProcesses(3, 30);
    let allowed = 0;
    for (let index = 0; index < 60; index += 1) {
      if (isAllowed(limits[index % 3]!)) allowed += 1;
      await pass(5);
    }
    expect(allowed).toBe(30);
  });

  it('is the whole limit for a client that stays with one process', async () => {
    const { limits, pass } = createProcesses(4, 50);
    let allowed = 0;
    for (let index = 0; index < 60; index += 1) if (isAllowed(limits[0]!)) allowed += 1;
    expect(allowed).toBe(50);
    await pass(20);
    // By then the others know.
    expect(limits.map((limit) => isAllowed(limit))).toEqual([false, false, false, false]);
  });

  it('is exceeded at most by what arrives while a report is on its way', async () => {
    const { limits, pass } = createProcesses(4, 1_000, 5);
    let allowed = 0;
    // 400 requests every 10 ms, far more than the limit allows.
    for (let round = 0; round < 20; round += 1) {
      for (const limit of limits) {
        for (let index = 0; index < 100; index += 1) if (isAllowed(limit)) allowed += 1;
      }
      await pass(10);
    }
    expect(allowed).toBeGreaterThanOrEqual(1_000);
    expect(allowed).toBeLessThanOrEqual(2_200);
  });

  it('needs few reports while the limit is far', async () => {
    const { limits, reports, pass } = createProcesses(2, 100_000);
    for (let index = 0; index < 300; index += 1) {
      isAllowed(limits[index % 2]!);
      if (index % 10 === 0) await pass(10);
    }
    console.log(`${reports.count} reports for 300 requests`);
    expect(reports.count).toBeLessThan(15);
  });

  it('counts each key by itself', async () => {
    const { limits, pass } = createProcesses(2, 2);
    for (const key of ['token a', 'token b']) {
      const found: boolean[] = [];
      for (let index = 0; index < 4; index += 1) {
        found.push(isAllowed(limits[index % 2]!, key));
        await pass(10);
      }
      expect(found).toEqual([true, true, false, false]);
    }
  });

  it('begins anew for all a minute after the first request', async () => {
    const { limits, pass } = createProcesses(2, 1, 0);
    expect(isAllowed(limits[0]!)).toBe(true);
    await pass(10);
    isAllowed(limits[1]!);
    await pass(59_989);
    expect(limits.map((limit) => isAllowed(limit))).toEqual([false, false]);
    await pass(1);
    expect(isAllowed(limits[1]!)).toBe(true);
  });
});
