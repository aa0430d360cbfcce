/**
 * Google's Geocoding API.
 *
 * Request, statuses and results: https://developers.google.com/maps/documentation/geocoding/requests-geocoding
 * Caching: https://developers.google.com/maps/documentation/geocoding/policies and
 * https://cloud.google.com/maps-platform/terms/maps-service-terms.
 */

import * as z from 'zod';

import {
  addressNotFound,
  addressRefused,
  rateLimited,
  refused,
  unavailable,
  withoutKey,
} from '../resilience/failures.ts';
import type { AddressParts, GeocodingPrecision } from '../geocoder.ts';
import type { HttpResponse } from './http.ts';
import { countryCodeOf } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderResult, Reading } from './provider.ts';
import { endpoint, pointText, textOf } from './requests.ts';
import { causeOf, failed, readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const LOCATION_TYPES = ['ROOFTOP', 'RANGE_INTERPOLATED', 'GEOMETRIC_CENTER', 'APPROXIMATE'] as const;

const Component = z.object({ long_name: z.string(), short_name: z.string(), types: z.array(z.string()) });
const Result = z.object({
  address_components: z.array(Component).nullish().catch(null),
  place_id: z.string().min(1),
  formatted_address: z.string().min(1).nullish().catch(null),
  types: z.array(z.string()),
  geometry: z.object({
    location: z.object({ lat: z.number(), lng: z.number() }),
    location_type: z.enum(LOCATION_TYPES),
  }),
});
const Envelope = z.object({ status: z.string(), error_message: z.string().optional() });
const Results = z.object({ results: z.array(z.unknown()).min(1) });

export const google = {
  name: 'google',
  title: 'Google',
  nameSetting: null,
  attributionSetting: null,
  keySetting: 'GOOGLE_API_KEY',
  urlSetting: 'GOOGLE_GEOCODING_URL',
  contactSetting: null,
  defaultUrl: 'https://maps.googleapis.com',
  publicServer: null,
  /**
   * "Customer can temporarily cache latitude (lat) and longitude (lng) values from the Geocoding API for up to 30
   * consecutive calendar days, after which Customer must delete the cached latitude and longitude values"
   * (https://cloud.google.com/maps-platform/terms/maps-service-terms); place ids are exempt
   * (https://developers.google.com/maps/documentation/geocoding/policies). After 30 days the whole entry expires. Keeping
   * the place id would save nothing: looking it up costs as much as the address, and it can be obsolete
   * (https://developers.google.com/maps/documentation/places/web-service/place-id#save-id).
   */
  terms: { scope: 'map', maxAgeMs: 30 * DAY_MS, keepsText: false },
  attributions: [{ text: 'Google Maps', url: 'https://www.google.com/help/terms_maps/' }],
  // Autocompletion is another product, without coordinates.
  hasSuggestions: false,
  request: (lookup, { baseUrl }) => {
    const { area, key } = lookup;
    const common = { language: area?.language, key: key ?? '' };
    const question =
      lookup.kind === 'reverse'
        ? { latlng: pointText(lookup.point) }
        : { address: textOf(lookup), components: componentsOf(area), bounds: viewportOf(area) };
    return { url: endpoint(baseUrl, '/maps/api/geocode/json', { ...question, ...common }), headers: {} };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

/** Google takes one country; of several, refine() drops the results in others. */
function componentsOf(area: Lookup['area']): string | null {
  const [country, ...others] = area?.countries ?? [];
  return country === undefined || others.length > 0 ? null : `country:${country}`;
}

/** South-west and north-east corner: a preference. */
function viewportOf(area: Lookup['area']): string | null {
  const bounds = area?.bounds ?? null;
  if (bounds === null) return null;
  const { south, west, north, east } = bounds;
  const corners = [
    { latitude: south, longitude: west },
    { latitude: north, longitude: east },
  ];
  return corners.map(pointText).join('|');
}

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  const envelope = Envelope.safeParse(response.body);
  // Google's own status is more specific than the HTTP status.
  if (response.status < 500 && envelope.success) {
    const reading = readGoogleStatus(envelope.data, response, lookup);
    if (reading !== null) return reading;
  }
  const failure = readStatus(google, response, lookup);
  if (failure !== null) return failure;
  if (!envelope.success) return undocumented(google, 'not a JSON object with a status');
  if (envelope.data.status !== 'OK') return undocumented(google, 'an unknown status');
  const body = Results.safeParse(response.body);
  // Not an empty list either, for which Google has the status ZERO_RESULTS.
  if (!body.success) return undocumented(google, 'no results');
  return readCandidates(google, body.data.results, readResult);
}

/** Null for OK and for an unknown status. */
function readGoogleStatus(
  { status, error_message: message = '' }: z.infer<typeof Envelope>,
  { retryAfterSeconds }: HttpResponse,
  { key, keySource }: Lookup,
): Reading | null {
  const { title } = google;
  const cause = () => causeOf(google, `${status} ${withoutKey(message, key)}`.trim());
  switch (status) {
    case 'ZERO_RESULTS':
      return failed(addressNotFound(title));
    case 'OVER_QUERY_LIMIT':
      return failed(rateLimited(title, status, retryAfterSeconds), { isTransient: true, retryAfterSeconds });
    case 'OVER_DAILY_LIMIT':
    case 'REQUEST_DENIED':
      return failed(refused(google, keySource, status, cause()));
    case 'INVALID_REQUEST':
      return failed(addressRefused(title, status));
    case 'UNKNOWN_ERROR':
      // "The request may succeed if you try again": treated like a 5xx.
      return failed(unavailable(title, `it returned ${status}`, { retryAfterSeconds, cause: cause() }), {
        isTransient: true,
        outcome: 'fault',
        retryAfterSeconds,
      });
    default:
      return null;
  }
}

function readResult(body: unknown): ProviderResult | string {
  const result = Result.safeParse(body);
  if (!result.success) return 'a result of another form';
  const { place_id: placeId, types, geometry, formatted_address: formattedAddress = null } = result.data;
  const point = toPoint(geometry.location.lat, geometry.location.lng);
  if (point === null) return 'coordinates off the Earth';
  const precision = precisionOf(geometry.location_type, types);
  const parts = partsOf(result.data.address_components ?? []);
  return { placeId, ...point, provider: 'google', precision, formattedAddress, parts };
}

/** https://developers.google.com/maps/documentation/geocoding/requests-geocoding#Types */
function partsOf(components: readonly z.infer<typeof Component>[]): AddressParts {
  const first = (...types: readonly string[]) =>
    types
      .map((type) => components.find((component) => component.types.includes(type)))
      .find((component) => component !== undefined) ?? null;
  return {
    houseNumber: first('street_number')?.long_name ?? null,
    street: first('route')?.long_name ?? null,
    postcode: first('postal_code')?.long_name ?? null,
    city: first('locality', 'postal_town', 'administrative_area_level_3')?.long_name ?? null,
    state: first('administrative_area_level_1')?.long_name ?? null,
    country: first('country')?.long_name ?? null,
    countryCode: countryCodeOf(first('country')?.short_name),
  };
}

const REGIONS: ReadonlySet<string> = new Set([
  'continent',
  'country',
  'archipelago',
  'administrative_area_level_1',
  'administrative_area_level_2',
]);

/**
 * https://developers.google.com/maps/documentation/geocoding/requests-geocoding#Types. A geometric centre has the
 * precision of a street, unless the result is a whole region or town (`political`).
 */
function precisionOf(
  locationType: (typeof LOCATION_TYPES)[number],
  types: readonly string[],
): GeocodingPrecision {
  switch (locationType) {
    case 'ROOFTOP':
      return 'rooftop';
    case 'RANGE_INTERPOLATED':
      return 'interpolated';
    case 'GEOMETRIC_CENTER':
      return types.includes('political') ? areaOf(types) : 'street';
    case 'APPROXIMATE':
      return areaOf(types);
  }
}

function areaOf(types: readonly string[]): GeocodingPrecision {
  return types.some((type) => REGIONS.has(type)) ? 'region' : 'locality';
}
