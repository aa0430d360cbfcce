/** Reads and watches the change log (port: ../changes.ts). list.ts writes it. */

import { fromEntry, MOST_TOGETHER } from '../change-entries.ts';
import type { ChangeLog, ChangeOffset, ChangesRead, ChangesScope, LoggedChange } from '../changes.ts';
import type { MapUnavailable } from '../storage.ts';
import { watchChanges } from './change-watch.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { mapUnavailableReason } from './locations/list.ts';
import { numberOf, textOf } from './engine/statements.ts';

/** Rows that a transaction removes: a few milliseconds. */
const MOST_REMOVED = 200;

export function changeStore(database: Database): ChangeLog {
  return {
    readChanges: async (mapId, after, limit, scope) =>
      database.read(() => readChanges(database, mapId, after, limit, scope)),
    lastChange: async (mapId) =>
      database.read(() => {
        const log = readLog(database, mapId);
        return 'kind' in log ? log : { kind: 'place', place: log.last };
      }),
    watchChanges: (onChange) => watchChanges(database, onChange),
    removeOldChanges: async (until) => {
      // There are usually none, and a write would invalidate the caches of all processes.
      const isAny = () =>
        database.read(() => database.get('SELECT 1 FROM changes WHERE changed_at <= ? LIMIT 1', until));
      while (isAny() !== undefined) {
        await database.write(() =>
          database.run(
            `DELETE FROM changes WHERE (map_number, last) IN (
               SELECT map_number, last FROM changes WHERE changed_at <= ? LIMIT ${MOST_REMOVED})`,
            until,
          ),
        );
      }
    },
  };
}

interface Log {
  readonly mapNumber: number;
  /** Differs after a restore or a copy. */
  readonly logId: string;
  readonly last: ChangeOffset;
}

function readLog(database: Database, mapId: string): Log | MapUnavailable {
  const row = database.get(
    'SELECT is_deleted, number, log_id, last_change, last_change_at FROM maps WHERE id = ?',
    mapId,
  );
  const unavailable = mapUnavailableReason(row);
  if (row === undefined || unavailable !== null) return unavailable ?? { kind: 'map-missing' };
  const logId = textOf(row, 'log_id');
  const last = {
    number: numberOf(row, 'last_change'),
    stamp: stampOf(logId, numberOf(row, 'last_change_at')),
  };
  return { mapNumber: numberOf(row, 'number'), logId, last };
}

/** The time detects a file that was replaced by an older copy of itself, whose log lacks the offset. */
function stampOf(logId: string, changedAt: number): string {
  return `${logId}${changedAt.toString(36)}`;
}

function readChanges(
  database: Database,
  mapId: string,
  after: ChangeOffset,
  limit: number,
  { removedUntil = -1 }: ChangesScope = {},
): ChangesRead {
  const log = readLog(database, mapId);
  if ('kind' in log) return log;
  const { last } = log;
  if (after.number === last.number) {
    return after.stamp === last.stamp ? { kind: 'changes', changes: [] } : { kind: 'too-old' };
  }
  if (after.number > last.number || after.number < last.number - database.mostChanges) {
    return { kind: 'too-old' };
  }
  // Includes the entry of the offset itself, to verify its stamp. Rows that end later hold no requested change.
  const rows = database.all(
    `SELECT last, changed_at, entries FROM changes WHERE map_number = ? AND last >= ? AND last < ? AND changed_at > ?
     ORDER BY last LIMIT ?`,
    log.mapNumber,
    after.number,
    after.number + limit + MOST_TOGETHER,
    removedUntil,
    limit + 1,
  );
  const changes = rows.flatMap((row) => toChanges(mapId, log.logId, row));
  if (!isInLog(log, after, changes)) return { kind: 'too-old' };
  const following = changes.filter(({ number }) => number > after.number);
  return { kind: 'changes', changes: following.slice(0, limit) };
}

/** @param changes from the offset on, as far as they are kept */
function isInLog(
  { logId }: Log,
  { number, stamp }: ChangeOffset,
  [first, ...rest]: readonly LoggedChange[],
): boolean {
  if (number === 0) return first?.number === 1 && stamp === stampOf(logId, 0);
  const entry = [first, ...rest].findLast((change) => change !== undefined && change.number <= number);
  if (entry !== undefined) return entry.number === number && entry.stamp === stamp;
  // The entry of the offset has just expired, and nothing after it.
  return first?.number === number + 1 && stamp.startsWith(logId);
}

function toChanges(mapId: string, logId: string, row: SqlRow): readonly LoggedChange[] {
  const entries = JSON.parse(textOf(row, 'entries')) as string[];
  const changedAt = numberOf(row, 'changed_at');
  const stamp = stampOf(logId, changedAt);
  const first = numberOf(row, 'last') - entries.length + 1;
  return entries.map((entry, index) => {
    const { kind, id } = fromEntry(mapId, entry);
    return { number: first + index, stamp, kind, locationId: id, changedAt };
  });
}
