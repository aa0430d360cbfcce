/**
 * The one file that names the SQLite binding. It speaks node:sqlite's interface, so that a Node that has it built in
 * can take its place here.
 */

import { DatabaseSync } from '@photostructure/sqlite';

export type SqlValue = string | number | null;
/** A BLOB comes only of a statement that asks for one: no table holds any. */
export type SqlRow = Record<string, SqlValue | Uint8Array>;

export interface Statement {
  get(...parameters: SqlValue[]): SqlRow | undefined;
  all(...parameters: SqlValue[]): SqlRow[];
  run(...parameters: SqlValue[]): { readonly changes: number };
  iterate(...parameters: SqlValue[]): IterableIterator<SqlRow>;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  readonly isTransaction: boolean;
  close(): void;
}

/** @param path a file, or `:memory:` */
export function openDatabase(path: string): Database {
  const database = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
  });
  // The binding types every value as unknown or bigint too; the schema (STRICT tables) holds none but SqlValue.
  return database;
}

/** SQLite's primary result code (https://www.sqlite.org/rescode.html), or undefined for another kind of error. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
