/** Parts of a list of ids, each for one mutation. */

/** Maximum number of ids in a mutation. */
const MAX_IDS = 1_000;

export function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / MAX_IDS);
  return Array.from({ length: count }, (_, index) => ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS));
}
