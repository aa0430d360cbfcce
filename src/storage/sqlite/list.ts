/**
 * What a map's row knows of its list. It changes in the transaction of every write to the list. The row is written once, at
 * the transaction's end.
 */

import type { LocationChanged } from '../../domain/change.ts';
import type { MapUnavailable } from '../storage.ts';
import type { LogEnd, LogWriter } from './append-changes.ts';
import { appendChanges } from './append-changes.ts';
import { mapUnavailableReason } from './map-unavailable.ts';
import { numberOf, textOrNull } from './rows.ts';

/** A connection, and what its open transaction leaves to be written. */
export interface ListWriter extends LogWriter {
  readonly pending: { /** By map. */ readonly heads: Map<string, ListHead> };
}

/** As the writes of the transaction have made it so far. */
export interface ListHead {
  readonly mapId: string;
  readonly mapNumber: number;
  /** The last sequence number given out. */
  readonly lastSequence: number;
  /** The largest number ever used as an order. */
  readonly largestNumber: string | null;
  /** Before the transaction. */
  readonly logEnd: LogEnd;
  /** What the transaction has changed, write by write. */
  readonly changes: readonly (readonly LocationChanged[])[];
  /** Locations that it has added; negative where more have gone. */
  readonly added: number;
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

export function readListHead(writer: ListWriter, mapId: string): ListHead | MapUnavailable {
  const pending = writer.pending.heads.get(mapId);
  if (pending !== undefined) return pending;
  const row = writer.get(
    `SELECT is_deleted, number, last_sequence, largest_number, last_change, last_change_at FROM maps WHERE id = ?`,
    mapId,
  );
  const gone = mapUnavailableReason(row);
  if (row === undefined || gone !== null) return gone ?? { kind: 'map-missing' };
  return {
    mapId,
    mapNumber: numberOf(row, 'number'),
    lastSequence: numberOf(row, 'last_sequence'),
    largestNumber: textOrNull(row, 'largest_number'),
    logEnd: { lastChange: numberOf(row, 'last_change'), lastChangeAt: numberOf(row, 'last_change_at') },
    changes: [],
    added: 0,
  };
}

/**
 * A write that has changed nothing leaves everything as it is.
 *
 * @param head as the write has read it
 */
export function changeListHead(
  writer: ListWriter,
  head: ListHead,
  {
    lastSequence = head.lastSequence,
    largestNumber = head.largestNumber,
    added = 0,
    changes,
  }: ListHeadChange,
): void {
  if (changes.length === 0) return;
  writer.pending.heads.set(head.mapId, {
    ...head,
    lastSequence,
    largestNumber,
    changes: [...head.changes, changes],
    added: head.added + added,
  });
}

/** For the end of a transaction, and before anything else changes the maps' rows. */
export function writeListHeads(writer: ListWriter): void {
  const { heads } = writer.pending;
  for (const head of heads.values()) writeListHead(writer, head);
  heads.clear();
}

function writeListHead(writer: ListWriter, head: ListHead): void {
  const { mapId, mapNumber, lastSequence, largestNumber, added } = head;
  const end = appendChanges(writer, { mapId, mapNumber, end: head.logEnd }, head.changes.flat());
  writer.run(
    `UPDATE maps SET last_sequence = ?, largest_number = ?, location_count = location_count + ?, revision = revision + 1,
       last_change = ?, last_change_at = ? WHERE number = ?`,
    lastSequence,
    largestNumber,
    added,
    end.lastChange,
    end.lastChangeAt,
    mapNumber,
  );
}
