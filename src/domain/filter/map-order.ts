/** Orders of an owner's maps (capabilities §8). */

import type { MapSortKey, SortValue } from '../paging/cursor.ts';
import { compareMaps } from '../paging/cursor.ts';
import { isMapId } from '../ids.ts';
import type { MapRecord } from '../map.ts';
import { compareCodePoints } from '../text.ts';
import type { Direction } from './direction.ts';
import { signOf } from './direction.ts';
import { normalizeText } from './search-text.ts';

export interface MapOrderInput {
  readonly by: 'created' | 'name' | 'updated';
  /** By default ascending. */
  readonly direction?: Direction | null;
}

/** Position of a map in an order. */
export interface MapSortValues extends MapSortKey {
  /** A name, or milliseconds since the epoch. */
  readonly value: string | number;
  /** Normalized name, which is compared first. */
  readonly normalized: string;
}

export interface MapOrder {
  readonly sortValuesOf: (map: MapRecord) => MapSortValues;
  /** Negative if `a` comes first. Equal values are in order of creation, in either direction. */
  readonly compare: (a: MapSortValues, b: MapSortValues) => number;
  /** The position of cursor values; null if they are invalid for this order. */
  readonly readSortValues: (values: readonly unknown[]) => MapSortValues | null;
}

export function mapOrder({ by, direction }: MapOrderInput): MapOrder {
  const sign = signOf(direction);
  return {
    sortValuesOf: (map) => sortValuesAt(valueOf(map, by), map),
    compare: (a, b) => sign * compareValues(a, b) || compareMaps(a, b),
    readSortValues: ([value, createdAt, id, ...more]) => {
      const isValue = by === 'name' ? typeof value === 'string' : isTime(value);
      if (!isValue || !isTime(createdAt) || typeof id !== 'string' || !isMapId(id)) return null;
      return more.length === 0 ? sortValuesAt(value as string | number, { createdAt, id }) : null;
    },
  };
}

/** A position as cursor values. */
export function valuesOf({ value, createdAt, id }: MapSortValues): readonly SortValue[] {
  return [value, createdAt, id];
}

function valueOf(map: MapRecord, by: MapOrderInput['by']): string | number {
  switch (by) {
    case 'created':
      return map.createdAt;
    case 'name':
      return map.name;
    case 'updated':
      return map.updatedAt;
  }
}

function sortValuesAt(value: string | number, { createdAt, id }: MapSortKey): MapSortValues {
  return { value, normalized: typeof value === 'string' ? normalizeText(value) : '', createdAt, id };
}

function compareValues(a: MapSortValues, b: MapSortValues): number {
  if (typeof a.value === 'number' || typeof b.value === 'number') return Number(a.value) - Number(b.value);
  return compareCodePoints(a.normalized, b.normalized) || compareCodePoints(a.value, b.value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
