/** The orders of search results (capabilities §10), shared by all stores. */

import { badUserInput } from '../../errors.ts';
import type { MapSortKey } from '../paging/cursor.ts';
import { compareMaps } from '../paging/cursor.ts';
import type { FieldDefinition } from '../map.ts';
import { decimalOf, isOrderKey } from '../list/order.ts';
import type { SortKey } from '../list/sort-key.ts';
import { compareSortKeys } from '../list/sort-key.ts';
import { compareCodePoints } from '../text.ts';
import type { Direction } from './direction.ts';
import { signOf } from './direction.ts';
import type { Point } from './distance.ts';
import { distanceBetween } from './distance.ts';
import { readSpan } from './instant.ts';
import type { LocationFilter } from './location-filter.ts';
import type { Filtered } from './matcher.ts';
import { kindOf } from './property.ts';
import { normalizeText } from './search-text.ts';

/** Input of a client. */
export interface OrderInput {
  readonly by: 'list' | 'name' | 'distance' | 'createdAt' | 'updatedAt' | 'property';
  readonly property?: string | null;
  readonly direction?: Direction | null;
}

/** A valid order. */
export type LocationOrder = { readonly direction: Direction } & (
  | { readonly by: 'list' | 'sequence' | 'name' | 'createdAt' | 'updatedAt' }
  | { readonly by: 'distance'; readonly center: Point }
  | { readonly by: 'property'; readonly property: string }
);

export const LIST_ORDER: LocationOrder = { by: 'list', direction: 'asc' };
/** The order of creation, which no write changes. */
export const SEQUENCE_ORDER: LocationOrder = { by: 'sequence', direction: 'asc' };

/**
 * @param label name in error messages, e.g. `orderBy`
 * @throws ServiceError BAD_USER_INPUT
 */
export function readOrder(
  { by, property = null, direction = null }: OrderInput,
  filter: LocationFilter,
  label: string,
): LocationOrder {
  const known = { direction: direction ?? 'asc' } as const;
  if (by === 'property') {
    if (property === null) throw badUserInput(`${label}.property must name the property to sort by.`);
    return { ...known, by, property };
  }
  if (property !== null) throw badUserInput(`${label}.property is only allowed with by: property.`);
  if (by !== 'distance') return { ...known, by };
  const center = centerOf(filter);
  if (center === null) {
    throw badUserInput(
      `${label}: by: distance needs exactly one near in the filter, at its top or nested in and only.`,
    );
  }
  return { ...known, by, center };
}

/** The center of the only circle that all matches are in; null if there is none, or several. */
export function centerOf(filter: LocationFilter): Point | null {
  const centers = centersOf(filter);
  return centers.length === 1 ? (centers[0] ?? null) : null;
}

function centersOf(filter: LocationFilter): readonly Point[] {
  if (filter.kind === 'near') return [filter.circle.center];
  // An `and` of one filter is that filter, so this covers the top level.
  return filter.kind === 'and' ? filter.filters.flatMap(centersOf) : [];
}

/**
 * The sort values of a location before its sort key in the list. Within one order, values after equal prefixes have the
 * same type.
 */
export type SortValue = readonly (number | string)[];

/** Position of a location among the search results. */
export interface SearchSortKey {
  readonly value: SortValue;
  readonly map: MapSortKey;
  readonly sortKey: SortKey;
}

/** First component of a property's sort values. */
const NUMBER = 0;
const INSTANT = 1;
const STRING = 2;
const MISSING = 3;

/** @param definitions the fields of the location's map */
export function sortValues(
  order: LocationOrder,
  definitions: readonly FieldDefinition[],
): (location: Filtered) => SortValue {
  switch (order.by) {
    case 'list':
    case 'sequence':
      return () => [];
    case 'name':
      return ({ name }) => [normalizeText(name), name];
    case 'createdAt':
      return ({ createdAt }) => [createdAt];
    case 'updatedAt':
      return ({ updatedAt }) => [updatedAt];
    case 'distance':
      return (location) => [distanceBetween(order.center, location)];
    case 'property': {
      const kind = kindOf(definitions, order.property);
      return ({ properties }) => {
        const value = Object.hasOwn(properties, order.property) ? properties[order.property] : null;
        if (kind === 'date') {
          const span = typeof value === 'string' ? readSpan(value) : null;
          return span === null ? [MISSING] : [INSTANT, span.first];
        }
        if (typeof value === 'number') return [NUMBER, value];
        if (typeof value !== 'string') return [MISSING];
        if (kind !== 'number') return [STRING, normalizeText(value), value];
        const number = decimalOf(value);
        return number === null ? [MISSING] : [NUMBER, number];
      };
    }
  }
}

/** The orders in which stores can read a map from any position. */
export type StoredOrder = 'list' | 'sequence';

export function isOfStore(by: LocationOrder['by']): by is StoredOrder {
  return by === 'list' || by === 'sequence';
}

/** Compares locations of one map. */
export function keyComparison(by: StoredOrder): (a: SortKey, b: SortKey) => number {
  return by === 'list' ? compareSortKeys : (a, b) => a.sequence - b.sequence;
}

/** Negative if `a` comes first. Keys of different locations are never equal. */
export function compareSearchKeys({
  by,
  direction,
}: LocationOrder): (a: SearchSortKey, b: SearchSortKey) => number {
  const sign = signOf(direction);
  if (isOfStore(by)) {
    const compare = keyComparison(by);
    return (a, b) => sign * (compareMaps(a.map, b.map) || compare(a.sortKey, b.sortKey));
  }
  const isMissing = ({ value }: SearchSortKey) => by === 'property' && value[0] === MISSING;
  return (a, b) => {
    const [aIsMissing, bIsMissing] = [isMissing(a), isMissing(b)];
    // Missing values come last, in either direction.
    if (aIsMissing !== bIsMissing) return aIsMissing ? 1 : -1;
    return sign * compareValues(a.value, b.value) || compareSortValues(a, b);
  };
}

function compareValues(a: SortValue, b: SortValue): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = compareScalars(a[index], b[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareScalars(a: number | string | undefined, b: number | string | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a < b ? -1 : 1;
  return compareCodePoints(String(a), String(b));
}

/** By map in order of creation, then by list order. */
function compareSortValues(a: SearchSortKey, b: SearchSortKey): number {
  return compareMaps(a.map, b.map) || compareSortKeys(a.sortKey, b.sortKey);
}

/** A sort key as cursor values. */
export function sortValuesOf({ value, map, sortKey }: SearchSortKey): readonly (number | string)[] {
  return [...value.map(toPlain), map.createdAt, map.id, sortKey.sequence, sortKey.orderKey];
}

/** Decimals may exceed doubles. JSON has no infinity, so cursors contain its name. */
function toPlain(value: number | string): number | string {
  return value === Infinity || value === -Infinity ? String(value) : value;
}

/** The inverse of {@link toPlain}. In a text property, such a name is plain text. */
function readValue(order: LocationOrder, plain: readonly unknown[]): readonly unknown[] {
  if (order.by !== 'property' || plain[0] !== NUMBER) return plain;
  return plain.map((each) => (each === 'Infinity' || each === '-Infinity' ? Number(each) : each));
}

/** The sort key of cursor values; null if they are invalid. */
export function readSortValues(order: LocationOrder, values: readonly unknown[]): SearchSortKey | null {
  const value = readValue(order, values.slice(0, -4));
  const [createdAt, id, sequence, orderKey] = values.slice(-4);
  if (!isSortValue(order, value) || typeof createdAt !== 'number' || typeof id !== 'string') return null;
  if (typeof sequence !== 'number' || typeof orderKey !== 'string' || !isOrderKey(orderKey)) return null;
  return { value, map: { createdAt, id }, sortKey: { sequence, orderKey } };
}

/** Whether a value is possible in a key of the order. Validates cursors. */
function isSortValue({ by }: LocationOrder, value: unknown): value is SortValue {
  if (!Array.isArray(value)) return false;
  const types = value.map((each) => typeof each).join(' ');
  switch (by) {
    case 'list':
    case 'sequence':
      return types === '';
    case 'name':
      return types === 'string string';
    case 'createdAt':
    case 'updatedAt':
    case 'distance':
      return types === 'number';
    case 'property':
      switch (value[0]) {
        case NUMBER:
        case INSTANT:
          return types === 'number number';
        case STRING:
          return types === 'number string string';
        case MISSING:
          return types === 'number';
        default:
          return false;
      }
  }
}
