/** The sort key of a location in its map's list: its order, then its sequence number. */

import type { OrderKey } from './order.ts';
import { compareOrderKeys } from './order.ts';

export interface SortKey {
  readonly orderKey: OrderKey;
  /** Number of the location in order of creation, from 1; 0 sorts before every location of the order. */
  readonly sequence: number;
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return compareOrderKeys(a.orderKey, b.orderKey) || a.sequence - b.sequence;
}
