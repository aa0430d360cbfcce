/** Country names in the basemap's first file. */

import { readFileSync } from 'node:fs';

import { fileOfPackage } from '../../src/lib/package-files.ts';
import type { WorldFile } from '../../src/web/basemap/world.ts';
import { assetsOf } from '../../src/web/page-assets.ts';

const file = assetsOf('map').data.find((name) => name.startsWith('world-110m'));
const { countries = [] } = JSON.parse(
  readFileSync(fileOfPackage(`dist/web/pages/${file}`), 'utf8'),
) as WorldFile;

describe('country names', () => {
  it('are codes that browsers can name, without duplicates', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const codes = countries.map(([code]) => code);
    expect(codes.filter((code) => names.of(code) === undefined)).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.length).toBeGreaterThan(100);
  });

  it('are inside their countries, large ones first', () => {
    const placeOf = (code: string) => countries.find(([one]) => one === code);
    const [, longitude = Number.NaN, latitude = Number.NaN] = placeOf('FR') ?? [];
    expect([longitude > -2 && longitude < 8, latitude > 43 && latitude < 50]).toEqual([true, true]);
    const zooms = ['RU', 'FR', 'LU'].map((code) => placeOf(code)?.[3] ?? Infinity);
    expect(zooms).toEqual(zooms.toSorted((a, b) => a - b));
    // Its land continues beyond the antimeridian.
    expect(Math.abs(placeOf('RU')?.[1] ?? 0)).toBeLessThan(180);
  });
});
