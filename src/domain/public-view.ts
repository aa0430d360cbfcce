/**
 * The public view of maps and locations (capabilities §12), decided only here. It has its own types, so that code states
 * which view it handles.
 */

import type { JsonObject } from './json/json.ts';
import type { LocationRecord } from './location.ts';
import type { TemplateSource } from './location-template.ts';
import type { MapRecord } from './map.ts';
import { addressFieldOf, categoryFieldOf } from './map.ts';

/** Without keys, members and geocoding area, and with public fields only. The styles of hidden categories are hidden. */
export interface PublicMap extends Omit<MapRecord, 'view' | 'ownerId' | 'members'> {
  readonly view: 'public';
  /** Whether the address of a location is public, and so is the geocoder's spelling of it. */
  readonly isAddressPublic: boolean;
}

/** Without external id, and with the properties of public fields only. */
export interface PublicLocation extends Omit<LocationRecord, 'view'> {
  readonly view: 'public';
}

/** A map in its owner's view or in the public one. Everything reached through it is in the same view. */
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
  language,
  timeZone,
  theme,
  logo,
  categories,
}: MapRecord): PublicMap {
  const shown = fields.filter((field) => field.isPublic !== false);
  const keys = { providerMapApiKey: null, geocodingApiKey: null };
  const times = { createdAt, updatedAt };
  const address = addressFieldOf(fields);
  const category = categoryFieldOf(fields);
  return {
    view: 'public',
    id,
    name,
    isDeleted,
    isPublished,
    ...times,
    ...keys,
    geocoding: null,
    fields: shown,
    language,
    timeZone,
    theme,
    logo,
    categories: shown.some((field) => field.name === category) ? categories : [],
    isAddressPublic: shown.some((field) => field.name === address),
  };
}

/** Keys of public properties. */
export function publicNames({ fields }: PublicMap): ReadonlySet<string> {
  return new Set(fields.map(({ name }) => name));
}

/** Converts locations to the view of their map. */
export function locationView(map: MapView): (location: LocationRecord) => LocationView {
  if (map.view !== 'public') return (location) => location;
  const names = publicNames(map);
  return (location) => ({
    ...location,
    properties: publicProperties(location.properties, names),
    externalId: null,
    geocoding: map.isAddressPublic ? location.geocoding : { ...location.geocoding, label: null },
    view: 'public',
  });
}

/** Keeps the stored order. */
export function publicProperties(properties: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => names.has(key)));
}

/** The same for JSON. */
export function publicJson(properties: string, names: ReadonlySet<string>): string {
  return JSON.stringify(publicProperties(JSON.parse(properties) as JsonObject, names));
}

/**
 * A template source in the public view, without the geocoder's label. Copied member by member, since some sources have
 * getters.
 */
export function publicSource(
  source: Omit<TemplateSource, 'properties'>,
  properties: JsonObject,
  names: ReadonlySet<string>,
): TemplateSource {
  const { id, name, placeId, latitude, longitude, order, version, createdAt, updatedAt } = source;
  const { provider, precision, isAmbiguous, isChecked } = source.geocoding;
  const geocoding = { provider, precision, label: null, isAmbiguous, isChecked };
  const shown = { id, name, placeId, latitude, longitude, order, version, createdAt, updatedAt, geocoding };
  return { ...shown, properties: JSON.stringify(publicProperties(properties, names)), externalId: null };
}
