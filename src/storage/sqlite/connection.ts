/**
 * One connection to one file. Calls are synchronous, so a transaction begins and ends within one turn of the event
 * loop and no other work of this process can come between; waiting for another process's lock is done outside.
 */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../errors.ts';
import type { StorageBudget } from '../budget.ts';
import { timeLeft } from '../budget.ts';
import { UnfitStorageError } from '../unfit.ts';
import type { Database, SqlRow, SqlValue, Statement } from './driver.ts';
import { openDatabase, resultCode } from './driver.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
/** Codes that speak of the file or the disk, not of what was asked: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. */
const UNAVAILABLE = new Set([3, 5, 6, 7, 8, 10, 13, 14, 15]);

/** How long one statement may block the event loop for a lock; longer waits let other requests come between. */
const BUSY_TIMEOUT_MS = 2;
const LONGEST_PAUSE_MS = 20;

export class Connection {
  readonly #database: Database;
  readonly #timeoutMs: number;
  readonly #budget: StorageBudget | undefined;
  readonly #statements = new Map<string, Statement>();
  #open = true;

  private constructor(database: Database, timeoutMs: number, budget: StorageBudget | undefined) {
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.#budget = budget;
  }

  /** @param path a file, made with its folder where missing and readable by its owner alone, or `:memory:` */
  static open(path: string, timeoutMs: number, budget?: StorageBudget): Connection {
    try {
      if (path !== ':memory:') createPrivateFile(path);
      const database = openDatabase(path);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      return new Connection(database, timeoutMs, budget);
    } catch (error) {
      throw translate(error);
    }
  }

  /** Sets what the file and this connection need; retried, since changing the journal mode takes a lock. */
  async configure(): Promise<void> {
    await this.#whenUnlocked(() => {
      this.#database.exec('PRAGMA journal_mode = WAL');
      this.#database.exec('PRAGMA synchronous = FULL');
      this.#database.exec('PRAGMA foreign_keys = ON');
      // What was deleted or replaced may be a key, and the file may be copied.
      this.#database.exec('PRAGMA secure_delete = ON');
    });
  }

  /** Runs reads. Under WAL they wait for nobody. */
  read<T>(work: () => T): T {
    this.#assertOpen();
    try {
      return work();
    } catch (error) {
      throw translate(error);
    }
  }

  /**
   * Runs `work` in an immediate transaction: it has the write lock from its first statement, so that what it reads
   * cannot change before it writes.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE when the lock was not had in time
   */
  async write<T>(work: () => T): Promise<T> {
    // Begun and ended within one turn of the event loop, so no other work of this process sees it open.
    return this.#whenUnlocked(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined {
    return this.#prepare(sql).get(...parameters);
  }

  all(sql: string, ...parameters: SqlValue[]): SqlRow[] {
    return this.#prepare(sql).all(...parameters);
  }

  /** @returns the number of rows changed */
  run(sql: string, ...parameters: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...parameters).changes);
  }

  /** Runs statements that return nothing, such as a migration's. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#statements.clear();
    try {
      // The binding lets go of the file only when its statements are collected, so that SQLite does not do by itself
      // what it does at a close: leave everything in the one file, which can then be copied alone.
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Another process has the file, or it is none of ours: the next open finds all in the log.
    }
    this.#database.close();
  }

  /** Statements are compiled once: there are a few dozen different texts. */
  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  async #whenUnlocked<T>(attempt: () => T): Promise<T> {
    const begun = performance.now();
    const limit = timeLeft(this.#timeoutMs, this.#budget);
    for (;;) {
      this.#assertOpen();
      try {
        return attempt();
      } catch (error) {
        const waited = performance.now() - begun;
        if (resultCode(error) !== SQLITE_BUSY || waited >= limit) {
          this.#budget?.spend(waited);
          throw translate(error);
        }
      }
      // A random pause: SQLite keeps no queue, and processes in step would starve one another.
      await delay(1 + Math.random() * LONGEST_PAUSE_MS);
    }
  }

  #assertOpen(): void {
    if (!this.#open)
      throw new ServiceError('STORAGE_UNAVAILABLE', 'The database is closed.', { retryAfterSeconds: 1 });
  }
}

function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // SQLite gives the -wal and -shm files the mode of the database, which holds secrets.
  closeSync(openSync(path, 'a', 0o600));
}

/** What leaves the adapter: a ServiceError for a database that cannot be had, else the error itself. */
function translate(error: unknown): unknown {
  const code = resultCode(error);
  const isFileError = error instanceof Error && 'syscall' in error;
  if (code === SQLITE_NOTADB) return new UnfitStorageError('The file is not a database of SQLite.');
  if (!isFileError && (code === undefined || !UNAVAILABLE.has(code))) return error;
  return new ServiceError('STORAGE_UNAVAILABLE', 'The database cannot be reached at the moment.', {
    retryAfterSeconds: 1,
    cause: error,
  });
}
