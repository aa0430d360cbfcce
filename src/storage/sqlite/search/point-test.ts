/**
 * What SQLite itself can say of a point, where a filter asks for a circle or a box: that it is surely inside, or surely
 * outside. To hand a point over takes several times as long. Of what is so near to the edge that rounding may decide, the
 * code that both stores share says what it is.
 */

import type { Box } from '../../../domain/filter/box.ts';
import type { Point } from '../../../domain/filter/distance.ts';
import { EARTH_RADIUS } from '../../../domain/filter/distance.ts';
import type { Circle, LocationFilter } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import { UNSEEN, areOfPoint, membersOfFilter } from '../../../domain/filter/members.ts';

export interface PointTest {
  /** SQL of the columns `latitude` and `longitude`, and of the parameters from ?6 on. */
  readonly measure: string;
  readonly values: readonly number[];
  /** A point that measures no more than this is surely inside. */
  readonly inside: number;
  /** One that measures more than this is surely outside. */
  readonly outside: number;
  /** Whether the filter asks for nothing else. */
  readonly isAll: boolean;
}

/** Null where the filter has no circle and no box that every location must be in. */
export function pointTestOf(filter: LocationFilter): PointTest | null {
  const parts = partsOf(filter);
  for (const part of parts) {
    const isAll = parts.length === 1;
    if (part.kind === 'near') return { ...ofCircle(part.circle), isAll };
    if (part.kind === 'bbox') return { ...ofBox(part.box), isAll };
  }
  return null;
}

/** They outweigh what rounding and the binding lose. */
const METRES = 0.001;
const PART = 1e-9;
const DEGREES = 1e-9;

const RADIANS = Math.PI / 180;
/** Else the binding would take the measure of a small circle for 0. */
const SCALE = 1e18;

/** The haversine, which grows with the distance. */
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

/** The degrees by which it is outside. */
function ofBox({ south, west, north, east }: Box): Test {
  const farther = west <= east ? 'max' : 'min';
  return {
    measure: `max(?6 - latitude, latitude - ?7, ${farther}(?8 - longitude, longitude - ?9))`,
    values: [south, north, west, east],
    inside: -DEGREES,
    outside: DEGREES,
  };
}

/** All of them must hold. */
export function partsOf(filter: LocationFilter): readonly LocationFilter[] {
  return filter.kind === 'and' ? filter.filters : [filter];
}

/** Whether a location at a point may pass the filter. */
export function pointMatcher(filter: LocationFilter): (point: Point) => boolean {
  const spatial = partsOf(filter).filter((part) => areOfPoint(membersOfFilter(part)));
  const [only] = spatial;
  const filters =
    spatial.length === 1 && only !== undefined ? only : ({ kind: 'and', filters: spatial } as const);
  const matches = locationMatcher(filters, []);
  // One object for all points: to make one for each takes longer than to look at it.
  const location = { ...UNSEEN };
  return ({ latitude, longitude }) => {
    location.latitude = latitude;
    location.longitude = longitude;
    return matches(location);
  };
}
