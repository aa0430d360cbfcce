/** Suggestions for misspelled names. */

/**
 * The number of letters that were inserted, deleted, replaced or swapped with their neighbour (optimal string alignment
 * distance, https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance). Ignores case.
 */
export function editDistance(one: string, other: string): number {
  const [a, b] = [Array.from(one.toLowerCase()), Array.from(other.toLowerCase())];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          at(next, j - 1) + 1,
          at(row, j) + 1,
          at(row, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, j - 2) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

/** UTF-16 units in which names at distance 1 may differ: two swapped letters of two units each. */
const MAX_DIFFERENCE = 4;

/**
 * Whether the distance of two names is at most 1. Fast for names that differ in several positions: every start compares
 * thousands of pairs.
 */
export function isOneLetterAway(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= MAX_DIFFERENCE && editDistance(one, other) <= 1;
}

/** The nearest name; null if none is near. At most 3 letters, and a third of all, may be wrong. */
export function nearestName(name: string, names: readonly string[]): string | null {
  const allowed = Math.min(3, Math.floor(name.length / 3));
  const near = names
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.candidate ?? null;
}
