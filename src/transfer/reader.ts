/**
 * The port of file readers, which turn bytes into rows: the cells of a table, or records with named values. `columns/`
 * decides what they mean. Readers run in Node.js and in a browser's worker.
 */

import type { JsonObject } from '../domain/json/json.ts';
import type { FieldDefinition } from '../domain/map.ts';
import type { GivenPoint } from '../domain/point.ts';
import type { Message } from './message.ts';
import type { RejectedFormat } from './rejected-rows.ts';

/** The bytes of a file, a pipe or a request. */
export interface ByteSource {
  /** Path or name of the file. Its extension is used if the content is ambiguous. */
  readonly name: string;
  /** Bytes; null if unknown, e.g. for a pipe. */
  readonly size: number | null;
  /** All bytes. Called once. */
  readonly stream: () => AsyncIterable<Uint8Array>;
  /** Random access, for archives; null for a pipe. Returns fewer bytes only at the end of the file. */
  readonly read: ((offset: number, length: number) => Promise<Uint8Array>) | null;
}

export interface ReadOptions {
  /** The fields of the map. */
  readonly fields: readonly FieldDefinition[];
  /** The encoding of a text file, from `encodingNamed`; null for UTF-8. A byte order mark takes precedence. */
  readonly encoding?: string | null;
  /** The delimiter of a CSV file; null to detect it. */
  readonly delimiter?: string | null;
  /** The name of a sheet; null for the first visible one with a header. */
  readonly sheet?: string | null;
  /** Maximum bytes of an archive when unpacked. */
  readonly maxExpandedBytes?: number;
}

export interface FileRow {
  /** The line in which the row begins, the number of the sheet's row, or the number of the record; from 1. */
  readonly line: number;
  /** Approximate byte offset of its end. Never decreases. */
  readonly end: number;
}

/** The unparsed content of a row: the cells of a table, or the text of a record (null if it is too long). */
export type RowContent = { readonly cells: readonly string[] } | { readonly text: string | null };

/** A parsed row. */
export type RowValues = TableValues | RecordValues;

export interface TableValues {
  /** Columns of this row, if they differ from the header of the file. */
  readonly columns?: readonly string[];
  readonly cells: readonly string[];
}

/** A record with named values, such as a GeoJSON Feature. */
export interface RecordValues {
  readonly properties: JsonObject;
  /** The geometry of the record; null for none. */
  readonly point: Pick<GivenPoint, 'latitude' | 'longitude'> | null;
  readonly placeId?: string | null;
  readonly order?: string | null;
  readonly externalId?: string | null;
  /** The id of the record, the external id of an upsert if there is no other. */
  readonly recordId?: string | null;
  /** True if an export wrote it: then its properties keep their names. */
  readonly isFromExport?: boolean;
}

export type RowUnit = 'line' | 'row' | 'Feature' | 'Placemark' | 'waypoint';

/** An open file. Its methods take its own rows. */
export interface OpenFile<Row extends FileRow = FileRow> {
  /** The header of a table; null for records. */
  readonly columns: readonly string[] | null;
  /** The visible sheets of a workbook, in order; absent for other files. */
  readonly sheets?: readonly string[];
  /** The sheet being read. */
  readonly sheet?: string;
  /** What `line` counts. */
  readonly unit: RowUnit;
  /** @throws FileDamage after all rows before the damage */
  readonly rows: AsyncGenerator<Row, void, undefined>;
  /** @throws ServiceError BAD_USER_INPUT if the row cannot become a location */
  valuesOf(row: Row): RowValues;
  contentOf(row: Row): RowContent;
  /** The format in which rejected rows are written. */
  readonly rejections: RejectedFormat;
  /** Sentences about data skipped, dropped or changed so far. */
  readonly notes: () => readonly Message[];
  readonly close: () => Promise<void>;
}

/**
 * Opens a file and reads up to its first row.
 *
 * @throws UnreadableFileError if nothing can be read
 */
export type OpenReader = (source: ByteSource, options: ReadOptions) => Promise<OpenFile>;
