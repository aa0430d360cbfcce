/** Removes what is older, or more, than is kept, in steps. */

import { firstHistoryId } from '../../../domain/ids.ts';
import type { HistoryLimits, HistoryStore } from '../../storage.ts';
import type { StoredLocation } from '../locations/location-records.ts';
import { isTrash } from '../locations/location-records.ts';
import type { Collections } from '../schema.ts';
import { callOfPart } from './calls.ts';
import type { Head } from './former-states.ts';
import { headOf, keyOf } from './former-states.ts';
import { purgeEach } from './trash.ts';

type Step = Awaited<ReturnType<HistoryStore['removeOldHistory']>>;

/** Versions by id, then the trash by map and key, then parts of records by id. A cursor names the last of them. */
export async function removeOldHistory(
  collections: Collections,
  limits: HistoryLimits,
  after: string | null,
  limit: number,
): Promise<Step> {
  const place = after?.slice(2) ?? '';
  switch (after?.charAt(0) ?? 'v') {
    case 'v':
      return removeOldVersions(collections, limits, place, limit);
    case 't':
      return removeOldTrash(collections, limits, place, limit);
    default:
      return removeOldRecords(collections, limits, place, limit);
  }
}

async function removeOldVersions(
  collections: Collections,
  limits: HistoryLimits,
  after: string,
  limit: number,
): Promise<Step> {
  const { versions } = collections;
  const found = await versions
    .find({ _id: { $gt: after } })
    .project<{ _id: string; mapId: string }>({ mapId: 1 })
    .sort({ _id: 1 })
    .hint('_id_')
    .limit(limit)
    .toArray();
  const last = found.at(-1);
  if (last === undefined) return { removed: 0, next: 't ' };
  const mapIds = [...new Set(found.map(({ mapId }) => mapId))];
  const heads = await findHeads(
    collections,
    mapIds,
    found.map((document) => keyOf(document).id),
  );
  const over = found.flatMap((document) => (isOver(document, heads, limits) ? [document._id] : []));
  const next = `v ${last._id}`;
  if (over.length === 0) return { removed: 0, next };
  const { deletedCount } = await versions.deleteMany(
    { mapId: { $in: mapIds }, _id: { $in: over } },
    { hint: '_id_' },
  );
  return { removed: deletedCount, next };
}

async function findHeads(
  { locations }: Pick<Collections, 'locations'>,
  mapIds: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredLocation>> {
  const found = await locations
    .find({ mapId: { $in: [...mapIds] }, _id: { $in: [...new Set(ids)] } })
    .project<StoredLocation>({ place: 1, version: 1, 'trash.location.place': 1, 'trash.location.version': 1 })
    .hint('_id_')
    .toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/** Versions of no use, which do not count, are removed by the same limits: their write may be in progress. */
function isOver(
  document: { readonly _id: string },
  heads: ReadonlyMap<string, StoredLocation>,
  { versionsSince, mostVersions }: HistoryLimits,
): boolean {
  const { id, version, replacedBy } = keyOf(document);
  const stored = heads.get(id);
  const head: Head | null = stored === undefined ? null : headOf(stored);
  if (stored === undefined || head === null || replacedBy < firstHistoryId(versionsSince)) return true;
  return !isTrash(stored) && version < head.version - mostVersions;
}

/** @param after a map's id and a key of its trash */
async function removeOldTrash(
  collections: Collections,
  { trashSince }: HistoryLimits,
  after: string,
  limit: number,
): Promise<Step> {
  const { locations } = collections;
  const mapId = after.split(' ', 1)[0] ?? '';
  const keys = { $gt: after.slice(mapId.length + 1), $lt: firstHistoryId(trashSince) };
  const found = await locations
    .find({ mapId: { $eq: mapId }, 'trash.key': keys })
    .project<StoredLocation>({ 'trash.key': 1 })
    .sort({ 'trash.key': 1 })
    .hint('locations_in_trash')
    .limit(limit)
    .toArray();
  const old = found.filter(isTrash);
  const last = old.at(-1);
  if (last !== undefined) {
    // Unless they were restored meanwhile.
    const { removed } = await purgeEach(
      collections,
      old.map(({ _id, trash: { key } }) => ({ mapId, id: _id, key })),
    );
    return { removed, next: `t ${mapId} ${last.trash.key}` };
  }
  const [next] = await locations
    .find({ mapId: { $gt: mapId }, 'trash.key': { $gte: '' } })
    .project<{ mapId: string }>({ mapId: 1 })
    .sort({ mapId: 1, 'trash.key': 1 })
    .hint('locations_in_trash')
    .limit(1)
    .toArray();
  return { removed: 0, next: next === undefined ? 'h ' : `t ${next.mapId} ` };
}

/** Parts of a map sort by time, so a part that is not over ends the map. */
async function removeOldRecords(
  { history }: Pick<Collections, 'history'>,
  { recordsSince }: HistoryLimits,
  after: string,
  limit: number,
): Promise<Step> {
  const [first] = await history
    .find({ _id: { $gt: after } })
    .project<{ _id: string; mapId: string }>({ mapId: 1 })
    .sort({ _id: 1 })
    .hint('_id_')
    .limit(1)
    .toArray();
  if (first === undefined) return { removed: 0, next: null };
  const { _id: from, mapId } = first;
  const end = firstHistoryId(recordsSince);
  // Sorts after every part of the map.
  if (callOfPart(first) >= end) return { removed: 0, next: `h ${mapId} ~` };
  const found = await history
    .find({ mapId: { $eq: mapId }, _id: { $gte: from, $lt: `${mapId} ${end}` } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ _id: 1 })
    .hint('_id_')
    .limit(limit)
    .toArray();
  const last = found.at(-1)?._id ?? from;
  await history.deleteMany({ mapId: { $eq: mapId }, _id: { $gte: from, $lte: last } }, { hint: '_id_' });
  return { removed: new Set(found.map(callOfPart)).size, next: `h ${last}` };
}
