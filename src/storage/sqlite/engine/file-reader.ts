/** A read-only connection, for reader threads, snapshots and the doctor. */

import type { DriverDatabase, SqlRow, SqlTuple, SqlValue, Statement } from './driver.ts';
import { openReadOnly } from './driver.ts';
import type { Reader } from './statements.ts';
import { Statements } from './statements.ts';

/** Milliseconds to wait for a lock. Readers only wait while another process recovers the log. */
const BUSY_TIMEOUT_MS = 500;

export class FileReader implements Reader {
  readonly #database: DriverDatabase;
  readonly #statements: Statements;
  /**
   * Open iterators of this transaction with their statements, which the binding would otherwise collect. An iterator
   * that is not closed keeps the snapshot alive.
   */
  readonly #open = new Map<IterableIterator<SqlRow>, Statement>();

  /**
   * @param options.isAlone ignores the log, and creates no files
   * @throws SQLite's error when the file cannot be read
   */
  constructor(path: string, { isAlone = false }: { readonly isAlone?: boolean } = {}) {
    this.#database = openReadOnly(path, { isAlone });
    this.#statements = new Statements(this.#database);
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.#database.exec('PRAGMA query_only = ON');
    // Sorts in memory, not in temporary files.
    this.#database.exec('PRAGMA temp_store = MEMORY');
    // SQLite opens the file at the first read.
    this.#database.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
  }

  /** Starts a snapshot, which all reads until {@link end} see. */
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
    // Not a cached statement, which the same SQL could restart meanwhile.
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
