/** Removing locations without a transaction; list-count.ts says why a removal is announced before. */

import { storageUnavailable } from '../../errors.ts';
import type { VersionHit } from '../search.ts';
import type { MapUnavailable, Storage } from '../storage.ts';
import type { Writer } from './idempotency-locks.ts';
import type { Collections } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { freeDeleted } from './external-ids.ts';
import { findLocations } from './find-locations.ts';
import { WITHOUT_INDEXED } from './search/indexed.ts';
import { isFenced, ROUNDS, unfenced } from './recovery.ts';
import type { RemovalsRecorded } from './list-requests.ts';
import { isLive, toLocation } from './location-documents.ts';
import { mapUnavailable } from './maps.ts';
import { TOMBSTONE_GRACE_MS } from './tombstone.ts';
import { versionFilter } from './update.ts';

/** What is to be deleted: of that version alone, where one is given. */
type DeleteTarget = Pick<VersionHit, 'id'> & Partial<Pick<VersionHit, 'version'>>;

/** Locations of one call whose removals are recorded together and made at once. */
const REMOVED_TOGETHER = 200;

export async function deleteOne(
  writer: Writer,
  mapId: string,
  target: DeleteTarget,
): Promise<Awaited<ReturnType<Storage['deleteLocation']>>> {
  const removed = await removeAll(writer, mapId, [target]);
  if ('kind' in removed) return removed;
  const document = removed.get(target.id);
  return document === undefined ? { kind: 'missing' } : { kind: 'deleted', location: toLocation(document) };
}

export async function deleteAll(
  writer: Writer,
  mapId: string,
  targets: readonly DeleteTarget[],
): Promise<Awaited<ReturnType<Storage['deleteLocations']>>> {
  const gone = await mapUnavailable(writer.collections, mapId);
  if (gone !== null) return gone;
  const distinct = [...new Map(targets.map((each) => [each.id, each])).values()];
  const deletedIds: string[] = [];
  for (let start = 0; start < distinct.length; start += REMOVED_TOGETHER) {
    const batch = distinct.slice(start, start + REMOVED_TOGETHER);
    const removed = await removeAll(writer, mapId, batch);
    // Where the map is deleted meanwhile, the rest stays, and what was removed is returned.
    if ('kind' in removed) break;
    deletedIds.push(...batch.flatMap(({ id }) => (removed.has(id) ? [id] : [])));
  }
  return { kind: 'done', deletedIds };
}

type Removed = ReadonlyMap<string, LocationDocument>;

/** @returns the locations that were removed, by their ids */
async function removeAll(
  writer: Writer,
  mapId: string,
  targets: readonly DeleteTarget[],
): Promise<Removed | MapUnavailable> {
  const removed = new Map<string, LocationDocument>();
  const versions = new Map(targets.map(({ id, version }) => [id, version]));
  let ids: readonly string[] = targets.map(({ id }) => id);
  for (let round = 1; ids.length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const fenced: string[] = [];
    for (let left = ids; left.length > 0;) {
      const recorded = await writer.lists.recordRemovals(mapId, left);
      if (recorded.kind !== 'recorded') return removed.size > 0 ? removed : recorded;
      const outcome = await removeRecorded(writer.collections, mapId, recorded, versions);
      for (const document of outcome.removed) removed.set(document._id, document);
      fenced.push(...outcome.fenced);
      left = recorded.left;
    }
    ids = fenced;
  }
  return removed;
}

async function removeRecorded(
  collections: Collections,
  mapId: string,
  { write, firstChange, ids }: RemovalsRecorded,
  versions: ReadonlyMap<string, number | undefined>,
): Promise<{ readonly removed: readonly LocationDocument[]; readonly fenced: readonly string[] }> {
  if (write === null) return { removed: [], fenced: [] };
  const changes = ids.map((id, index) => ({ id, version: versions.get(id), change: firstChange + index }));
  const found = await Promise.all(
    changes.map(async ({ id, version, change }) => {
      write.assertWithinLimit();
      return remove(collections, mapId, { id, version }, change);
    }),
  );
  const unchanged = changes.filter((_, index) => found[index] === null);
  const removed = found.filter((document) => document !== null);
  write.done(unchanged.map(({ id }) => id));
  await Promise.all(removed.map((document) => freeDeleted(collections, document)));
  if (unchanged.length === 0) return { removed, fenced: [] };
  const now = await findLocations(
    collections,
    mapId,
    unchanged.map(({ id }) => id),
  );
  const fenced = unchanged.filter(({ id, change }) => isFenced(now.get(id), change));
  return { removed, fenced: fenced.map(({ id }) => id) };
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
