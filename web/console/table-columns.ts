/** The columns of the table: one for each field, as wide as its values usually are. */

import { addressFieldOf, nameFieldOf } from '../../src/domain/map.ts';
import type { FieldDefinition } from './field-inputs.ts';

export interface Column {
  readonly field: FieldDefinition;
  /** Pixels; the least, where it grows with the table, as the name's does. */
  readonly width: number;
  readonly grows: boolean;
}

/** Pixels. */
const WIDTHS: Readonly<Partial<Record<FieldDefinition['type'], number>>> = {
  number: 120,
  date: 130,
  description: 260,
  address: 240,
};
const USUAL_WIDTH = 160;

/** All but the name's, which is always there. The address comes first. */
export function columnsOf(
  fields: readonly FieldDefinition[],
  hidden: ReadonlySet<string>,
): readonly Column[] {
  const name = nameFieldOf(fields);
  const address = addressFieldOf(fields);
  const others = fields.filter((field) => field.name !== name && !hidden.has(field.name));
  const sorted = others.toSorted((a, b) => Number(b.name === address) - Number(a.name === address));
  return sorted.map((field) => ({
    field,
    width: WIDTHS[field.type] ?? USUAL_WIDTH,
    grows: sorted.length === 1,
  }));
}

/** How much narrower columns may be than usual, where all of them are in sight then. */
const NARROWEST = 0.8;

/**
 * What widths are multiplied by: columns that nearly fit become narrower. More of them are scrolled.
 *
 * @param usual the sum of their usual widths, pixels
 * @param room pixels
 */
export function scaleOf(usual: number, room: number): number {
  return usual > room && usual * NARROWEST <= room ? room / usual : 1;
}
