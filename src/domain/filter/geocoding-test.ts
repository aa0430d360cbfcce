/** Conditions on how locations were geocoded. */

import { badUserInput } from '../../errors.ts';
import type { LocationGeocoding } from '../location.ts';

/** What conditions read of a location's geocoding. */
export type GeocodingGroup = Omit<LocationGeocoding, 'label'>;

/** Null means omitted. */
export interface GeocodingInput {
  readonly precision?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly isChecked?: boolean | null;
  readonly isAmbiguous?: boolean | null;
}

/** Conditions that must all hold; null: any value. */
export interface GeocodingTest {
  readonly precision: ReadonlySet<string> | null;
  readonly provider: ReadonlySet<string> | null;
  readonly isChecked: boolean | null;
  readonly isAmbiguous: boolean | null;
}

const MAX_VALUES = 100;

/** @throws ServiceError BAD_USER_INPUT naming the member, e.g. `filter.geocoding.provider` */
export function readGeocodingTest(input: GeocodingInput, label: string): GeocodingTest {
  const { precision = null, provider = null, isChecked = null, isAmbiguous = null } = input;
  if (precision === null && provider === null && isChecked === null && isAmbiguous === null) {
    throw badUserInput(`${label} must have precision, provider, isChecked or isAmbiguous.`);
  }
  return {
    precision: precision && readValues(precision, `${label}.precision`, MAX_VALUES),
    provider: provider && readValues(provider, `${label}.provider`, MAX_VALUES),
    isChecked,
    isAmbiguous,
  };
}

/** @throws ServiceError BAD_USER_INPUT for none, or more than `max` */
export function readValues(values: readonly string[], label: string, max: number): ReadonlySet<string> {
  if (values.length < 1 || values.length > max) {
    throw badUserInput(`${label} has ${values.length} items; 1 to ${max} are allowed.`);
  }
  return new Set(values);
}

export function passesGeocoding(test: GeocodingTest, group: GeocodingGroup): boolean {
  return (
    (test.precision === null || test.precision.has(group.precision)) &&
    (test.provider === null || test.provider.has(group.provider)) &&
    (test.isChecked === null || test.isChecked === group.isChecked) &&
    (test.isAmbiguous === null || test.isAmbiguous === group.isAmbiguous)
  );
}
