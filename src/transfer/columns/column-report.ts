/** Reports what each column of a file becomes. */

import type { JsonValue } from '../../domain/json/json.ts';
import { quote } from '../../domain/text.ts';
import { columnLetters } from '../table.ts';
import type { ColumnMapping, ColumnUse } from './mapping.ts';
import { unnamedColumn } from './mapping.ts';

export interface ReportedColumn {
  /** The header; empty for a column without one. */
  readonly column: string;
  /** The column's name in options: its header, or `Column G` if it has none. */
  readonly key: string;
  /** The column's letters in a spreadsheet, if it has no header; null if it has one. */
  readonly letters: string | null;
  /** True for a column of an export, whose use is fixed. */
  readonly isFromExport: boolean;
  readonly use: ColumnUse['kind'] | 'dropped';
  /** The name of the field or property; null for other uses. */
  readonly name: string | null;
  /** True if the values are external ids too. */
  readonly isExternalId: boolean;
  /** Completes a sentence that starts with the column. */
  readonly description: string;
  /** The first values that are not empty, at most {@link SAMPLES}. */
  readonly values: readonly string[];
}

export const SAMPLES = 3;
/** Maximum characters of a sample value. */
const SAMPLE_LENGTH = 80;
/** Maximum columns in the report. */
const MAX_LISTED = 500;

interface Entry {
  readonly column: string;
  readonly key: string;
  readonly letters: string | null;
  readonly isFromExport: boolean;
  readonly use: ColumnUse;
  readonly isExternalId: boolean;
  hasValue: boolean;
  readonly values: string[];
}

export class ColumnReport {
  /** By column and use: one name may have different uses in different records. */
  readonly #entries = new Map<string, Entry>();
  readonly #entriesOf = new WeakMap<ColumnMapping, readonly (Entry | null)[]>();
  /** Mappings whose columns all have enough samples. */
  readonly #isComplete = new WeakSet<ColumnMapping>();

  #lastComplete: ColumnMapping | null = null;

  /** @param table the mapping of a file's table; null for records */
  constructor(table: ColumnMapping | null) {
    if (table !== null) this.#entriesFor(table);
  }

  /** Collects samples from a row. For most rows of a file, this is one comparison. */
  add(mapping: ColumnMapping, values: readonly (JsonValue | undefined)[]): void {
    if (mapping === this.#lastComplete || this.#isComplete.has(mapping)) {
      this.#lastComplete = mapping;
      return;
    }
    let isComplete = true;
    for (const [index, entry] of this.#entriesFor(mapping).entries()) {
      if (entry === null || entry.values.length === SAMPLES) continue;
      const value = values[index];
      if (value !== undefined && value !== null && value !== '') {
        entry.hasValue = true;
        entry.values.push(sampleOf(value));
      }
      if (entry.values.length < SAMPLES) isComplete = false;
    }
    if (isComplete) this.#isComplete.add(mapping);
  }

  /** In file order. */
  columns(): readonly ReportedColumn[] {
    return [...this.#entries.values()].map(({ use, isExternalId, hasValue, ...entry }) => {
      const isDropped = use.kind === 'unnamed' && !hasValue;
      return {
        ...entry,
        use: isDropped ? 'dropped' : use.kind,
        name: 'name' in use && !isDropped ? use.name : null,
        isExternalId,
        description: isDropped ? 'dropped: no header and no values' : describe(use, isExternalId),
      };
    });
  }

  #entriesFor(mapping: ColumnMapping): readonly (Entry | null)[] {
    const known = this.#entriesOf.get(mapping);
    if (known !== undefined) return known;
    const entries = mapping.columns.map((column, index): Entry | null => {
      const use = mapping.uses[index] ?? { kind: 'none' };
      const isExternalId = index === mapping.externalIdAt;
      const key = JSON.stringify([column, use, column === '' ? index : 0]);
      const existing = this.#entries.get(key);
      if (existing !== undefined) return existing;
      if (this.#entries.size >= MAX_LISTED) return null;
      const isUnnamed = column.trim() === '';
      const { isFromExport } = mapping;
      const entry: Entry = {
        column,
        key: isUnnamed ? unnamedColumn(index) : column,
        letters: isUnnamed ? columnLetters(index) : null,
        isFromExport,
        use,
        isExternalId,
        hasValue: false,
        values: [],
      };
      this.#entries.set(key, entry);
      return entry;
    });
    this.#entriesOf.set(mapping, entries);
    return entries;
  }
}

function sampleOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH - 1)}…` : text;
}

const DESCRIPTIONS: Readonly<Record<Exclude<ColumnUse['kind'], 'field' | 'property' | 'unnamed'>, string>> = {
  latitude: 'the latitude of the point',
  longitude: 'the longitude of the point',
  point: 'the point',
  externalId: 'the external id',
  order: 'the order in the list',
  placeId: 'the place id of the point',
  more: 'values that do not fit in cells',
  id: 'ignored: each location gets a new id',
  none: 'ignored',
};

function describe(use: ColumnUse, isExternalId: boolean): string {
  switch (use.kind) {
    case 'field':
      return `field ${quote(use.name)}${isExternalId ? ', and the external id' : ''}`;
    case 'property':
      return `property ${quote(use.name)}`;
    case 'unnamed':
      return `property ${quote(use.name)}, because it has no header`;
    default:
      return DESCRIPTIONS[use.kind];
  }
}

/** Formats the columns as aligned lines of text. */
export function formatColumns(columns: readonly ReportedColumn[]): readonly string[] {
  const names = columns.map(({ column }) => (column.trim() === '' ? '(no header)' : column));
  const width = Math.min(30, Math.max(0, ...names.map((name) => name.length)));
  return columns.map(({ description }, index) => `  ${(names[index] ?? '').padEnd(width)}  ${description}`);
}
