/** Pages as JSON: of each document only what the template needs is sent, and its properties are never read. */

import type { FindOptions } from 'mongodb';

import { JsonText } from '../../domain/json-text.ts';
import type { LocationTemplate, LocationValue } from '../../domain/location-template.ts';
import { fillTemplate, frameOf } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { LocationsJson } from '../storage.ts';
import type { Collections } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { rangeOf } from './range.ts';
import { fromRank } from './rank.ts';
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

export async function listLocationsJson(
  { locations }: Collections,
  mapId: string,
  page: PageRequest<SortKey>,
  template: LocationTemplate,
  reads: Pick<FindOptions, 'readConcern'>,
): Promise<LocationsJson> {
  const { limit, fromEnd } = page;
  const sent = (await locations
    .find(rangeOf(mapId, page), { ...reads, projection: projectionOf(template), raw: true })
    .sort({ place: fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    // One more than asked for: it says whether there is more, and where.
    .limit(limit + 1)
    .toArray()) as unknown as Uint8Array[];
  const found = sent.map((bytes) => new RawLocation(bytes));
  const beyond = found.length > limit ? found.pop() : undefined;
  const listed = fromEnd ? found.reverse() : found;
  const [first, last] = [listed[0], listed.at(-1)];
  const [before, between, after] = frameOf(template);
  return {
    json: new JsonText(
      before + listed.map((location) => fillTemplate(template, location)).join(between) + after,
    ),
    count: listed.length,
    first: first === undefined ? null : fromRank(first.rank),
    last: last === undefined ? null : fromRank(last.rank),
    next: beyond === undefined ? null : { ...fromRank(beyond.rank), order: beyond.order },
  };
}

function projectionOf({ parts }: LocationTemplate): Record<string, 0 | 1> {
  const keys = parts.flatMap((part) => ('value' in part ? KEYS[part.value] : []));
  return { _id: 0, place: 1, order: 1, ...Object.fromEntries(keys.map((key) => [key, 1 as const])) };
}
