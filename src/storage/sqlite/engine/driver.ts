/**
 * The only file that imports the SQLite binding. The binding implements the interface of node:sqlite, which could
 * replace it.
 */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Creates a missing file with its folder. */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // The file holds secrets. SQLite creates the -wal and -shm files with the same mode.
  closeSync(openSync(path, 'a', 0o600));
}

export interface FileOptions {
  /** Size of the page cache; SQLite's default is 2 MB. */
  readonly fileCacheBytes?: number;
  /** Bytes of the file to map into memory. Truncating the file then kills the process (SIGBUS). */
  readonly mappedFileBytes?: number;
}

/** Configures the file and the main connection to it. */
export function configure(
  database: DriverDatabase,
  { fileCacheBytes, mappedFileBytes = 0 }: FileOptions,
): void {
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  // Keeps savepoint journals in memory.
  database.exec('PRAGMA temp_store = MEMORY');
  // Overwrites deleted and replaced content, which may be a key: the file may be copied.
  database.exec('PRAGMA secure_delete = ON');
  if (fileCacheBytes !== undefined)
    database.exec(`PRAGMA cache_size = -${Math.round(fileCacheBytes / 1024)}`);
  database.exec(`PRAGMA mmap_size = ${mappedFileBytes}`);
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
