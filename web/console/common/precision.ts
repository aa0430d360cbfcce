/** How precisely points match their addresses. */

import type { GeocodingPrecision } from '../generated/operations.ts';
import { t } from './messages.ts';

/** From the most precise to the least. */
export const PRECISIONS = [
  'rooftop',
  'interpolated',
  'street',
  'locality',
  'region',
] as const satisfies readonly GeocodingPrecision[];

/** Such as “at the door”. */
export function precisionText(precision: GeocodingPrecision): string {
  return t(`precision.${precision}`);
}

/** All precisions but that of a building. */
export const IMPRECISE: readonly GeocodingPrecision[] = PRECISIONS.filter(
  (precision) => precision !== 'rooftop',
);
