/** A connection of a reader thread: it can change nothing. */

import type { DriverDatabase, SqlRow, SqlTuple, SqlValue, Statement } from './driver.ts';
import { openReadOnly } from './driver.ts';
import type { Reader } from './statements.ts';
import { Statements } from './statements.ts';

/** Milliseconds that a statement waits for a lock. Readers meet one only while another process recovers the log. */
const BUSY_TIMEOUT_MS = 500;

export class FileReader implements Reader {
  readonly #database: DriverDatabase;
  readonly #statements: Statements;
  /**
   * Of this transaction, each with its statement: the binding's iterators do not keep theirs from being collected. One
   * that is not read to its end would keep the transaction's state of the file in use.
   */
  readonly #open = new Map<IterableIterator<SqlRow>, Statement>();

  /**
   * @param options.isAlone reads the file without its log, and makes no files beside it
   * @throws SQLite's error when the file cannot be read
   */
  constructor(path: string, { isAlone = false }: { readonly isAlone?: boolean } = {}) {
    this.#database = openReadOnly(path, { isAlone });
    this.#statements = new Statements(this.#database);
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.#database.exec('PRAGMA query_only = ON');
    // Sorts write no files.
    this.#database.exec('PRAGMA temp_store = MEMORY');
    // SQLite reads the file only when it has to.
    this.#database.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
  }

  /** All reads until {@link end} see one state of the file: that of the first of them. */
  begin(): void {
    this.#database.exec('BEGIN');
  }

  end(): void {
    for (const rows of this.#open.keys()) rows.return?.();
    this.#open.clear();
    if (this.#database.isTransaction) this.#database.exec('COMMIT');
  }

  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined {
    return this.#statements.get(sql).get(...parameters);
  }

  all(sql: string, ...parameters: SqlValue[]): SqlRow[] {
    return this.#statements.get(sql).all(...parameters);
  }

  tuples(sql: string, ...parameters: SqlValue[]): SqlTuple[] {
    return this.#statements.tuples(sql, parameters);
  }

  *iterate(sql: string, ...parameters: SqlValue[]): IterableIterator<SqlRow> {
    // Its own statement: a kept one could be begun again meanwhile, by the same text.
    const statement = this.#database.prepare(sql);
    const rows = statement.iterate(...parameters);
    this.#open.set(rows, statement);
    try {
      yield* rows;
    } finally {
      this.#open.delete(rows);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}
