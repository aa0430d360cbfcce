/**
 * What the public sees of a map and of its locations (capabilities §12). Here alone it is decided. A map or a location in
 * the public view is of another type than the owner's, so that whoever handles one says which.
 */

import type { JsonObject } from './json/json.ts';
import type { LocationRecord } from './location.ts';
import type { TemplateSource } from './location-template.ts';
import type { MapRecord } from './map.ts';

/** Without its keys and its owner, and with the fields alone that the public sees. */
export interface PublicMap extends Omit<MapRecord, 'view' | 'ownerId'> {
  readonly view: 'public';
}

/** Without its external id, and with the properties alone that its map shows. */
export interface PublicLocation extends Omit<LocationRecord, 'view'> {
  readonly view: 'public';
}

/** A map in its owner's view or in the public one. What is reached through it is in the same view. */
export type MapView = MapRecord | PublicMap;
export type LocationView = LocationRecord | PublicLocation;

export function isPublic({ isPublished, isDeleted }: MapRecord): boolean {
  return isPublished && !isDeleted;
}

export function publicMap({
  id,
  name,
  isDeleted,
  isPublished,
  createdAt,
  updatedAt,
  fields,
}: MapRecord): PublicMap {
  const shown = fields.filter((field) => field.isPublic !== false);
  const keys = { providerMapApiKey: null, geocodingApiKey: null };
  const times = { createdAt, updatedAt };
  return { view: 'public', id, name, isDeleted, isPublished, ...times, ...keys, fields: shown };
}

/** The keys of properties that the public sees. Names of fields are unique, so each is public or not. */
export function publicNames({ fields }: PublicMap): ReadonlySet<string> {
  return new Set(fields.map(({ name }) => name));
}

/** How a map's view shows its locations. */
export function locationView(map: MapView): (location: LocationRecord) => LocationView {
  if (map.view !== 'public') return (location) => location;
  const names = publicNames(map);
  return (location) => ({
    ...location,
    properties: publicProperties(location.properties, names),
    externalId: null,
    view: 'public',
  });
}

/** In the order stored. */
export function publicProperties(properties: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => names.has(key)));
}

/** The same, of JSON. */
export function publicJson(properties: string, names: ReadonlySet<string>): string {
  return JSON.stringify(publicProperties(JSON.parse(properties) as JsonObject, names));
}

/** A location as it was read for its JSON, in the public view. Member by member, since some sources read when they are asked. */
export function publicSource(
  source: Omit<TemplateSource, 'properties'>,
  properties: JsonObject,
  names: ReadonlySet<string>,
): TemplateSource {
  const { id, name, placeId, latitude, longitude, order, version, createdAt, updatedAt, geocoding } = source;
  const shown = { id, name, placeId, latitude, longitude, order, version, createdAt, updatedAt, geocoding };
  return { ...shown, properties: JSON.stringify(publicProperties(properties, names)), externalId: null };
}
