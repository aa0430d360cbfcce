/** How rejected rows are written: in the format of their file, so that they can be corrected and imported again. */

import type { Delimiter } from './csv/delimiter.ts';
import { formatRecord } from './csv/format-record.ts';
import { isJsonObject } from '../domain/json/json.ts';
import type { FieldDefinition } from '../domain/map.ts';
import { ERRORS } from '../errors.ts';

/** A row of a file that was not stored: what stood in it, where, and why. */
export type RejectedRow = ({ readonly cells: readonly string[] } | { readonly text: string | null }) & {
  /** Where it begins, from 1; of GeoJSON, the number of the feature. */
  readonly line: number;
  /** An error's, or {@link NOT_IMPORTED}. */
  readonly code: string;
  readonly reason: string;
};

/** What stands before, between and after the rows of a file. */
export interface RejectedFormat {
  /** Of the file, without its dot. */
  readonly extension: string;
  readonly head: string;
  readonly separator: string;
  /** It is written again after each row, so that the file is whole at any time. */
  readonly tail: string;
  readonly write: (row: RejectedRow) => string;
  /** The same rows as a table, where their file is a workbook. */
  readonly workbook?: RejectedTable;
}

export interface RejectedTable {
  readonly columns: readonly string[];
  readonly cellsOf: (row: RejectedRow) => readonly string[];
}

const ADDED = ['line', 'code', 'reason'];
/** The code of a row that nothing became of, since its import ended before. */
export const NOT_IMPORTED = 'NOT_IMPORTED';
const REJECTED = '.rejected.';

/** Of workbooks, whose rejected rows are CSV. */
const WORKBOOKS = ['.xlsx', '.xlsm'];

export function rejectedPathOf(input: string, format: string): string {
  const extensions = [`.${format}`, ...WORKBOOKS];
  const extension = extensions.find((each) => input.toLowerCase().endsWith(each)) ?? '';
  return input.slice(0, input.length - extension.length) + REJECTED + format;
}

/** The map's. A column of a field's name is that field. */
type Fields = readonly Pick<FieldDefinition, 'name'>[];

/**
 * How many of the file's last columns were added by an earlier import. They are left out, so that the file of rejected
 * rows can be imported as it is once its rows are corrected. It is known by its name, or by its first row.
 */
export function countAddedColumns(
  input: string,
  columns: readonly string[],
  first: { readonly cells: readonly string[] } | null,
  fields: Fields,
): number {
  const own = columns.slice(0, -ADDED.length);
  const last = columns.slice(-ADDED.length);
  if (!addedColumns(own, fields).every((name, index) => last[index] === name)) return 0;
  const [line = '', code = ''] = first?.cells.slice(own.length) ?? [];
  const isRejected = /^[1-9][0-9]*$/.test(line) && (code === NOT_IMPORTED || Object.hasOwn(ERRORS, code));
  return isRejected || input.toLowerCase().endsWith(`${REJECTED}csv`) ? ADDED.length : 0;
}

/** Where the input has columns of these names, or the map fields, the added ones are called `rejected line` and so on. */
function addedColumns(columns: readonly string[], fields: Fields): string[] {
  const taken = new Set([...columns, ...fields.map(({ name }) => name)]);
  return ADDED.map((name) => {
    let free = name;
    while (taken.has(free)) free = `rejected ${free}`;
    return free;
  });
}

export function csvRejections(
  { columns, delimiter }: { readonly columns: readonly string[]; readonly delimiter: Delimiter },
  fields: Fields,
): RejectedFormat {
  const table = rejectedTable(columns, fields);
  return {
    extension: 'csv',
    head: formatRecord(table.columns, delimiter),
    separator: '',
    tail: '',
    write: (row) => formatRecord(table.cellsOf(row), delimiter),
  };
}

/** Rows of a workbook: as CSV where they are appended to a file, and as a workbook where they are known all at once. */
export function workbookRejections(columns: readonly string[], fields: Fields): RejectedFormat {
  return { ...csvRejections({ columns, delimiter: ',' }, fields), workbook: rejectedTable(columns, fields) };
}

function rejectedTable(columns: readonly string[], fields: Fields): RejectedTable {
  return {
    columns: [...columns, ...addedColumns(columns, fields)],
    cellsOf(row) {
      const cells = 'cells' in row ? row.cells : [];
      const own = columns.map((_, index) => cells[index] ?? '');
      // Cells beyond the columns come last, so that the three added cells stay in their columns.
      return [...own, String(row.line), row.code, row.reason, ...cells.slice(columns.length)];
    },
  };
}

export const NDJSON_REJECTIONS: RejectedFormat = {
  extension: 'ndjson',
  head: '',
  separator: '',
  tail: '',
  write: (row) => `${withReason(row, 'line', {})}\n`,
};

export const GEOJSON_REJECTIONS: RejectedFormat = {
  extension: 'geojson',
  head: '{"type":"FeatureCollection","features":[\n',
  separator: ',\n',
  tail: '\n]}\n',
  write: (row) => withReason(row, 'feature', { type: 'Feature', geometry: null, properties: null }),
};

/**
 * The record as it is, with the member `rejected`, which an import passes over.
 *
 * @param instead of what is no JSON object. The member then holds its text
 */
function withReason(row: RejectedRow, unit: string, instead: object): string {
  const { line, code, reason } = row;
  const text = 'text' in row ? (row.text?.trim() ?? null) : null;
  const details = { [unit]: line, code, reason };
  if (text === null || !isObject(text)) {
    return JSON.stringify({ ...instead, rejected: { ...details, ...(text !== null && { text }) } });
  }
  const members = text.slice(0, -1).trimEnd();
  return `${members}${members === '{' ? '' : ','}"rejected":${JSON.stringify(details)}}`;
}

function isObject(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
