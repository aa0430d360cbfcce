/** Whether the columns of a file can become locations of the map, and what the options could make of them. */

import type { FieldDefinition } from '../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../domain/map.ts';
import { quote } from '../domain/text.ts';
import { ServiceError } from '../errors.ts';
import { parseAddressTemplate, suggestAddress } from './columns/address-template.ts';
import type { ColumnMapping, ColumnUse } from './columns/mapping.ts';
import { EXTERNAL_IDS, findColumn, headerKey } from './columns/mapping.ts';
import { RowMapper } from './columns/row-mapper.ts';
import type { OpenFile } from './reader.ts';
import type { Sample } from './sample.ts';
import { TableHeaderError } from './table.ts';
import { UnreadableFileError } from './text/damage.ts';

/** What the caller decides about columns. */
export interface ColumnOptions {
  /** Whether locations that are there are found by their external ids. */
  readonly isUpsert?: boolean;
  /** By the columns' names. */
  readonly uses?: ReadonlyMap<string, ColumnUse>;
  /** Makes the address of several columns: `{street}, {zip} {city}`. */
  readonly address?: string | null;
  /** Where a row has a point and no address, its address is its coordinates. */
  readonly fillsAddress?: boolean;
}

/** @throws UnreadableFileError where they cannot */
export async function assertColumns(
  opened: OpenFile,
  mapper: RowMapper,
  fields: readonly FieldDefinition[],
  options: ColumnOptions,
  sample: Sample,
): Promise<void> {
  assertTemplate(options.address ?? null);
  assertFields(fields, options.uses);
  if (mapper.table !== null) await new TableCheck(mapper.table, fields, options, sample).assert();
  else if (options.isUpsert) await assertExternalIds(opened, fields, options, sample);
}

/** @throws UnreadableFileError for a use that names a field which the map does not define */
function assertFields(fields: readonly FieldDefinition[], uses: ColumnOptions['uses']): void {
  for (const use of uses?.values() ?? []) {
    if (use.kind !== 'field' || fields.some(({ name }) => name === use.name)) continue;
    throw new UnreadableFileError(
      `The map has no field ${quote(use.name)}; its fields are ${fields.map(({ name }) => quote(name)).join(', ')}.`,
    );
  }
}

function assertTemplate(address: string | null): void {
  if (address === null || parseAddressTemplate(address) !== null) return;
  throw new UnreadableFileError(
    `The address ${quote(address)} names no column; write columns in braces: {street}, {zip} {city}.`,
  );
}

/** Whether the columns of a table can become locations of the map. */
class TableCheck {
  readonly #table: ColumnMapping;
  readonly #fields: readonly FieldDefinition[];
  readonly #options: ColumnOptions;
  readonly #sample: Sample;

  constructor(
    table: ColumnMapping,
    fields: readonly FieldDefinition[],
    options: ColumnOptions,
    sample: Sample,
  ) {
    this.#table = table;
    this.#fields = fields;
    this.#options = options;
    this.#sample = sample;
  }

  /** @throws TableHeaderError */
  async assert(): Promise<void> {
    for (const column of this.#options.uses?.keys() ?? []) this.#assertColumn(column, 'the options name');
    for (const column of parseAddressTemplate(this.#options.address ?? '')?.columns ?? []) {
      this.#assertColumn(column, '--address names');
    }
    if (this.#table.isFromExport && (this.#options.uses?.size ?? 0) > 0) {
      throw new TableHeaderError(
        'The table is an export of a map, whose columns are fixed: --field and --external-id cannot change them.',
      );
    }
    // A field without a column of its own may be in `more`.
    if (this.#table.isFromExport && this.#table.uses.some(({ kind }) => kind === 'more')) return;
    this.#assertName();
    this.#assertAddress();
    if (this.#options.isUpsert === true && this.#table.externalIdAt === -1) {
      throw new TableHeaderError(noExternalId(await this.#uniqueColumns()));
    }
  }

  #assertColumn(column: string, who: string): void {
    if (findColumn(this.#table.columns, column) !== -1) return;
    throw new TableHeaderError(`The header has no column ${quote(column)}, which ${who}; ${this.#header()}`);
  }

  #assertName(): void {
    const field = nameFieldOf(this.#fields);
    if (field === undefined || this.#hasField(field)) return;
    throw new TableHeaderError(
      `The header has no column ${quote(field)}, which is the map's name field; ${this.#header()} ` +
        `With --field "${field}=COLUMN" another column is the name.`,
    );
  }

  #assertAddress(): void {
    const field = addressFieldOf(this.#fields);
    const { address = null, fillsAddress = false } = this.#options;
    if (field === undefined || address !== null || this.#hasField(field)) return;
    const hasPoint = this.#table.pointAt !== -1 || this.#table.latitudeAt !== -1;
    if (fillsAddress && hasPoint) return;
    const template = suggestAddress(unusedColumns(this.#table), headerKey, null);
    const hints = [
      `With --field "${field}=COLUMN" another column is the address.`,
      ...(template === null ? [] : [`With --address "${template}" these columns are joined.`]),
      ...(hasPoint ? ['With --fill-address coordinates the coordinates are the address.'] : []),
    ];
    throw new TableHeaderError(
      `The header has no column ${quote(field)}, which is the map's address field; ${this.#header()} ${hints.join(' ')}`,
    );
  }

  #hasField(field: string): boolean {
    return this.#table.uses.some((use) => use.kind === 'field' && use.name === field);
  }

  #header(): string {
    const { columns } = this.#table;
    return `it has ${columns.slice(0, 20).map(quote).join(', ')}${columns.length > 20 ? ', …' : ''}.`;
  }

  async #uniqueColumns(): Promise<readonly string[]> {
    const rows = await this.#sample.read();
    return this.#table.columns.filter((_, index) =>
      areUnique(rows.map((row) => ('cells' in row ? (row.cells as readonly string[])[index] : ''))),
    );
  }
}

/** @throws UnreadableFileError where no record of the sample has an external id */
async function assertExternalIds(
  opened: OpenFile,
  fields: readonly FieldDefinition[],
  options: ColumnOptions,
  sample: Sample,
): Promise<void> {
  const rows = await sample.read();
  // A mapper of its own: what is looked at here counts later.
  const mapper = new RowMapper(opened.columns, fields, { ...options, address: null });
  const properties = new Map<string, (string | undefined)[]>();
  for (const row of rows) {
    const values = sample.peekValuesOf(row);
    // What is wrong with a row is said where it is imported.
    if (values instanceof ServiceError) continue;
    const input = mapper.read(values);
    if (input instanceof ServiceError) continue;
    // An export of ours has a place for external ids, also where it is empty.
    if (input.externalId !== null || 'cells' in values || values.isFromExport === true) return;
    for (const [name, value] of Object.entries(input.fields)) {
      const seen = properties.get(name) ?? [];
      seen.push(typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
      properties.set(name, seen);
    }
  }
  if (properties.size === 0) return;
  const unique = [...properties].filter(([, values]) => values.length === rows.length && areUnique(values));
  throw new UnreadableFileError(noExternalId(unique.map(([name]) => name)));
}

function areUnique(values: readonly (string | undefined)[]): boolean {
  const seen = new Set<string>();
  for (const value of values) {
    if (value === undefined || value.trim() === '' || seen.has(value)) return false;
    seen.add(value);
  }
  return seen.size > 0;
}

function noExternalId(unique: readonly string[]): string {
  const wanted =
    'An upsert needs the external ids of the rows, and no column is called "externalId", "external_id" or "external id". ' +
    'Name it with --external-id COLUMN.';
  return unique.length === 0
    ? `${wanted} No column has a different value in each of the first rows.`
    : `${wanted} In the first rows the values of these columns are unique: ${unique.map(quote).join(', ')}.`;
}

/** Columns that became properties the map does not define. */
function unusedColumns({ columns, uses }: ColumnMapping): readonly string[] {
  return columns.filter((_, index) => uses[index]?.kind === 'property');
}

/** What the options could make of columns that became properties, as sentences. */
export function hintsOf(
  mapper: RowMapper,
  fields: readonly FieldDefinition[],
  options: ColumnOptions,
): readonly string[] {
  const { table } = mapper;
  if (table === null || table.isFromExport) return [];
  const hints: string[] = [];
  const unused = unusedColumns(table);
  const externalId = unused.find((column) => EXTERNAL_IDS.includes(headerKey(column)));
  if (externalId !== undefined && table.externalIdAt === -1) {
    hints.push(`With --upsert or --external-id the column ${quote(externalId)} is the external id.`);
  }
  const template = suggestedAddressOf(mapper, fields, options);
  const hasAddress = table.uses.some((use) => use.kind === 'field' && use.name === addressFieldOf(fields));
  if (template !== null && hasAddress) {
    hints.push(`Some columns look like parts of the address; --address "${template}" joins them.`);
  }
  return hints;
}

export function suggestedAddressOf(
  { table }: RowMapper,
  fields: readonly FieldDefinition[],
  { address = null }: ColumnOptions,
): string | null {
  const field = addressFieldOf(fields);
  if (table === null || table.isFromExport || field === undefined || address !== null) return null;
  const index = table.uses.findIndex((use) => use.kind === 'field' && use.name === field);
  return suggestAddress(unusedColumns(table), headerKey, table.columns[index] ?? null);
}
