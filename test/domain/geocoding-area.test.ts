/** Where a map's addresses are. */

import { toGeocodingArea } from '../../src/domain/geocoding-area.ts';

const messageOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
};

describe('a geocoding area', () => {
  it('has its codes in upper case and sorted, and its language in canonical form', () => {
    const bounds = { south: 46, west: -0, north: 55, east: 17 };
    const area = toGeocodingArea({ countries: ['de', 'AT', 'xk'], bounds, language: 'PT-br' });
    expect(area).toEqual({
      countries: ['AT', 'DE', 'XK'],
      bounds: { ...bounds, west: 0 },
      language: 'pt-BR',
    });
    expect(Object.is(area?.bounds?.west, 0)).toBe(true);
  });

  it('is null if it sets nothing', () => {
    expect(toGeocodingArea({})).toBeNull();
    expect(toGeocodingArea({ countries: [], bounds: null, language: null })).toBeNull();
    expect(toGeocodingArea({ countries: null, language: 'de' })).toEqual({
      countries: [],
      bounds: null,
      language: 'de',
    });
  });

  it('has at most 15 countries, each once, of ISO 3166-1', () => {
    const codes = 'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ'.split(' ');
    expect(toGeocodingArea({ countries: codes.slice(0, 15) })?.countries).toHaveLength(15);
    expect(messageOf(() => toGeocodingArea({ countries: codes }))).toBe(
      'geocoding.countries has 16 codes; at most 15 are allowed.',
    );
    expect(messageOf(() => toGeocodingArea({ countries: ['DE', 'AT', 'de'] }))).toBe(
      'geocoding.countries[2] repeats geocoding.countries[0].',
    );
    // ß and ı become SS and I in upper case; SU is no country any more.
    for (const code of ['', 'D', 'DEU', 'ß', 'ıt', 'XX', 'EU', 'SU', 'UK', '12']) {
      expect(messageOf(() => toGeocodingArea({ countries: ['FR', code] }))).toMatch(
        /^geocoding\.countries\[1\] must be an ISO 3166-1 alpha-2 code/,
      );
    }
  });

  it('has bounds on Earth', () => {
    const bounds = { south: 46, west: 5, north: 55, east: 17 };
    expect(messageOf(() => toGeocodingArea({ bounds: { ...bounds, north: 91 } }))).toMatch(
      /^geocoding\.bounds\.north must be/,
    );
    expect(messageOf(() => toGeocodingArea({ bounds: { ...bounds, north: 45 } }))).toMatch(
      /^geocoding\.bounds\.south must not be greater/,
    );
    // Across the antimeridian.
    expect(toGeocodingArea({ bounds: { ...bounds, west: 170, east: -170 } })).not.toBeNull();
  });

  it('has a language tag of BCP 47', () => {
    for (const language of [
      '',
      'd',
      'de_DE',
      'deutsch und englisch',
      'x'.repeat(40),
      `de-${'x-'.repeat(20)}a`,
    ]) {
      expect(messageOf(() => toGeocodingArea({ language }))).toMatch(
        /^geocoding\.language must be a BCP 47 language tag/,
      );
    }
  });
});
