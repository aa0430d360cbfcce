/**
 * OpenCage, a hosted service on open data.
 *
 * Request, response, components and status codes: https://opencagedata.com/api
 */

import * as z from 'zod';

import type { GeocodingPrecision } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import { rateLimited } from '../resilience/failures.ts';
import type { HttpResponse } from './http.ts';
import { OptionalText, partsOfOsmAddress } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderResult, Reading } from './provider.ts';
import { countryList, endpoint, pointText, preferredPoint, textOf } from './requests.ts';
import { failed, readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

export const opencage = {
  name: 'opencage',
  title: 'OpenCage',
  nameSetting: null,
  attributionSetting: null,
  keySetting: 'OPENCAGE_API_KEY',
  urlSetting: 'OPENCAGE_URL',
  contactSetting: null,
  defaultUrl: 'https://api.opencagedata.com/geocode/v1',
  publicServer: null,
  /** "You can store the results as long as you like" (https://opencagedata.com/api#caching), by the account that paid. */
  terms: { scope: 'key', maxAgeMs: null, keepsText: true },
  attributions: [{ text: '© OpenStreetMap contributors', url: 'https://opencagedata.com/credits' }],
  // Its autocompletion is another product.
  hasSuggestions: false,
  request: (lookup, { baseUrl }) => {
    const { area, key } = lookup;
    const common = { no_annotations: '1', no_record: '1', language: area?.language, key: key ?? '' };
    if (lookup.kind === 'reverse') {
      const q = pointText(lookup.point);
      return { url: endpoint(baseUrl, '/json', { q, limit: '1', ...common }), headers: {} };
    }
    // `bounds` would be a limit.
    const near = preferredPoint(lookup);
    const url = endpoint(baseUrl, '/json', {
      q: textOf(lookup),
      limit: String(MAX_CANDIDATES),
      countrycode: countryList(area),
      proximity: near === null ? null : pointText(near),
      ...common,
    });
    return { url, headers: {} };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

const Result = z.object({
  geometry: z.object({ lat: z.number(), lng: z.number() }),
  formatted: OptionalText,
  components: z.record(z.string(), z.unknown()),
});
const Results = z.object({ results: z.array(z.unknown()) });

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  // The quota of the day is used up.
  if (response.status === 402) {
    const { retryAfterSeconds } = response;
    return failed(rateLimited(opencage.title, 'status 402', retryAfterSeconds), { retryAfterSeconds });
  }
  const failure = readStatus(opencage, response, lookup);
  if (failure !== null) return failure;
  const body = Results.safeParse(response.body);
  if (!body.success) return undocumented(opencage, 'no list of results');
  return readCandidates(opencage, body.data.results, readResult);
}

function readResult(body: unknown): ProviderResult | string {
  const result = Result.safeParse(body);
  if (!result.success) return 'a result of another form';
  const { geometry, formatted, components } = result.data;
  const point = toPoint(geometry.lat, geometry.lng);
  if (point === null) return 'coordinates off the Earth';
  return {
    // Results have no id.
    placeId: `opencage:${pointText(point)}`,
    ...point,
    provider: 'opencage',
    precision: precisionOf(components),
    formattedAddress: formatted,
    parts: partsOfOsmAddress(components),
  };
}

const REGIONS: ReadonlySet<unknown> = new Set([
  ...['continent', 'country', 'region', 'state', 'state_district', 'county', 'archipelago'],
]);
/** Categories of results that are no building and no point of interest. */
const AREAS: ReadonlySet<unknown> = new Set(['place', 'postcode', 'natural/water', 'unknown', undefined]);

/** From the components' type and category. They do not tell interpolated numbers; `confidence` tells only a size. */
function precisionOf({
  _type: type,
  _category: category,
}: Readonly<Record<string, unknown>>): GeocodingPrecision {
  if (type === 'building') return 'rooftop';
  if (type === 'road' || category === 'road') return 'street';
  if (REGIONS.has(type)) return 'region';
  return AREAS.has(category) ? 'locality' : 'rooftop';
}
