/** Points in polygons, compared with exact fractions. */

import fc from 'fast-check';

import type { JsonObject } from '../../../src/domain/json/json.ts';
import { areaContains, readArea } from '../../../src/domain/filter/polygon.ts';
import { expectRefused } from '../refused.ts';
import { isInPolygon } from './reference.ts';
import { literally } from './literally.ts';
import { propertyRuns } from '../../support/scope.ts';

type Position = [number, number];

const polygon = (...rings: Position[][]): JsonObject => ({ type: 'Polygon', coordinates: rings });
const isIn = (geometry: JsonObject, [longitude, latitude]: Position) =>
  areaContains(readArea(geometry, 'filter.polygon'), { longitude, latitude });

const SQUARE: Position[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];
const HOLE: Position[] = [
  [1, 1],
  [1, 3],
  [3, 3],
  [3, 1],
  [1, 1],
];

describe('a polygon', () => {
  it.each<[string, Position, boolean]>([
    ['in the middle', [0.5, 0.5], true],
    ['outside', [5, 2], false],
    ['on a vertex', [4, 4], true],
    ['on an edge', [4, 2], true],
    ['in a hole', [2, 2], false],
    ['on the edge of a hole', [1, 2], true],
    ['on a vertex of a hole', [3, 3], true],
    ['next to a vertex, on its latitude', [-1, 4], false],
    ['next to an edge, on its latitude', [-1, 0], false],
  ])('with a hole contains a point %s: %3$s', (_where, point, expected) => {
    expect(isIn(polygon(SQUARE, HOLE), point)).toBe(expected);
  });

  it('contains points exactly on a slanted edge, and none next to it', () => {
    const triangle = polygon([
      [0, 0],
      [3, 1],
      [0, 1],
      [0, 0],
    ]);
    expect(isIn(triangle, [1.5, 0.5])).toBe(true);
    expect(isIn(triangle, [1.5, 0.5 - Number.EPSILON / 4])).toBe(false);
    expect(isIn(triangle, [1.5, 0.5 + Number.EPSILON / 2])).toBe(true);
  });

  it('contains no point outside an edge, however close', () => {
    const triangle = polygon([
      [-1e-270, 0],
      [-180, 48],
      [-180, 1e-9],
      [-1e-270, 0],
    ]);
    expect(isIn(triangle, [0, 0])).toBe(false);
    expect(isIn(triangle, [-1e-270, 0])).toBe(true);
    const small = polygon([
      [-1e-200, -1e-200],
      [1e-200, -1e-200],
      [0, 1e-200],
      [-1e-200, -1e-200],
    ]);
    expect(isIn(small, [0, 0])).toBe(true);
    expect(isIn(small, [0.9e-200, 0.9e-200])).toBe(false);
  });

  it('follows the even-odd rule where it overlaps itself', () => {
    expect(isIn(polygon(SQUARE, SQUARE), [2, 2])).toBe(false);
  });

  it('is one of several: a point in any of them is inside the multipolygon', () => {
    const far = SQUARE.map(([x, y]): Position => [x + 100, y]);
    const both = { type: 'MultiPolygon', coordinates: [[SQUARE], [far]] };
    expect(isIn(both, [102, 2])).toBe(true);
    expect(isIn(both, [50, 2])).toBe(false);
  });

  it('contains the same points as with exact fractions, for coarse and fine coordinates', () => {
    const coarse = fc.integer({ min: -4, max: 4 });
    // Products of smaller numbers underflow even when scaled, so none is exact.
    const fine = fc
      .double({ min: -4, max: 4, noNaN: true })
      .map((number) => (Math.abs(number) < 1e-280 ? 0 : number));
    const position = (number: fc.Arbitrary<number>) => fc.tuple(number, number);
    const ring = (number: fc.Arbitrary<number>) =>
      fc
        .array(position(number), { minLength: 3, maxLength: 8 })
        .map((positions): Position[] => [...positions, positions[0] as Position]);
    const cases = fc.oneof(
      fc.tuple(fc.array(ring(coarse), { minLength: 1, maxLength: 3 }), position(coarse)),
      fc.tuple(fc.array(ring(fine), { minLength: 1, maxLength: 2 }), position(fine)),
      // The midpoint of an edge, as close as doubles allow.
      fc.array(ring(fine), { minLength: 1, maxLength: 2 }).map((rings): [Position[][], Position] => {
        const [[a, b]] = rings as [[Position, Position]];
        return [rings, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]];
      }),
    );
    fc.assert(
      fc.property(cases, ([rings, point]) => {
        expect(isIn(polygon(...rings), point)).toBe(isInPolygon(rings, point));
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  it.each<[string, JsonObject, string]>([
    ['another geometry', { type: 'Point', coordinates: [0, 0] }, 'filter.polygon.type'],
    ['no coordinates', { type: 'Polygon' }, 'filter.polygon.coordinates'],
    ['no ring', polygon(), 'filter.polygon.coordinates'],
    ['no polygon', { type: 'MultiPolygon', coordinates: [] }, 'filter.polygon.coordinates'],
    ['a ring of three positions', polygon(SQUARE.slice(0, 3)), 'filter.polygon.coordinates[0]'],
    ['a ring that is open', polygon([...SQUARE.slice(0, 4), [1, 1]]), 'filter.polygon.coordinates[0]'],
    [
      'a position out of range',
      polygon(SQUARE, [
        [0, 0],
        [0, 91],
        [1, 1],
        [0, 0],
      ]),
      'filter.polygon.coordinates[1][1]',
    ],
    [
      'a position that is not a number',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, '0'],
            [0, 1],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      'filter.polygon.coordinates[0][0]',
    ],
    ['over 1,000 positions', polygon(Array.from({ length: 1001 }, (): Position => [0, 0])), '1001'],
  ])('is refused with %s', (_what, geometry, named) => {
    expectRefused(() => readArea(geometry, 'filter.polygon'), literally(named));
  });
});
