/** Work on many items, so many at a time. */

/** @returns the results in the order of the items; rejects with the first failure, having begun no more work */
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
