/** Opens a file for an import: detects its format, reads its rows and maps its columns. */

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
import type { Message } from './message.ts';
import type { ByteSource, FileRow, ReadOptions, RowContent, RowUnit } from './reader.ts';
import type { RejectedFormat } from './rejected-rows.ts';
import { Sample } from './sample.ts';
import { UnreadableFileError } from './text/damage.ts';

/** How to read a file and map its columns. */
export interface ImportFileOptions extends Omit<ReadOptions, 'fields'>, ColumnOptions {
  /** Null, the default, detects it. */
  readonly format?: MapFormat | null;
  /** Opens the file even if its columns cannot become locations; {@link ImportSource.problem} says why. */
  readonly allowsProblem?: boolean;
}

export interface ImportReport {
  readonly columns: readonly ReportedColumn[];
  /** Sentences about skipped, dropped or changed data. */
  readonly notes: readonly Message[];
  /** A template that joins columns named like parts of an address; null if there are none. */
  readonly suggestedAddress: string | null;
}

export interface ImportSource {
  readonly format: MapFormat;
  readonly unit: RowUnit;
  /** The sheets of a workbook; empty for other files. */
  readonly sheets: readonly string[];
  /** The sheet being read. */
  readonly sheet: string | null;
  /** Sentences that say why the columns cannot become locations; null if they can. */
  readonly problem: readonly Message[] | null;
  /** @throws FileDamage after all rows before the damage */
  readonly rows: AsyncGenerator<FileRow, void, undefined>;
  /** An error if the row cannot become a location. */
  readonly readRow: (row: FileRow) => RowInput | ServiceError;
  readonly contentOf: (row: FileRow) => RowContent;
  readonly rejections: RejectedFormat;
  /** On the rows read so far. */
  readonly report: () => ImportReport;
  readonly close: () => Promise<void>;
}

/** @throws UnreadableFileError if nothing can be read, or the columns cannot become locations */
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
 * @returns why the columns cannot become locations, if the options allow that
 * @throws UnreadableFileError if the options do not allow it
 */
async function problemOf(
  check: () => Promise<void>,
  { allowsProblem = false }: ImportFileOptions,
): Promise<readonly Message[] | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (allowsProblem && error instanceof UnreadableFileError) return error.sentences;
    throw error;
  }
}

/** @throws UnreadableFileError for an option that does not apply to the format */
function assertReadOptions(format: MapFormat, { delimiter, sheet, encoding }: ImportFileOptions): void {
  const { label, readOptions, recognizesText } = formatOf(format);
  // JSON and XML also accept --encoding, although the console does not offer it.
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
  throw new UnreadableFileError(`${refused.name} does not apply to the file, which is ${label}; omit it.`);
}
