/**
 * Geoapify, a hosted service whose results may be stored.
 *
 * Requests, response and result types: https://apidocs.geoapify.com/docs/geocoding/forward-geocoding/ and
 * …/reverse-geocoding/, …/address-autocomplete/
 */

import * as z from 'zod';

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { GeocodingPrecision } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse } from './http.ts';
import { OptionalCountry, OptionalText } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderResult, Reading } from './provider.ts';
import { OPENSTREETMAP } from './provider.ts';
import { baseLanguage, boundsText, countryList, endpoint, latLon, textOf } from './requests.ts';
import { readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

export const geoapify = {
  name: 'geoapify',
  title: 'Geoapify',
  nameSetting: null,
  attributionSetting: null,
  keySetting: 'GEOAPIFY_API_KEY',
  urlSetting: 'GEOAPIFY_URL',
  contactSetting: null,
  defaultUrl: 'https://api.geoapify.com/v1',
  publicServer: null,
  /** Results may be stored without limit (https://www.geoapify.com/terms-and-conditions/), by the account that paid. */
  terms: { scope: 'key', maxAgeMs: null, keepsText: true },
  attributions: [{ text: 'Powered by Geoapify', url: 'https://www.geoapify.com/' }, OPENSTREETMAP],
  hasSuggestions: true,
  request: (lookup, { baseUrl }) => {
    const { area, key } = lookup;
    const common = { format: 'json', lang: baseLanguage(area), apiKey: key ?? '' };
    if (lookup.kind === 'reverse') {
      return {
        url: endpoint(baseUrl, '/geocode/reverse', { ...latLon(lookup.point), limit: '1', ...common }),
        headers: {},
      };
    }
    const countries = countryList(area);
    const path = lookup.kind === 'suggest' ? '/geocode/autocomplete' : '/geocode/search';
    const url = endpoint(baseUrl, path, {
      text: textOf(lookup),
      limit: String(MAX_CANDIDATES),
      filter: countries === null ? null : `countrycode:${countries}`,
      bias: biasOf(lookup),
      ...common,
    });
    return { url, headers: {} };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

function biasOf(lookup: Lookup): string | null {
  if (lookup.kind === 'suggest' && lookup.near !== null) {
    return `proximity:${toPlainDecimal(lookup.near.longitude)},${toPlainDecimal(lookup.near.latitude)}`;
  }
  const bounds = boundsText(lookup.area);
  return bounds === null ? null : `rect:${bounds}`;
}

const Result = z.object({
  place_id: z.string().min(1),
  lat: z.number(),
  lon: z.number(),
  result_type: z.string(),
  formatted: OptionalText,
  housenumber: OptionalText,
  street: OptionalText,
  postcode: OptionalText,
  city: OptionalText,
  state: OptionalText,
  country: OptionalText,
  country_code: OptionalCountry,
});
const Results = z.object({ results: z.array(z.unknown()) });

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  const failure = readStatus(geoapify, response, lookup);
  if (failure !== null) return failure;
  const body = Results.safeParse(response.body);
  if (!body.success) return undocumented(geoapify, 'no list of results');
  return readCandidates(geoapify, body.data.results, readResult);
}

function readResult(body: unknown): ProviderResult | string {
  const result = Result.safeParse(body);
  if (!result.success) return 'a result of another form';
  const { place_id: id, lat, lon, result_type: type, formatted, ...parts } = result.data;
  const point = toPoint(lat, lon);
  if (point === null) return 'coordinates off the Earth';
  const {
    housenumber: houseNumber,
    street,
    postcode,
    city,
    state,
    country,
    country_code: countryCode,
  } = parts;
  return {
    placeId: `geoapify:${id}`,
    ...point,
    provider: 'geoapify',
    precision: precisionOf(type),
    formattedAddress: formatted,
    parts: { houseNumber, street, postcode, city, state, country, countryCode },
  };
}

/** From `result_type`. It does not tell interpolated numbers. */
function precisionOf(type: string): GeocodingPrecision {
  switch (type) {
    case 'building':
    case 'amenity':
      return 'rooftop';
    case 'street':
      return 'street';
    case 'county':
    case 'state':
    case 'country':
      return 'region';
    default:
      // `suburb`, `quarter`, `district`, `postcode`, `city` and `unknown`.
      return 'locality';
  }
}
