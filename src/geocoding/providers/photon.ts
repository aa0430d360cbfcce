/**
 * Photon, a search server for OpenStreetMap's data. There is no default server: the public one is a demonstration.
 *
 * Requests and response: https://github.com/komoot/photon/blob/master/docs/api-v1.md
 */

import { MAX_CANDIDATES } from '../geocoder.ts';
import { readGeocodeJson } from './geocodejson.ts';
import type { HttpResponse } from './http.ts';
import type { Lookup, ProviderDescriptor, Reading } from './provider.ts';
import { OPENSTREETMAP } from './provider.ts';
import { endpoint, latLon, preferredPoint, textOf } from './requests.ts';

export const photon = {
  name: 'photon',
  title: 'Photon',
  nameSetting: null,
  attributionSetting: null,
  keySetting: null,
  urlSetting: 'PHOTON_URL',
  contactSetting: null,
  defaultUrl: null,
  publicServer: null,
  /** OpenStreetMap's data, as with Nominatim. */
  terms: { scope: 'everybody', maxAgeMs: null, keepsText: true },
  attributions: [OPENSTREETMAP],
  hasSuggestions: true,
  request: (lookup, { baseUrl }) => {
    // Photon refuses a `lang` that it has no names in; of the header, it takes the languages that it has.
    const language = lookup.area?.language ?? null;
    const headers: Readonly<Record<string, string>> =
      language === null ? {} : { 'accept-language': language };
    if (lookup.kind === 'reverse') {
      return {
        url: endpoint(baseUrl, '/reverse', { ...latLon(lookup.point), radius: '1', limit: '1' }),
        headers,
      };
    }
    // `bbox` would be a limit.
    const url = endpoint(baseUrl, '/api', {
      q: textOf(lookup),
      limit: String(MAX_CANDIDATES),
      countrycode: lookup.area?.countries,
      ...latLon(preferredPoint(lookup)),
    });
    return { url, headers };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  return readGeocodeJson(photon, response, lookup);
}
