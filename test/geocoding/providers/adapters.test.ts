/** Requests and responses of the providers. */

import fc from 'fast-check';

import { withoutKey } from '../../../src/geocoding/resilience/failures.ts';
import type { RemoteName } from '../../../src/geocoding/providers/providers.ts';
import { providerNamed } from '../../../src/geocoding/providers/providers.ts';
import { readRetryAfter } from '../../../src/geocoding/providers/http.ts';
import type { Provider, ProviderConfig } from '../../../src/geocoding/providers/provider.ts';
import {
  openProvider,
  parseDegrees,
  publicServerAt,
  toPoint,
} from '../../../src/geocoding/providers/provider.ts';
import { googleFound, mapboxFound, nominatimFound } from '../../support/geocoding-fixtures.ts';

const lookup = { address: 'Main Street 1', key: 'k', keySource: 'map' as const };
const open = (name: RemoteName, config: Partial<ProviderConfig> = {}) =>
  openProvider(providerNamed(name), { ...config, userAgent: 'map-locations/1.2.3' });
const google = open('google');
const nominatim = open('nominatim');
const mapbox = open('mapbox');
const point = { latitude: 64.14660000000001, longitude: -21.942599999999999 };

const read = (provider: Provider, body: unknown) => {
  const response = { status: 200, body, isTooLarge: false, retryAfterSeconds: undefined };
  const reading = provider.read(response, lookup);
  return reading.kind === 'found' ? reading.candidates[0] : reading.error.code;
};
const precision = (provider: Provider, body: unknown) => {
  const result = read(provider, body);
  return typeof result === 'string' ? result : result.precision;
};

describe('a request', () => {
  it('has the documented path below the base URL', () => {
    expect(google.request(lookup).url.href).toBe(
      'https://maps.googleapis.com/maps/api/geocode/json?address=Main+Street+1&key=k',
    );
    expect(nominatim.request(lookup).url.href).toBe(
      'https://nominatim.openstreetmap.org/search?q=Main+Street+1&format=jsonv2&limit=1',
    );
    expect(mapbox.request(lookup).url.href).toBe(
      'https://api.mapbox.com/search/geocode/v6/forward?q=Main+Street+1&permanent=true&autocomplete=false&limit=1' +
        '&access_token=k',
    );
    for (const url of ['http://proxy.example/geo', 'http://proxy.example/geo/']) {
      expect(open('google', { url }).request(lookup).url.pathname).toBe('/geo/maps/api/geocode/json');
    }
  });

  it('has any address as one parameter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (address) => {
        const { searchParams } = google.request({ ...lookup, address: `x${address}` }).url;
        expect(searchParams.get('address')).toBe(`x${address}`.toWellFormed());
        expect([...searchParams.keys()]).toEqual(['address', 'key']);
        expect(mapbox.request({ ...lookup, address }).url.searchParams.get('q')).not.toContain(';');
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
  });
});

describe('candidates', () => {
  const candidatesIn = (provider: Provider, body: unknown) => {
    const response = { status: 200, body, retryAfterSeconds: undefined, isTooLarge: false } as const;
    const reading = provider.read(response, lookup);
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

  it('are requested only if needed', () => {
    for (const provider of [nominatim, mapbox])
      expect(provider.request({ ...lookup, limit: 5 }).url.searchParams.get('limit')).toBe('5');
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
    for (const [provider, found] of [
      [google, googleFound],
      [nominatim, nominatimFound],
      [mapbox, mapboxFound],
    ] as const) {
      expect(read(provider, found(point))).toMatchObject(point);
      const zero = read(
        provider,
        JSON.parse(
          JSON.stringify(found({ latitude: 0, longitude: 0 })).replaceAll(
            /("(?:lat|lng|lon|latitude|longitude)":"?)0/g,
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
      expect(read(google, googleFound({ latitude, longitude }))).toBe('GEOCODER_UNAVAILABLE');
      expect(read(nominatim, nominatimFound({ latitude, longitude }))).toBe('GEOCODER_UNAVAILABLE');
      expect(read(mapbox, mapboxFound({ latitude, longitude }))).toBe('GEOCODER_UNAVAILABLE');
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
