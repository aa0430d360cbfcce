/** Names that somebody may have meant who wrote another one. */

/**
 * The number of letters that were added, left out, replaced or exchanged with their neighbour (optimal string alignment
 * distance, https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance). Case does not count.
 */
export function editDistance(one: string, other: string): number {
  const [a, b] = [Array.from(one.toLowerCase()), Array.from(other.toLowerCase())];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          at(next, j - 1) + 1,
          at(row, j) + 1,
          at(row, j - 1) + (isSame ? 0 : 1),
          isExchanged ? at(before, j - 2) + 1 : Infinity,
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

/** Units of text in which names may differ that are one letter away: two letters that were exchanged, of two units each. */
const MOST_APART = 4;

/**
 * Whether the distance of two names is 1 or 0. Every start of the program asks it of thousands of pairs, nearly all of
 * which differ in more than one place.
 */
export function isOneLetterAway(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= MOST_APART && editDistance(one, other) <= 1;
}

/** The nearest of the names; null where none is near: up to a third of the letters may be wrong, and 3 at most. */
export function nearestName(name: string, names: readonly string[]): string | null {
  const allowed = Math.min(3, Math.floor(name.length / 3));
  const near = names
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.candidate ?? null;
}
