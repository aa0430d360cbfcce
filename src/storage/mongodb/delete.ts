/** Removing locations without a transaction; list-count.ts says why a removal is announced before. */

import PQueue from 'p-queue';

import { storageUnavailable } from '../../errors.ts';
import type { VersionHit } from '../search.ts';
import type { Storage } from '../storage.ts';
import type { Writer } from './idempotency-locks.ts';
import type { Collections } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { freeDeleted } from './external-ids.ts';
import { findLocations } from './find-locations.ts';
import { WITHOUT_INDEXED } from './search/indexed.ts';
import { isFenced, ROUNDS, unfenced } from './recovery.ts';
import { isLive, toLocation } from './location-documents.ts';
import { mapUnavailable } from './maps.ts';
import { TOMBSTONE_GRACE_MS } from './tombstone.ts';
import { versionFilter } from './update.ts';

/** What is to be deleted: of that version alone, where one is given. */
type DeleteTarget = Pick<VersionHit, 'id'> & Partial<Pick<VersionHit, 'version'>>;

/** Locations of one call that are removed at once. Those that wait together are announced together. */
const CONCURRENCY = 200;

export async function deleteOne(
  { collections, lists }: Writer,
  mapId: string,
  { id, version }: DeleteTarget,
): Promise<Awaited<ReturnType<Storage['deleteLocation']>>> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const recorded = await lists.recordRemoval(mapId, id);
    if (recorded.kind === 'nothing' || recorded.kind === 'fenced') return { kind: 'missing' };
    if (recorded.kind !== 'recorded') return recorded;
    const { write, firstChange } = recorded;
    write.assertWithinLimit();
    const removed = await remove(collections, mapId, { id, version }, firstChange);
    write.done(removed === null ? [id] : []);
    if (removed !== null) {
      await freeDeleted(collections, removed);
      return { kind: 'deleted', location: toLocation(removed) };
    }
    const left = (await findLocations(collections, mapId, [id])).get(id);
    if (!isFenced(left, firstChange)) return { kind: 'missing' };
  }
  throw storageUnavailable();
}

export async function deleteAll(
  writer: Writer,
  mapId: string,
  targets: readonly DeleteTarget[],
): Promise<Awaited<ReturnType<Storage['deleteLocations']>>> {
  const gone = await mapUnavailable(writer.collections, mapId);
  if (gone !== null) return gone;
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const distinct = [...new Map(targets.map((each) => [each.id, each])).values()];
  // Where the map is deleted on the way, what is left stays, and what was removed is told.
  const outcomes = await queue.addAll(distinct.map((each) => () => deleteOne(writer, mapId, each)));
  const deleted = distinct.filter((_, index) => outcomes[index]?.kind === 'deleted');
  return { kind: 'done', deletedIds: deleted.map(({ id }) => id) };
}

/** Each way is one statement on one document. So of several deletions at once, one finds the location. */
async function remove(
  { locations }: Collections,
  mapId: string,
  { id, version }: DeleteTarget,
  change: number,
): Promise<LocationDocument | null> {
  const targets = {
    mapId: { $eq: mapId },
    _id: { $eq: id },
    place: { $gt: '' },
    fence: unfenced(change),
    ...(version !== undefined && { version: versionFilter(version) }),
  };
  const unclaimed = await locations.findOneAndDelete(
    { ...targets, claimedUntil: { $exists: false } },
    { projection: WITHOUT_INDEXED },
  );
  if (unclaimed !== null) return isLive(unclaimed) ? unclaimed : null;
  // Leaves its id taken for as long as a retry under its key may try to store it again.
  const claimed = await locations.findOneAndUpdate(
    targets,
    [
      {
        $replaceWith: {
          _id: '$_id',
          mapId: '$mapId',
          removeAfter: { $add: [{ $max: ['$claimedUntil', new Date()] }, TOMBSTONE_GRACE_MS] },
        },
      },
    ],
    { returnDocument: 'before', projection: WITHOUT_INDEXED },
  );
  return claimed !== null && isLive(claimed) ? claimed : null;
}
