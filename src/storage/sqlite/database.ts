/**
 * One connection to one file. SQLite's calls are synchronous: a transaction begins and ends within one turn of the event
 * loop, so no other work of this process comes between. The wait for another process's lock is between the turns.
 */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

import { storageUnavailable } from '../../errors.ts';
import { MOST_CHANGES } from '../changes.ts';
import type { ReadTimestamp } from '../read-timestamp.ts';
import { now } from '../read-timestamp.ts';
import type { StorageNotice, StorageScope } from '../storage.ts';
import type { DriverDatabase, SqlRow, SqlTuple, SqlValue } from './engine/driver.ts';
import { openDatabase } from './engine/driver.ts';
import { databaseClosed, isDamaged, isLocked, lockPause, translate } from './errors.ts';
import { FileWatch, identify } from './engine/file-watch.ts';
import { writeIndexes } from './search/search-index.ts';
import { GroupCommit } from './engine/group-commit.ts';
import { writeListHeads } from './list.ts';
import type { Reader } from './engine/statements.ts';
import { Statements } from './engine/statements.ts';
import { PendingChanges } from './pending-changes.ts';

/** How long one statement may block the event loop for a lock. Longer waits are between the turns of the loop. */
const BUSY_TIMEOUT_MS = 2;

/**
 * Databases that were closed while their files were not in place. They stay open until the process ends: at a close
 * SQLite would write them over what other processes have stored since.
 */
const ABANDONED: DriverDatabase[] = [];

/** What a connection is told at its opening. */
export interface DatabaseOptions {
  /** How long a call may wait for another process's lock, milliseconds. */
  readonly timeoutMs: number;
  /** Of the file's pages; SQLite's own default is 2 MB. */
  readonly fileCacheBytes?: number;
  /** Of the file, from its beginning, read as mapped memory. Whoever shortens the file then ends the process (SIGBUS). */
  readonly mappedFileBytes?: number;
  /** Changes that the log of each map keeps. */
  readonly mostChanges?: number;
  readonly onNotice?: (notice: StorageNotice) => void;
}

export interface WriteOptions extends Pick<StorageScope, 'deadline'> {
  /** Milliseconds that another process's lock may be waited for; by default what the connection was opened with. */
  readonly timeoutMs?: number;
}

/** Connections of this process to the same file, beside the one that writes. */
export interface Companions {
  /** The file is not in its place any more. */
  drop(): void;
  /** Resolves when none of them is left. */
  close(): Promise<void>;
}

export class Database implements Reader {
  /** Of the open transaction. */
  readonly pending = new PendingChanges();
  readonly #database: DriverDatabase;
  /** How long a call may take by itself, milliseconds. */
  readonly timeoutMs: number;
  /** Changes that the log of each map keeps. */
  readonly mostChanges: number;
  readonly #onNotice: (notice: StorageNotice) => void;
  /** The file just before it was opened; null in memory. */
  readonly #file: ReturnType<typeof identify>;
  readonly #fileCacheBytes: number | undefined;
  readonly #mappedFileBytes: number;
  readonly #statements: Statements;
  readonly #writes = new GroupCommit(this);
  #ownTransactions = 0;
  #othersTransactions = 0;
  #lookedAt: ReadTimestamp = 0;
  #closing: Promise<void> | null = null;
  /** Null in memory, and until the file is in use. */
  #watch: FileWatch | null = null;
  #isDamageTold = false;
  readonly #companions: Companions[] = [];

  private constructor(
    database: DriverDatabase,
    file: ReturnType<typeof identify>,
    {
      timeoutMs,
      fileCacheBytes,
      mappedFileBytes = 0,
      mostChanges = MOST_CHANGES,
      onNotice = () => {},
    }: DatabaseOptions,
  ) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#file = file;
    this.timeoutMs = timeoutMs;
    this.mostChanges = mostChanges;
    this.#fileCacheBytes = fileCacheBytes;
    this.#mappedFileBytes = mappedFileBytes;
    this.#onNotice = onNotice;
  }

  /**
   * @param path `:memory:`, or a file. A missing file is made, with its folder; only its owner can read it
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
   * Sets what the file and this connection need. Tries again while another process has the lock, which a change of the
   * journal mode takes.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE when the lock was not had in time, or the file cannot be read
   */
  async configure(): Promise<void> {
    const deadline = performance.now() + this.timeoutMs;
    for (;;) {
      this.#assertOpen();
      try {
        this.#database.exec('PRAGMA journal_mode = WAL');
        this.#database.exec('PRAGMA synchronous = FULL');
        this.#database.exec('PRAGMA foreign_keys = ON');
        // What undoes a savepoint is kept in memory, not in a file.
        this.#database.exec('PRAGMA temp_store = MEMORY');
        // Overwrites what is deleted or replaced: it may be a key, and the file may be copied.
        this.#database.exec('PRAGMA secure_delete = ON');
        if (this.#fileCacheBytes !== undefined)
          this.#database.exec(`PRAGMA cache_size = -${Math.round(this.#fileCacheBytes / 1024)}`);
        this.#database.exec(`PRAGMA mmap_size = ${this.#mappedFileBytes}`);
        // The first read opens the log, which is watched too.
        this.#database.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
        if (this.#file !== null)
          this.#watch ??= FileWatch.begin(this.#file, (notice) => this.#noticed(notice));
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw translate(error);
      }
      await lockPause();
    }
  }

  /** The file as it was named; null in memory. */
  get path(): string | null {
    return this.#file?.path ?? null;
  }

  /** From now on they end with this connection, and when its file has gone. */
  accompany(companions: Companions): void {
    this.#companions.push(companions);
  }

  /** Runs reads. Under WAL they wait for nobody. */
  read<T>(work: () => T): T {
    this.assertUsable();
    try {
      return work();
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Runs reads that see one state of the store, though other processes write meanwhile. */
  snapshot<T>(work: () => T): T {
    return this.read(() => {
      this.#statements.get('BEGIN').run();
      try {
        return work();
      } finally {
        // SQLite has ended it by itself after some errors.
        if (this.isTransaction) this.#statements.get('COMMIT').run();
      }
    });
  }

  /**
   * Runs `work` in an immediate transaction: it has the write lock from its first statement, so what it reads cannot
   * change before it writes. Works that wait at the same moment share a transaction. Each is stored whole or not at all.
   * They run in the order of the calls, and run again when a lock came between.
   *
   * @returns what `work` returned, once that is durable
   * @throws ServiceError STORAGE_UNAVAILABLE when the lock was not had in time, or a file is no longer at its path
   */
  async write<T>(work: () => T, { deadline, timeoutMs = this.timeoutMs }: WriteOptions = {}): Promise<T> {
    this.assertUsable();
    const begun = performance.now();
    try {
      return await this.#writes.add(work, Math.min(timeoutMs, deadline?.storage.leftMs ?? Infinity));
    } catch (error) {
      throw this.failure(error);
    } finally {
      deadline?.storage.spend(performance.now() - begun);
    }
  }

  /**
   * A number that is another after every commit to the store, whoever made it.
   *
   * @param readTimestamp commits of others after that time need not be noticed; by default all are
   */
  version(readTimestamp: ReadTimestamp = now()): number {
    if (readTimestamp > this.#lookedAt) {
      // Taken before the look, so that the look sees all commits up to it.
      const time = now();
      this.#othersTransactions = Number(this.get('PRAGMA data_version')?.data_version);
      this.#lookedAt = time;
    }
    // Both only grow, so their sum changes when either does.
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

  /** What callers get for an error. Damage is also told to the operator, once. */
  failure(error: unknown): unknown {
    if (isDamaged(error) && !this.#isDamageTold) {
      this.#isDamageTold = true;
      const reason = error instanceof Error ? error.message : '';
      this.#onNotice({
        level: 'error',
        message: `The database file is damaged: ${reason}. Restore it from a backup.`,
      });
    }
    return translate(error);
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE when it is closed, or the files were not in place at the last look */
  assertUsable(): void {
    this.#assertOpen();
    if (this.#watch?.isInPlace === false) throw storageUnavailable();
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE when the open files are not the ones at their paths */
  assertFileInPlace(): void {
    if (this.#watch?.look() === false) throw storageUnavailable();
  }

  /** Whether a transaction is open; SQLite rolls one back by itself after some errors. */
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

  /** Runs one or more statements that return nothing. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Takes no more calls, waits for the writes that were called before, and lets go of the file. */
  close(): Promise<void> {
    this.#closing ??= this.#letGo();
    return this.#closing;
  }

  async #letGo(): Promise<void> {
    // They have the log in use, so that it could not be emptied.
    await Promise.all([this.#writes.idle(), ...this.#companions.map((each) => each.close())]);
    const isInPlace = this.#watch?.look() !== false;
    this.#watch?.stop();
    this.#statements.clear();
    if (!isInPlace) {
      ABANDONED.push(this.#database);
      return;
    }
    try {
      // Moves everything into the one file, which can then be copied alone. SQLite would do so at a close, but the
      // binding closes a file only when its statements are collected.
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Another process uses the file. The next open finds everything in the log.
    }
    this.#database.close();
  }

  #noticed(notice: StorageNotice): void {
    if (this.#watch?.isInPlace === false) for (const each of this.#companions) each.drop();
    this.#onNotice(notice);
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw databaseClosed();
  }
}

function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // The database holds secrets. SQLite gives its -wal and -shm files the same mode.
  closeSync(openSync(path, 'a', 0o600));
}
