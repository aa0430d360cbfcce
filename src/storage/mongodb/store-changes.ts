/** Putting changes that are done into the collection of the log, and taking out what it has too much of. */

import { fromEntry, inParts } from '../change-entries.ts';
import type { Collections } from './database.ts';
import type { ChangesDocument } from './documents.ts';
import { duplicatesOf } from './failures.ts';
import type { MapLog, OpenChanges } from './map-log.ts';

/** Locations that a write did not change after all. */
export type Unchanged = ReadonlySet<string>;

export const ALL_CHANGED: Unchanged = new Set();

/** May be done again by anybody: what became of a write is the same whoever finds it out. */
export async function storeChanges(
  { changes }: Pick<Collections, 'changes'>,
  mapId: string,
  done: readonly { readonly written: OpenChanges; readonly unchanged: Unchanged }[],
): Promise<void> {
  const documents = done.flatMap(({ written, unchanged }) => toDocuments(mapId, written, unchanged));
  if (documents.length === 0) return;
  try {
    await changes.insertMany(documents, { ordered: false });
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
  }
}

function toDocuments(
  mapId: string,
  { id, first, entries, since }: OpenChanges,
  unchanged: Unchanged,
): readonly ChangesDocument[] {
  const made = entries.map((entry) => (unchanged.has(fromEntry(mapId, entry).id) ? '' : entry));
  return inParts(made).map(({ start, part }) => ({
    mapId,
    last: first + start + part.length - 1,
    write: id,
    changedAt: since,
    entries: part,
  }));
}

/** Removes what a log has too much of, now and then as it grows. Readers do not see it in any case. */
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
