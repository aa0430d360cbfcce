/**
 * Mapbox' Geocoding API v6, in permanent mode: only its results may be kept.
 *
 * Request, answer, errors, storing results: https://docs.mapbox.com/api/search/geocoding/ (permanent geocoding needs
 * a credit card on file or an enterprise contract; without either Mapbox answers 403).
 */

import * as z from 'zod';

import { toPoint } from './coordinates.ts';
import { addressNotFound, addressRefused } from './failures.ts';
import type { GeocodingPrecision } from './geocoder.ts';
import type { HttpAnswer } from './http.ts';
import type { Lookup, Provider, Reading } from './provider.ts';
import { endpoint, failed, readStatus, undocumented } from './provider.ts';

export const MAPBOX_URL = 'https://api.mapbox.com';

const LABEL = { title: 'Mapbox', keySetting: 'MAPBOX_ACCESS_TOKEN', urlSetting: 'MAPBOX_URL' } as const;

const Feature = z.object({
  properties: z.object({
    mapbox_id: z.string().min(1),
    feature_type: z.string(),
    coordinates: z.object({
      longitude: z.number(),
      latitude: z.number(),
      accuracy: z.string().optional(),
    }),
  }),
});
const Collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

export function createMapbox({ url = MAPBOX_URL }: { readonly url?: string | null } = {}): Provider {
  const baseUrl = url ?? MAPBOX_URL;
  return {
    ...LABEL,
    name: 'mapbox',
    baseUrl,
    request: ({ address, key }) => ({
      url: endpoint(baseUrl, '/search/geocode/v6/forward', {
        // A semicolon is not allowed, however it is written.
        q: address.replaceAll(';', ','),
        permanent: 'true',
        autocomplete: 'false',
        limit: '1',
        access_token: key ?? '',
      }),
      headers: {},
    }),
    read: readAnswer,
  };
}

function readAnswer(answer: HttpAnswer, lookup: Lookup): Reading {
  if (answer.status === 422) {
    return failed(addressRefused(LABEL.title, 'it takes at most 20 words and 256 characters'));
  }
  const failure = readStatus(LABEL, answer, lookup);
  if (failure !== null) return failure;
  const collection = Collection.safeParse(answer.body);
  if (!collection.success) return undocumented(LABEL, 'no FeatureCollection');
  const [first] = collection.data.features;
  if (first === undefined) return failed(addressNotFound(LABEL.title));
  const feature = Feature.safeParse(first);
  if (!feature.success) return undocumented(LABEL, 'no feature of the documented shape');
  const { mapbox_id: placeId, feature_type: type, coordinates } = feature.data.properties;
  const point = toPoint(coordinates.latitude, coordinates.longitude);
  if (point === null) return undocumented(LABEL, 'coordinates beyond the Earth');
  const precision = precisionOf(type, coordinates.accuracy);
  return { kind: 'found', result: { placeId, ...point, provider: 'mapbox', precision } };
}

/**
 * By the feature's type, and for addresses by the point's accuracy
 * (https://docs.mapbox.com/api/search/geocoding/#point-accuracy-for-address-features): `rooftop`, `parcel` and `point`
 * are the building or its plot, `interpolated` lies between known numbers, others (`approximate`, `intersection`) are
 * no better than the street.
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
