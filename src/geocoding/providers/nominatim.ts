/**
 * Nominatim, OpenStreetMap's geocoder: the public server or your own.
 *
 * Request: https://nominatim.org/release-docs/latest/api/Search/ and …/Reverse/
 * Response: https://nominatim.org/release-docs/latest/api/Output/ (jsonv2)
 * Ranks: https://nominatim.org/release-docs/latest/customize/Ranking/
 * Usage policy of the public server: https://operations.osmfoundation.org/policies/nominatim/ (at most one request per
 * second for the whole application, an identifying User-Agent, cached results).
 */

import * as z from 'zod';

import { addressNotFound } from '../resilience/failures.ts';
import type { GeocodingPrecision } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse } from './http.ts';
import { OsmAddress, partsOfOsmAddress } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderResult, Reading } from './provider.ts';
import { OPENSTREETMAP } from './provider.ts';
import { boundsText, countryList, endpoint, latLon, textOf } from './requests.ts';
import { failed, parseDegrees, readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

const Result = z.object({
  place_id: z.union([z.number(), z.string().min(1)]),
  // Computed places, such as the centre of a postcode, have no OpenStreetMap object.
  osm_type: z.enum(['node', 'way', 'relation']).optional(),
  osm_id: z.union([z.number().int().nonnegative(), z.string().regex(/^[0-9]+$/)]).optional(),
  lat: z.string(),
  lon: z.string(),
  category: z.string(),
  type: z.string(),
  place_rank: z.number().int(),
  display_name: z.string().min(1).nullish().catch(null),
  address: OsmAddress,
});
type Result = z.infer<typeof Result>;

export const nominatim = {
  name: 'nominatim',
  title: 'Nominatim',
  nameSetting: null,
  attributionSetting: null,
  keySetting: null,
  urlSetting: 'NOMINATIM_URL',
  contactSetting: 'NOMINATIM_EMAIL',
  defaultUrl: 'https://nominatim.openstreetmap.org',
  publicServer: {
    host: 'nominatim.openstreetmap.org',
    intervalMs: 1000,
    rule: 'one request a second in all',
  },
  /**
   * Results may be stored, because single results are not a substantial part of the database
   * (https://osmfoundation.org/wiki/Licence/Community_Guidelines/Geocoding_-_Guideline). The public server asks for
   * caching. © OpenStreetMap contributors must be shown with the results.
   */
  terms: { scope: 'everybody', maxAgeMs: null, keepsText: true },
  attributions: [OPENSTREETMAP],
  /** Not of the public server. */
  hasSuggestions: true,
  request: (lookup, { baseUrl, contact, userAgent }) => {
    const common = {
      format: 'jsonv2',
      addressdetails: '1',
      'accept-language': lookup.area?.language,
      email: contact,
    };
    return {
      url:
        lookup.kind === 'reverse'
          ? endpoint(baseUrl, '/reverse', {
              ...latLon(lookup.point),
              zoom: '18',
              ...common,
            })
          : endpoint(baseUrl, '/search', {
              q: textOf(lookup),
              limit: String(MAX_CANDIDATES),
              countrycodes: countryList(lookup.area),
              viewbox: boundsText(lookup.area),
              ...common,
            }),
      headers: { 'user-agent': contact === null ? userAgent : `${userAgent} (+${contact})` },
    };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  const failure = readStatus(nominatim, response, lookup);
  if (failure !== null) return failure;
  const { body } = response;
  if (lookup.kind === 'reverse') {
    return NothingThere.safeParse(body).success
      ? failed(addressNotFound(nominatim.title))
      : readCandidates(nominatim, [body], readCandidate);
  }
  if (!Array.isArray(body)) return undocumented(nominatim, 'not a JSON array');
  return readCandidates(nominatim, body, readCandidate);
}

/** The response for a point in the sea. */
const NothingThere = z.object({ error: z.string() });

function readCandidate(body: unknown): ProviderResult | string {
  const result = Result.safeParse(body);
  if (!result.success) return 'a place of another form';
  const point = toPoint(parseDegrees(result.data.lat), parseDegrees(result.data.lon));
  if (point === null) return 'coordinates off the Earth';
  return {
    placeId: placeIdOf(result.data),
    ...point,
    provider: 'nominatim',
    precision: precisionOf(result.data),
    formattedAddress: result.data.display_name ?? null,
    parts: partsOfOsmAddress(result.data.address),
  };
}

/** `osm:way/12345`, else Nominatim's own number, which changes when the server imports its data again. */
function placeIdOf({ osm_type: type, osm_id: id, place_id: own }: Result): string {
  return type === undefined || id === undefined ? `nominatim:${own}` : `osm:${type}/${id}`;
}

/**
 * From the rank: 30 is a house or a point of interest, 26 to 29 a street or path, 13 to 25 anything from a city to a
 * block; lower ranks are counties, states and countries. An interpolated house number is a `place=house` on its way.
 */
function precisionOf({ place_rank: rank, osm_type: osmType, category, type }: Result): GeocodingPrecision {
  if (rank >= 30) {
    if (category !== 'place' || osmType !== 'way') return 'rooftop';
    if (type === 'house') return 'interpolated';
    return type === 'houses' ? 'street' : 'rooftop';
  }
  if (rank >= 26) return 'street';
  return rank >= 13 ? 'locality' : 'region';
}
