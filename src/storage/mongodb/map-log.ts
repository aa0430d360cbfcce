/**
 * What a map's document holds of the log of changes. A change gets its place here before it is made: `open` names the
 * locations that are being written. When a write is done its places are settled: they go into the collection `changes`,
 * and out of `open`. Readers read up to the first place that is open.
 *
 * A location that is named in `open` is written by nobody else until that is settled. So what became of a write can be
 * found out, by whoever wants to know, after a crash: its location holds the number of its last change (judge-changes.ts).
 */

import type { ServerSessionId } from 'mongodb';

import { fromEntry } from '../change-entries.ts';
import type { ChangeOffset } from '../changes.ts';

export interface MapLog {
  /** Another in a copy. */
  readonly id: string;
  /** The last number given out. */
  readonly last: number;
  /** The write that has it; empty before the first. */
  readonly lastWrite: string;
  /** Where the log ended when the first of `open` was announced; null while none is. */
  readonly before: ChangeOffset | null;
  readonly open: readonly OpenChanges[];
}

/** What one write changes, or several that were announced together. */
export interface OpenChanges {
  /** The write's. */
  readonly id: string;
  /** The number of the first of them. */
  readonly first: number;
  /** Of change-entries.ts. */
  readonly entries: readonly string[];
  readonly since: Date;
  /** Until when the keys count under which locations are created. */
  readonly claimedUntil?: Date;
  /** The session of the transaction that it is written in; absent where it is written without one. */
  readonly session?: ServerSessionId;
}

export const EMPTY_LOG: MapLog = { id: '', last: 0, lastWrite: '', before: null, open: [] };

/** Gives the changes their places, in their order. */
export function recordChanges(log: MapLog, changes: Omit<OpenChanges, 'first'>): MapLog {
  const { last, open } = log;
  return {
    ...log,
    last: last + changes.entries.length,
    lastWrite: changes.id,
    before: open.length === 0 ? endOf(log) : log.before,
    open: [...open, { ...changes, first: last + 1 }],
  };
}

/** Takes out what is settled. */
export function closeChanges(log: MapLog, writes: ReadonlySet<string>): MapLog {
  const open = log.open.filter(({ id }) => !writes.has(id));
  if (open.length === log.open.length) return log;
  return { ...log, open, before: open.length === 0 ? null : log.before };
}

/** The writes that have one of these locations. */
export function writersOf({ open }: MapLog, mapId: string, ids: ReadonlySet<string>): readonly OpenChanges[] {
  return open.filter(({ entries }) => entries.some((entry) => ids.has(fromEntry(mapId, entry).id)));
}

/** The place of the last change given out. */
function endOf({ id, last, lastWrite }: MapLog): ChangeOffset {
  return { number: last, stamp: last === 0 ? stampOfStart(id) : stampOf(id, lastWrite) };
}

/** The stamp of the place before the first change. */
export function stampOfStart(logId: string): string {
  return stampOf(logId, '0');
}

/** The stamp of the places of a write. */
export function stampOf(logId: string, write: string): string {
  return `${logId}${write}`;
}

/**
 * The last place that readers may go to. Its stamp is null where the log's own documents have to be asked for it: they
 * have a later change than `before`.
 */
export function settledEnd(log: MapLog): { readonly number: number; readonly stamp: string | null } {
  const { open, before } = log;
  if (open.length === 0) return endOf(log);
  const number = Math.min(...open.map(({ first }) => first)) - 1;
  return before?.number === number ? before : { number, stamp: null };
}
