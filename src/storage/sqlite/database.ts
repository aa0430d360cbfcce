/**
 * The main connection to one file. SQLite's calls are synchronous: a transaction starts and ends within one turn of the
 * event loop, so no other work of this process interleaves. Waiting for another process's lock happens between turns.
 */

import { storageUnavailable } from '../../errors.ts';
import { MOST_CHANGES } from '../changes.ts';
import type { ReadTimestamp } from '../read-timestamp.ts';
import { now } from '../read-timestamp.ts';
import type { StorageNotice, StorageScope } from '../storage.ts';
import type { DriverDatabase, FileOptions, SqlRow, SqlTuple, SqlValue } from './engine/driver.ts';
import { configure, createPrivateFile, openDatabase } from './engine/driver.ts';
import { databaseClosed, isDamaged, isLocked, lockPause, translate } from './errors.ts';
import { FileWatch, identify } from './engine/file-watch.ts';
import { writeIndexes } from './search/search-index.ts';
import { GroupCommit } from './engine/group-commit.ts';
import { writeListHeads } from './locations/list.ts';
import type { Reader } from './engine/statements.ts';
import { Statements } from './engine/statements.ts';
import { PendingChanges } from './pending-changes.ts';

/** How long one statement may block the event loop for a lock. Longer waits happen between turns. */
const BUSY_TIMEOUT_MS = 2;

/**
 * Databases closed while their files were missing or replaced. They stay open until the process ends, since SQLite
 * would checkpoint them on close, and overwrite what other processes have stored since.
 */
const ABANDONED: DriverDatabase[] = [];

export interface DatabaseOptions extends FileOptions {
  /** Milliseconds that a call may wait for another process's lock. */
  readonly timeoutMs: number;
  /** Changes that the log of each map keeps. */
  readonly mostChanges?: number;
  readonly onNotice?: (notice: StorageNotice) => void;
}

export interface WriteOptions extends Pick<StorageScope, 'deadline'> {
  /** Milliseconds to wait for another process's lock; by default those of the options. */
  readonly timeoutMs?: number;
}

/** Further connections of this process to the same file. */
export interface Companions {
  /** Called when the file was deleted or replaced. */
  drop(): void;
  /** Resolves when all of them are closed. */
  close(): Promise<void>;
}

export class Database implements Reader {
  /** Of the current transaction. */
  readonly pending = new PendingChanges();
  readonly #database: DriverDatabase;
  /** Time limit of a single call, in milliseconds. */
  readonly timeoutMs: number;
  /** Changes that the log of each map keeps. */
  readonly mostChanges: number;
  readonly #onNotice: (notice: StorageNotice) => void;
  /** The file as it was just before it was opened; null in memory. */
  readonly #file: ReturnType<typeof identify>;
  readonly #fileOptions: FileOptions;
  readonly #statements: Statements;
  readonly #writes = new GroupCommit(this);
  #ownTransactions = 0;
  #othersTransactions = 0;
  #versionReadAt: ReadTimestamp = 0;
  #closing: Promise<void> | null = null;
  /** Null in memory, and before the first read. */
  #watch: FileWatch | null = null;
  #isDamageReported = false;
  readonly #companions: Companions[] = [];

  private constructor(
    database: DriverDatabase,
    file: ReturnType<typeof identify>,
    { timeoutMs, mostChanges = MOST_CHANGES, onNotice = () => {}, ...fileOptions }: DatabaseOptions,
  ) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#file = file;
    this.timeoutMs = timeoutMs;
    this.mostChanges = mostChanges;
    this.#fileOptions = fileOptions;
    this.#onNotice = onNotice;
  }

  /**
   * @param path a file or `:memory:`. A missing file is created with its folder, readable by its owner only
   * @throws ServiceError STORAGE_UNAVAILABLE when the file cannot be opened
   */
  static open(path: string, options: DatabaseOptions): Database {
    try {
      if (path !== ':memory:') createPrivateFile(path);
      const file = path === ':memory:' ? null : identify(path);
      const database = openDatabase(path);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      return new Database(database, file, options);
    } catch (error) {
      throw translate(error);
    }
  }

  /**
   * Configures the file and this connection. Retries while another process holds the lock, which changing the journal
   * mode needs.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE on timeout, or when the file cannot be read
   */
  async configure(): Promise<void> {
    const deadline = performance.now() + this.timeoutMs;
    for (;;) {
      this.#assertOpen();
      try {
        configure(this.#database, this.#fileOptions);
        // The first read opens the log, which is watched too.
        this.#database.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
        if (this.#file !== null)
          this.#watch ??= FileWatch.begin(this.#file, (notice) => this.#onFileNotice(notice));
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw translate(error);
      }
      await lockPause();
    }
  }

  /** The path that it was opened with; null in memory. */
  get path(): string | null {
    return this.#file?.path ?? null;
  }

  /** Closes them with this connection, and drops them when the file is gone. */
  addCompanions(companions: Companions): void {
    this.#companions.push(companions);
  }

  /** Runs reads. In WAL mode they never wait for a lock. */
  read<T>(work: () => T): T {
    this.assertUsable();
    try {
      return work();
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Runs reads on one snapshot of the store. */
  snapshot<T>(work: () => T): T {
    return this.read(() => {
      this.#statements.get('BEGIN').run();
      try {
        return work();
      } finally {
        // SQLite rolls back by itself after some errors.
        if (this.isTransaction) this.#statements.get('COMMIT').run();
      }
    });
  }

  /**
   * Runs `work` in an immediate transaction: it holds the write lock from the start, so what it reads cannot change
   * before it writes. Concurrent calls share a transaction, in call order; each is stored atomically. `work` may run
   * more than once.
   *
   * @returns the result of `work`, once it is durable
   * @throws ServiceError STORAGE_UNAVAILABLE when the lock times out, or a file is no longer at its path
   */
  async write<T>(work: () => T, { deadline, timeoutMs = this.timeoutMs }: WriteOptions = {}): Promise<T> {
    this.assertUsable();
    const startedAt = performance.now();
    try {
      return await this.#writes.add(work, Math.min(timeoutMs, deadline?.storage.leftMs ?? Infinity));
    } catch (error) {
      throw this.failure(error);
    } finally {
      deadline?.storage.spend(performance.now() - startedAt);
    }
  }

  /**
   * Differs after every commit to the store, by any process.
   *
   * @param readTimestamp commits of other processes after it may be ignored; by default none are
   */
  version(readTimestamp: ReadTimestamp = now()): number {
    if (readTimestamp > this.#versionReadAt) {
      // Taken before the read, which then sees all commits up to it.
      const readAt = now();
      this.#othersTransactions = Number(this.get('PRAGMA data_version')?.data_version);
      this.#versionReadAt = readAt;
    }
    // Both only grow, so the sum differs when either does.
    return this.#othersTransactions + this.#ownTransactions;
  }

  beforeCommit(): void {
    writeIndexes(this, this.pending.indexChanges);
    writeListHeads(this);
  }

  transactionEnded(): void {
    this.pending.clear();
    this.#ownTransactions += 1;
  }

  /** Translates an error for callers, and reports damage to the operator, once. */
  failure(error: unknown): unknown {
    if (isDamaged(error) && !this.#isDamageReported) {
      this.#isDamageReported = true;
      const reason = error instanceof Error ? error.message : '';
      this.#onNotice({
        level: 'error',
        message: `The database file is damaged: ${reason}. Restore it from a backup.`,
      });
    }
    return translate(error);
  }

  /**
   * @throws ServiceError STORAGE_UNAVAILABLE when it is closed, or the last check found the files missing or replaced
   */
  assertUsable(): void {
    this.#assertOpen();
    if (this.#watch?.isInPlace === false) throw storageUnavailable();
  }

  /**
   * Checks now.
   * @throws ServiceError STORAGE_UNAVAILABLE when the open files are not the ones at their paths
   */
  assertFileInPlace(): void {
    if (this.#watch?.check() === false) throw storageUnavailable();
  }

  /** Whether a transaction is open. SQLite rolls back by itself after some errors. */
  get isTransaction(): boolean {
    return this.#database.isTransaction;
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

  iterate(sql: string, ...parameters: SqlValue[]): IterableIterator<SqlRow> {
    return this.all(sql, ...parameters).values();
  }

  /** @returns the number of rows changed */
  run(sql: string, ...parameters: SqlValue[]): number {
    return Number(this.#statements.get(sql).run(...parameters).changes);
  }

  /** Runs statements without results. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Rejects new calls, waits for pending writes, and closes the file. */
  close(): Promise<void> {
    this.#closing ??= this.#closeFile();
    return this.#closing;
  }

  async #closeFile(): Promise<void> {
    // While readers use the log, it cannot be truncated.
    await Promise.all([this.#writes.idle(), ...this.#companions.map((companions) => companions.close())]);
    const isInPlace = this.#watch?.check() !== false;
    this.#watch?.stop();
    this.#statements.clear();
    if (!isInPlace) {
      ABANDONED.push(this.#database);
      return;
    }
    try {
      // Moves the log into the file, which can then be copied alone. SQLite would do so on close, but the binding
      // closes the file only when its statements are collected.
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Another process uses the file; the next open reads the log.
    }
    this.#database.close();
  }

  #onFileNotice(notice: StorageNotice): void {
    if (this.#watch?.isInPlace === false) for (const companions of this.#companions) companions.drop();
    this.#onNotice(notice);
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw databaseClosed();
  }
}
