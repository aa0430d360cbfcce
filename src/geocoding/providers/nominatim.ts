/**
 * Nominatim, OpenStreetMap's geocoder: the public server, or one of your own.
 *
 * Request: https://nominatim.org/release-docs/latest/api/Search/
 * Answer: https://nominatim.org/release-docs/latest/api/Output/ (jsonv2)
 * Ranks: https://nominatim.org/release-docs/latest/customize/Ranking/
 * The public server's rules: https://operations.osmfoundation.org/policies/nominatim/ (at most one request a second
 * for the whole application, a User-Agent that names it, results cached).
 */

import * as z from 'zod';

import { parseDegrees, toPoint } from './coordinates.ts';
import { addressNotFound } from '../resilience/failures.ts';
import type { GeocodingCandidate, GeocodingPrecision } from '../geocoder.ts';
import type { HttpResponse } from './http.ts';
import type { Lookup, Provider, Reading } from './provider.ts';
import { endpoint, failed, readCandidates, readStatus, undocumented } from './provider.ts';
import { NOMINATIM_URL } from './public-nominatim.ts';

const LABEL = { title: 'Nominatim', keySetting: null, urlSetting: 'NOMINATIM_URL' } as const;

const Result = z.object({
  place_id: z.union([z.number(), z.string().min(1)]),
  // Computed places, such as the centre of a postcode, have no object in OpenStreetMap.
  osm_type: z.enum(['node', 'way', 'relation']).optional(),
  osm_id: z.union([z.number().int().nonnegative(), z.string().regex(/^[0-9]+$/)]).optional(),
  lat: z.string(),
  lon: z.string(),
  category: z.string(),
  type: z.string(),
  place_rank: z.number().int(),
  display_name: z.string().min(1).nullish().catch(null),
});
type Result = z.infer<typeof Result>;

export interface NominatimOptions {
  readonly url?: string | null;
  /** Whom the server's operators can write to; goes into the User-Agent and the `email` parameter. */
  readonly email?: string | null;
  /** The program and its version, e.g. `map-locations/1.2.3`. */
  readonly userAgent: string;
}

/** Nominatim as a provider. `email` is required by the public server's operators. */
export function createNominatim({ url, email = null, userAgent }: NominatimOptions): Provider {
  const baseUrl = url ?? NOMINATIM_URL;
  const headers = { 'user-agent': email === null ? userAgent : `${userAgent} (+${email})` };
  return {
    ...LABEL,
    name: 'nominatim',
    baseUrl,
    request: ({ address, limit = 1 }) => ({
      url: endpoint(baseUrl, '/search', {
        q: address,
        format: 'jsonv2',
        limit: String(limit),
        ...(email === null ? {} : { email }),
      }),
      headers,
    }),
    read: readResponse,
  };
}

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  const failure = readStatus(LABEL, response, lookup);
  if (failure !== null) return failure;
  if (!Array.isArray(response.body)) return undocumented(LABEL, 'no JSON array');
  if (response.body.length === 0) return failed(addressNotFound(LABEL.title));
  return readCandidates(LABEL, response.body, readCandidate);
}

function readCandidate(body: unknown): GeocodingCandidate | string {
  const result = Result.safeParse(body);
  if (!result.success) return 'no place of the documented shape';
  const point = toPoint(parseDegrees(result.data.lat), parseDegrees(result.data.lon));
  if (point === null) return 'coordinates beyond the Earth';
  const { placeId, precision } = { placeId: placeIdOf(result.data), precision: precisionOf(result.data) };
  const formattedAddress = result.data.display_name ?? null;
  return { placeId, ...point, provider: 'nominatim', precision, formattedAddress };
}

/** `osm:way/12345`. Without such an object, Nominatim's own number, which a new import of its data may change. */
function placeIdOf({ osm_type: type, osm_id: id, place_id: own }: Result): string {
  return type === undefined || id === undefined ? `nominatim:${own}` : `osm:${type}/${id}`;
}

/**
 * By rank: 30 is a house or a point of interest, 26 to 29 streets and paths, 13 to 25 from cities to city blocks; lower
 * ranks are counties, states and countries. A house number computed along a way is reported as a place of type house on
 * that way.
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
