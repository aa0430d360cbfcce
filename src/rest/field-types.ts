/** The types of fields in /v0. */

import { FIELD_TYPES } from '../domain/map.ts';

/** Types that came later, which /v0 shows as `text`. */
const LATER: readonly string[] = ['openingHours'];

export const V0_FIELD_TYPES: readonly string[] = FIELD_TYPES.filter((type) => !LATER.includes(type));

export function v0TypeOf(type: string): string {
  return LATER.includes(type) ? 'text' : type;
}
