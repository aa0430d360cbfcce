import fc from 'fast-check';

import { readPoint, readPointText } from '../../../src/transfer/columns/point.ts';

describe('readPoint', () => {
  const names = { latitude: 'lat', longitude: 'lng' };
  const read = (latitude: string, longitude: string) => readPoint(latitude, longitude, names);

  it('accepts decimal commas, but no thousands separators', () => {
    expect(read('48,8566', '-2,3522')).toEqual({ latitude: 48.8566, longitude: -2.3522 });
    expect(read('48,856', '102,352')).toEqual({ latitude: 48.856, longitude: 102.352 });
    for (const text of ['1,2,3', '1,234.5', '1234,5', ',5', '5,']) {
      expect(() => read(text, '2')).toThrow(`lat must be a decimal number of degrees, not "${text}".`);
    }
  });
});

describe('readPointText', () => {
  const read = (text: string) => {
    let altitudes = 0;
    const point = readPointText(text, 'geom', () => (altitudes += 1));
    return point === null ? null : [point.latitude, point.longitude, altitudes];
  };
  const messageOf = (text: string) => {
    try {
      return read(text);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('reads latitude and longitude, WKT and GeoJSON', () => {
    // Adding zero turns -0 into 0, which have the same text.
    const degrees = fc.double({ min: -90, max: 90, noNaN: true }).map((number) => number + 0);
    fc.assert(
      fc.property(degrees, degrees, (latitude, longitude) => {
        const expected = [latitude, longitude, 0];
        for (const separator of [',', ', ', ' ', ';', ' ; ']) {
          expect(read(`${latitude}${separator}${longitude}`)).toEqual(
            expected.map((number) => number + 0 || number),
          );
        }
        expect(read(` POINT(${longitude} ${latitude}) `)).toEqual(expected);
        expect(read(`SRID=4326;point ( ${longitude}  ${latitude} )`)).toEqual(expected);
        const json = JSON.stringify({ type: 'Point', coordinates: [longitude, latitude] });
        expect(read(json)).toEqual(expected);
      }),
    );
  });

  it('returns null for an empty string', () => {
    expect(read(' ')).toBeNull();
  });

  it('accepts decimal commas if another character separates the numbers', () => {
    expect(read('48,8566; 2,3522')).toEqual([48.8566, 2.3522, 0]);
    expect(read('48,8566 -2,3522')).toEqual([48.8566, -2.3522, 0]);
    expect(messageOf('48,8566,2,3522')).toContain('geom must be');
  });

  it('drops further coordinates, and counts them', () => {
    expect(read('POINT Z (1 2 3)')).toEqual([2, 1, 1]);
    expect(read('POINT ZM (1 2 3 4)')).toEqual([2, 1, 1]);
    expect(read('{"type":"Point","coordinates":[1,2,3]}')).toEqual([2, 1, 1]);
  });

  it('names what it refuses', () => {
    const cases: [text: string, message: string][] = [
      ['here', 'geom must be "latitude, longitude" in degrees'],
      ['1', 'geom must be'],
      ['1,2,3', 'geom must be'],
      ['1,5', ''],
      ['POINT EMPTY', 'geom must be'],
      ['MULTIPOINT ((1 2))', 'geom is a MULTIPOINT; only a POINT can become a location.'],
      ['SRID=3857;POINT(1 2)', 'geom is in SRID 3857; only SRID 4326 (WGS 84) is read.'],
      ['{"type":"Polygon","coordinates":[]}', 'geom is a Polygon; only a Point can become a location.'],
      ['{"type":"Point","coordinates":["1",2]}', 'The coordinates must be a longitude and a latitude'],
      ['{"type":', 'geom is not valid JSON.'],
    ];
    for (const [text, message] of cases) {
      if (message === '') expect(read(text)).toEqual([1, 5, 0]);
      else expect(messageOf(text)).toContain(message);
    }
  });
});
