/** What became of each column of a file, for the people who import it. */

import type { JsonValue } from '../../domain/json/json.ts';
import { quote } from '../../domain/text.ts';
import type { ColumnMapping, ColumnUse } from './mapping.ts';
import { unnamedColumn } from './mapping.ts';

export interface ReportedColumn {
  /** The header; empty for a column without one. */
  readonly column: string;
  /** What options call the column: its header, or `Column G` where it has none. */
  readonly key: string;
  /** Whether an export of ours wrote it. Then options decide nothing of it. */
  readonly isFromExport: boolean;
  readonly use: ColumnUse['kind'] | 'dropped';
  /** The name under which the values are stored; null where they are stored under none. */
  readonly name: string | null;
  /** Whether the values are the external ids too. */
  readonly isExternalId: boolean;
  /** As the end of a sentence that begins with the column. */
  readonly description: string;
  /** The first values that are not empty, {@link SAMPLES} at most. */
  readonly values: readonly string[];
}

export const SAMPLES = 3;
/** Characters of a value that are shown. */
const SAMPLE_LENGTH = 80;
/** Columns of records that are listed; the others are counted. */
const LISTED = 500;

interface Entry {
  readonly column: string;
  readonly key: string;
  readonly isFromExport: boolean;
  readonly use: ColumnUse;
  readonly isExternalId: boolean;
  hasValue: boolean;
  readonly values: string[];
}

export class ColumnReport {
  /** By column and use: a name may be used in two ways in two records. */
  readonly #entries = new Map<string, Entry>();
  readonly #entriesOf = new WeakMap<ColumnMapping, readonly (Entry | null)[]>();
  /** How many rows of a mapping were looked at: the first ones, as long as values are wanted. */
  readonly #isComplete = new WeakSet<ColumnMapping>();

  #lastComplete: ColumnMapping | null = null;

  /** @param table the mapping of a file's table; null for records */
  constructor(table: ColumnMapping | null) {
    if (table !== null) this.#find(table);
  }

  /** Counts a row. Nearly all rows of a file cost one look-up. */
  add(mapping: ColumnMapping, values: readonly (JsonValue | undefined)[]): void {
    if (mapping === this.#lastComplete || this.#isComplete.has(mapping)) {
      this.#lastComplete = mapping;
      return;
    }
    let isComplete = true;
    for (const [index, entry] of this.#find(mapping).entries()) {
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

  /** In the order of the file. */
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

  #find(mapping: ColumnMapping): readonly (Entry | null)[] {
    const known = this.#entriesOf.get(mapping);
    if (known !== undefined) return known;
    const entries = mapping.columns.map((column, index): Entry | null => {
      const use = mapping.uses[index] ?? { kind: 'none' };
      const isExternalId = index === mapping.externalIdAt;
      const key = JSON.stringify([column, use, column === '' ? index : 0]);
      const there = this.#entries.get(key);
      if (there !== undefined) return there;
      if (this.#entries.size >= LISTED) return null;
      const called = column.trim() === '' ? unnamedColumn(index) : column;
      const { isFromExport } = mapping;
      const entry: Entry = {
        column,
        key: called,
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
  more: 'values that no cell can hold',
  id: 'left out: each location gets a new id',
  none: 'left out',
};

function describe(use: ColumnUse, isExternalId: boolean): string {
  switch (use.kind) {
    case 'field':
      return `field ${quote(use.name)}${isExternalId ? ', and the external id' : ''}`;
    case 'property':
      return `property ${quote(use.name)}`;
    case 'unnamed':
      return `property ${quote(use.name)}, since it has no header`;
    default:
      return DESCRIPTIONS[use.kind];
  }
}

/** As lines for people, their columns aligned. */
export function formatColumns(columns: readonly ReportedColumn[]): readonly string[] {
  const names = columns.map(({ column }) => (column.trim() === '' ? '(no header)' : column));
  const width = Math.min(30, Math.max(0, ...names.map((name) => name.length)));
  return columns.map(({ description }, index) => `  ${(names[index] ?? '').padEnd(width)}  ${description}`);
}
