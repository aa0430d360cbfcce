/**
 * Servers that speak GeocodeJSON with the paths and parameters of Addok, such as the French national address base.
 *
 * Format: https://github.com/geocoders/geocodejson-spec/tree/master/draft. Some servers have the properties in an object
 * `geocoding`. Requests: https://addok.readthedocs.io/en/latest/api/
 */

import * as z from 'zod';

import type { AddressParts, GeocodingPrecision } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse } from './http.ts';
import { OptionalCountry, OptionalText } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderLabelled, ProviderResult, Reading } from './provider.ts';
import { OPENSTREETMAP } from './provider.ts';
import { endpoint, latLon, pointText, preferredPoint, textOf } from './requests.ts';
import { readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

export const geocodejson = {
  name: 'geocodejson',
  title: 'GeocodeJSON',
  nameSetting: 'GEOCODEJSON_NAME',
  attributionSetting: 'GEOCODEJSON_ATTRIBUTION',
  keySetting: null,
  urlSetting: 'GEOCODEJSON_URL',
  contactSetting: null,
  defaultUrl: null,
  publicServer: null,
  /** The operator chose the server and its data; open address data may be stored. */
  terms: { scope: 'everybody', maxAgeMs: null, keepsText: true },
  attributions: [OPENSTREETMAP],
  hasSuggestions: true,
  request: (lookup, { baseUrl }) => {
    if (lookup.kind === 'reverse') {
      return { url: endpoint(baseUrl, '/reverse', { ...latLon(lookup.point), limit: '1' }), headers: {} };
    }
    const url = endpoint(baseUrl, '/search', {
      q: textOf(lookup),
      limit: String(MAX_CANDIDATES),
      autocomplete: lookup.kind === 'suggest' ? '1' : '0',
      ...latLon(preferredPoint(lookup)),
    });
    return { url, headers: {} };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  return readGeocodeJson(geocodejson, response, lookup);
}

const Properties = z.object({
  type: OptionalText,
  id: OptionalText,
  label: OptionalText,
  name: OptionalText,
  housenumber: OptionalText,
  street: OptionalText,
  postcode: OptionalText,
  city: OptionalText,
  state: OptionalText,
  country: OptionalText,
  countrycode: OptionalCountry,
  country_code: OptionalCountry,
  osm_type: OptionalText,
  osm_id: OptionalText,
  osm_key: OptionalText,
});
type Properties = z.infer<typeof Properties>;

const Degrees = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?[0-9.]+$/)
    .transform(Number),
]);
const Feature = z.object({
  geometry: z.object({ type: z.literal('Point'), coordinates: z.array(Degrees).min(2) }),
  properties: z.record(z.string(), z.unknown()),
});
const Collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

/** Reads a response of any provider that speaks GeocodeJSON. */
export function readGeocodeJson(provider: ProviderLabelled, response: HttpResponse, lookup: Lookup): Reading {
  const failure = readStatus(provider, response, lookup);
  if (failure !== null) return failure;
  const collection = Collection.safeParse(response.body);
  if (!collection.success) return undocumented(provider, 'not a FeatureCollection');
  return readCandidates(provider, collection.data.features, (feature) => readFeature(provider.name, feature));
}

function readFeature(provider: string, body: unknown): ProviderResult | string {
  const feature = Feature.safeParse(body);
  if (!feature.success) return 'a feature of another form';
  const { geometry, properties: outer } = feature.data;
  const [longitude = Number.NaN, latitude = Number.NaN] = geometry.coordinates;
  const point = toPoint(latitude, longitude);
  if (point === null) return 'coordinates off the Earth';
  const properties = Properties.parse(outer['geocoding'] ?? outer);
  return {
    placeId: placeIdOf(provider, properties) ?? `${provider}:${pointText(point)}`,
    ...point,
    provider,
    precision: precisionOf(properties),
    formattedAddress: properties.label ?? labelOf(properties),
    parts: partsOf(properties),
  };
}

const OSM_TYPES: Readonly<Record<string, string>> = { N: 'node', W: 'way', R: 'relation' };

/** `osm:way/12345` for an object of OpenStreetMap, else the server's own id. */
function placeIdOf(provider: string, { osm_type: type, osm_id: osmId, id }: Properties): string | null {
  if (type !== null && osmId !== null) return `osm:${OSM_TYPES[type] ?? type.toLowerCase()}/${osmId}`;
  return id === null ? null : `${provider}:${id}`;
}

/**
 * From the type: of the format's draft (`house`, `street`, `locality`, `city`, `region`, `country`), of Addok
 * (`housenumber`, `municipality`), and of Photon (`district`, `county`, `state`, `other`). None of them tells
 * interpolated numbers.
 */
function precisionOf({ type, housenumber, osm_key: key }: Properties): GeocodingPrecision {
  switch (type) {
    case 'house':
    case 'housenumber':
      return 'rooftop';
    case 'street':
      return 'street';
    case 'county':
    case 'state':
    case 'region':
    case 'country':
      return 'region';
    case null:
      if (housenumber !== null) return 'rooftop';
      return key === 'highway' ? 'street' : 'locality';
    default:
      return 'locality';
  }
}

function partsOf(properties: Properties): AddressParts {
  const { type, name, street } = properties;
  return {
    houseNumber: properties.housenumber,
    street: street ?? (type === 'street' ? name : null),
    postcode: properties.postcode,
    city: properties.city ?? (type === 'city' || type === 'municipality' ? name : null),
    state: properties.state,
    country: properties.country,
    countryCode: properties.countrycode ?? properties.country_code,
  };
}

/** `Louvre, 99 Rue de Rivoli, 75001 Paris, France`; Photon has no label. */
function labelOf({ name, housenumber, street, postcode, city, state, country }: Properties): string | null {
  const join = (...parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' ');
  const lines = [
    name,
    join(housenumber, street),
    join(postcode, city),
    state === city ? null : state,
    country,
  ];
  const distinct = [...new Set(lines.filter((line) => line !== null && line !== ''))];
  return distinct.length === 0 ? null : distinct.join(', ');
}
