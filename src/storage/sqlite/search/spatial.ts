/** The part of a filter that a point alone decides. The index of cells holds the points, so no location need be read. */

import type { Point } from '../../../domain/filter/distance.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import { areOfPoint, membersOfFilter, UNSEEN } from '../../../domain/filter/members.ts';

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
