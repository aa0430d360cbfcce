/**
 * Mapbox's Geocoding API v6 in permanent mode, the only one whose results may be stored.
 *
 * Request, response, errors, storing results: https://docs.mapbox.com/api/search/geocoding/ (permanent geocoding needs
 * a credit card on file or an enterprise contract; without either, Mapbox responds with 403).
 */

import * as z from 'zod';

import { addressRefused } from '../resilience/failures.ts';
import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { Point } from '../../domain/filter/distance.ts';
import type { AddressParts, GeocodingPrecision } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse } from './http.ts';
import { countryCodeOf } from './osm-address.ts';
import type { Lookup, ProviderDescriptor, ProviderResult, Reading } from './provider.ts';
import { countryList, endpoint, preferredPoint, textOf } from './requests.ts';
import { failed, NO_PARTS, readCandidates, readStatus, toPoint, undocumented } from './responses.ts';

const Named = z.object({ name: z.string() }).partial().optional();
const Context = z.object({
  address: z.object({ address_number: z.string(), street_name: z.string() }).partial().optional(),
  street: Named,
  postcode: Named,
  place: Named,
  locality: Named,
  region: Named,
  country: z.object({ name: z.string(), country_code: z.string() }).partial().optional(),
});

const Feature = z.object({
  properties: z.object({
    mapbox_id: z.string().min(1),
    feature_type: z.string(),
    full_address: z.string().min(1).nullish().catch(null),
    name: z.string().min(1).nullish().catch(null),
    place_formatted: z.string().min(1).nullish().catch(null),
    coordinates: z.object({
      longitude: z.number(),
      latitude: z.number(),
      accuracy: z.string().optional(),
    }),
    context: Context.nullish().catch(null),
  }),
});
const Collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

export const mapbox = {
  name: 'mapbox',
  title: 'Mapbox',
  nameSetting: null,
  attributionSetting: null,
  keySetting: 'MAPBOX_ACCESS_TOKEN',
  urlSetting: 'MAPBOX_URL',
  contactSetting: null,
  defaultUrl: 'https://api.mapbox.com',
  publicServer: null,
  /**
   * "Permanent results are allowed to be cached and stored indefinitely"
   * (https://docs.mapbox.com/api/search/geocoding/#storing-geocoding-results), by the account that paid for them.
   */
  terms: { scope: 'key', maxAgeMs: null, keepsText: true },
  attributions: [{ text: '© Mapbox', url: 'https://www.mapbox.com/about/maps/' }],
  hasSuggestions: true,
  request: (lookup, { baseUrl }) => {
    const { key, area } = lookup;
    const common = { language: area?.language, access_token: key ?? '' };
    if (lookup.kind === 'reverse') {
      const { latitude, longitude } = lookup.point;
      const point = { longitude: toPlainDecimal(longitude), latitude: toPlainDecimal(latitude) };
      const url = endpoint(baseUrl, '/search/geocode/v6/reverse', { ...point, permanent: 'true', ...common });
      return { url, headers: {} };
    }
    // `bbox` would be a limit.
    const near = preferredPoint(lookup);
    return {
      url: endpoint(baseUrl, '/search/geocode/v6/forward', {
        // Mapbox rejects semicolons, even encoded.
        q: textOf(lookup).replaceAll(';', ','),
        // Suggestions are temporary: they are shown, and never stored.
        permanent: String(lookup.kind === 'forward'),
        autocomplete: String(lookup.kind === 'suggest'),
        limit: String(MAX_CANDIDATES),
        country: countryList(area),
        proximity: near === null ? null : positionText(near),
        ...common,
      }),
      headers: {},
    };
  },
  read: readResponse,
} as const satisfies ProviderDescriptor;

function readResponse(response: HttpResponse, lookup: Lookup): Reading {
  if (response.status === 422) {
    return failed(addressRefused(mapbox.title, 'it accepts at most 20 words and 256 characters'));
  }
  const failure = readStatus(mapbox, response, lookup);
  if (failure !== null) return failure;
  const collection = Collection.safeParse(response.body);
  if (!collection.success) return undocumented(mapbox, 'not a FeatureCollection');
  return readCandidates(mapbox, collection.data.features, readFeature);
}

function positionText({ latitude, longitude }: Point): string {
  return `${toPlainDecimal(longitude)},${toPlainDecimal(latitude)}`;
}

function readFeature(body: unknown): ProviderResult | string {
  const feature = Feature.safeParse(body);
  if (!feature.success) return 'a feature of another form';
  const { mapbox_id: placeId, feature_type: type, coordinates, ...texts } = feature.data.properties;
  const point = toPoint(coordinates.latitude, coordinates.longitude);
  if (point === null) return 'coordinates off the Earth';
  const precision = precisionOf(type, coordinates.accuracy);
  const parts = [texts.name, texts.place_formatted].filter((part) => typeof part === 'string');
  const formattedAddress = texts.full_address ?? (parts.length === 0 ? null : parts.join(', '));
  return {
    placeId,
    ...point,
    provider: 'mapbox',
    precision,
    formattedAddress,
    parts: partsOf(texts.context),
  };
}

function partsOf(context: z.infer<typeof Context> | null | undefined): AddressParts {
  if (context === null || context === undefined) return NO_PARTS;
  const { address, street, postcode, place, locality, region, country } = context;
  return {
    houseNumber: address?.address_number ?? null,
    street: address?.street_name ?? street?.name ?? null,
    postcode: postcode?.name ?? null,
    city: place?.name ?? locality?.name ?? null,
    state: region?.name ?? null,
    country: country?.name ?? null,
    countryCode: countryCodeOf(country?.country_code),
  };
}

/**
 * From the feature's type and, for addresses, from the point's accuracy
 * (https://docs.mapbox.com/api/search/geocoding/#point-accuracy-for-address-features): `rooftop`, `parcel` and `point`
 * are the building or its plot, `interpolated` lies between known numbers, and others (`approximate`, `intersection`)
 * are no better than the street.
 */
function precisionOf(type: string, accuracy: string | undefined): GeocodingPrecision {
  switch (type) {
    case 'address':
    case 'secondary_address':
      if (accuracy === 'interpolated') return 'interpolated';
      return ['rooftop', 'parcel', 'point'].includes(accuracy ?? '') ? 'rooftop' : 'street';
    case 'street':
    case 'block':
      return 'street';
    case 'country':
    case 'region':
    case 'district':
      return 'region';
    default:
      return 'locality';
  }
}
