/**
 * What became of writes that take so long that their process may have died. Each of their locations is written first, so
 * that they can change nothing any more (`fence`), and then looked at. Nobody else writes them: they are named in the
 * map's log. A writer that was only slow meets the fence, and begins again with another place in the log.
 *
 * - A location that is to be created holds the change's number, or gets a tombstone, which keeps its id taken.
 * - One that is to be changed holds the number, or a fence with which the writer's statement finds it no more.
 * - One that is to be deleted is gone, or has such a fence.
 */

import { fromEntry } from '../change-entries.ts';
import type { Collections } from './database.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { duplicatesOf } from './failures.ts';
import { LOCAL } from './local-reads.ts';
import type { OpenChanges } from './map-log.ts';
import type { Unchanged } from './store-changes.ts';
import { TOMBSTONE_GRACE_MS } from './tombstone.ts';

/** How often a writer begins. */
export const ROUNDS = 3;

/** A writer's statement finds its location only where nobody has fenced it off. */
export function unfenced(change: number) {
  return { $not: { $gte: change } };
}

/** Whether a change must not be made to this location any more. */
export function isFenced(location: Pick<LocationDocument, 'fence'> | undefined, change: number): boolean {
  return (location?.fence ?? 0) >= change;
}

/** @returns the locations that were not changed, nor ever will be by these writes */
export async function recoverWrites(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  late: readonly OpenChanges[],
): Promise<Unchanged> {
  const changes = late.flatMap(({ first, entries, claimedUntil = new Date(0) }) =>
    entries.map((entry, index) => ({ ...fromEntry(mapId, entry), number: first + index, claimedUntil })),
  );
  const ids = changes.map(({ id }) => id);
  await locations.bulkWrite(
    changes.map(({ id, number }) => ({
      updateOne: { filter: { mapId, _id: id, place: { $gt: '' } }, update: { $max: { fence: number } } },
    })),
    { ordered: false },
  );
  const tombstones = changes.map(({ id, number, kind, claimedUntil }): TombstoneDocument => ({
    _id: id,
    mapId,
    removeAfter: new Date(Math.max(Date.now(), claimedUntil.getTime()) + TOMBSTONE_GRACE_MS),
    ...(kind === 'created' && { fence: number }),
  }));
  await insertWhereMissing(locations, tombstones);
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: ids } }, LOCAL)
    .hint('_id_')
    .project<Recovered>({ place: 1, change: 1 })
    .toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  return new Set(changes.filter((change) => !isMade(change, byId.get(change.id))).map(({ id }) => id));
}

type Recovered = Pick<LocationDocument, '_id' | 'place' | 'change'> | Pick<TombstoneDocument, '_id'>;

async function insertWhereMissing(
  locations: Collections['locations'],
  documents: readonly TombstoneDocument[],
): Promise<void> {
  try {
    await locations.insertMany(documents, { ordered: false });
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
  }
}

function isMade(
  { kind, number }: { readonly kind: string; readonly number: number },
  document: Recovered | undefined,
): boolean {
  // A tombstone may be of somebody who judged another write of the location, late.
  const isThere = document !== undefined && 'place' in document;
  return kind === 'deleted' ? !isThere : isThere && document.change === number;
}
