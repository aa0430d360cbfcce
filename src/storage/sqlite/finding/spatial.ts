/** The part of a filter that a point alone decides. The index of cells holds the points, so no location need be read. */

import type { Point } from '../../../domain/filter/distance.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';

export interface SpatialPart {
  /** Whether a location at the point may pass the filter. */
  readonly accepts: (point: Point) => boolean;
  /** Whether every location there does. */
  readonly isWhole: boolean;
}

export function spatialPartOf(filter: LocationFilter): SpatialPart {
  const parts = filter.kind === 'and' ? filter.filters : [filter];
  const spatial = parts.filter(isSpatial);
  const [only] = spatial;
  const filters =
    spatial.length === 1 && only !== undefined ? only : ({ kind: 'and', filters: spatial } as const);
  const matches = locationMatcher(filters, []);
  return {
    // What is spatial looks at the point and at nothing else.
    accepts: ({ latitude, longitude }) => matches({ ...NOTHING_ELSE, latitude, longitude }),
    isWhole: spatial.length === parts.length,
  };
}

const NOTHING_ELSE = { id: '', externalId: null, name: '', properties: {}, createdAt: 0, updatedAt: 0 };

function isSpatial(filter: LocationFilter): boolean {
  switch (filter.kind) {
    case 'bbox':
    case 'near':
    case 'area':
      return true;
    case 'and':
    case 'or':
      return filter.filters.every(isSpatial);
    case 'not':
      return isSpatial(filter.filter);
    case 'search':
    case 'property':
    case 'ids':
    case 'externalIds':
    case 'createdAt':
    case 'updatedAt':
      return false;
  }
}
