/** Pages as JSON: of each document only what the template needs is sent, and its properties are never read. */

import type { FindOptions } from 'mongodb';

import { JsonText } from '../../domain/json/json-text.ts';
import type { LocationTemplate, LocationValue } from '../../domain/location-template.ts';
import { fillTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationsJson } from '../storage.ts';
import type { Collections } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { rangeOf } from './range.ts';
import { fromStoredSortKey } from './stored-sort-key.ts';
import { RawLocation } from './raw-location.ts';

/** The fields of a document that a value is made of. */
const KEYS: Readonly<Record<LocationValue, readonly (keyof LocationDocument)[]>> = {
  id: ['_id'],
  name: ['name'],
  placeId: ['placeId'],
  lat: ['latitude'],
  lng: ['longitude'],
  latitude: ['latitude'],
  longitude: ['longitude'],
  properties: ['properties'],
  order: ['order'],
  externalId: ['externalId'],
  version: ['version'],
  createdAt: ['createdAt'],
  updatedAt: ['updatedAt', 'createdAt'],
  provider: ['provider'],
  precision: ['precision'],
};

/** What a read of locations is made with. */
type Reads = Pick<FindOptions, 'readConcern'>;

export async function listLocationsJson(
  collections: Collections,
  mapId: string,
  page: PageRequest<SortKey>,
  template: LocationTemplate,
  reads: Reads,
): Promise<LocationsJson> {
  const { limit, fromEnd } = page;
  // One more than asked for: it says whether there is more, and where.
  const wanted = { ...page, limit: limit + 1 };
  const found = await findRaw(collections, mapId, wanted, valuesOf(template), reads);
  const beyond = found.length > limit ? found.pop() : undefined;
  const listed = fromEnd ? found.reverse() : found;
  const [first, last] = [listed[0], listed.at(-1)];
  return {
    json: new JsonText(`[${listed.map((location) => fillTemplate(template, location)).join(',')}]`),
    count: listed.length,
    first: first === undefined ? null : fromStoredSortKey(first.rank),
    last: last === undefined ? null : fromStoredSortKey(last.rank),
    next: beyond === undefined ? null : { ...fromStoredSortKey(beyond.rank), order: beyond.order },
  };
}

/** A page of locations with those values of them, from the side that it begins at. */
export async function findRaw(
  { locations }: Collections,
  mapId: string,
  page: PageRequest<SortKey>,
  values: readonly LocationValue[],
  reads: Reads,
): Promise<RawLocation[]> {
  const sent = (await locations
    .find(rangeOf(mapId, page), { ...reads, projection: projectionOf(values), raw: true })
    .sort({ place: page.fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    .limit(page.limit)
    .toArray()) as unknown as Uint8Array[];
  return sent.map((bytes) => new RawLocation(bytes));
}

export function valuesOf({ parts }: LocationTemplate): readonly LocationValue[] {
  return parts.flatMap((part) => ('value' in part ? [part.value] : []));
}

function projectionOf(values: readonly LocationValue[]): Record<string, 0 | 1> {
  const keys = values.flatMap((value) => KEYS[value]);
  return { _id: 0, place: 1, order: 1, ...Object.fromEntries(keys.map((key) => [key, 1 as const])) };
}
