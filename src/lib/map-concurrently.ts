/** Maps items asynchronously with limited concurrency. */

import { yieldIfDue } from './cooperative-scheduler.ts';

/**
 * p-queue would start one more item after a failure.
 *
 * @returns the results in the order of the items. Rejects with the first failure and starts no further items
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
      // Yields to other requests, but not before the first item.
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
