/**
 * The part of a map's change log that its document holds. A write gets its change numbers before it writes: an entry of
 * `open` names its locations. Closing a finished write moves its changes to the collection `changes`. Readers stop before
 * the first open change.
 *
 * No other write touches a location that `open` names. So after a crash, any process can find
 * out what a write did: a location holds the number of its last change (recovery.ts).
 */

import { fromEntry, inParts } from '../../change-entries.ts';
import type { ChangeOffset } from '../../changes.ts';
import { duplicatesOf } from '../errors.ts';
import { storeParts, toParts } from '../history/calls.ts';
import type { ChangesDocument, Collections, MapLog, OpenChanges } from '../schema.ts';

/** The ids of locations that a write did not change. */
export type Unchanged = ReadonlySet<string>;

export const EMPTY_LOG: MapLog = { id: '', last: 0, lastWrite: '', before: null, open: [] };

/** Assigns the next numbers to these changes, in order. */
export function recordChanges(log: MapLog, changes: Omit<OpenChanges, 'first'>): MapLog {
  const { last, open } = log;
  return {
    ...log,
    last: last + changes.entries.length,
    lastWrite: changes.id,
    lastAt: changes.since,
    before: open.length === 0 ? endOf(log) : log.before,
    open: [...open, { ...changes, first: last + 1 }],
  };
}

/** Removes the entries of these writes. */
export function closeChanges(log: MapLog, writes: ReadonlySet<string>): MapLog {
  const open = log.open.filter(({ id }) => !writes.has(id));
  if (open.length === log.open.length) return log;
  return { ...log, open, before: open.length === 0 ? null : log.before };
}

/** The open writes that have one of these locations. */
export function writersOf({ open }: MapLog, mapId: string, ids: ReadonlySet<string>): readonly OpenChanges[] {
  return open.filter(({ entries }) => entries.some((entry) => ids.has(fromEntry(mapId, entry).id)));
}

/** The offset of the last change that has a number. */
function endOf({ id, last, lastWrite }: MapLog): ChangeOffset {
  return { number: last, stamp: last === 0 ? stampOfStart(id) : stampOf(id, lastWrite) };
}

/** The stamp of the offset before the first change. */
export function stampOfStart(logId: string): string {
  return stampOf(logId, '0');
}

/** The stamp of the offsets of a write. */
export function stampOf(logId: string, write: string): string {
  return `${logId}${write}`;
}

/**
 * The last offset that readers may reach. Its stamp is null if only `changes` has it, which then holds a change later than
 * `before`.
 */
export function readableEnd(log: MapLog): { readonly number: number; readonly stamp: string | null } {
  const { open, before } = log;
  if (open.length === 0) return endOf(log);
  const number = Math.min(...open.map(({ first }) => first)) - 1;
  return before?.number === number ? before : { number, stamp: null };
}

/**
 * Stores the changes of finished writes, and the history of their calls. Several processes may do so at once: they all
 * find the same result.
 */
export async function storeChanges(
  { changes, history }: Pick<Collections, 'changes' | 'history'>,
  mapId: string,
  done: readonly { readonly written: OpenChanges; readonly unchanged: Unchanged }[],
): Promise<void> {
  const finished = done.map(({ written, unchanged }) => ({
    written,
    made: written.entries.map((entry) => (unchanged.has(fromEntry(mapId, entry).id) ? '' : entry)),
  }));
  await Promise.all([
    insertChanges(
      { changes },
      finished.flatMap(({ written, made }) => toDocuments(mapId, written, made)),
    ),
    storeParts(
      { history },
      finished.flatMap(({ written, made }) => toParts(mapId, written, made)),
    ),
  ]);
}

async function insertChanges(
  { changes }: Pick<Collections, 'changes'>,
  documents: readonly ChangesDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await changes.insertMany(documents, { ordered: false });
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
  }
}

function toDocuments(
  mapId: string,
  { id, first, since }: OpenChanges,
  made: readonly string[],
): readonly ChangesDocument[] {
  return inParts(made).map(({ start, part }) => ({
    mapId,
    last: first + start + part.length - 1,
    write: id,
    changedAt: since,
    entries: part,
  }));
}

/** Deletes changes beyond the log's maximum, ten times per full log. Readers ignore them anyway. */
export async function removeExcess(
  { changes }: Pick<Collections, 'changes'>,
  mapId: string,
  before: MapLog,
  after: MapLog,
  mostChanges: number,
): Promise<void> {
  const turn = ({ last }: MapLog) => Math.floor((10 * last) / mostChanges);
  if (after.last <= mostChanges || turn(after) === turn(before)) return;
  await changes.deleteMany(
    { mapId: { $eq: mapId }, last: { $lte: after.last - mostChanges } },
    { hint: 'changes_by_place' },
  );
}
