/**
 * What every file format gives to an import: rows, each a table's cells or a record with named values. Readers know bytes
 * and syntax; what the columns mean is decided in `columns/`. They run in Node and in a browser's worker.
 */

import type { JsonObject } from '../domain/json/json.ts';
import type { FieldDefinition } from '../domain/map.ts';
import type { GivenPoint } from '../domain/point.ts';
import type { RejectedFormat } from './rejected-rows.ts';

/** The bytes of a file, wherever they come from. */
export interface ByteSource {
  /** The path or name of the file. Its extension is looked at where the content does not tell the format. */
  readonly name: string;
  /** Bytes; null where that is not known, as for a pipe. */
  readonly size: number | null;
  /** All bytes from the first. Called once. */
  readonly stream: () => AsyncIterable<Uint8Array>;
  /** Random access, which an archive needs; null for a pipe. Gives fewer bytes only at the end of the file. */
  readonly read: ((offset: number, length: number) => Promise<Uint8Array>) | null;
}

export interface ReadOptions {
  /** The map's. */
  readonly fields: readonly FieldDefinition[];
  /** The encoding of a text file, as `encodingNamed` gives it; null for UTF-8. A byte order mark wins. */
  readonly encoding?: string | null;
  /** Between the cells of a CSV file; null where the file tells. */
  readonly delimiter?: string | null;
  /** The name of the sheet of a workbook; null for the first visible one that has a header. */
  readonly sheet?: string | null;
  /** Bytes that an archive may hold when it is unpacked. */
  readonly maxExpandedBytes?: number;
}

export interface FileRow {
  /** Where the row begins in the file: the line, the number of the sheet's row, or the number of the record; from 1. */
  readonly line: number;
  /** About how many bytes of the content end with this row. Never falls. */
  readonly end: number;
}

/** What a row holds, as it stands in the file: the cells of a table, or the record's text (null where it is too long). */
export type RowContent = { readonly cells: readonly string[] } | { readonly text: string | null };

/** One row, read. */
export type RowValues = TableValues | RecordValues;

export interface TableValues {
  /** Columns of this row alone; absent for a row of the file's own table. */
  readonly columns?: readonly string[];
  readonly cells: readonly string[];
}

/** A record with named values, such as a GeoJSON Feature. */
export interface RecordValues {
  readonly properties: JsonObject;
  /** The point that the format itself has for the record; null where it has none. */
  readonly point: Pick<GivenPoint, 'latitude' | 'longitude'> | null;
  readonly placeId?: string | null;
  readonly order?: string | null;
  readonly externalId?: string | null;
  /** The record's own id, which is the external id of an upsert where there is no other. */
  readonly recordId?: string | null;
  /** Whether an export of ours wrote it: then its properties are the location's, under their very names. */
  readonly isFromExport?: boolean;
}

export type RowUnit = 'line' | 'row' | 'Feature' | 'Placemark' | 'waypoint';

/** A file that was opened for reading. Its methods take rows of its own. */
export interface OpenFile<Row extends FileRow = FileRow> {
  /** The header of a table; null where each record names its own values. */
  readonly columns: readonly string[] | null;
  /** The sheets of a workbook that can be chosen, in their order; absent for other files. */
  readonly sheets?: readonly string[];
  /** The sheet that is read. */
  readonly sheet?: string;
  /** What the numbers of rows count. */
  readonly unit: RowUnit;
  /** @throws FileDamage, after all rows before the damage were given */
  readonly rows: AsyncGenerator<Row, void, undefined>;
  /** @throws ServiceError BAD_USER_INPUT where the row cannot become a location */
  valuesOf(row: Row): RowValues;
  contentOf(row: Row): RowContent;
  /** How rejected rows are written. */
  readonly rejections: RejectedFormat;
  /** What was skipped, dropped or changed so far, as sentences. */
  readonly notes: () => readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Opens a file of one format and reads as far as its first row.
 *
 * @throws UnreadableFileError where nothing can be read
 */
export type OpenReader = (source: ByteSource, options: ReadOptions) => Promise<OpenFile>;
