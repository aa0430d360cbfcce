/** The SQL clauses that read a page of a map's list. */

import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { SqlValue } from './driver.ts';

export const MAP_NUMBER = '(SELECT number FROM maps WHERE id = ?)';

export interface PageClauses {
  /** WHERE, ORDER BY and LIMIT. A page from the end comes in descending order. */
  readonly clauses: string;
  /** The limit is the last one. */
  readonly values: readonly SqlValue[];
}

/** @param map its id, or its number */
export function pageClauses(
  map: string | number,
  { after, before, limit, fromEnd }: PageRequest<SortKey>,
): PageClauses {
  const conditions = [`map_number = ${typeof map === 'number' ? '?' : MAP_NUMBER}`];
  const values: SqlValue[] = [map];
  if (after !== null) {
    conditions.push('(order_key, sequence) > (?, ?)');
    values.push(after.orderKey, after.sequence);
  }
  if (before !== null) {
    conditions.push('(order_key, sequence) < (?, ?)');
    values.push(before.orderKey, before.sequence);
  }
  const direction = fromEnd ? 'DESC' : 'ASC';
  return {
    clauses: `WHERE ${conditions.join(' AND ')} ORDER BY order_key ${direction}, sequence ${direction} LIMIT ?`,
    values: [...values, limit],
  };
}
