/** Works on many items, a limited number at a time. */

import { yieldIfDue } from './cooperative-scheduler.ts';

/**
 * Not p-queue, since it begins one more item before it can be told of a failure.
 *
 * @returns the results in the order of the items. Rejects with the first failure; then no more items are begun
 */
export async function mapConcurrently<I, T>(
  items: readonly I[],
  limit: number,
  work: (item: I) => Promise<T> | T,
): Promise<T[]> {
  const results = new Array<T>(items.length);
  const queue = items.entries();
  let hasFailed = false;
  const lane = async () => {
    for (const [index, item] of queue) {
      // A request for a single item need not wait for the long work of others.
      const pause = index > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
