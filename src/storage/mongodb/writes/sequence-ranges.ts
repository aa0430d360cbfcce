/** Sets of sequence numbers, as ranges. */

/** Both ends included. */
export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

export function isWithin(ranges: readonly SequenceRange[], sequence: number): boolean {
  return ranges.some(({ from, to }) => from <= sequence && sequence <= to);
}

/** The same sequence numbers in the fewest ranges, ascending. */
export function mergeRanges(ranges: readonly SequenceRange[]): readonly SequenceRange[] {
  const merged: SequenceRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to + 1) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else {
      merged.push({ from, to });
    }
  }
  return merged;
}

/** The sequence numbers of `ranges` without those of `taken`. Both must be merged. */
export function subtractRanges(
  ranges: readonly SequenceRange[],
  taken: readonly SequenceRange[],
): readonly SequenceRange[] {
  return ranges.flatMap(({ from, to }) => {
    const left: SequenceRange[] = [];
    let start = from;
    for (const hole of taken) {
      if (hole.to < start || hole.from > to) continue;
      if (hole.from > start) left.push({ from: start, to: hole.from - 1 });
      start = hole.to + 1;
    }
    if (start <= to) left.push({ from: start, to });
    return left;
  });
}
