/**
 * Lets SQLite decide whether a point is within a circle or a box, which is several times faster than passing the point
 * to JavaScript. Points near the edge, where rounding matters, are left to the code that both stores share.
 */

import type { Box } from '../../../domain/filter/box.ts';
import type { Point } from '../../../domain/filter/distance.ts';
import { EARTH_RADIUS } from '../../../domain/filter/distance.ts';
import type { Circle, LocationFilter } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import { UNSEEN, areOfPoint, membersOfFilter } from '../../../domain/filter/members.ts';

export interface PointTest {
  /** SQL of the columns `latitude` and `longitude`, with parameters from ?6 on. */
  readonly measure: string;
  readonly values: readonly number[];
  /** Points that measure at most this are inside. */
  readonly inside: number;
  /** Points that measure more than this are outside. */
  readonly outside: number;
  /** Whether the filter has no other condition. */
  readonly isAll: boolean;
}

/** Null for a filter without a circle or box that all matches must be in. */
export function pointTestOf(filter: LocationFilter): PointTest | null {
  const parts = partsOf(filter);
  for (const part of parts) {
    const isAll = parts.length === 1;
    if (part.kind === 'near') return { ...ofCircle(part.circle), isAll };
    if (part.kind === 'bbox') return { ...ofBox(part.box), isAll };
  }
  return null;
}

/** Margins that exceed the errors of rounding and of the binding. */
const METRES = 0.001;
const PART = 1e-9;
const DEGREES = 1e-9;

const RADIANS = Math.PI / 180;
/** Otherwise the binding would round the measure of a small circle to 0. */
const SCALE = 1e18;

/** The haversine of the distance, which grows with it. */
const HAVERSINE = `${SCALE} * (pow(sin((latitude - ?6) * ${RADIANS / 2}), 2)
  + ?7 * cos(latitude * ${RADIANS}) * pow(sin((longitude - ?8) * ${RADIANS / 2}), 2))`;

type Test = Omit<PointTest, 'isAll'>;

function ofCircle({ center: { latitude, longitude }, radius }: Circle): Test {
  const haversineOf = (metres: number) =>
    SCALE * Math.sin(Math.min(Math.PI / 2, Math.max(0, metres) / (2 * EARTH_RADIUS))) ** 2;
  return {
    measure: HAVERSINE,
    values: [latitude, Math.cos(latitude * RADIANS), longitude],
    inside: haversineOf(radius - METRES) * (1 - PART),
    outside: haversineOf(radius + METRES) * (1 + PART),
  };
}

/** Degrees outside of the box. */
function ofBox({ south, west, north, east }: Box): Test {
  const farther = west <= east ? 'max' : 'min';
  return {
    measure: `max(?6 - latitude, latitude - ?7, ${farther}(?8 - longitude, longitude - ?9))`,
    values: [south, north, west, east],
    inside: -DEGREES,
    outside: DEGREES,
  };
}

/** The conditions that must all hold. */
export function partsOf(filter: LocationFilter): readonly LocationFilter[] {
  return filter.kind === 'and' ? filter.filters : [filter];
}

/** Whether a location at the point may match the filter. */
export function pointMatcher(filter: LocationFilter): (point: Point) => boolean {
  const spatial = partsOf(filter).filter((part) => areOfPoint(membersOfFilter(part)));
  const [only] = spatial;
  const filters =
    spatial.length === 1 && only !== undefined ? only : ({ kind: 'and', filters: spatial } as const);
  const matches = locationMatcher(filters, []);
  // One object for all points: creating one for each takes longer than matching it.
  const location = { ...UNSEEN };
  return ({ latitude, longitude }) => {
    location.latitude = latitude;
    location.longitude = longitude;
    return matches(location);
  };
}
