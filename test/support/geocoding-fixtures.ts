/**
 * Responses of the providers, modelled on their public documentation:
 * https://developers.google.com/maps/documentation/geocoding/requests-geocoding,
 * https://nominatim.org/release-docs/latest/api/Output/ (jsonv2), https://docs.mapbox.com/api/search/geocoding/.
 */

export interface FixturePlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly placeId?: string;
}

export function googleStatus(status: string, message?: string) {
  return { results: [], status, ...(message === undefined ? {} : { error_message: message }) };
}

export function googleFound(
  { latitude, longitude, placeId = 'ChIJeRpOeF67j4AR9ydy_PIzPuM' }: FixturePlace,
  { locationType = 'ROOFTOP', types = ['street_address'] } = {},
) {
  const corner = (offset: number) => ({ lat: latitude + offset, lng: longitude + offset });
  return {
    results: [
      {
        address_components: [
          { long_name: '1600', short_name: '1600', types: ['street_number'] },
          { long_name: 'Mountain View', short_name: 'Mountain View', types: ['locality', 'political'] },
        ],
        formatted_address: '1600 Amphitheatre Parkway, Mountain View, CA 94043, USA',
        geometry: {
          location: { lat: latitude, lng: longitude },
          location_type: locationType,
          viewport: { northeast: corner(0.01), southwest: corner(-0.01) },
        },
        place_id: placeId,
        plus_code: { compound_code: 'CWC8+R9 Mountain View, CA, USA', global_code: '849VCWC8+R9' },
        types,
      },
    ],
    status: 'OK',
  };
}

export function nominatimFound(
  { latitude, longitude, placeId = 'osm:way/90394480' }: FixturePlace,
  { category = 'building', type = 'commercial', rank = 30 } = {},
) {
  const [, osmType, osmId] = /^osm:(\w+)\/(\d+)$/.exec(placeId) ?? [];
  return [
    {
      place_id: 100149,
      licence: 'Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright',
      ...(osmType === undefined ? {} : { osm_type: osmType, osm_id: Number(osmId) }),
      lat: String(latitude),
      lon: String(longitude),
      category,
      type,
      place_rank: rank,
      importance: 0.9654895765402,
      addresstype: 'building',
      name: '',
      display_name: '137, Pilkington Avenue, Maney, Sutton Coldfield, West Midlands, England, B72 1LH, UK',
      boundingbox: ['52.5487442', '52.5488481', '-1.8165350', '-1.8163464'],
    },
  ];
}

interface MapboxDetails {
  readonly featureType?: string;
  /** Null leaves it out. */
  readonly accuracy?: string | null;
}

export function mapboxFound(
  {
    latitude,
    longitude,
    placeId = 'dXJuOm1ieGFkcjo2YzdhYjM4Yi05YzM4LTQ3ZDItODFkMS1jYzZlYjg5YzliMWM',
  }: FixturePlace,
  { featureType = 'address', accuracy = 'rooftop' }: MapboxDetails = {},
) {
  return {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: placeId,
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: {
          mapbox_id: placeId,
          feature_type: featureType,
          name: '1600 Pennsylvania Avenue Northwest',
          coordinates: { longitude, latitude, ...(accuracy === null ? {} : { accuracy }) },
          place_formatted: 'Washington, District of Columbia 20500, United States',
          match_code: { address_number: 'matched', street: 'matched', confidence: 'exact' },
          context: { country: { name: 'United States', country_code: 'US' } },
        },
      },
    ],
    attribution: 'NOTICE: © 2026 Mapbox and its suppliers. All rights reserved.',
  };
}

export function mapboxError(message: string) {
  return { message };
}

export const NOTHING_FOUND = {
  google: googleStatus('ZERO_RESULTS'),
  nominatim: [],
  mapbox: { type: 'FeatureCollection', features: [], attribution: 'NOTICE: © 2026 Mapbox' },
} as const;

export const FOUND = { google: googleFound, nominatim: nominatimFound, mapbox: mapboxFound } as const;
