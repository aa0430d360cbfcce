/** Sort directions. */

export type Direction = 'asc' | 'desc';

/** Factor for a comparison; ascending by default. */
export function signOf(direction: Direction | null | undefined): 1 | -1 {
  return direction === 'desc' ? -1 : 1;
}
