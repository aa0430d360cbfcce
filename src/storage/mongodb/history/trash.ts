/**
 * The trash: deleted locations, which keep their documents and so their ids (locations/delete.ts). One statement restores a
 * location (restore.ts), and one purges it, so that of concurrent calls only one gets it.
 */

import PQueue from 'p-queue';

import { firstHistoryId } from '../../../domain/ids.ts';
import type { HistoryStore, TrashedLocation } from '../../storage.ts';
import { toTombstone } from '../locations/delete.ts';
import type { StoredLocation, TrashDocument } from '../locations/location-records.ts';
import { deletedBy, isTrash, toLocation, trashKey } from '../locations/location-records.ts';
import { mapUnavailable } from '../maps.ts';
import type { Collections } from '../schema.ts';
import { removeVersions } from './former-states.ts';

/** Documents per batch of a search. */
const BATCH = 200;
/** Concurrent statements of one call. */
const CONCURRENCY = 10;

export async function listTrash(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  { limit, after }: Parameters<HistoryStore['listTrash']>[1],
  { deletedSince, matches }: Parameters<HistoryStore['listTrash']>[2],
): Promise<readonly TrashedLocation[]> {
  const found: TrashedLocation[] = [];
  if (limit === 0) return found;
  const key = {
    $gte: firstHistoryId(deletedSince),
    ...(after !== null && { $lt: trashKey(after.deletedBy, after.locationId) }),
  };
  const cursor = locations
    .find({ mapId: { $eq: mapId }, 'trash.key': key })
    .sort({ 'trash.key': -1 })
    .hint('locations_in_trash')
    .batchSize(matches === null ? limit + 1 : BATCH);
  for await (const document of cursor) {
    const trashed = toTrashed(document);
    if (trashed === null || (matches !== null && !matches(trashed.location))) continue;
    if (found.push(trashed) === limit) break;
  }
  return found;
}

export async function findTrashed(
  collections: Pick<Collections, 'locations'>,
  mapId: string,
  ids: readonly string[],
): Promise<readonly (TrashedLocation | null)[]> {
  const found = await readTrash(collections, mapId, ids);
  return ids.map((id) => toTrashed(found.get(id)));
}

function toTrashed(document: StoredLocation | undefined): TrashedLocation | null {
  if (document === undefined || !isTrash(document)) return null;
  return { location: toLocation(document.trash.location), deletedBy: deletedBy(document) };
}

export async function readTrash(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  ids: readonly string[],
): Promise<Map<string, TrashDocument>> {
  if (ids.length === 0) return new Map();
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] }, 'trash.key': { $gte: '' } })
    .hint('_id_')
    .toArray();
  return new Map(found.filter(isTrash).map((document) => [document._id, document]));
}

export async function purgeAll(
  collections: Collections,
  mapId: string,
  ids: readonly string[],
): Promise<Awaited<ReturnType<HistoryStore['purgeLocations']>>> {
  const unavailable = await mapUnavailable(collections, mapId);
  if (unavailable !== null) return unavailable;
  const trashed = await readTrash(collections, mapId, ids);
  const wanted = [...new Set(ids)].filter((id) => trashed.has(id));
  const { purgedIds } = await purgeEach(
    collections,
    wanted.map((id) => ({ mapId, id })),
  );
  return { kind: 'done', purgedIds };
}

/** A location in the trash; if `key` is given, only while the trash has it under that key. */
interface Purge {
  readonly mapId: string;
  readonly id: string;
  readonly key?: string;
}

/** Removes locations from the trash, with all their versions. @returns also the number of documents removed */
export async function purgeEach(
  collections: Pick<Collections, 'locations' | 'versions'>,
  purges: readonly Purge[],
): Promise<{ readonly purgedIds: readonly string[]; readonly removed: number }> {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const isPurged = await queue.addAll(purges.map((purge) => () => purgeOne(collections, purge)));
  const purged = purges.filter((_, index) => isPurged[index]);
  const versions = await removeVersions(collections, purged);
  return { purgedIds: purged.map(({ id }) => id), removed: purged.length + versions };
}

/** Leaves what a delete without a trash would have left. @returns whether the trash had the location */
async function purgeOne(
  { locations }: Pick<Collections, 'locations'>,
  { mapId, id, key }: Purge,
): Promise<boolean> {
  const filter = {
    mapId: { $eq: mapId },
    _id: { $eq: id },
    'trash.key': key === undefined ? { $gte: '' } : { $eq: key },
  };
  const { deletedCount } = await locations.deleteOne({
    ...filter,
    'trash.location.claimedUntil': { $exists: false },
  });
  if (deletedCount === 1) return true;
  const { matchedCount } = await locations.updateOne(filter, toTombstone('$trash.location.claimedUntil'));
  return matchedCount === 1;
}
