/** What a map's row knows of its list. It changes in the transaction of every write to the list. */

import type { LocationChanged } from '../../domain/change.ts';
import type { MapGone } from '../storage.ts';
import type { LogHead } from './change-log.ts';
import { appendChanges } from './change-log.ts';
import type { Connection } from './connection.ts';
import { goneBy } from './maps.ts';
import { numberOf, textOrNull } from './rows.ts';

export interface ListHead extends LogHead {
  /** The last sequence number given out. */
  readonly lastSequence: number;
  /** The largest number ever used as an order. */
  readonly largestNumber: string | null;
}

/** What a write makes of it: what is not named stays. */
export interface ListHeadChange {
  readonly lastSequence?: number;
  readonly largestNumber?: string | null;
  /** Locations that have come; negative where some have gone. */
  readonly added?: number;
  /** In the call's order. */
  readonly changes: readonly LocationChanged[];
}

export function readListHead(connection: Connection, mapId: string): ListHead | MapGone {
  const row = connection.get(
    `SELECT is_deleted, number, last_sequence, largest_number, last_change, last_change_at FROM maps WHERE id = ?`,
    mapId,
  );
  const gone = goneBy(row);
  if (row === undefined || gone !== null) return gone ?? { kind: 'map-missing' };
  return {
    mapId,
    mapNumber: numberOf(row, 'number'),
    lastSequence: numberOf(row, 'last_sequence'),
    largestNumber: textOrNull(row, 'largest_number'),
    lastChange: numberOf(row, 'last_change'),
    lastChangeAt: numberOf(row, 'last_change_at'),
  };
}

/** A write that has changed nothing leaves everything as it is. */
export function changeListHead(
  connection: Connection,
  head: ListHead,
  {
    lastSequence = head.lastSequence,
    largestNumber = head.largestNumber,
    added = 0,
    changes,
  }: ListHeadChange,
): void {
  if (changes.length === 0) return;
  const { lastChange, lastChangeAt } = appendChanges(connection, head, changes);
  connection.run(
    `UPDATE maps SET last_sequence = ?, largest_number = ?, location_count = location_count + ?, revision = revision + 1,
       last_change = ?, last_change_at = ? WHERE number = ?`,
    lastSequence,
    largestNumber,
    added,
    lastChange,
    lastChangeAt,
    head.mapNumber,
  );
}
