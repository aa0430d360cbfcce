import type { Clock, CountRequest, SharedCounts, Total } from '../../../src/http/limits/rate-limit.ts';
import { createRateLimit, createRateTotals } from '../../../src/http/limits/rate-limit.ts';
import { createFakeTime } from '../../support/geocoding-time.ts';

/**
 * Rate limits of several processes, which learn of one another after a delay; their clock, and the number of reports.
 */
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

describe('a rate limit', () => {
  it('never reports a window longer than it is, whenever it starts', () => {
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

describe('a rate limit across processes', () => {
  it('is exact for sequential requests', async () => {
    const { limits, pass } = createProcesses(3, 30);
    let allowed = 0;
    for (let index = 0; index < 60; index += 1) {
      if (isAllowed(limits[index % 3]!)) allowed += 1;
      await pass(5);
    }
    expect(allowed).toBe(30);
  });

  it('is the full limit for a client of one process', async () => {
    const { limits, pass } = createProcesses(4, 50);
    let allowed = 0;
    for (let index = 0; index < 60; index += 1) if (isAllowed(limits[0]!)) allowed += 1;
    expect(allowed).toBe(50);
    await pass(20);
    // By then the others have learned of it.
    expect(limits.map((limit) => isAllowed(limit))).toEqual([false, false, false, false]);
  });

  it('is exceeded at most by requests that arrive while a report is in transit', async () => {
    const { limits, pass } = createProcesses(4, 1_000, 5);
    let allowed = 0;
    // 400 requests every 10 ms, far above the limit.
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

  it('counts each key separately', async () => {
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

  it('resets for all processes a minute after the first request', async () => {
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
