/**
 * Recovers writes whose process may have crashed: fences their locations, so that these writes can change nothing any more,
 * and then finds out what they did. No other write touches the locations, since the map's log names them. A writer that was
 * only slow meets the fence and starts again with other change numbers.
 *
 * - A location to be created holds the change's number, or gets a tombstone, which takes its id.
 * - A location to be restored holds the number, or its document in the trash gets a fence.
 * - A location to be changed holds the number, or gets a fence, which excludes it from the writer's filter.
 * - A location to be deleted no longer exists, or gets a fence.
 */

import { fromEntry } from '../../change-entries.ts';
import { LOCAL } from '../database.ts';
import { duplicatesOf } from '../errors.ts';
import type { LocationDocument, TombstoneDocument } from '../locations/location-records.ts';
import { TOMBSTONE_GRACE_MS } from '../locations/location-records.ts';
import type { Collections, OpenChanges } from '../schema.ts';
import type { Unchanged } from './map-log.ts';

/** Attempts of a writer that meets a fence. */
export const ROUNDS = 3;

/** The filter on `fence` of a writer's statement. */
export function unfenced(change: number) {
  return { $not: { $gte: change } };
}

/** Whether a recovery has fenced off this change of the location. */
export function isFenced(location: Pick<LocationDocument, 'fence'> | undefined, change: number): boolean {
  return (location?.fence ?? 0) >= change;
}

/** @returns the locations that these writes have not changed and cannot change any more */
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
      updateOne: {
        // Not a tombstone.
        filter: { mapId, _id: id, removeAfter: { $exists: false } },
        update: { $max: { fence: number } },
      },
    })),
    { ordered: false },
  );
  const tombstones = changes.map(({ id, number, kind, claimedUntil }): TombstoneDocument => ({
    _id: id,
    mapId,
    removeAfter: new Date(Math.max(Date.now(), claimedUntil.getTime()) + TOMBSTONE_GRACE_MS),
    ...(kind === 'created' && { fence: number }),
  }));
  await insertMissing(locations, tombstones);
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: ids } }, LOCAL)
    .hint('_id_')
    .project<Recovered>({ place: 1, change: 1 })
    .toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  return new Set(changes.filter((change) => !isMade(change, byId.get(change.id))).map(({ id }) => id));
}

type Recovered = Pick<LocationDocument, '_id' | 'place' | 'change'> | Pick<TombstoneDocument, '_id'>;

async function insertMissing(
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
  // A tombstone counts as missing: a late recovery of another write may have inserted it.
  const exists = document !== undefined && 'place' in document;
  return kind === 'deleted' ? !exists : exists && document.change === number;
}
