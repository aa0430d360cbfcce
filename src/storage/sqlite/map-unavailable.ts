/** Whether a map takes no part in an operation, by its row. */

import type { MapUnavailable } from '../storage.ts';
import type { SqlRow } from './engine/driver.ts';

/** @param row of `maps` with the column `is_deleted`; undefined where there is none */
export function mapUnavailableReason(row: SqlRow | undefined): MapUnavailable | null {
  if (row === undefined) return { kind: 'map-missing' };
  return row.is_deleted === 1 ? { kind: 'map-deleted' } : null;
}
