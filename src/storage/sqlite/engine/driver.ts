/**
 * The only file that imports the SQLite binding. The binding implements the interface of node:sqlite, which could
 * replace it.
 */

import { pathToFileURL } from 'node:url';

import { DatabaseSync } from '@photostructure/sqlite';

export type SqlValue = string | number | null;
/** BLOBs are only results of expressions; no table stores any. */
export type SqlRow = Record<string, SqlValue | Uint8Array>;
export type SqlTuple = readonly (SqlValue | Uint8Array)[];

export interface Statement {
  get(...parameters: SqlValue[]): SqlRow | undefined;
  all(...parameters: SqlValue[]): SqlRow[];
  run(...parameters: SqlValue[]): { readonly changes: number };
  iterate(...parameters: SqlValue[]): IterableIterator<SqlRow>;
  /** Makes the statement return {@link SqlTuple}s. */
  setReturnArrays(returnArrays: boolean): void;
}

export interface DriverDatabase {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  readonly isTransaction: boolean;
  close(): void;
}

/** @param path a file or `:memory:` */
export function openDatabase(path: string): DriverDatabase {
  const database = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
  });
  // The binding's types allow further values, which our STRICT tables cannot hold.
  return database;
}

/**
 * Opens a file read-only.
 *
 * @param options.isAlone ignores the log; otherwise SQLite creates a missing log
 */
export function openReadOnly(path: string, { isAlone }: { readonly isAlone: boolean }): DriverDatabase {
  const url = pathToFileURL(path);
  if (isAlone) url.search = 'immutable=1';
  return new DatabaseSync(isAlone ? url : path, { readOnly: true });
}

/** The binding's `all` and `iterate` omit the result code, so that these messages stand for it. */
const CODES_OF_TEXTS: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['out of memory', 7],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['file is not a database', 26],
]);

/** SQLite's primary result code (https://www.sqlite.org/rescode.html); undefined for other errors. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  return CODES_OF_TEXTS.get(error.message);
}

/**
 * A double as two factors that the binding passes unchanged.
 *
 * The binding treats a number less than 2^-52 above an integer as that integer: it stores 1e-17 and -0.9999999999999999
 * as 0. It passes the negated number correctly.
 */
export function exactReal(value: number): [value: number, sign: number] {
  return isTaken(value) ? [-value, -1] : [value, 1];
}

/** The nearest lower number that the binding passes unchanged, less than 2^-52 below. */
export function nearlyExactReal(value: number): number {
  return isTaken(value) ? Math.floor(value) : value;
}

function isTaken(value: number): boolean {
  return !Number.isInteger(value) && value - Math.floor(value) < Number.EPSILON;
}
