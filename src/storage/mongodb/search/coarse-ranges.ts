import type { CellRange } from '../../../domain/filter/cell.ts';

/**
 * Ranges that hold all of the given ones: the same, or no more of them than the limit, by closing the smallest gaps.
 *
 * @param ranges ascending, apart from one another
 */
export function coarseRanges(ranges: readonly CellRange[], limit: number): readonly CellRange[] {
  if (ranges.length <= limit) return ranges;
  const gaps = ranges.slice(1).map(({ first }, index) => ({
    index: index + 1,
    cells: first - (ranges[index]?.last ?? 0),
  }));
  const kept = gaps
    .sort((a, b) => b.cells - a.cells)
    .slice(0, limit - 1)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
  const starts = [0, ...kept];
  return starts.map((start, index) => ({
    first: ranges[start]?.first ?? 0,
    last: ranges[(starts[index + 1] ?? ranges.length) - 1]?.last ?? 0,
  }));
}
