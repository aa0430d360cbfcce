/** SQLite's point tests, compared with the code that both stores share. */

import fc from 'fast-check';

import type { Point } from '../../../../src/domain/filter/distance.ts';
import { distanceBetween, EARTH_RADIUS, MAX_RADIUS } from '../../../../src/domain/filter/distance.ts';
import type { FilterInput, LocationFilter } from '../../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import { locationMatcher } from '../../../../src/domain/filter/matcher.ts';
import { UNSEEN } from '../../../../src/domain/filter/members.ts';
import { exactReal, nearlyExactReal } from '../../../../src/storage/sqlite/engine/driver.ts';
import { pointTestOf } from '../../../../src/storage/sqlite/search/point-test.ts';
import { latitude, longitude } from '../../../support/search-arbitraries.ts';
import { openConnection } from '../temporary.ts';
import { propertyRuns } from '../../../support/scope.ts';

const connection = await openConnection(':memory:');
connection.exec('CREATE TABLE point (latitude REAL NOT NULL, longitude REAL NOT NULL) STRICT');
connection.exec('INSERT INTO point VALUES (0, 0)');

type Verdict = 'inside' | 'outside' | 'unsure';

/** SQLite's verdict on a point, and whether the filter matches it. */
function verdictOf(
  filter: LocationFilter,
  point: Point,
): { readonly verdict: Verdict; readonly passes: boolean } {
  const test = pointTestOf(filter);
  if (test === null) throw new Error('The filter has a circle or a box.');
  const { measure, values, inside, outside } = test;
  connection.run(
    'UPDATE point SET latitude = ? * ?, longitude = ? * ?',
    ...exactReal(point.latitude),
    ...exactReal(point.longitude),
  );
  const row = connection.get(
    `SELECT CASE WHEN ${measure} <= ?4 THEN 'inside' WHEN ${measure} > ?5 THEN 'outside' ELSE 'unsure' END AS verdict
     FROM point WHERE ?1 + ?2 + ?3 = 0`,
    ...[0, 0, 0, ...[inside, outside, ...values].map(nearlyExactReal)],
  );
  return {
    verdict: row?.['verdict'] as Verdict,
    passes: locationMatcher(filter, [])({ ...UNSEEN, ...point }),
  };
}

function assertCorrect({ verdict, passes }: ReturnType<typeof verdictOf>): void {
  if (verdict !== 'unsure') expect(passes).toBe(verdict === 'inside');
}

const point = fc.record({ latitude, longitude });
// The binding truncates numbers just above integers.
const cut = fc
  .tuple(fc.integer({ min: -90, max: 89 }), fc.constantFrom(Number.EPSILON / 2, 1e-17, 1e-300))
  .map(([whole, more]) => whole + more);
const radius = fc.oneof(
  fc.constantFrom(0, 0.0004, 0.001, 1, MAX_RADIUS / 2, EARTH_RADIUS * Math.PI, MAX_RADIUS),
  fc.double({ min: 0, max: MAX_RADIUS, noNaN: true }),
);

const near = (center: Point, metres: number): FilterInput => ({ near: { ...center, radius: metres } });

describe('the point test of a circle', () => {
  it('is correct wherever it decides', () => {
    fc.assert(
      fc.property(point, radius, point, (center, metres, other) =>
        assertCorrect(verdictOf(readFilter(near(center, metres), 'filter'), other)),
      ),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('is correct within millimetres of the edge', () => {
    const difference = fc.integer({ min: -5, max: 5 }).map((millimetres) => millimetres / 1_000);
    fc.assert(
      fc.property(point, point, difference, (center, other, more) => {
        const metres = Math.min(MAX_RADIUS, Math.max(0, distanceBetween(center, other) + more));
        assertCorrect(verdictOf(readFilter(near(center, metres), 'filter'), other));
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('is correct where the binding truncates a number', () => {
    fc.assert(
      fc.property(cut, cut, point, (south, west, other) => {
        const center = { latitude: south, longitude: west };
        for (const metres of [0, 0.001, distanceBetween(center, other)]) {
          assertCorrect(verdictOf(readFilter(near(center, metres), 'filter'), other));
          assertCorrect(verdictOf(readFilter(near(other, metres), 'filter'), center));
        }
      }),
    );
  });

  it('decides for points a centimetre from the edge', () => {
    const center = { latitude: 64.1466, longitude: -21.9426 };
    const other = { latitude: 64.15, longitude: -21.95 };
    const metres = distanceBetween(center, other);
    const wordAt = (more: number) =>
      verdictOf(readFilter(near(center, metres + more), 'filter'), other).verdict;
    expect([wordAt(-0.01), wordAt(0), wordAt(0.01)]).toEqual(['outside', 'unsure', 'inside']);
  });
});

describe('the point test of a box', () => {
  const box = fc
    .tuple(fc.oneof(latitude, cut), fc.oneof(latitude, cut), longitude, fc.oneof(longitude, cut))
    .map(([one, other, west, east]) => ({
      bbox: { south: Math.min(one, other), north: Math.max(one, other), west, east },
    }));

  it('is correct wherever it decides', () => {
    fc.assert(
      fc.property(box, point, (input, other) => assertCorrect(verdictOf(readFilter(input, 'filter'), other))),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('is correct at the edges, even across the antimeridian', () => {
    fc.assert(
      fc.property(box, fc.boolean(), fc.boolean(), (input, isSouth, isWest) => {
        const { south, north, west, east } = input.bbox;
        const corner = { latitude: isSouth ? south : north, longitude: isWest ? west : east };
        const { verdict, passes } = verdictOf(readFilter(input, 'filter'), corner);
        expect([verdict === 'outside', passes]).toEqual([false, true]);
      }),
    );
  });

  it('decides for points away from the edge', () => {
    const filter = readFilter({ bbox: { south: 1, north: 2, west: 170, east: -170 } }, 'filter');
    const wordAt = (degrees: number) => verdictOf(filter, { latitude: 1.5, longitude: degrees }).verdict;
    expect([169, 170, 171, -179, -170, -169].map(wordAt)).toEqual([
      ...['outside', 'unsure', 'inside', 'inside', 'unsure', 'outside'],
    ]);
  });
});

describe('a filter', () => {
  const isAllOf = (input: FilterInput) => pointTestOf(readFilter(input, 'filter'))?.isAll;
  const center = { latitude: 1, longitude: 1 };
  const bbox = { south: 1, north: 2, west: 1, east: 2 };

  it('with only a circle or a box is decided by its point test', () => {
    expect([isAllOf(near(center, 1)), isAllOf({ bbox })]).toEqual([true, true]);
  });

  it('with more conditions is not', () => {
    expect([isAllOf({ ...near(center, 1), bbox }), isAllOf({ bbox, search: 'a' })]).toEqual([false, false]);
  });

  it('has no point test if matches may be elsewhere', () => {
    expect(isAllOf({ or: [near(center, 1), { bbox }] })).toBeUndefined();
    expect(isAllOf({ not: { bbox } })).toBeUndefined();
  });
});
