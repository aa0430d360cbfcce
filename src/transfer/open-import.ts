/** Opens a file that is to be imported: its format, its rows, and what its columns become. */

import type { FieldDefinition } from '../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../domain/map.ts';
import { toResult } from '../domain/result.ts';
import { quote } from '../domain/text.ts';
import { ServiceError } from '../errors.ts';
import { parseAddressTemplate, suggestAddress } from './columns/address-template.ts';
import type { ReportedColumn } from './columns/column-report.ts';
import type { ColumnMapping, ColumnUse } from './columns/mapping.ts';
import { EXTERNAL_IDS, headerKey } from './columns/mapping.ts';
import type { RowInput } from './columns/row-mapper.ts';
import { RowMapper } from './columns/row-mapper.ts';
import { detectFormat } from './detect.ts';
import type { MapFormat } from './formats.ts';
import { formatOf } from './formats.ts';
import type { ByteSource, FileRow, OpenFile, ReadOptions, RowContent, RowUnit, RowValues } from './reader.ts';
import type { RejectedFormat } from './rejected-rows.ts';
import { TableHeaderError } from './table.ts';
import { FileDamage, UnreadableFileError } from './text/damage.ts';

/** How a file is read and understood. */
export interface ImportFileOptions extends Omit<ReadOptions, 'fields'> {
  /** Null, as by default, where the content or the file's name tells. */
  readonly format?: MapFormat | null;
  /** Whether locations that are there are found by their external ids. */
  readonly isUpsert?: boolean;
  /** What the caller has decided, by the columns' names. */
  readonly uses?: ReadonlyMap<string, ColumnUse>;
  /** Makes the address of several columns: `{street}, {zip} {city}`. */
  readonly address?: string | null;
  /** Where a row has a point and no address, its address is its coordinates. */
  readonly fillsAddress?: boolean;
}

export interface ImportReport {
  readonly columns: readonly ReportedColumn[];
  /** What was skipped, dropped or changed, as sentences. */
  readonly notes: readonly string[];
}

export interface ImportSource {
  readonly format: MapFormat;
  readonly unit: RowUnit;
  /** @throws FileDamage, after all rows before the damage were given */
  readonly rows: AsyncGenerator<FileRow, void, undefined>;
  /** The location's input, or why the row cannot be one. */
  readonly readRow: (row: FileRow) => RowInput | ServiceError;
  readonly contentOf: (row: FileRow) => RowContent;
  /** How rejected rows are written. */
  readonly rejections: RejectedFormat;
  /** Of the rows that were read so far. */
  readonly report: () => ImportReport;
  readonly close: () => Promise<void>;
}

/** @throws UnreadableFileError where nothing can be read, or the columns cannot become locations of the map */
export async function openImport(
  source: ByteSource,
  fields: readonly FieldDefinition[],
  options: ImportFileOptions = {},
): Promise<ImportSource> {
  const template = options.address == null ? null : parseAddressTemplate(options.address);
  if (options.address != null && template === null) {
    throw new UnreadableFileError(
      `The address ${quote(options.address)} names no column; write columns in braces: {street}, {zip} {city}.`,
    );
  }
  const { format, source: file } =
    options.format == null
      ? await detectFormat(source, options.encoding)
      : { format: options.format, source };
  const opened = await formatOf(format).open(file, { ...options, fields });
  try {
    const mapper = new RowMapper(opened.columns, fields, { ...options, address: template });
    const sample = new Sample(opened);
    if (mapper.table !== null) await new TableCheck(mapper.table, fields, options, sample).assert();
    else if (options.isUpsert) await assertExternalIds(opened, fields, options, sample);
    return {
      format,
      unit: opened.unit,
      rows: sample.rows(),
      readRow: (row) => {
        const values = sample.valuesOf(row);
        return values instanceof ServiceError ? values : mapper.read(values);
      },
      contentOf: (row) => opened.contentOf(row),
      rejections: opened.rejections,
      report: () => ({
        columns: mapper.report.columns(),
        notes: [...opened.notes(), ...mapper.notes(), ...hintsOf(mapper, fields, options)],
      }),
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Rows that are looked at before an import begins, and about how many bytes they may have. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_BYTES = 2 * 1024 * 1024;

/** The first rows of a file, looked at before they are imported. */
class Sample {
  readonly #opened: OpenFile;
  #rows: readonly FileRow[] = [];
  #damage: unknown = null;
  /** Of rows that were read already: what reading them notes is to be noted once. */
  readonly #values = new Map<FileRow, RowValues | ServiceError>();

  constructor(opened: OpenFile) {
    this.#opened = opened;
  }

  /** The values of a row that is imported now. */
  valuesOf(row: FileRow): RowValues | ServiceError {
    const known = this.#values.get(row);
    this.#values.delete(row);
    return known ?? toResult(() => this.#opened.valuesOf(row));
  }

  /** The values of a row that is imported later. */
  peekValuesOf(row: FileRow): RowValues | ServiceError {
    const values = this.#values.get(row) ?? toResult(() => this.#opened.valuesOf(row));
    this.#values.set(row, values);
    return values;
  }

  async read(): Promise<readonly FileRow[]> {
    const rows: FileRow[] = [];
    try {
      while (rows.length < SAMPLE_ROWS && (rows.at(-1)?.end ?? 0) < SAMPLE_BYTES) {
        const next = await this.#opened.rows.next();
        if (next.done) break;
        rows.push(next.value);
      }
    } catch (error) {
      if (!(error instanceof FileDamage)) throw error;
      this.#damage = error;
    }
    this.#rows = rows;
    return rows;
  }

  /** All rows of the file, those of the sample first. */
  async *rows(): AsyncGenerator<FileRow, void, undefined> {
    try {
      yield* this.#rows;
      if (this.#damage !== null) throw this.#damage;
      yield* this.#opened.rows;
    } finally {
      await this.#opened.rows.return();
    }
  }
}

type CheckOptions = Pick<ImportFileOptions, 'address' | 'fillsAddress' | 'isUpsert' | 'uses'>;

/** Whether the columns of a table can become locations of the map. */
class TableCheck {
  readonly #table: ColumnMapping;
  readonly #fields: readonly FieldDefinition[];
  readonly #options: CheckOptions;
  readonly #sample: Sample;

  constructor(
    table: ColumnMapping,
    fields: readonly FieldDefinition[],
    options: CheckOptions,
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
    // A field without a column of its own may be in `more`.
    if (this.#table.isOwn && this.#table.uses.some(({ kind }) => kind === 'more')) return;
    this.#assertName();
    this.#assertAddress();
    if (this.#options.isUpsert === true && this.#table.externalIdAt === -1) {
      throw new TableHeaderError(noExternalId(await this.#uniqueColumns()));
    }
  }

  #assertColumn(column: string, who: string): void {
    if (this.#table.columns.some((name) => headerKey(name) === headerKey(column))) return;
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
  options: ImportFileOptions,
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
    if (input.externalId !== null || 'cells' in values || values.isOwn === true) return;
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
function hintsOf(
  { table }: RowMapper,
  fields: readonly FieldDefinition[],
  { address = null }: ImportFileOptions,
): readonly string[] {
  if (table === null || table.isOwn) return [];
  const hints: string[] = [];
  const unused = unusedColumns(table);
  const externalId = unused.find((column) => EXTERNAL_IDS.includes(headerKey(column)));
  if (externalId !== undefined && table.externalIdAt === -1) {
    hints.push(`With --upsert or --external-id the column ${quote(externalId)} is the external id.`);
  }
  const field = addressFieldOf(fields);
  const index = table.uses.findIndex((use) => use.kind === 'field' && use.name === field);
  const template =
    index === -1 || address !== null ? null : suggestAddress(unused, headerKey, table.columns[index] ?? null);
  if (template !== null) {
    hints.push(`Some columns look like parts of the address; --address "${template}" joins them.`);
  }
  return hints;
}
