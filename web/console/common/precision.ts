/** How precisely points match their addresses, in words. */

import type { GeocodingPrecision } from '../generated/operations.ts';

/** From the most precise to the least. Completes “the point is …”. */
export const PRECISIONS: Readonly<Record<GeocodingPrecision, string>> = {
  rooftop: 'at the door',
  interpolated: 'between house numbers',
  street: 'at the street',
  locality: 'at the town',
  region: 'in the region',
};

/** All precisions but that of a building. */
export const IMPRECISE: readonly GeocodingPrecision[] = (
  Object.keys(PRECISIONS) as GeocodingPrecision[]
).filter((precision) => precision !== 'rooftop');
