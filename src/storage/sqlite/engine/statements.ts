/** Cached statements, the interfaces that run them, and typed access to the columns of their rows. */

import { LRUCache } from 'lru-cache';

import type { DriverDatabase, SqlRow, SqlTuple, SqlValue, Statement } from './driver.ts';

/** A few dozen fixed statements, plus those of pages, which depend on the fields that clients select. */
const MAX_STATEMENTS = 300;

/** The prepared statements of one connection. */
export class Statements {
  readonly #database: DriverDatabase;
  readonly #forRows = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });
  readonly #forTuples = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });

  constructor(database: DriverDatabase) {
    this.#database = database;
  }

  get(sql: string): Statement {
    return this.#prepare(this.#forRows, sql, false);
  }

  tuples(sql: string, parameters: readonly SqlValue[]): SqlTuple[] {
    return this.#prepare(this.#forTuples, sql, true).all(...parameters) as unknown as SqlTuple[];
  }

  #prepare(cache: LRUCache<string, Statement>, sql: string, areTuples: boolean): Statement {
    const cached = cache.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    if (areTuples) statement.setReturnArrays(true);
    cache.set(sql, statement);
    return statement;
  }

  clear(): void {
    this.#forRows.clear();
    this.#forTuples.clear();
  }
}

/** Read access, on the main connection or on a reader thread's. */
export interface Reader {
  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined;
  all(sql: string, ...parameters: SqlValue[]): SqlRow[];
  /** Like `all`, with each row as an array of values: takes 60 % of the time. */
  tuples(sql: string, ...parameters: SqlValue[]): SqlTuple[];
  /** Streams rows in a thread. The main connection reads all rows first, because writes may run between two rows. */
  iterate(sql: string, ...parameters: SqlValue[]): IterableIterator<SqlRow>;
}

/** The main connection's read access. */
export interface GuardedReader extends Reader {
  /** Runs reads and translates their errors. @throws ServiceError STORAGE_UNAVAILABLE */
  read<T>(work: () => T): T;
}

/** Write access within a transaction. */
export interface Writer {
  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined;
  /** @returns the number of rows changed */
  run(sql: string, ...parameters: SqlValue[]): number;
}

// The tables are STRICT: a value of another type is a bug in this program.

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} must be a text.`);
  return value;
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`Column ${column} must be a number.`);
  return value;
}

export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : numberOf(row, column);
}

export function bytesOf(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} must be a BLOB.`);
  return value;
}
