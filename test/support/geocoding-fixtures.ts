/**
 * Responses of the providers, modelled on their public documentation:
 * https://developers.google.com/maps/documentation/geocoding/requests-geocoding,
 * https://nominatim.org/release-docs/latest/api/Output/ (jsonv2), https://docs.mapbox.com/api/search/geocoding/,
 * https://github.com/komoot/photon/blob/master/docs/api-v1.md, https://apidocs.geoapify.com/docs/geocoding/,
 * https://docs.locationiq.com/reference/search, https://opencagedata.com/api; Addok's was recorded from a server.
 */

import { toPlainDecimal } from '../../src/domain/coordinates.ts';
import type { RemoteName } from '../../src/geocoding/providers/providers.ts';

export interface FixturePlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly placeId?: string;
  readonly houseNumber?: string | null;
}

export function googleStatus(status: string, message?: string) {
  return { results: [], status, ...(message === undefined ? {} : { error_message: message }) };
}

export function googleFound(
  { latitude, longitude, placeId = 'ChIJeRpOeF67j4AR9ydy_PIzPuM', houseNumber = '1600' }: FixturePlace,
  { locationType = 'ROOFTOP', types = ['street_address'] } = {},
) {
  const corner = (offset: number) => ({ lat: latitude + offset, lng: longitude + offset });
  return {
    results: [
      {
        address_components: [
          ...(houseNumber === null
            ? []
            : [{ long_name: houseNumber, short_name: houseNumber, types: ['street_number'] }]),
          { long_name: 'Amphitheatre Parkway', short_name: 'Amphitheatre Pkwy', types: ['route'] },
          { long_name: 'Mountain View', short_name: 'Mountain View', types: ['locality', 'political'] },
          { long_name: 'California', short_name: 'CA', types: ['administrative_area_level_1', 'political'] },
          { long_name: 'United States', short_name: 'US', types: ['country', 'political'] },
          { long_name: '94043', short_name: '94043', types: ['postal_code'] },
        ],
        formatted_address: `${spaced(houseNumber)}Amphitheatre Parkway, Mountain View, CA 94043, USA`,
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
  { latitude, longitude, placeId = 'osm:way/90394480', houseNumber = '137' }: FixturePlace,
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
      display_name: `${houseNumber === null ? '' : `${houseNumber}, `}Pilkington Avenue, Maney, Sutton Coldfield, West Midlands, England, B72 1LH, UK`,
      address: osmAddress(houseNumber),
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
    houseNumber = '1600',
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
          name: `${spaced(houseNumber)}Pennsylvania Avenue Northwest`,
          coordinates: { longitude, latitude, ...(accuracy === null ? {} : { accuracy }) },
          place_formatted: 'Washington, District of Columbia 20500, United States',
          match_code: { address_number: 'matched', street: 'matched', confidence: 'exact' },
          context: {
            ...(houseNumber !== null && {
              address: { address_number: houseNumber, street_name: 'Pennsylvania Avenue Northwest' },
            }),
            street: { name: 'Pennsylvania Avenue Northwest' },
            postcode: { name: '20500' },
            place: { name: 'Washington' },
            region: { name: 'District of Columbia', region_code: 'DC' },
            country: { name: 'United States', country_code: 'US' },
          },
        },
      },
    ],
    attribution: 'NOTICE: © 2026 Mapbox and its suppliers. All rights reserved.',
  };
}

export function mapboxError(message: string) {
  return { message };
}

const collection = (feature: unknown) => ({ type: 'FeatureCollection', features: [feature] });

export function photonFound(
  { latitude, longitude, placeId = 'osm:node/3323432331', houseNumber = '2' }: FixturePlace,
  { type = 'house' } = {},
) {
  const [, osmType = '', osmId] = /^osm:(\w)\w+\/(\d+)$/.exec(placeId) ?? [];
  return collection({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: {
      osm_type: osmType.toUpperCase(),
      osm_id: Number(osmId),
      osm_key: 'place',
      osm_value: 'house',
      type,
      ...(houseNumber !== null && { housenumber: houseNumber }),
      street: 'Unter den Linden',
      district: 'Mitte',
      postcode: '10117',
      city: 'Berlin',
      state: 'Berlin',
      country: 'Deutschland',
      countrycode: 'DE',
    },
  });
}

export function addokFound(
  { latitude, longitude, placeId = 'geocodejson:75101_8249_00099', houseNumber = '99' }: FixturePlace,
  { type = 'housenumber' } = {},
) {
  const [, id] = placeId.split(':');
  return {
    ...collection({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: {
        label: `${spaced(houseNumber)}Rue de Rivoli 75001 Paris`,
        score: 0.7,
        ...(houseNumber !== null && { housenumber: houseNumber }),
        id,
        type,
        name: `${spaced(houseNumber)}Rue de Rivoli`,
        postcode: '75001',
        citycode: '75101',
        city: 'Paris',
        context: '75, Paris, Île-de-France',
        importance: 0.7,
        street: 'Rue de Rivoli',
      },
    }),
    version: 'draft',
    attribution: 'BANO',
    licence: 'ODbL',
    query: '99 rue de rivoli paris',
    limit: 5,
  };
}

export function geoapifyFound(
  { latitude, longitude, placeId = 'geoapify:51e1b5', houseNumber = '38' }: FixturePlace,
  { type = 'building' } = {},
) {
  return {
    results: [
      {
        datasource: {
          sourcename: 'openstreetmap',
          attribution: '© OpenStreetMap contributors',
          license: 'ODbL',
        },
        ...(houseNumber !== null && { housenumber: houseNumber }),
        street: 'Upper Montagu Street',
        city: 'London',
        state: 'England',
        postcode: 'W1H 1LJ',
        country: 'United Kingdom',
        country_code: 'gb',
        lon: longitude,
        lat: latitude,
        formatted: `${spaced(houseNumber)}Upper Montagu Street, London, W1H 1LJ, United Kingdom`,
        address_line1: `${spaced(houseNumber)}Upper Montagu Street`,
        address_line2: 'London, W1H 1LJ, United Kingdom',
        result_type: type,
        rank: { importance: 0.4, confidence: 1, confidence_building_level: 1, match_type: 'full_match' },
        place_id: placeId.split(':')[1],
      },
    ],
    query: { text: '38 Upper Montagu Street, Westminster W1H 1LJ, United Kingdom' },
  };
}

export function locationiqFound(
  { latitude, longitude, placeId = 'osm:way/34633854', houseNumber = '350' }: FixturePlace,
  { level = 'building', matchType = 'point' } = {},
) {
  const [, osmType, osmId] = /^osm:(\w+)\/(\d+)$/.exec(placeId) ?? [];
  return [
    {
      place_id: '324069145632',
      licence: 'https://locationiq.com/attribution',
      ...(osmType !== undefined && { osm_type: osmType, osm_id: osmId }),
      boundingbox: ['40.7479226', '40.7489422', '-73.9864855', '-73.9848259'],
      lat: String(latitude),
      lon: String(longitude),
      display_name: `${houseNumber === null ? '' : `${houseNumber}, `}5th Avenue, New York City, New York, 10018, USA`,
      class: 'place',
      type: 'house',
      importance: 0.2,
      address: osmAddress(houseNumber),
      matchquality: { matchcode: 'exact', matchtype: matchType, matchlevel: level },
    },
  ];
}

export function opencageFound(
  { latitude, longitude, houseNumber = '1' }: FixturePlace,
  { type = 'building', category = 'building' } = {},
) {
  return {
    licenses: [{ name: 'see attribution guide', url: 'https://opencagedata.com/credits' }],
    rate: { limit: 2500, remaining: 2499, reset: 1523318400 },
    results: [
      {
        bounds: {
          northeast: { lat: latitude, lng: longitude },
          southwest: { lat: latitude, lng: longitude },
        },
        components: {
          'ISO_3166-1_alpha-2': 'DE',
          'ISO_3166-1_alpha-3': 'DEU',
          _category: category,
          _type: type,
          city: 'Weimar',
          continent: 'Europe',
          country: 'Germany',
          country_code: 'de',
          ...(houseNumber !== null && { house_number: houseNumber }),
          postcode: '99423',
          road: 'Frauenplan',
          state: 'Thuringia',
          state_code: 'TH',
        },
        confidence: 10,
        formatted: `Frauenplan${houseNumber === null ? '' : ` ${houseNumber}`}, 99423 Weimar, Germany`,
        geometry: { lat: latitude, lng: longitude },
      },
    ],
    status: { code: 200, message: 'OK' },
    total_results: 1,
  };
}

function spaced(houseNumber: string | null): string {
  return houseNumber === null ? '' : `${houseNumber} `;
}

function osmAddress(houseNumber: string | null) {
  return {
    ...(houseNumber !== null && { house_number: houseNumber }),
    road: 'Pilkington Avenue',
    suburb: 'Maney',
    town: 'Sutton Coldfield',
    state: 'England',
    'ISO3166-2-lvl4': 'GB-ENG',
    postcode: 'B72 1LH',
    country: 'United Kingdom',
    country_code: 'gb',
  };
}

const NO_FEATURES = { type: 'FeatureCollection', features: [] } as const;

/** The body; LocationIQ's has the status 404. */
export const NOTHING_FOUND = {
  google: googleStatus('ZERO_RESULTS'),
  nominatim: [],
  mapbox: { ...NO_FEATURES, attribution: 'NOTICE: © 2026 Mapbox' },
  photon: NO_FEATURES,
  geocodejson: { ...NO_FEATURES, version: 'draft' },
  geoapify: { results: [], query: { text: 'Nowhere' } },
  locationiq: { error: 'Unable to geocode' },
  opencage: { results: [], status: { code: 200, message: 'OK' }, total_results: 0 },
} as const satisfies Record<RemoteName, unknown>;

export const FOUND = {
  google: googleFound,
  nominatim: nominatimFound,
  mapbox: mapboxFound,
  photon: photonFound,
  geocodejson: addokFound,
  geoapify: geoapifyFound,
  locationiq: locationiqFound,
  opencage: opencageFound,
} as const satisfies Record<RemoteName, (place: FixturePlace) => unknown>;

/** The place ids of {@link FOUND} in stored results. */
export const PLACE_IDS: Readonly<Record<RemoteName, (place: FixturePlace) => string>> = {
  google: () => 'ChIJeRpOeF67j4AR9ydy_PIzPuM',
  nominatim: () => 'osm:way/90394480',
  mapbox: () => 'dXJuOm1ieGFkcjo2YzdhYjM4Yi05YzM4LTQ3ZDItODFkMS1jYzZlYjg5YzliMWM',
  photon: () => 'osm:node/3323432331',
  geocodejson: () => 'geocodejson:75101_8249_00099',
  geoapify: () => 'geoapify:51e1b5',
  locationiq: () => 'osm:way/34633854',
  opencage: ({ latitude, longitude }) => `opencage:${toPlainDecimal(latitude)},${toPlainDecimal(longitude)}`,
};

/** What a provider may find for an address. */
export const FINDINGS = [
  'the house',
  'a point between two houses',
  'the house next door',
  'the street',
  'the town',
  'the country',
] as const;
export type Finding = (typeof FINDINGS)[number];

const HERE = { latitude: 48.8566, longitude: 2.3522 };
const HOUSE = { ...HERE, houseNumber: '12' };
const NEXT_DOOR = { ...HERE, houseNumber: '14' };
const NO_HOUSE = { ...HERE, houseNumber: null };

/** The responses of each provider to `12 Rue de Rivoli, Paris` and to its parts; null if it has no such response. */
export const RESPONSES: Readonly<Record<RemoteName, Readonly<Record<Finding, unknown>>>> = {
  google: {
    'the house': googleFound(HOUSE),
    'a point between two houses': googleFound(HOUSE, { locationType: 'RANGE_INTERPOLATED' }),
    'the house next door': googleFound(NEXT_DOOR),
    'the street': googleFound(NO_HOUSE, { locationType: 'GEOMETRIC_CENTER', types: ['route'] }),
    'the town': googleFound(NO_HOUSE, { locationType: 'APPROXIMATE', types: ['locality', 'political'] }),
    'the country': googleFound(NO_HOUSE, { locationType: 'APPROXIMATE', types: ['country', 'political'] }),
  },
  nominatim: {
    'the house': nominatimFound(HOUSE),
    'a point between two houses': nominatimFound(HOUSE, { category: 'place', type: 'house' }),
    'the house next door': nominatimFound(NEXT_DOOR),
    'the street': nominatimFound(NO_HOUSE, { category: 'highway', type: 'residential', rank: 26 }),
    'the town': nominatimFound(NO_HOUSE, { category: 'boundary', type: 'administrative', rank: 16 }),
    'the country': nominatimFound(NO_HOUSE, { category: 'boundary', type: 'administrative', rank: 4 }),
  },
  mapbox: {
    'the house': mapboxFound(HOUSE),
    'a point between two houses': mapboxFound(HOUSE, { accuracy: 'interpolated' }),
    'the house next door': mapboxFound(NEXT_DOOR),
    'the street': mapboxFound(NO_HOUSE, { featureType: 'street', accuracy: null }),
    'the town': mapboxFound(NO_HOUSE, { featureType: 'place', accuracy: null }),
    'the country': mapboxFound(NO_HOUSE, { featureType: 'country', accuracy: null }),
  },
  photon: {
    'the house': photonFound(HOUSE),
    'a point between two houses': null,
    'the house next door': photonFound(NEXT_DOOR),
    'the street': photonFound(NO_HOUSE, { type: 'street' }),
    'the town': photonFound(NO_HOUSE, { type: 'city' }),
    'the country': photonFound(NO_HOUSE, { type: 'country' }),
  },
  geocodejson: {
    'the house': addokFound(HOUSE),
    'a point between two houses': null,
    'the house next door': addokFound(NEXT_DOOR),
    'the street': addokFound(NO_HOUSE, { type: 'street' }),
    'the town': addokFound(NO_HOUSE, { type: 'municipality' }),
    // Addok has addresses of one country.
    'the country': null,
  },
  geoapify: {
    'the house': geoapifyFound(HOUSE),
    'a point between two houses': null,
    'the house next door': geoapifyFound(NEXT_DOOR),
    'the street': geoapifyFound(NO_HOUSE, { type: 'street' }),
    'the town': geoapifyFound(NO_HOUSE, { type: 'city' }),
    'the country': geoapifyFound(NO_HOUSE, { type: 'country' }),
  },
  locationiq: {
    'the house': locationiqFound(HOUSE),
    'a point between two houses': locationiqFound(HOUSE, { matchType: 'interpolated' }),
    'the house next door': locationiqFound(NEXT_DOOR),
    'the street': locationiqFound(NO_HOUSE, { level: 'street', matchType: 'centroid' }),
    'the town': locationiqFound(NO_HOUSE, { level: 'city', matchType: 'centroid' }),
    'the country': locationiqFound(NO_HOUSE, { level: 'country', matchType: 'centroid' }),
  },
  opencage: {
    'the house': opencageFound(HOUSE),
    'a point between two houses': null,
    'the house next door': opencageFound(NEXT_DOOR),
    'the street': opencageFound(NO_HOUSE, { type: 'road', category: 'road' }),
    'the town': opencageFound(NO_HOUSE, { type: 'city', category: 'place' }),
    'the country': opencageFound(NO_HOUSE, { type: 'country', category: 'place' }),
  },
};
