/** Pages as JSON: of each document only what the template needs is sent, and its properties are never read. */

import { JsonText } from '../../domain/json-text.ts';
import type { LocationTemplate, LocationValue } from '../../domain/location-template.ts';
import { fillTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { Position } from '../../domain/position.ts';
import type { LocationsJson } from '../storage.ts';
import type { Collections } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { fromPlace } from './place.ts';
import { rangeOf } from './range.ts';

const KEYS: Readonly<Record<LocationValue, keyof LocationDocument>> = {
  id: '_id',
  name: 'name',
  placeId: 'placeId',
  lat: 'latitude',
  lng: 'longitude',
  latitude: 'latitude',
  longitude: 'longitude',
  properties: 'properties',
  order: 'order',
  createdAt: 'createdAt',
  provider: 'provider',
  precision: 'precision',
};

export async function listLocationsJson(
  { locations }: Collections,
  mapId: string,
  page: PageRequest<Position>,
  template: LocationTemplate,
): Promise<LocationsJson> {
  const { limit, fromEnd } = page;
  const found = (await locations
    .find(rangeOf(mapId, page), { projection: projectionOf(template) })
    .sort({ place: fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    // One more tells that there is more, and where.
    .limit(limit + 1)
    .toArray()) as LocationDocument[];
  const beyond = found.length > limit ? found.pop() : undefined;
  const documents = fromEnd ? found.reverse() : found;
  const [first, last] = [documents[0], documents.at(-1)];
  return {
    json: new JsonText(`[${documents.map((document) => toJson(template, document)).join(',')}]`),
    count: documents.length,
    first: first === undefined ? null : fromPlace(first.place),
    last: last === undefined ? null : fromPlace(last.place),
    next: beyond === undefined ? null : { ...fromPlace(beyond.place), order: beyond.order },
  };
}

function projectionOf({ parts }: LocationTemplate): Record<string, 0 | 1> {
  const keys = parts.flatMap((part) => ('value' in part ? [KEYS[part.value]] : []));
  return { _id: 0, place: 1, order: 1, ...Object.fromEntries(keys.map((key) => [key, 1 as const])) };
}

/** What the template does not need is not there. */
function toJson(template: LocationTemplate, document: LocationDocument): string {
  return fillTemplate(template, {
    id: document._id,
    name: document.name,
    placeId: document.placeId,
    latitude: document.latitude,
    longitude: document.longitude,
    properties: document.properties,
    order: document.order,
    createdAt: Number(document.createdAt),
    geocoding: document,
  });
}
