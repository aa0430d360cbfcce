/** Longest increasing subsequence: the items that need not move when a list is reordered. */

/**
 * @param ranks the new position of each item, all different
 * @returns ascending indexes of the most items that are already in order
 */
export function longestInOrder(ranks: readonly number[]): readonly number[] {
  /** For each length, the index of the item with the lowest rank that ends a run of that length. */
  const ends: number[] = [];
  /** The predecessor of each item in its longest run; -1 for none. */
  const before: number[] = [];
  for (const [index, rank] of ranks.entries()) {
    const length = countBelow(ends, ranks, rank);
    before[index] = length === 0 ? -1 : (ends[length - 1] ?? -1);
    ends[length] = index;
  }
  const kept: number[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) kept.push(index);
  return kept.reverse();
}

/** How many runs end with a lower rank; `ends` is sorted by rank. */
function countBelow(ends: readonly number[], ranks: readonly number[], rank: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranks[ends[middle] ?? 0] ?? 0) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
