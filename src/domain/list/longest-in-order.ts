/** Which items of a list can stay where they are, when it is put into another order. */

/**
 * @param ranks the place that each item is to have, all different
 * @returns indexes, ascending, of as many items as possible that are in the right order among themselves
 */
export function longestInOrder(ranks: readonly number[]): readonly number[] {
  /** For each length the index of the item that ends such a run with the lowest rank. */
  const ends: number[] = [];
  /** The item before each item in the longest run that it ends; -1 for none. */
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

/** How many of the runs end with a lower rank. They are in order of their ranks. */
function countBelow(ends: readonly number[], ranks: readonly number[], rank: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranks[ends[middle] ?? 0] ?? 0) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
