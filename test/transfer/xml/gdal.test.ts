/** Imports of files written by GDAL, which many programs use. */

import { describeUnless } from '../../support/skip.ts';
import { read } from './reading.ts';
import { convert, NO_GDAL } from './tools.ts';

const point = (longitude: number, latitude: number, properties: object, more: readonly number[] = []) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [longitude, latitude, ...more] },
});
const line = {
  type: 'Feature',
  properties: { Name: 'Trail' },
  geometry: {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
};
const POINTS = [
  point(-122.25, 37.5, { Name: 'Café "A" & <b>', Description: 'nice', stars: 5, note: 'é€😀' }, [12]),
  point(0.5, -0.5, { Name: 'B', Description: null, stars: null, note: ' two\nlines' }),
];
const collection = (...features: readonly unknown[]) => ({ type: 'FeatureCollection', features });

describeUnless(NO_GDAL, 'a file of GDAL', () => {
  for (const driver of ['KML', 'LIBKML']) {
    it(`has points: ${driver}`, async () => {
      const { rows, format, damage, notes } = await read(convert(collection(...POINTS), driver, 'kml'));
      expect([format, damage]).toEqual(['kml', null]);
      expect(rows).toMatchObject([
        { name: 'Café "A" & <b>', description: 'nice', stars: '5', note: 'é€😀', '@': [37.5, -122.25] },
        { name: 'B', note: 'two\nlines', '@': [-0.5, 0.5] },
      ]);
      expect(rows[1]).not.toHaveProperty('description');
      // One driver writes an altitude for every point if any point has one.
      expect(notes[0]).toMatch(/^A third coordinate \(an altitude\) was dropped in [12] rows?\.$/);
    });

    it(`rejects lines: ${driver}`, async () => {
      const { rows } = await read(convert(collection(POINTS[0], line), driver, 'kml'));
      expect(rows).toHaveLength(2);
      expect(rows[1]).toBe('Placemark 2 "Trail" is a LineString; only a Point can become a location.');
    });
  }

  it('reports the files that doc.kml of an archive links to', async () => {
    const { rows, notes } = await read(convert(collection(...POINTS), 'LIBKML', 'kmz'));
    expect(rows).toEqual([]);
    expect(notes).toContain('The NetworkLink to layers/a.kml was not followed.');
  });

  it('has waypoints: GPX', async () => {
    const features = [
      point(-122.25, 37.5, { name: 'A & B', ele: 12.5, sym: 'Flag', desc: '<d>', stars: 5 }),
      point(1, 2, { name: 'B' }),
    ];
    const file = convert(collection(...features), 'GPX', 'gpx', ['-dsco', 'GPX_USE_EXTENSIONS=YES']);
    const { rows, format, damage } = await read(file);
    expect([format, damage]).toEqual(['gpx', null]);
    expect(rows).toMatchObject([
      { name: 'A & B', ele: '12.5', sym: 'Flag', desc: '<d>', stars: '5', '@': [37.5, -122.25] },
      { name: 'B', '@': [2, 1] },
    ]);
  });

  it('rejects routes: GPX', async () => {
    const route = { ...line, properties: { name: 'Trail' } };
    const { rows } = await read(
      convert(collection(route), 'GPX', 'gpx', ['-dsco', 'GPX_USE_EXTENSIONS=YES']),
    );
    expect(rows).toEqual(['Record 1 "Trail" is a route; only a waypoint can become a location.']);
  });
});
