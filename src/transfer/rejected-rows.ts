/** Writes rejected rows in the format of their file, so that they can be corrected and imported again. */

import type { Delimiter } from './csv/delimiter.ts';
import { formatRecord } from './csv/format-record.ts';
import { isJsonObject } from '../domain/json/json.ts';
import type { FieldDefinition } from '../domain/map.ts';
import { ERRORS } from '../errors.ts';

/** A row that was not stored, and the reason. */
export type RejectedRow = ({ readonly cells: readonly string[] } | { readonly text: string | null }) & {
  /** The line or number of the row, as in `FileRow`. */
  readonly line: number;
  /** An error code, or {@link NOT_IMPORTED}. */
  readonly code: string;
  readonly reason: string;
};

/** The format of a file of rejected rows. */
export interface RejectedFormat {
  /** Without a dot. */
  readonly extension: string;
  readonly head: string;
  readonly separator: string;
  /** Rewritten after each row, so that the file is always complete. */
  readonly tail: string;
  readonly write: (row: RejectedRow) => string;
  /** The rows as a table, if their file is a workbook. */
  readonly workbook?: RejectedTable;
}

export interface RejectedTable {
  readonly columns: readonly string[];
  readonly cellsOf: (row: RejectedRow) => readonly string[];
}

const ADDED = ['line', 'code', 'reason'];
/** The code of a row that the import did not reach. */
export const NOT_IMPORTED = 'NOT_IMPORTED';
const REJECTED = '.rejected.';

/** Extensions of workbooks, whose rejected rows are CSV. */
const WORKBOOKS = ['.xlsx', '.xlsm'];

export function rejectedPathOf(input: string, format: string): string {
  const extensions = [`.${format}`, ...WORKBOOKS];
  const extension = extensions.find((each) => input.toLowerCase().endsWith(each)) ?? '';
  return input.slice(0, input.length - extension.length) + REJECTED + format;
}

type Fields = readonly Pick<FieldDefinition, 'name'>[];

/**
 * The number of last columns that an earlier import added. They are ignored, so that a corrected file of rejected rows
 * can be imported as it is. Such a file is recognized by its name or its first row.
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

/** Names that columns of the file or fields of the map already have become `rejected line` and so on. */
function addedColumns(columns: readonly string[], fields: Fields): string[] {
  const taken = new Set([...columns, ...fields.map(({ name }) => name)]);
  return ADDED.map((name) => {
    let unique = name;
    while (taken.has(unique)) unique = `rejected ${unique}`;
    return unique;
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

/** For rows of a workbook: CSV if they are appended to a file, else a workbook. */
export function workbookRejections(columns: readonly string[], fields: Fields): RejectedFormat {
  return { ...csvRejections({ columns, delimiter: ',' }, fields), workbook: rejectedTable(columns, fields) };
}

function rejectedTable(columns: readonly string[], fields: Fields): RejectedTable {
  return {
    columns: [...columns, ...addedColumns(columns, fields)],
    cellsOf(row) {
      const cells = 'cells' in row ? row.cells : [];
      const own = columns.map((_, index) => cells[index] ?? '');
      // Surplus cells come last, so that the added cells stay in their columns.
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
 * Adds the member `rejected`, which an import ignores.
 *
 * @param instead replaces a record that is not a JSON object; `rejected` then has its text
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
