/** Columns of the table and their widths, in pixels. */

import { addressFieldOf, nameFieldOf } from '../../../src/domain/map.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';

export interface Column {
  readonly field: FieldDefinition;
  readonly width: number;
  /** Whether the column grows with the table, like that of the name. Then `width` is its minimum. */
  readonly grows: boolean;
}

const WIDTHS: Readonly<Partial<Record<FieldDefinition['type'], number>>> = {
  number: 120,
  date: 130,
  description: 260,
  address: 240,
};
const DEFAULT_WIDTH = 160;
const NAME_WIDTH = 280;
/** Maximum share of the table's width for the name, on a narrow screen. */
const NAME_SHARE = 0.45;
/** As in console/styles. */
const CHECK_WIDTH = 52;
const HANDLE_WIDTH = 36;
/** The check box needs less padding next to a handle. */
const CHECK_WIDTH_AFTER_HANDLE = 36;

/** The address comes first. The name has a column of its own. */
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
    width: WIDTHS[field.type] ?? DEFAULT_WIDTH,
    grows: sorted.length === 1,
  }));
}

export interface TableLayout {
  /** Null without a column of handles. */
  readonly handle: number | null;
  /** Null without a column of check boxes. */
  readonly check: number | null;
  /** Widths of the fields' columns; null for a column that grows. */
  readonly columns: readonly (number | null)[];
  /** Minimum width of the table. */
  readonly width: number;
}

/** @param room width of the table's container */
export function layoutOf(
  columns: readonly Column[],
  room: number,
  { canMove, canWrite }: { readonly canMove: boolean; readonly canWrite: boolean },
): TableLayout {
  const handle = canMove ? HANDLE_WIDTH : null;
  const check = canMove ? CHECK_WIDTH_AFTER_HANDLE : canWrite ? CHECK_WIDTH : null;
  const controls = (handle ?? 0) + (check ?? 0);
  const name = Math.min(NAME_WIDTH, Math.round(room * NAME_SHARE));
  const total = columns.reduce((sum, column) => sum + column.width, name);
  const scale = scaleOf(total, room - controls);
  return {
    handle,
    check,
    columns: columns.map(({ width, grows }) => (grows ? null : Math.floor(width * scale))),
    width: controls + Math.floor(total * scale),
  };
}

/** Columns may shrink to this share of their width if the table then fits. */
const MIN_SCALE = 0.8;

/** Factor for the widths of all columns. Columns that nearly fit shrink; wider tables scroll. */
export function scaleOf(total: number, room: number): number {
  return total > room && total * MIN_SCALE <= room ? room / total : 1;
}
