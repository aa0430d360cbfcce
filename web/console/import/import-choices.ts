/** The targets that the user chooses for columns. All other columns keep their automatic mapping. */

import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import type { ColumnUse } from '../../../src/transfer/columns/mapping.ts';

/** What a column is imported as. */
export type Target =
  `field:${string}` | 'property' | 'latitude' | 'longitude' | 'point' | 'externalId' | 'none';

/** Targets by column key. */
export type Choices = ReadonlyMap<string, Target>;

/** Null for columns of our exports, whose target cannot be changed. */
export function targetOf({ use, name, isExternalId }: ReportedColumn): Target | null {
  if (isExternalId) return 'externalId';
  switch (use) {
    case 'field':
      return `field:${name ?? ''}`;
    case 'property':
    case 'unnamed':
    case 'dropped':
      return 'property';
    case 'latitude':
    case 'longitude':
    case 'point':
    case 'externalId':
    case 'none':
      return use;
    default:
      return null;
  }
}

export interface Choice {
  readonly choices: Choices;
  /** Keys of the columns that lost their target to the chosen column. */
  readonly reassigned: readonly string[];
}

/** Two columns never have the same target: the other one becomes a property. */
export function choose(
  choices: Choices,
  columns: readonly ReportedColumn[],
  key: string,
  target: Target,
): Choice {
  const next = new Map(choices).set(key, target);
  const reassigned: string[] = [];
  for (const column of columns) {
    const current = targetOf(column);
    if (column.key === key || column.isFromExport || current === null) continue;
    if (conflicts(current, target)) {
      const isFieldToo = current === 'externalId' && column.use === 'field';
      next.set(column.key, isFieldToo ? `field:${column.name ?? ''}` : 'property');
      reassigned.push(column.key);
    } else if (isCoordinate(current) && isCoordinate(target)) {
      // Otherwise the mapping would look for the other half of the pair again.
      next.set(column.key, current);
    }
  }
  return { choices: next, reassigned };
}

function conflicts(current: Target, target: Target): boolean {
  if (target === 'property' || target === 'none') return false;
  if (target === 'point') return current === 'point' || isCoordinate(current);
  return current === target || (isCoordinate(target) && current === 'point');
}

function isCoordinate(target: Target): boolean {
  return target === 'latitude' || target === 'longitude';
}

/** The choices as import options. */
export function usesOf(
  choices: Choices,
  fields: readonly { readonly name: string }[],
): Map<string, ColumnUse> {
  const taken = new Set(fields.map(({ name }) => name));
  return new Map([...choices].map(([key, target]) => [key, useOf(key, target, taken)]));
}

function useOf(key: string, target: Target, taken: Set<string>): ColumnUse {
  if (target === 'property') return { kind: 'property', name: freeName(key.trim(), taken) };
  if (target.startsWith('field:')) return { kind: 'field', name: target.slice('field:'.length) };
  return { kind: target as Exclude<Target, 'property' | `field:${string}`> };
}

/** A name for a property that no field has. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  taken.add(free);
  return free;
}
