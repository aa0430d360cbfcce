/** The order in which the list is shown. */

import { t } from '../common/messages.ts';
import { nameFieldOf } from '../../../src/domain/map.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import type { Direction, LocationOrderInput } from '../generated/operations.ts';

/** `property:` and the name of a field, or an attribute of every location. */
export type OrderKey = 'list' | 'name' | 'createdAt' | 'updatedAt' | `property:${string}`;

export interface ListOrder {
  readonly key: OrderKey;
  readonly direction: Direction;
}

/** The list's own order. */
export const LIST_ORDER: ListOrder = { key: 'list', direction: 'asc' };

const PROPERTY = 'property:';

/** The name field sorts by `name`. */
export function orderKeyOf(field: string, fields: readonly FieldDefinition[]): OrderKey {
  return field === nameFieldOf(fields) ? 'name' : `${PROPERTY}${field}`;
}

export function isListOrder({ key, direction }: ListOrder): boolean {
  return key === 'list' && direction === 'asc';
}

/** All order keys, with their labels. */
export function orderChoices(
  fields: readonly FieldDefinition[],
): readonly (readonly [key: OrderKey, label: string])[] {
  return [
    ['list', t('list.order')],
    ...fields.map(({ name }) => [orderKeyOf(name, fields), name] as const),
    ['createdAt', t('subject.createdAt')],
    ['updatedAt', t('subject.updatedAt')],
  ];
}

/** The order after a press on a column's head: ascending, descending, then the list's own order. */
export function nextOrder(current: ListOrder, key: OrderKey): ListOrder {
  if (current.key !== key) return { key, direction: 'asc' };
  return current.direction === 'asc' ? { key, direction: 'desc' } : LIST_ORDER;
}

/** Null for the list's own order. */
export function orderInputOf(order: ListOrder): LocationOrderInput | null {
  if (isListOrder(order)) return null;
  const { key, direction } = order;
  if (key.startsWith(PROPERTY)) return { by: 'property', property: key.slice(PROPERTY.length), direction };
  return { by: key as Exclude<OrderKey, `property:${string}`>, direction };
}
