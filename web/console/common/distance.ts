/** Distances for people. */

import { formatNumber } from '../../shared/i18n/translate.ts';

const KILOMETRE = 1_000;

/** `35 m`, `1.2 km`, `7,900 km`: two digits are enough to judge a point by. */
export function formatDistance(metres: number): string {
  const unit = metres < KILOMETRE ? 'meter' : 'kilometer';
  const value = unit === 'meter' ? metres : metres / KILOMETRE;
  return formatNumber(value, { style: 'unit', unit, maximumSignificantDigits: 2 });
}
