/** Medians and spreads. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The ratio of the medians. Its spread is that of the ratios of the rounds. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return { ...spreadOf(ratios), median: medianOf(ours) / medianOf(theirs) };
}
