/** The delay before a failed message is sent again. */

import { nextAttemptAt } from '../../../src/services/webhooks/retry.ts';

const RULE = { firstMs: 5_000, forMs: 86_400_000, random: () => 0 };
const HOUR_MS = 3_600_000;
const NOW = 1_900_000_000_000;

function waitAfter(failures: number, more: Partial<typeof RULE> & { retryAfterMs?: number } = {}) {
  const { retryAfterMs = null, ...rule } = more;
  const failure = { failures, failingSince: NOW, now: NOW, retryAfterMs };
  const at = nextAttemptAt(failure, { ...RULE, ...rule });
  return at === null ? null : at - NOW;
}

describe('the delay after a failure', () => {
  it('doubles with each failure, up to about an hour', () => {
    const waits = Array.from({ length: 12 }, (_, index) => waitAfter(index + 1));
    expect(waits.slice(0, 5)).toEqual([5_000, 10_000, 20_000, 40_000, 80_000]);
    expect(waits.slice(10)).toEqual([0.8 * HOUR_MS, 0.8 * HOUR_MS]);
    expect(waitAfter(100_000)).toBe(0.8 * HOUR_MS);
  });

  it('varies by a fifth and never exceeds an hour', () => {
    for (let failures = 1; failures < 30; failures += 1) {
      const [least, most] = [waitAfter(failures) ?? 0, waitAfter(failures, { random: () => 1 }) ?? 0];
      expect(most).toBeGreaterThan(least);
      expect(most).toBeLessThanOrEqual(HOUR_MS);
      expect(most / least).toBeLessThanOrEqual(1.25);
    }
    expect(waitAfter(1, { random: () => 1 })).toBe(6_000);
  });

  it('is never shorter than Retry-After', () => {
    expect(waitAfter(1, { retryAfterMs: 7_200_000 })).toBe(7_200_000);
    expect(waitAfter(5, { retryAfterMs: 1_000 })).toBe(80_000);
  });

  it('is null when a message has failed for the limit', () => {
    const at = (sinceMs: number) =>
      nextAttemptAt({ failures: 9, failingSince: NOW - sinceMs, now: NOW, retryAfterMs: null }, RULE);
    expect(at(86_400_000 - 1)).not.toBeNull();
    expect(at(86_400_000)).toBeNull();
    expect(waitAfter(1, { forMs: 0 })).toBeNull();
  });
});
