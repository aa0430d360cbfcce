/**
 * Deletes locations without a transaction. writes/count.ts says why the write intent comes first. The statement that deletes
 * a location leaves it in the trash, if the call keeps one.
 */

import { storageUnavailable } from '../../../errors.ts';
import type { VersionHit } from '../../search.ts';
import type { MapUnavailable, Storage, WriteCall } from '../../storage.ts';
import { findLocations } from './list.ts';
import type { LocationDocument } from './location-records.ts';
import {
  INDEXED_FIELDS,
  isLive,
  toLocation,
  TOMBSTONE_GRACE_MS,
  trashKey,
  versionFilter,
  WITHOUT_INDEXED,
} from './location-records.ts';
import { removeVersions } from '../history/former-states.ts';
import { mapUnavailable } from '../maps.ts';
import type { Collections } from '../schema.ts';
import type { Writer } from '../writes/map-writes.ts';
import { isFenced, ROUNDS, unfenced } from '../writes/recovery.ts';
import type { DeletesRecorded } from '../writes/requests.ts';
import { freeDeleted } from '../writes/reservations.ts';

/** If `version` is given, only that version is deleted. */
type DeleteTarget = Pick<VersionHit, 'id'> & Partial<Pick<VersionHit, 'version'>>;

/** Locations of one call that share a write intent and are deleted concurrently. */
const BATCH = 200;

export async function deleteOne(
  writer: Writer,
  mapId: string,
  target: DeleteTarget,
  call: WriteCall | undefined,
): Promise<Awaited<ReturnType<Storage['deleteLocation']>>> {
  const deleted = await deleteBatch(writer, mapId, [target], call);
  if ('kind' in deleted) return deleted;
  const document = deleted.get(target.id);
  return document === undefined ? { kind: 'missing' } : { kind: 'deleted', location: toLocation(document) };
}

export async function deleteAll(
  writer: Writer,
  mapId: string,
  targets: readonly DeleteTarget[],
  call: WriteCall | undefined,
): Promise<Awaited<ReturnType<Storage['deleteLocations']>>> {
  const unavailable = await mapUnavailable(writer.collections, mapId);
  if (unavailable !== null) return unavailable;
  const distinct = [...new Map(targets.map((each) => [each.id, each])).values()];
  const deletedIds: string[] = [];
  for (let start = 0; start < distinct.length; start += BATCH) {
    const batch = distinct.slice(start, start + BATCH);
    const deleted = await deleteBatch(writer, mapId, batch, call);
    // If the map is deleted meanwhile, the remaining locations stay, and the call returns those that it deleted.
    if ('kind' in deleted) break;
    deletedIds.push(...batch.flatMap(({ id }) => (deleted.has(id) ? [id] : [])));
  }
  return { kind: 'done', deletedIds };
}

/** @returns the deleted locations, by id */
async function deleteBatch(
  writer: Writer,
  mapId: string,
  targets: readonly DeleteTarget[],
  call: WriteCall | undefined,
): Promise<ReadonlyMap<string, LocationDocument> | MapUnavailable> {
  const deleted = new Map<string, LocationDocument>();
  const versions = new Map(targets.map(({ id, version }) => [id, version]));
  let ids: readonly string[] = targets.map(({ id }) => id);
  for (let round = 1; ids.length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const fenced: string[] = [];
    for (let left = ids; left.length > 0;) {
      const recorded = await writer.writes.recordDeletes(mapId, left, call);
      if (recorded.kind !== 'recorded') return deleted.size > 0 ? deleted : recorded;
      const outcome = await deleteRecorded(writer.collections, mapId, recorded, { versions, call });
      for (const document of outcome.deleted) deleted.set(document._id, document);
      fenced.push(...outcome.fenced);
      left = recorded.left;
    }
    ids = fenced;
  }
  return deleted;
}

interface DeleteOptions {
  readonly versions: ReadonlyMap<string, number | undefined>;
  readonly call: WriteCall | undefined;
}

async function deleteRecorded(
  collections: Collections,
  mapId: string,
  { write, firstChange, ids }: DeletesRecorded,
  { versions, call }: DeleteOptions,
): Promise<{ readonly deleted: readonly LocationDocument[]; readonly fenced: readonly string[] }> {
  if (write === null) return { deleted: [], fenced: [] };
  const changes = ids.map((id, index) => ({ id, version: versions.get(id), change: firstChange + index }));
  const found = await Promise.all(
    changes.map(async ({ id, version, change }) => {
      write.assertWithinLimit();
      return deleteLocation(collections, mapId, { id, version }, { change, call });
    }),
  );
  const unchanged = changes.filter((_, index) => found[index] === null);
  const deleted = found.filter((document) => document !== null);
  write.done(unchanged.map(({ id }) => id));
  await Promise.all(deleted.map((document) => freeDeleted(collections, document)));
  if (call?.keepsTrash !== true) {
    const changed = deleted.filter(({ version = 1 }) => version > 1);
    await removeVersions(
      collections,
      changed.map(({ _id }) => ({ mapId, id: _id })),
    );
  }
  if (unchanged.length === 0) return { deleted, fenced: [] };
  const now = await findLocations(
    collections,
    mapId,
    unchanged.map(({ id }) => id),
  );
  const fenced = unchanged.filter(({ id, change }) => isFenced(now.get(id), change));
  return { deleted, fenced: fenced.map(({ id }) => id) };
}

/** A pipeline that leaves a tombstone of a document. @param claimedUntil the field that has it */
export function toTombstone(claimedUntil: string) {
  const end = { $max: [claimedUntil, new Date()] };
  const removeAfter = { $add: [end, TOMBSTONE_GRACE_MS] };
  return [{ $replaceWith: { _id: '$_id', mapId: '$mapId', removeAfter } }];
}

/** Every way is one statement on one document, so only one of several concurrent deletes gets the location. */
async function deleteLocation(
  { locations }: Collections,
  mapId: string,
  { id, version }: DeleteTarget,
  { change, call }: { readonly change: number; readonly call: WriteCall | undefined },
): Promise<LocationDocument | null> {
  const filter = {
    mapId: { $eq: mapId },
    _id: { $eq: id },
    place: { $gt: '' },
    fence: unfenced(change),
    ...(version !== undefined && { version: versionFilter(version) }),
  };
  if (call?.keepsTrash === true) {
    const trashed = await locations.findOneAndUpdate(
      filter,
      [
        { $unset: INDEXED_FIELDS },
        {
          $replaceWith: {
            _id: '$_id',
            mapId: '$mapId',
            trash: { key: { $literal: trashKey(call.id, id) }, location: '$$ROOT' },
          },
        },
      ],
      { returnDocument: 'before', projection: WITHOUT_INDEXED },
    );
    return trashed !== null && isLive(trashed) ? trashed : null;
  }
  const unkeyed = await locations.findOneAndDelete(
    { ...filter, claimedUntil: { $exists: false } },
    { projection: WITHOUT_INDEXED },
  );
  if (unkeyed !== null) return isLive(unkeyed) ? unkeyed : null;
  // The tombstone keeps the id taken while a retry under its key may insert the location again.
  const keyed = await locations.findOneAndUpdate(filter, toTombstone('$claimedUntil'), {
    returnDocument: 'before',
    projection: WITHOUT_INDEXED,
  });
  return keyed !== null && isLive(keyed) ? keyed : null;
}
