/**
 * LocationIQ, a hosted service with Nominatim's format.
 *
 * Requests and responses: https://docs.locationiq.com/reference/search, …/reverse and …/autocomplete
 * Match quality: https://docs.locationiq.com/docs/match-quality
 */

import * as z from 'zod';

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { Point } from '../../domain/filter/distance.ts';
import type { GeocodingPrecision } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import { addressNotFound } from '../resilience/failures.ts';
import type { HttpResponse } from './http.ts';
import { OptionalText, OsmAddress, partsOfOsmAddress } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderResult, Reading } from './provider.ts';
import { OPENSTREETMAP } from './provider.ts';
import { baseLanguage, boundsText, countryList, endpoint, latLon, textOf } from './requests.ts';
import { failed, parseDegrees, readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Degrees to each side of a point near which suggestions are preferred. */
const NEAR_DEGREES = 0.5;

export const locationiq = {
  name: 'locationiq',
  title: 'LocationIQ',
  nameSetting: null,
  attributionSetting: null,
  keySetting: 'LOCATIONIQ_API_KEY',
  urlSetting: 'LOCATIONIQ_URL',
  contactSetting: null,
  defaultUrl: 'https://us1.locationiq.com/v1',
  publicServer: null,
  /**
   * Results may be stored for ever; a cache of requests may be kept for 48 hours on the free plan, else while subscribed
   * (https://help.locationiq.com/). The shorter time applies.
   */
  terms: { scope: 'key', maxAgeMs: 48 * HOUR_MS, keepsText: true },
  attributions: [{ text: 'Search by LocationIQ.com', url: 'https://locationiq.com/' }, OPENSTREETMAP],
  hasSuggestions: true,
  request: (lookup, { baseUrl }) => {
    const { area, key } = lookup;
    const common = {
      format: 'json',
      addressdetails: '1',
      'accept-language': baseLanguage(area),
      key: key ?? '',
    };
    if (lookup.kind === 'reverse') {
      return {
        url: endpoint(baseUrl, '/reverse', { ...latLon(lookup.point), zoom: '18', ...common }),
        headers: {},
      };
    }
    const near = lookup.kind === 'suggest' ? lookup.near : null;
    const url = endpoint(baseUrl, lookup.kind === 'suggest' ? '/autocomplete' : '/search', {
      q: textOf(lookup),
      limit: String(MAX_CANDIDATES),
      matchquality: lookup.kind === 'forward' ? '1' : null,
      countrycodes: countryList(area),
      viewbox: near === null ? boundsText(area) : around(near),
      ...common,
    });
    return { url, headers: {} };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

function around({ latitude, longitude }: Point): string {
  const [west, east] = [Math.max(-180, longitude - NEAR_DEGREES), Math.min(180, longitude + NEAR_DEGREES)];
  const [south, north] = [Math.max(-90, latitude - NEAR_DEGREES), Math.min(90, latitude + NEAR_DEGREES)];
  return [west, south, east, north].map(toPlainDecimal).join(',');
}

const Result = z.object({
  place_id: z.union([z.string().min(1), z.number()]),
  osm_type: z.enum(['node', 'way', 'relation']).optional().catch(undefined),
  osm_id: z
    .union([z.number().int().nonnegative(), z.string().regex(/^[0-9]+$/)])
    .optional()
    .catch(undefined),
  lat: z.string(),
  lon: z.string(),
  display_name: OptionalText,
  address: OsmAddress,
  matchquality: z.object({ matchtype: z.string(), matchlevel: z.string() }).nullish().catch(null),
});

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  // "Unable to geocode": no result.
  if (response.status === 404) return failed(addressNotFound(locationiq.title));
  const failure = readStatus(locationiq, response, lookup);
  if (failure !== null) return failure;
  const { body } = response;
  const results: readonly unknown[] | null = lookup.kind === 'reverse' ? [body] : toArray(body);
  if (results === null) return undocumented(locationiq, 'not a JSON array');
  return readCandidates(locationiq, results, readResult);
}

function toArray(body: unknown): readonly unknown[] | null {
  return Array.isArray(body) ? body : null;
}

function readResult(body: unknown): ProviderResult | string {
  const result = Result.safeParse(body);
  if (!result.success) return 'a place of another form';
  const { place_id: own, osm_type: type, osm_id: id, lat, lon, display_name: label, address } = result.data;
  const point = toPoint(parseDegrees(lat), parseDegrees(lon));
  if (point === null) return 'coordinates off the Earth';
  return {
    placeId: type === undefined || id === undefined ? `locationiq:${own}` : `osm:${type}/${id}`,
    ...point,
    provider: 'locationiq',
    precision: precisionOf(result.data.matchquality ?? null),
    formattedAddress: label,
    parts: partsOfOsmAddress(address),
  };
}

/** From the match quality; only forward queries have it. */
function precisionOf(quality: { matchtype: string; matchlevel: string } | null): GeocodingPrecision {
  switch (quality?.matchlevel) {
    case 'venue':
    case 'building':
      if (quality.matchtype === 'interpolated') return 'interpolated';
      return quality.matchtype === 'centroid' ? 'street' : 'rooftop';
    case 'street':
      return quality.matchtype === 'interpolated' ? 'interpolated' : 'street';
    case 'county':
    case 'state':
    case 'country':
    case 'marine':
      return 'region';
    default:
      return 'locality';
  }
}
