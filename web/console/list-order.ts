/** In which order the owner looks at the list. */

import { nameFieldOf } from '../../src/domain/map.ts';
import type { FieldDefinition } from './field-inputs.ts';
import type { Direction, LocationOrderInput } from './generated/operations.ts';

/** `property:` and a field's name, or what every location has. */
export type OrderKey = 'list' | 'name' | 'createdAt' | 'updatedAt' | `property:${string}`;

export interface ListOrder {
  readonly key: OrderKey;
  readonly direction: Direction;
}

/** The map's own. */
export const LIST_ORDER: ListOrder = { key: 'list', direction: 'asc' };

const PROPERTY = 'property:';

/** The map's name field is compared as names are. */
export function orderKeyOf(field: string, fields: readonly FieldDefinition[]): OrderKey {
  return field === nameFieldOf(fields) ? 'name' : `${PROPERTY}${field}`;
}

export function isListOrder({ key, direction }: ListOrder): boolean {
  return key === 'list' && direction === 'asc';
}

/** All that the list can be ordered by, each with its words. */
export function orderChoices(
  fields: readonly FieldDefinition[],
): readonly (readonly [key: OrderKey, words: string])[] {
  return [
    ['list', 'Place in the list'],
    ...fields.map(({ name }) => [orderKeyOf(name, fields), name] as const),
    ['createdAt', 'Created'],
    ['updatedAt', 'Changed'],
  ];
}

/** What a column's head does when it is pressed: ascending, descending, and the map's own order again. */
export function nextOrder(current: ListOrder, key: OrderKey): ListOrder {
  if (current.key !== key) return { key, direction: 'asc' };
  return current.direction === 'asc' ? { key, direction: 'desc' } : LIST_ORDER;
}

/** Null is the map's own order. */
export function orderInputOf(order: ListOrder): LocationOrderInput | null {
  if (isListOrder(order)) return null;
  const { key, direction } = order;
  if (key.startsWith(PROPERTY)) return { by: 'property', property: key.slice(PROPERTY.length), direction };
  return { by: key as Exclude<OrderKey, `property:${string}`>, direction };
}
