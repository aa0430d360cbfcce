/** Checks whether the columns of a file can become locations of the map, and suggests options. */

import type { FieldDefinition } from '../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../domain/map.ts';
import { quote } from '../domain/text.ts';
import { ServiceError } from '../errors.ts';
import { parseAddressTemplate, suggestAddress } from './columns/address-template.ts';
import type { ColumnMapping, ColumnUse } from './columns/mapping.ts';
import { EXTERNAL_IDS, findColumn, headerKey } from './columns/mapping.ts';
import { FILL_ADDRESS_ADVICE, RowMapper } from './columns/row-mapper.ts';
import type { Message } from './message.ts';
import { message } from './message.ts';
import type { OpenFile } from './reader.ts';
import type { Sample } from './sample.ts';
import { TableHeaderError } from './table.ts';
import { UnreadableFileError } from './text/damage.ts';

/** The caller's decisions about columns. */
export interface ColumnOptions {
  /** Updates existing locations, found by external id. */
  readonly isUpsert?: boolean;
  /** By column name. */
  readonly uses?: ReadonlyMap<string, ColumnUse>;
  /** A template that joins columns to the address: `{street}, {zip} {city}`. */
  readonly address?: string | null;
  /** Fills the address of a row that has only a point with its coordinates. */
  readonly fillsAddress?: boolean;
}

/** @throws UnreadableFileError if the columns cannot become locations */
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

/** @throws UnreadableFileError for a use that names an undefined field */
function assertFields(fields: readonly FieldDefinition[], uses: ColumnOptions['uses']): void {
  for (const use of uses?.values() ?? []) {
    if (use.kind !== 'field' || fields.some(({ name }) => name === use.name)) continue;
    const names = fields.map(({ name }) => name);
    throw new UnreadableFileError([
      message(
        'unknownField',
        `The map has no field ${quote(use.name)}; its fields are ${names.map(quote).join(', ')}.`,
        { field: use.name, fields: names },
      ),
    ]);
  }
}

function assertTemplate(address: string | null): void {
  if (address === null || parseAddressTemplate(address) !== null) return;
  throw new UnreadableFileError([
    message(
      'addressWithoutColumn',
      `The address ${quote(address)} names no column; write columns in braces: {street}, {zip} {city}.`,
      { address },
    ),
  ]);
}

/** Checks the columns of a table. */
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
    for (const column of this.#options.uses?.keys() ?? [])
      this.#assertColumn(column, 'unknownColumn', '--field or --external-id names');
    for (const column of parseAddressTemplate(this.#options.address ?? '')?.columns ?? []) {
      this.#assertColumn(column, 'unknownAddressColumn', '--address names');
    }
    if (this.#table.isFromExport && (this.#options.uses?.size ?? 0) > 0) {
      throw new TableHeaderError([
        message(
          'exportIsFixed',
          'The table is an export of a map, whose columns are fixed: --field and --external-id cannot change them.',
        ),
      ]);
    }
    // A field without a column may be in `more`.
    if (this.#table.isFromExport && this.#table.uses.some(({ kind }) => kind === 'more')) return;
    this.#assertName();
    this.#assertAddress();
    if (this.#options.isUpsert === true && this.#table.externalIdAt === -1) {
      throw new TableHeaderError(noExternalId(await this.#uniqueColumns()));
    }
  }

  /** @param source names the source of the column, and completes "which …" */
  #assertColumn(column: string, key: string, source: string): void {
    if (findColumn(this.#table.columns, column) !== -1) return;
    const text = `The header has no column ${quote(column)}, which ${source}; ${this.#header()}`;
    throw new TableHeaderError([message(key, text, { column, columns: this.#table.columns.slice(0, 20) })]);
  }

  #assertName(): void {
    const field = nameFieldOf(this.#fields);
    if (field === undefined || this.#hasField(field)) return;
    throw new TableHeaderError([
      this.#noField('noNameColumn', field, 'name'),
      message('optionName', `Use --field "${field}=COLUMN" to take the name from another column.`),
    ]);
  }

  #assertAddress(): void {
    const field = addressFieldOf(this.#fields);
    const { address = null, fillsAddress = false } = this.#options;
    if (field === undefined || address !== null || this.#hasField(field)) return;
    const hasPoint = this.#table.pointAt !== -1 || this.#table.latitudeAt !== -1;
    if (fillsAddress && hasPoint) return;
    const template = suggestAddress(unusedColumns(this.#table), headerKey, null);
    throw new TableHeaderError([
      this.#noField('noAddressColumn', field, 'address'),
      message('optionAddress', `Use --field "${field}=COLUMN" to take the address from another column.`),
      ...(template === null
        ? []
        : [message('optionJoin', `Use --address "${template}" to join these columns.`)]),
      ...(hasPoint ? [FILL_ADDRESS_ADVICE] : []),
    ]);
  }

  #noField(key: string, field: string, role: string): Message {
    const text = `The header has no column ${quote(field)}, which is the map's ${role} field; ${this.#header()}`;
    return message(key, text, { field, columns: this.#table.columns.slice(0, 20) });
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

/** @throws UnreadableFileError if no record of the sample has an external id */
async function assertExternalIds(
  opened: OpenFile,
  fields: readonly FieldDefinition[],
  options: ColumnOptions,
  sample: Sample,
): Promise<void> {
  const rows = await sample.read();
  // A separate mapper: these rows are counted when they are imported.
  const mapper = new RowMapper(opened.columns, fields, { ...options, address: null });
  const properties = new Map<string, (string | undefined)[]>();
  for (const row of rows) {
    const values = sample.peekValuesOf(row);
    // Invalid rows are reported when they are imported.
    if (values instanceof ServiceError) continue;
    const input = mapper.read(values);
    if (input instanceof ServiceError) continue;
    // An export has external ids, even if they are empty.
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

function noExternalId(unique: readonly string[]): readonly Message[] {
  return [
    message(
      'noExternalId',
      'An upsert needs an external id in each row, but no column is called "externalId", "external_id" or "external id".',
    ),
    message('optionId', 'Name it with --external-id COLUMN.'),
    unique.length === 0
      ? message('noUniqueColumn', 'No column has unique values in the first rows.')
      : message(
          'uniqueColumns',
          `These columns have unique values in the first rows: ${unique.map(quote).join(', ')}.`,
          { columns: unique },
        ),
  ];
}

/** Columns that become properties without a field. */
function unusedColumns({ columns, uses }: ColumnMapping): readonly string[] {
  return columns.filter((_, index) => uses[index]?.kind === 'property');
}

/** Suggests options for unused columns. */
export function hintsOf(
  mapper: RowMapper,
  fields: readonly FieldDefinition[],
  options: ColumnOptions,
): readonly Message[] {
  const { table } = mapper;
  if (table === null || table.isFromExport) return [];
  const hints: Message[] = [];
  const unused = unusedColumns(table);
  const externalId = unused.find((column) => EXTERNAL_IDS.includes(headerKey(column)));
  if (externalId !== undefined && table.externalIdAt === -1) {
    hints.push(
      message(
        'optionIdColumn',
        `Use --upsert or --external-id to take the external id from the column ${quote(externalId)}.`,
      ),
    );
  }
  const template = suggestedAddressOf(mapper, fields, options);
  const hasAddress = table.uses.some((use) => use.kind === 'field' && use.name === addressFieldOf(fields));
  if (template !== null && hasAddress) {
    hints.push(
      message(
        'optionParts',
        `Some columns look like parts of the address; --address "${template}" joins them.`,
      ),
    );
  }
  return hints;
}

/** The template that joins columns named like parts of an address; null if there are none. */
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
