import fc from 'fast-check';

import { longestInOrder } from '../../../src/domain/list/longest-in-order.ts';

/** By brute force. */
function longest(ranks: readonly number[]): number {
  let best = 0;
  for (let chosen = 0; chosen < 2 ** ranks.length; chosen += 1) {
    const kept = ranks.filter((_, index) => (chosen >> index) & 1);
    if (kept.every((rank, index) => index === 0 || rank > (kept[index - 1] ?? 0)))
      best = Math.max(best, kept.length);
  }
  return best;
}

it('keeps as many items as possible, in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { maxLength: 9 }), (ranks) => {
      const kept = longestInOrder(ranks);
      expect(kept).toEqual([...kept].sort((a, b) => a - b));
      const found = kept.map((index) => ranks[index] ?? -1);
      expect(found).toEqual([...found].sort((a, b) => a - b));
      expect(new Set(kept).size).toBe(longest(ranks));
    }),
  );
});

it('keeps all but a single moved item', () => {
  const ranks = Array.from({ length: 10_000 }, (_, index) => (index + 1) % 10_000);
  expect(longestInOrder(ranks)).toHaveLength(9_999);
});
