/** Reads former states of locations, those that count (former-states.ts). */

import type { VersionRecord } from '../../storage.ts';
import type { StoredLocation } from '../locations/location-records.ts';
import { deletedBy, isTrash, toLocation, WITHOUT_INDEXED } from '../locations/location-records.ts';
import type { Collections, VersionDocument } from '../schema.ts';
import { CountingVersions, headOf, keyOf, versionId } from './former-states.ts';

/** Locations whose versions are read by one query. */
const BATCH = 200;

export function toVersion(document: VersionDocument): VersionRecord {
  const { mapId, state } = document;
  const { id, version, replacedBy } = keyOf(document);
  return {
    locationId: id,
    version,
    location: state === undefined ? null : toLocation({ ...state, _id: id, mapId }),
    replacedBy,
    isInTrash: false,
  };
}

/** The last state of a location in the trash; null for others. */
export function trashedVersion(document: StoredLocation): VersionRecord | null {
  if (!isTrash(document)) return null;
  const location = toLocation(document.trash.location);
  const { id, version } = location;
  return { locationId: id, version, location, replacedBy: deletedBy(document), isInTrash: true };
}

/** Newest first. */
export async function listVersions(
  { locations, versions }: Pick<Collections, 'locations' | 'versions'>,
  mapId: string,
  locationId: string,
  { limit, before }: { readonly limit: number; readonly before: number | null },
): Promise<readonly VersionRecord[]> {
  const found = await locations.findOne<StoredLocation>(
    { mapId: { $eq: mapId }, _id: { $eq: locationId } },
    { projection: WITHOUT_INDEXED, hint: '_id_' },
  );
  const head = found === null ? null : headOf(found);
  if (found === null || head === null || limit === 0) return [];
  const end = before ?? Infinity;
  const trashed = trashedVersion(found);
  const listed = trashed !== null && trashed.version < end ? [trashed] : [];
  const counting = new CountingVersions(head);
  const cursor = versions
    // With `before` itself: its document tells which call made it.
    .find({
      mapId: { $eq: mapId },
      _id: {
        $gt: `${locationId} `,
        $lt: versionId({ id: locationId, version: Math.min(end + 1, head.version) }),
      },
    })
    .sort({ _id: -1 })
    .hint('_id_')
    .batchSize(limit + 2);
  for await (const document of cursor) {
    if (listed.length >= limit) break;
    if (counting.counts(document) && keyOf(document).version < end) listed.push(toVersion(document));
  }
  return listed;
}

/** For each location, oldest first. */
export async function findReplaced(
  collections: Pick<Collections, 'locations' | 'versions'>,
  mapId: string,
  callId: string,
  locationIds: readonly string[],
): Promise<readonly (readonly VersionRecord[])[]> {
  const found = new Map<string, readonly VersionRecord[]>();
  const distinct = [...new Set(locationIds)];
  for (let start = 0; start < distinct.length; start += BATCH) {
    const batch = distinct.slice(start, start + BATCH);
    for (const [id, versions] of await findReplacedOf(collections, mapId, callId, batch))
      found.set(id, versions);
  }
  return locationIds.map((id) => found.get(id) ?? []);
}

async function findReplacedOf(
  { locations, versions }: Pick<Collections, 'locations' | 'versions'>,
  mapId: string,
  callId: string,
  locationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly VersionRecord[]>> {
  const stored = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...locationIds] } })
    .project<StoredLocation>(WITHOUT_INDEXED)
    .hint('_id_')
    .toArray();
  const keys = await versions
    .find({ mapId: { $eq: mapId }, _id: { $in: stored.map(({ _id }) => new RegExp(`^${_id} `)) } })
    .project<Pick<VersionDocument, '_id' | 'madeBy'>>({ madeBy: 1 })
    .sort({ _id: -1 })
    .hint('_id_')
    .toArray();
  const counting = new Map(stored.map((document) => [document._id, new CountingVersions(headOf(document))]));
  const replaced = keys.filter((document) => {
    const { id, replacedBy } = keyOf(document);
    return counting.get(id)?.counts(document) === true && replacedBy === callId;
  });
  const documents = await versions
    .find({ mapId: { $eq: mapId }, _id: { $in: replaced.map(({ _id }) => _id) } })
    .hint('_id_')
    .toArray();
  const byLocation = new Map<string, VersionRecord[]>(stored.map(({ _id }) => [_id, []]));
  for (const version of documents.map(toVersion)) byLocation.get(version.locationId)?.push(version);
  for (const document of stored) {
    const trashed = trashedVersion(document);
    if (trashed?.replacedBy === callId) byLocation.get(document._id)?.push(trashed);
  }
  for (const all of byLocation.values()) all.sort((a, b) => a.version - b.version);
  return byLocation;
}
