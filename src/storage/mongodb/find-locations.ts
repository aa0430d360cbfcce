/** Locations of a map by their ids. */

import type { Collections } from './database.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { WITHOUT_INDEXED } from './search/indexed.ts';
import { isLive } from './location-documents.ts';

/** @returns those that are there, by id */
export async function findLocations(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LocationDocument>> {
  if (ids.length === 0) return new Map();
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } })
    .project<LocationDocument | TombstoneDocument>(WITHOUT_INDEXED)
    .hint('_id_')
    .toArray();
  return new Map(found.filter(isLive).map((document) => [document._id, document]));
}
