/** Opens a file that is to be imported: its format, its rows, and what its columns become. */

import type { FieldDefinition } from '../domain/map.ts';
import { ServiceError } from '../errors.ts';
import type { ColumnOptions } from './check-columns.ts';
import { assertColumns, hintsOf, suggestedAddressOf } from './check-columns.ts';
import { parseAddressTemplate } from './columns/address-template.ts';
import type { ReportedColumn } from './columns/column-report.ts';
import type { RowInput } from './columns/row-mapper.ts';
import { RowMapper } from './columns/row-mapper.ts';
import { detectFormat } from './detect.ts';
import type { MapFormat } from './formats.ts';
import { formatOf } from './formats.ts';
import type { ByteSource, FileRow, ReadOptions, RowContent, RowUnit } from './reader.ts';
import type { RejectedFormat } from './rejected-rows.ts';
import { Sample } from './sample.ts';
import { UnreadableFileError } from './text/damage.ts';

/** How a file is read and understood. */
export interface ImportFileOptions extends Omit<ReadOptions, 'fields'>, ColumnOptions {
  /** Null, as by default, where the content or the file's name tells. */
  readonly format?: MapFormat | null;
  /** Opens a file whose columns cannot become locations as they are used, too. Then {@link ImportSource.problem} says why. */
  readonly allowsProblem?: boolean;
}

export interface ImportReport {
  readonly columns: readonly ReportedColumn[];
  /** What was skipped, dropped or changed, as sentences. */
  readonly notes: readonly string[];
  /** The template that makes the address of columns that are named like parts of one; null where there are none. */
  readonly suggestedAddress: string | null;
}

export interface ImportSource {
  readonly format: MapFormat;
  readonly unit: RowUnit;
  /** The sheets of a workbook, and the one that is read. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  /** Why the columns cannot become locations of the map, as sentences; null where they can. */
  readonly problem: string | null;
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
  const { address = null, format: named = null } = options;
  const template = address === null ? null : parseAddressTemplate(address);
  const { format, source: file } =
    named === null ? await detectFormat(source, options.encoding) : { format: named, source };
  assertReadOptions(format, options);
  const opened = await formatOf(format).open(file, { ...options, fields });
  try {
    const mapper = new RowMapper(opened.columns, fields, { ...options, address: template });
    const sample = new Sample(opened);
    return {
      format,
      unit: opened.unit,
      sheets: opened.sheets ?? [],
      sheet: opened.sheet ?? null,
      problem: await problemOf(() => assertColumns(opened, mapper, fields, options, sample), options),
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
        suggestedAddress: suggestedAddressOf(mapper, fields, options),
      }),
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * @returns why the columns cannot become locations, where the options allow that
 * @throws UnreadableFileError where they do not
 */
async function problemOf(
  check: () => Promise<void>,
  { allowsProblem = false }: ImportFileOptions,
): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (allowsProblem && error instanceof UnreadableFileError) return error.message;
    throw error;
  }
}

/** @throws UnreadableFileError for an option that says nothing about a file of the format */
function assertReadOptions(format: MapFormat, { delimiter, sheet, encoding }: ImportFileOptions): void {
  const { label, readOptions, recognizesText } = formatOf(format);
  // The encoding of JSON and XML is seldom named, and never chosen in the console.
  const isText = readOptions.includes('encoding') || recognizesText !== undefined;
  const refused = [
    {
      name: '--delimiter',
      isGiven: (delimiter ?? null) !== null,
      isKnown: readOptions.includes('delimiter'),
    },
    { name: '--sheet', isGiven: (sheet ?? null) !== null, isKnown: readOptions.includes('sheet') },
    { name: '--encoding', isGiven: (encoding ?? null) !== null, isKnown: isText },
  ].find(({ isGiven, isKnown }) => isGiven && !isKnown);
  if (refused === undefined) return;
  throw new UnreadableFileError(
    `The file is ${label}, for which ${refused.name} says nothing; leave it out.`,
  );
}
