/** Requests and responses of the providers. */

import fc from 'fast-check';

import { readRetryAfter } from '../../../src/geocoding/providers/http.ts';
import type {
  Lookup,
  Provider,
  ProviderConfig,
  ProviderResult,
} from '../../../src/geocoding/providers/provider.ts';
import { publicServerAt } from '../../../src/geocoding/providers/provider.ts';
import { NO_PARTS, parseDegrees, toPoint } from '../../../src/geocoding/providers/responses.ts';
import { openProvider } from '../../../src/geocoding/providers/open-provider.ts';
import type { RemoteName } from '../../../src/geocoding/providers/providers.ts';
import { providerNamed, PROVIDERS } from '../../../src/geocoding/providers/providers.ts';
import { hasHouseNumber } from '../../../src/geocoding/providers/refine.ts';
import { withoutKey } from '../../../src/geocoding/resilience/failures.ts';
import {
  addokFound,
  FOUND,
  geoapifyFound,
  googleFound,
  locationiqFound,
  mapboxFound,
  nominatimFound,
  NOTHING_FOUND,
  opencageFound,
  photonFound,
} from '../../support/geocoding-fixtures.ts';

const context = { key: 'k', keySource: 'map' as const, area: null };
const lookup = { kind: 'forward' as const, address: 'Main Street', ...context };
const open = (name: RemoteName, config: Partial<ProviderConfig> = {}) =>
  openProvider(providerNamed(name), {
    ...(providerNamed(name).defaultUrl === null && { url: 'https://geo.example.org' }),
    ...config,
    userAgent: 'map-locations/1.2.3',
  });
const google = open('google');
const nominatim = open('nominatim');
const mapbox = open('mapbox');
const point = { latitude: 64.14660000000001, longitude: -21.942599999999999 };
const ALL = PROVIDERS.map(({ name }) => open(name));

const respond = (body: unknown, status = 200) => ({
  status,
  body,
  isTooLarge: false as const,
  retryAfterSeconds: undefined,
});
const read = (provider: Provider, body: unknown, asked: Lookup = lookup) => {
  const reading = provider.read(respond(body), asked);
  return reading.kind === 'found' ? reading.candidates[0] : reading.error.code;
};
const precision = (provider: Provider, body: unknown) => {
  const result = read(provider, body);
  return typeof result === 'string' ? result : result.precision;
};
/** The place in each response is not in the address, so that its house number was not asked. */
const foundBy = (provider: Provider, place = point) => FOUND[provider.name as RemoteName](place);

describe('a request', () => {
  it.each<[RemoteName, string]>([
    ['google', 'https://maps.googleapis.com/maps/api/geocode/json?address=Main+Street&key=k'],
    [
      'nominatim',
      'https://nominatim.openstreetmap.org/search?q=Main+Street&limit=5&format=jsonv2&addressdetails=1',
    ],
    [
      'mapbox',
      'https://api.mapbox.com/search/geocode/v6/forward?q=Main+Street&permanent=true&autocomplete=false&limit=5&access_token=k',
    ],
    ['photon', 'https://geo.example.org/api?q=Main+Street&limit=5'],
    ['geocodejson', 'https://geo.example.org/search?q=Main+Street&limit=5&autocomplete=0'],
    ['geoapify', 'https://api.geoapify.com/v1/geocode/search?text=Main+Street&limit=5&format=json&apiKey=k'],
    [
      'locationiq',
      'https://us1.locationiq.com/v1/search?q=Main+Street&limit=5&matchquality=1&format=json&addressdetails=1&key=k',
    ],
    [
      'opencage',
      'https://api.opencagedata.com/geocode/v1/json?q=Main+Street&limit=5&no_annotations=1&no_record=1&key=k',
    ],
  ])('has the documented form: %s', (name, url) => {
    expect(open(name).request(lookup).url.href).toBe(url);
  });

  const area = {
    countries: ['AT', 'DE'],
    bounds: { south: 46, west: 5, north: 55, east: 17 },
    language: 'pt-BR',
  };
  it.each<[RemoteName, Record<string, string | string[]>]>([
    // Google takes one country.
    ['google', { language: 'pt-BR', bounds: '46,5|55,17' }],
    ['nominatim', { countrycodes: 'at,de', viewbox: '5,46,17,55', 'accept-language': 'pt-BR' }],
    ['mapbox', { country: 'at,de', proximity: '11,50.5', language: 'pt-BR' }],
    ['photon', { countrycode: ['AT', 'DE'], lat: '50.5', lon: '11' }],
    ['geocodejson', { lat: '50.5', lon: '11' }],
    ['geoapify', { filter: 'countrycode:at,de', bias: 'rect:5,46,17,55', lang: 'pt' }],
    ['locationiq', { countrycodes: 'at,de', viewbox: '5,46,17,55', 'accept-language': 'pt' }],
    ['opencage', { countrycode: 'at,de', proximity: '50.5,11', language: 'pt-BR' }],
  ])('has the area of the map in the parameters of %s', (name, expected) => {
    const { searchParams } = open(name).request({ ...lookup, area }).url;
    const plain = new Set(open(name).request(lookup).url.searchParams.keys());
    const added = [...new Set(searchParams.keys())].filter((key) => !plain.has(key));
    const values = added.map((key) => {
      const all = searchParams.getAll(key);
      return [key, all.length === 1 ? all[0] : all];
    });
    expect(Object.fromEntries(values)).toEqual(expected);
  });

  it('has one country for Google, and the language in a header for Photon', () => {
    const inFrance = { ...lookup, area: { countries: ['FR'], bounds: null, language: 'fr' } };
    expect(google.request(inFrance).url.searchParams.get('components')).toBe('country:FR');
    expect(open('photon').request(inFrance).headers).toEqual({ 'accept-language': 'fr' });
  });

  it.each<[RemoteName, string]>([
    ['google', '/maps/api/geocode/json?latlng=48.5,-0.0000001&key=k'],
    ['nominatim', '/reverse?lat=48.5&lon=-0.0000001&zoom=18&format=jsonv2&addressdetails=1'],
    ['mapbox', '/search/geocode/v6/reverse?longitude=-0.0000001&latitude=48.5&permanent=true&access_token=k'],
    ['photon', '/reverse?lat=48.5&lon=-0.0000001&radius=1&limit=1'],
    ['geocodejson', '/reverse?lat=48.5&lon=-0.0000001&limit=1'],
    ['geoapify', '/v1/geocode/reverse?lat=48.5&lon=-0.0000001&limit=1&format=json&apiKey=k'],
    ['locationiq', '/v1/reverse?lat=48.5&lon=-0.0000001&zoom=18&format=json&addressdetails=1&key=k'],
    ['opencage', '/geocode/v1/json?q=48.5,-0.0000001&limit=1&no_annotations=1&no_record=1&key=k'],
  ])('finds the address of a point: %s', (name, path) => {
    const { url } = open(name).request({
      kind: 'reverse',
      point: { latitude: 48.5, longitude: -1e-7 },
      ...context,
    });
    expect(url.pathname + url.search.replaceAll('%2C', ',')).toBe(path);
  });

  it.each<[RemoteName, string]>([
    ['nominatim', '/search?q=Mai&limit=5&format=jsonv2&addressdetails=1'],
    [
      'mapbox',
      '/search/geocode/v6/forward?q=Mai&permanent=false&autocomplete=true&limit=5&proximity=2,48&access_token=k',
    ],
    ['photon', '/api?q=Mai&limit=5&lat=48&lon=2'],
    ['geocodejson', '/search?q=Mai&limit=5&autocomplete=1&lat=48&lon=2'],
    ['geoapify', '/v1/geocode/autocomplete?text=Mai&limit=5&bias=proximity:2,48&format=json&apiKey=k'],
    [
      'locationiq',
      '/v1/autocomplete?q=Mai&limit=5&viewbox=1.5,47.5,2.5,48.5&format=json&addressdetails=1&key=k',
    ],
  ])('suggests addresses near a point: %s', (name, path) => {
    const near = { latitude: 48, longitude: 2 };
    const { url } = open(name).request({ kind: 'suggest', text: 'Mai', near, ...context });
    expect(url.pathname + url.search.replaceAll('%2C', ',').replaceAll('%3A', ':')).toBe(path);
  });

  it('has a path below the base URL', () => {
    for (const url of ['http://proxy.example/geo', 'http://proxy.example/geo/']) {
      expect(open('google', { url }).request(lookup).url.pathname).toBe('/geo/maps/api/geocode/json');
    }
  });

  it('has any address as one parameter', () => {
    const plain = new Map(
      ALL.map((provider) => [provider, [...provider.request(lookup).url.searchParams.keys()]]),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (address) => {
        for (const provider of ALL) {
          const { searchParams } = provider.request({ ...lookup, address: `x${address}` }).url;
          const text = searchParams.get('q') ?? searchParams.get('address') ?? searchParams.get('text');
          const sent = `x${address}`.toWellFormed();
          expect(text).toBe(provider.name === 'mapbox' ? sent.replaceAll(';', ',') : sent);
          expect([...searchParams.keys()]).toEqual(plain.get(provider));
        }
      }),
    );
  });

  it('has no semicolon for Mapbox, which would split it in two', () => {
    const { searchParams } = mapbox.request({ ...lookup, address: 'Main Street 1; Springfield' }).url;
    expect(searchParams.get('q')).toBe('Main Street 1, Springfield');
  });

  it('identifies the program and its contact to Nominatim', () => {
    expect(nominatim.request(lookup).headers['user-agent']).toBe('map-locations/1.2.3');
    const known = open('nominatim', { contact: 'ops@example.org' });
    expect(known.request(lookup).headers['user-agent']).toBe('map-locations/1.2.3 (+ops@example.org)');
    expect(known.request(lookup).url.searchParams.get('email')).toBe('ops@example.org');
  });

  it('recognizes the public Nominatim server', () => {
    const isPublic = (url: string | null) => publicServerAt(providerNamed('nominatim'), url) !== null;
    expect(isPublic(null)).toBe(true);
    expect(isPublic('https://nominatim.openstreetmap.org')).toBe(true);
    expect(isPublic('http://NOMINATIM.openstreetmap.org./x')).toBe(true);
    expect(isPublic('https://nominatim.example.org')).toBe(false);
    expect(publicServerAt(providerNamed('google'), null)).toBeNull();
    expect(publicServerAt(providerNamed('photon'), null)).toBeNull();
  });
});

describe('the house number of an address', () => {
  const parts = { ...NO_PARTS, street: 'Rue du 8 Mai 1945', postcode: '75012', city: 'Paris' };
  const has = (address: string, houseNumber: string | null, label: string | null = null) =>
    hasHouseNumber(address, { ...parts, houseNumber }, label);

  it.each([
    ['12 Rue du 8 Mai 1945, 75012 Paris', '12'],
    ['12A Rue du 8 Mai 1945', '12 a'],
    ['12 bis Rue du 8 Mai 1945', '12BIS'],
    ['Hauptstraße 12-14', '12–14'],
    ['Hauptstraße 12 / 3', '12/3'],
    ['Flat 3, 12 High Street', '12'],
    ['１２ Rue', '12'],
    ['12 High Street', '10;12'],
  ])('is that of the result: %s and %s', (address, houseNumber) => {
    expect(has(address, houseNumber)).toBe(true);
  });

  it.each([
    ['12 Rue du 8 Mai 1945, 75012 Paris', '14'],
    ['12 Rue du 8 Mai 1945, 75012 Paris', null],
    ['12A Rue du 8 Mai 1945', '12'],
    ['12 Rue du 8 Mai 1945', '12A'],
    ['Hauptstraße 12-14', '12'],
    ['750 Main Street', null],
  ])('is another: %s and %s', (address, houseNumber) => {
    expect(has(address, houseNumber)).toBe(false);
  });

  it.each([
    ['Rue du 8 Mai 1945, 75012 Paris', null],
    ['Rue du 8 Mai 1945 s/n, Paris', null],
    ['5th Avenue, SW7 5BD', '3'],
    ['東京都千代田区丸の内1丁目', null],
    ['Louvre, Paris', '99'],
  ])('is not in the address: %s', (address, houseNumber) => {
    expect(has(address, houseNumber)).toBe(true);
  });

  it('may be in the label of a result without parts', () => {
    expect(hasHouseNumber('12 Main Street', NO_PARTS, '12 Main Street, Springfield')).toBe(true);
    expect(hasHouseNumber('12 Main Street', NO_PARTS, 'Main Street, Springfield 12345')).toBe(false);
  });

  it('makes a result of every provider no better than the street if it is missing or another', () => {
    const asked = (address: string) => ({ ...lookup, address });
    for (const provider of ALL) {
      const found = (houseNumber: string | null) =>
        FOUND[provider.name as RemoteName]({ ...point, houseNumber });
      const precisions = [
        read(provider, found('12'), asked('Main Street 12')),
        read(provider, found('14'), asked('Main Street 12')),
        read(provider, found(null), asked('Main Street 12')),
        read(provider, found(null), asked('Main Street')),
      ].map((result) => (typeof result === 'string' ? result : result.precision));
      expect([provider.name, ...precisions]).toEqual([
        provider.name,
        'rooftop',
        'street',
        'street',
        'rooftop',
      ]);
    }
  });

  it('does not change a result for a point', () => {
    const reverse = { kind: 'reverse' as const, point, ...context };
    const body = FOUND.google({ ...point, houseNumber: null });
    expect(read(google, body, reverse)).toMatchObject({ precision: 'rooftop' });
  });
});

describe('the countries of a map', () => {
  const within = (...countries: string[]) => ({
    ...lookup,
    area: { countries, bounds: null, language: null },
  });

  it('leave out results elsewhere, of every provider that names the country', () => {
    for (const provider of ALL) {
      const body = foundBy(provider);
      const found = read(provider, body);
      const country = typeof found === 'string' ? null : found.parts.countryCode;
      expect([provider.name, read(provider, body, within('IS'))]).toEqual([
        provider.name,
        country === null ? expect.objectContaining(point) : 'ADDRESS_NOT_FOUND',
      ]);
      expect(read(provider, body, within('IS', country ?? 'FR'))).toMatchObject(point);
    }
  });

  it('leave the other candidates', () => {
    const [here] = nominatimFound(point);
    const abroad = { ...here, address: { country_code: 'us' } };
    const reading = nominatim.read(respond([abroad, here, abroad]), within('GB'));
    expect(reading.kind === 'found' && reading.candidates.length).toBe(1);
  });
});

describe('candidates', () => {
  const candidatesIn = (provider: Provider, body: unknown) => {
    const reading = provider.read(respond(body), lookup);
    return reading.kind === 'found' ? reading.candidates : [];
  };
  const places = Array.from({ length: 7 }, (_, index) => ({ ...point, latitude: index }));
  const bodies: readonly [Provider, unknown][] = [
    [google, { status: 'OK', results: places.flatMap((place) => googleFound(place).results) }],
    [nominatim, places.flatMap((place) => nominatimFound(place))],
    [mapbox, { ...mapboxFound(point), features: places.flatMap((place) => mapboxFound(place).features) }],
  ];

  it('are the first five results, with their addresses', () => {
    for (const [provider, body] of bodies) {
      const candidates = candidatesIn(provider, body);
      expect(candidates.map(({ latitude }) => latitude)).toEqual([0, 1, 2, 3, 4]);
      expect(candidates[4]?.formattedAddress).toMatch(/^(1600|137), |^1600 /);
    }
  });

  it('skip invalid results, except for the first', () => {
    const [good] = nominatimFound(point);
    expect(candidatesIn(nominatim, [good, { place_id: 1 }, good])).toHaveLength(2);
    expect(candidatesIn(nominatim, [{ place_id: 1 }, good])).toEqual([]);
    expect(candidatesIn(nominatim, [{ ...good, display_name: 5 }])[0]).toMatchObject({
      ...point,
      formattedAddress: null,
    });
  });
});

describe('a response', () => {
  it('has an exact point, with 0 for -0', () => {
    for (const provider of ALL) {
      expect(read(provider, foundBy(provider))).toMatchObject(point);
      const zero = read(
        provider,
        JSON.parse(
          JSON.stringify(foundBy(provider, { latitude: 0, longitude: 0 })).replaceAll(
            /("(?:lat|lng|lon|latitude|longitude)":"?|"coordinates":\[|"coordinates":\[-0,)0/g,
            '$1-0',
          ),
        ),
      );
      expect(zero).toMatchObject({ latitude: 0, longitude: 0 });
      expect(Object.values(zero).some((value) => Object.is(value, -0))).toBe(false);
    }
  });

  it('is refused if the point is not on Earth', () => {
    for (const [latitude, longitude] of [
      [90.0000001, 0],
      [-999, 0],
      [0, 180.5],
      [0, -181],
    ] as const) {
      for (const provider of ALL) {
        expect(read(provider, foundBy(provider, { latitude, longitude }))).toBe('GEOCODER_UNAVAILABLE');
      }
    }
    expect(read(nominatim, [{ ...nominatimFound(point)[0], lat: '1e1' }])).toBe('GEOCODER_UNAVAILABLE');
    expect(read(nominatim, [{ ...nominatimFound(point)[0], lat: '' }])).toBe('GEOCODER_UNAVAILABLE');
  });

  it('restores any double from a JSON number or decimal text', () => {
    const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    fc.assert(
      fc.property(degrees(90), degrees(180), (latitude, longitude) => {
        expect(toPoint(latitude, longitude)).toEqual({ latitude: latitude + 0, longitude: longitude + 0 });
        const text = latitude.toFixed(12);
        expect(parseDegrees(text)).toBe(Number(text));
      }),
    );
  });

  it('has a precision: Google', () => {
    const of = (locationType: string, ...types: string[]) =>
      precision(google, googleFound(point, { locationType, types }));
    expect(of('ROOFTOP', 'street_address')).toBe('rooftop');
    expect(of('RANGE_INTERPOLATED', 'street_address')).toBe('interpolated');
    expect(of('GEOMETRIC_CENTER', 'route')).toBe('street');
    expect(of('GEOMETRIC_CENTER', 'establishment', 'point_of_interest')).toBe('street');
    expect(of('GEOMETRIC_CENTER', 'country', 'political')).toBe('region');
    expect(of('APPROXIMATE', 'locality', 'political')).toBe('locality');
    expect(of('APPROXIMATE', 'postal_code')).toBe('locality');
    expect(of('APPROXIMATE', 'administrative_area_level_1', 'political')).toBe('region');
    expect(of('APPROXIMATE', 'country', 'political')).toBe('region');
    expect(of('SOMEWHERE', 'country')).toBe('GEOCODER_UNAVAILABLE');
  });

  it('has a precision: Nominatim', () => {
    const of = (rank: number, category: string, type: string, placeId = 'osm:way/1') =>
      precision(nominatim, nominatimFound({ ...point, placeId }, { rank, category, type }));
    expect(of(30, 'building', 'yes')).toBe('rooftop');
    expect(of(30, 'place', 'house', 'osm:node/1')).toBe('rooftop');
    expect(of(30, 'place', 'house')).toBe('interpolated');
    expect(of(30, 'place', 'houses')).toBe('street');
    expect(of(26, 'highway', 'residential')).toBe('street');
    expect(of(16, 'boundary', 'administrative', 'osm:relation/1')).toBe('locality');
    expect(of(21, 'place', 'postcode', 'none')).toBe('locality');
    expect(of(8, 'boundary', 'administrative', 'osm:relation/1')).toBe('region');
    expect(of(4, 'boundary', 'administrative', 'osm:relation/1')).toBe('region');
  });

  it('has the id of the OpenStreetMap object, or else Nominatim’s', () => {
    const of = (placeId: string) => read(nominatim, nominatimFound({ ...point, placeId }));
    expect(of('osm:relation/1428125')).toMatchObject({ placeId: 'osm:relation/1428125' });
    expect(of('none')).toMatchObject({ placeId: 'nominatim:100149' });
  });

  it('has a precision: Mapbox', () => {
    const of = (featureType: string, accuracy: string | null = null) =>
      precision(mapbox, mapboxFound(point, { featureType, accuracy }));
    expect(['rooftop', 'parcel', 'point'].map((accuracy) => of('address', accuracy))).toEqual(
      Array(3).fill('rooftop'),
    );
    expect(of('secondary_address', 'rooftop')).toBe('rooftop');
    expect(of('address', 'interpolated')).toBe('interpolated');
    expect(of('address', 'approximate')).toBe('street');
    expect(of('address')).toBe('street');
    expect(of('street', 'intersection')).toBe('street');
    expect(['place', 'locality', 'neighborhood', 'postcode'].map((type) => of(type))).toEqual(
      Array(4).fill('locality'),
    );
    expect(['region', 'district', 'country'].map((type) => of(type))).toEqual(Array(3).fill('region'));
  });

  it('has a precision: Photon', () => {
    const of = (type: string) =>
      precision(open('photon'), photonFound({ ...point, houseNumber: null }, { type }));
    expect(['house', 'street'].map(of)).toEqual(['rooftop', 'street']);
    expect(['locality', 'district', 'city', 'other'].map(of)).toEqual(Array(4).fill('locality'));
    expect(['county', 'state', 'country'].map(of)).toEqual(Array(3).fill('region'));
  });

  it('has a precision: GeocodeJSON, of Addok and of the draft', () => {
    const of = (type: string) => precision(open('geocodejson'), addokFound(point, { type }));
    expect(['housenumber', 'house', 'street'].map(of)).toEqual(['rooftop', 'rooftop', 'street']);
    expect(['locality', 'municipality', 'city'].map(of)).toEqual(Array(3).fill('locality'));
    expect(['region', 'country'].map(of)).toEqual(Array(2).fill('region'));
  });

  it('may have the properties of GeocodeJSON in an object of their own, and coordinates as text', () => {
    const feature = {
      geometry: { type: 'Point', coordinates: ['2.889957', '50.687328'] },
      properties: {
        geocoding: {
          type: 'house',
          label: '64 rue de Metz',
          osm_type: 'way',
          osm_id: 12,
          country_code: 'fr',
        },
      },
    };
    expect(read(open('geocodejson'), { type: 'FeatureCollection', features: [feature] })).toMatchObject({
      placeId: 'osm:way/12',
      latitude: 50.687328,
      precision: 'rooftop',
      formattedAddress: '64 rue de Metz',
      parts: { countryCode: 'FR' },
    });
  });

  it('has the name of the GeocodeJSON server, if it has one', () => {
    const ban = open('geocodejson', { shownName: 'ban' });
    expect(read(ban, addokFound(point))).toMatchObject({ provider: 'ban' });
  });

  it('has a label of its parts: Photon', () => {
    expect(read(open('photon'), photonFound(point))).toMatchObject({
      formattedAddress: '2 Unter den Linden, 10117 Berlin, Deutschland',
    });
  });

  it('has a precision: Geoapify', () => {
    const of = (type: string) => precision(open('geoapify'), geoapifyFound(point, { type }));
    expect(['building', 'amenity', 'street'].map(of)).toEqual(['rooftop', 'rooftop', 'street']);
    expect(['suburb', 'district', 'postcode', 'city', 'unknown'].map(of)).toEqual(Array(5).fill('locality'));
    expect(['county', 'state', 'country'].map(of)).toEqual(Array(3).fill('region'));
  });

  it('has a precision: LocationIQ', () => {
    const of = (level: string, matchType = 'point') =>
      precision(open('locationiq'), locationiqFound(point, { level, matchType }));
    expect(['venue', 'building'].map((level) => of(level))).toEqual(Array(2).fill('rooftop'));
    expect(of('building', 'interpolated')).toBe('interpolated');
    expect(of('building', 'centroid')).toBe('street');
    expect(of('street', 'centroid')).toBe('street');
    expect(['neighbourhood', 'borough', 'city', 'postalcode'].map((level) => of(level))).toEqual(
      Array(4).fill('locality'),
    );
    expect(['county', 'state', 'country', 'marine'].map((level) => of(level))).toEqual(
      Array(4).fill('region'),
    );
  });

  it('has a precision: OpenCage', () => {
    const of = (type: string, category: string) =>
      precision(open('opencage'), opencageFound(point, { type, category }));
    expect(of('building', 'building')).toBe('rooftop');
    expect(of('museum', 'outdoors/recreation')).toBe('rooftop');
    expect(of('road', 'road')).toBe('street');
    expect(['city', 'village', 'neighbourhood'].map((type) => of(type, 'place'))).toEqual(
      Array(3).fill('locality'),
    );
    expect(of('postcode', 'postcode')).toBe('locality');
    expect(['county', 'state', 'country'].map((type) => of(type, 'place'))).toEqual(Array(3).fill('region'));
  });

  it('has the parts of the address', () => {
    for (const provider of ALL) {
      const { parts } = read(provider, foundBy(provider)) as ProviderResult;
      const { houseNumber, street, postcode, city } = parts;
      expect([provider.name, [houseNumber, street, postcode, city].every((part) => part !== null)]).toEqual([
        provider.name,
        true,
      ]);
    }
  });

  it('may find nothing', () => {
    for (const provider of ALL) {
      const body = NOTHING_FOUND[provider.name as RemoteName];
      const reading = provider.read(respond(body, provider.name === 'locationiq' ? 404 : 200), lookup);
      expect([provider.name, reading.kind === 'failed' && reading.error.code]).toEqual([
        provider.name,
        'ADDRESS_NOT_FOUND',
      ]);
    }
  });

  it('finds nothing at a point in the sea: Nominatim', () => {
    const reverse = { kind: 'reverse' as const, point, ...context };
    expect(read(nominatim, { error: 'Unable to geocode' }, reverse)).toBe('ADDRESS_NOT_FOUND');
    expect(read(nominatim, nominatimFound(point)[0], reverse)).toMatchObject(point);
  });

  it('may say that the quota of the day is used up: OpenCage', () => {
    const reading = open('opencage').read(respond({ results: [] }, 402), lookup);
    expect(reading.kind === 'failed' && [reading.error.code, reading.isTransient]).toEqual([
      'RATE_LIMITED',
      false,
    ]);
  });

  it('may have more members than documented, but not fewer', () => {
    const body = googleFound(point);
    expect(read(google, { ...body, extra: 1 })).toMatchObject(point);
    const [result] = body.results;
    for (const key of ['place_id', 'geometry', 'types'] as const) {
      expect(read(google, { ...body, results: [{ ...result, [key]: undefined }] })).toBe(
        'GEOCODER_UNAVAILABLE',
      );
    }
    expect(read(google, { ...body, results: [] })).toBe('GEOCODER_UNAVAILABLE');
    // Later results may be invalid.
    expect(read(google, { ...body, results: [result, null] })).toMatchObject(point);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  it('is read in seconds, as a date, and from Mapbox’s header', () => {
    expect(readRetryAfter({ 'retry-after': '7' }, now)).toBe(7);
    expect(readRetryAfter({ 'retry-after': new Date(now + 9000).toUTCString() }, now)).toBe(9);
    expect(readRetryAfter({ 'retry-after': new Date(now - 9000).toUTCString() }, now)).toBe(0);
    expect(readRetryAfter({ 'x-rate-limit-reset': String(now / 1000 + 30) }, now)).toBe(30);
    expect(readRetryAfter({ 'retry-after': 'soon' }, now)).toBeUndefined();
    expect(readRetryAfter({}, now)).toBeUndefined();
  });
});

describe('withoutKey', () => {
  it('removes the key in any encoding', () => {
    const key = 'a+b/c=(d';
    expect(
      withoutKey(`${key} ${encodeURIComponent(key)} ${encodeURIComponent(key).toLowerCase()}`, key),
    ).toBe('[key] [key] [key]');
    expect(withoutKey('x'.repeat(999), null)).toHaveLength(201);
  });
});
