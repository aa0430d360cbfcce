/** What locations of a map are listed by: their orders first, and creation among equal orders. */

import type { OrderKey } from './order.ts';
import { compareOrderKeys } from './order.ts';

export interface SortKey {
  readonly orderKey: OrderKey;
  /** Counts the locations of a map in order of creation, from 1; 0 stands before every location of that order. */
  readonly sequence: number;
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return compareOrderKeys(a.orderKey, b.orderKey) || a.sequence - b.sequence;
}
