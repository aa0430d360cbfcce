/** The location at a number of a map's list. */

import type { LocationRecord } from '../../domain/location.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import { yieldWhenLong } from '../../lib/cooperative-scheduler.ts';
import type { Storage } from '../storage.ts';
import type { Connection } from './connection.ts';
import { LOCATION_COLUMNS, toLocation } from './location-rows.ts';
import { pageClauses } from './pages.ts';
import { numberOf, textOf } from './rows.ts';

/** Keys that are passed at once, about a millisecond. In between the event loop has its turn. */
const STRIDE = 10_000;

export async function locationAt(
  connection: Connection,
  mapId: string,
  { skipped, fromEnd }: Parameters<Storage['locationAt']>[1],
): Promise<LocationRecord | null> {
  const yieldIfDue = yieldWhenLong();
  let edge: SortKey | null = null;
  let left = skipped;
  for (; left >= STRIDE; left -= STRIDE) {
    edge = connection.read(() => {
      const row = rowAt(connection, mapId, 'order_key, sequence', { edge, fromEnd, skipped: STRIDE - 1 });
      return row === undefined
        ? null
        : { orderKey: textOf(row, 'order_key'), sequence: numberOf(row, 'sequence') };
    });
    if (edge === null) return null;
    await yieldIfDue();
  }
  return connection.read(() => {
    const row = rowAt(connection, mapId, LOCATION_COLUMNS, { edge, fromEnd, skipped: left });
    return row === undefined ? null : toLocation(row, mapId);
  });
}

function rowAt(
  connection: Connection,
  mapId: string,
  columns: string,
  { edge, fromEnd, skipped }: { edge: SortKey | null; fromEnd: boolean; skipped: number },
) {
  const [after, before] = fromEnd ? [null, edge] : [edge, null];
  const { clauses, values } = pageClauses(mapId, { after, before, fromEnd, limit: 1 });
  return connection.get(`SELECT ${columns} FROM locations ${clauses} OFFSET ?`, ...values, skipped);
}
