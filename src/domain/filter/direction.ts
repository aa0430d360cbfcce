/** Directions of an order. */

export type Direction = 'asc' | 'desc';

/** What a comparison is multiplied by. Ascending is the default. */
export function signOf(direction: Direction | null | undefined): 1 | -1 {
  return direction === 'desc' ? -1 : 1;
}
