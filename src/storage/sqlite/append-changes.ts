/**
 * Writes the log of changes, in the transaction of the changes themselves. A row holds what one transaction has changed, or
 * a part of it; `last` is the number of the last of these changes.
 */

import type { LocationChanged } from '../../domain/change.ts';
import { inParts, toEntry } from '../change-entries.ts';
import type { Writer } from './writer.ts';

export interface LogWriter extends Writer {
  /** Changes that the log of each map keeps. */
  readonly mostChanges: number;
}

/** What a map's row knows of its log. */
export interface LogEnd {
  /** The number of the last change in the log; 0 before the first. */
  readonly lastChange: number;
  /** Its time, milliseconds since the epoch. */
  readonly lastChangeAt: number;
}

/** Adds to a map's log, and removes what is then too many. @returns what the map's row is to hold */
export function appendChanges(
  writer: LogWriter,
  { mapId, mapNumber, end }: { readonly mapId: string; readonly mapNumber: number; readonly end: LogEnd },
  changes: readonly LocationChanged[],
): LogEnd {
  const { lastChange, lastChangeAt } = end;
  // Not before the change before it, so that the oldest always go first.
  const now = Math.max(Date.now(), lastChangeAt);
  for (const { start, part } of inParts(changes)) {
    writer.run(
      'INSERT INTO changes (map_number, last, changed_at, entries) VALUES (?, ?, ?, ?)',
      mapNumber,
      lastChange + start + part.length,
      now,
      JSON.stringify(part.map((change) => toEntry(mapId, change))),
    );
  }
  const last = lastChange + changes.length;
  if (last > writer.mostChanges) {
    writer.run(
      'DELETE FROM changes WHERE map_number = ? AND last <= ?',
      mapNumber,
      last - writer.mostChanges,
    );
  }
  return { lastChange: last, lastChangeAt: now };
}
