/** The part of a filter that a point alone decides. The index of cells holds the points, so no location need be read. */

import type { Point } from '../../../domain/filter/distance.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import { areOfPoint, membersOfFilter, UNSEEN } from '../../../domain/filter/members.ts';

export interface SpatialPart {
  /** Whether a location at the point may pass the filter. */
  readonly accepts: (point: Point) => boolean;
  /** Whether every location there does. */
  readonly isWhole: boolean;
}

export function spatialPartOf(filter: LocationFilter): SpatialPart {
  const parts = filter.kind === 'and' ? filter.filters : [filter];
  const spatial = parts.filter((part) => areOfPoint(membersOfFilter(part)));
  const [only] = spatial;
  const filters =
    spatial.length === 1 && only !== undefined ? only : ({ kind: 'and', filters: spatial } as const);
  const matches = locationMatcher(filters, []);
  return {
    accepts: ({ latitude, longitude }) => matches({ ...UNSEEN, latitude, longitude }),
    isWhole: spatial.length === parts.length,
  };
}
