/** The locations that a write of many locations is about. */

import type { LocationFilter } from '../../domain/filter/location-filter.ts';
import { badUserInput, ServiceError } from '../../errors.ts';

/** `Count` is `number` where the client must say how many locations match. */
export interface MatchTargets<Count extends number | null> {
  readonly filter: LocationFilter;
  readonly expectedCount: Count;
}

export type LocationTargets<Count extends number | null> =
  { readonly ids: readonly string[] } | MatchTargets<Count>;

/**
 * @param count the number of matches, as far as `max + 1`
 * @param verb what the call does with them; completes "a call may …"
 * @throws ServiceError BAD_USER_INPUT for more than `max`; CONFLICT for another number than expected
 */
export function assertMatchCount(
  count: number,
  expectedCount: number | null,
  max: number,
  verb: 'delete' | 'geocode',
): void {
  if (count > max) {
    throw badUserInput(`filter matches more than the ${max} locations that a call may ${verb}.`);
  }
  if (expectedCount !== null && count !== expectedCount) {
    throw new ServiceError(
      'CONFLICT',
      `filter matches ${count} locations, but expectedCount is ${expectedCount}.`,
    );
  }
}

/** @throws ServiceError BAD_USER_INPUT unless there are 1 to `max` items */
export function assertBulk(name: string, { length }: readonly unknown[], max: number): void {
  if (length >= 1 && length <= max) return;
  throw badUserInput(`${name} has ${length} items; 1 to ${max} are allowed.`);
}
