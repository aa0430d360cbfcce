import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { createOfflineGeocoder } from '../../../src/geocoding/offline/offline-geocoder.ts';
import { distanceBetween } from '../../../src/domain/filter/distance.ts';
import { readTable } from './tables.ts';

const HEADER = ['Name', 'Address', 'Website', 'Category', 'lat', 'lng'];
/** The extent of a town, from its centre. */
const FAR_METRES = 20_000;
const text = readFileSync(new URL('../../../examples/museums.csv', import.meta.url), 'utf8');
const [header = [], ...rows] = parse(text);
const expected = new Map(readTable('./museums.tsv').map((row) => [row['name'] ?? '', row]));

describe('examples/museums.csv', () => {
  it('has 60 museums in at least 30 countries', () => {
    expect(header).toEqual(HEADER);
    expect(rows.length).toBe(60);
    expect(new Set(rows.map(([name]) => name)).size).toBe(60);
    expect(new Set(Array.from(expected.values(), ({ country }) => country)).size).toBeGreaterThanOrEqual(30);
  });

  it('has an HTTPS website and a category for each', () => {
    for (const [, address, website = '', category] of rows) {
      expect(address).not.toBe('');
      expect(new URL(website).protocol).toBe('https:');
      expect(category).not.toBe('');
    }
  });

  it('has distinct coordinates, precise to some ten metres', () => {
    const points = rows.map((row) => row.slice(4));
    for (const point of points) for (const degrees of point) expect(degrees).toMatch(/^-?\d{1,3}\.\d{4}$/);
    expect(new Set(points.map(String)).size).toBe(60);
  });

  const geocoder = createOfflineGeocoder();
  for (const [name = '', address = '', , , lat, lng] of rows) {
    it(`places ${name} in ${expected.get(name)?.['town']}`, async () => {
      const { placeId, ...town } = await geocoder.geocode({ address, apiKey: null });
      expect(placeId).toBe(`geonames:${expected.get(name)?.['id']}`);
      const metres = distanceBetween(town, { latitude: Number(lat), longitude: Number(lng) });
      expect(metres).toBeLessThan(FAR_METRES);
    });
  }
});
