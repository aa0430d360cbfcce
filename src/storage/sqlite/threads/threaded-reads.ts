/** Long reads in threads, each with its own connection to the file. */

import { storageUnavailable } from '../../../errors.ts';
import { programFile } from '../../../lib/package-files.ts';
import type { Database } from '../database.ts';
import { databaseClosed } from '../errors.ts';
import type { ThreadPoolOptions } from './thread-pool.ts';
import { ThreadPool } from './thread-pool.ts';
import type { LongReads, ReadLimits } from './long-reads.ts';
import { TurnReads } from './long-reads.ts';
import type { Job } from './thread.ts';

/** The main connection, as its threads use it. */
export interface SharedFile {
  /**
   * @throws ServiceError STORAGE_UNAVAILABLE when it is closed, or the last check found the files missing or replaced
   */
  assertUsable(): void;
  /** Checks now, and throws the same. */
  assertFileInPlace(): void;
  /** Translates an error for callers. */
  failure(error: unknown): unknown;
}

/** Options that tests change. */
export type ThreadedOptions = Pick<ThreadPoolOptions, 'threads'> & Partial<Omit<ThreadPoolOptions, 'path'>>;

const DEFAULTS = { waiting: 100, startMs: 30_000, stopMs: 2_000, idleMs: 30_000 };

export class ThreadedReads implements LongReads {
  readonly #file: SharedFile;
  readonly #pool: ThreadPool;

  /** Starts threads on demand. */
  constructor(file: SharedFile, path: string, options: ThreadedOptions) {
    this.#file = file;
    const program = programFile('storage/sqlite/threads/thread-main');
    this.#pool = new ThreadPool({ ...DEFAULTS, program, path, ...options }, () => file.assertFileInPlace());
  }

  run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#file.assertUsable();
      const queueTimeout = new QueueTimeout(limits, (reason) => {
        queueTimeout.end();
        this.#pool.cancel(job);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason is its owner's
        reject(reason);
      });
      const job: Job = {
        task,
        input,
        onThreadReady: () => queueTimeout.begin(),
        onDone: (output) => {
          queueTimeout.end();
          // The caller knows the result type of the task that it names.
          resolve(output as T);
        },
        onFailed: (error) => {
          queueTimeout.end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
          reject(this.#file.failure(error));
        },
      };
      this.#pool.add(job);
    });
  }

  /** The file was deleted or replaced; another file may have been opened at its path. */
  drop(): void {
    this.#pool.drop(storageUnavailable());
  }

  async close(): Promise<void> {
    this.#pool.drop(databaseClosed());
    await this.#pool.ended();
  }
}

/** Limit of setTimeout. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The timeout of a queued read. */
export class QueueTimeout {
  readonly #limits: ReadLimits;
  readonly #onTimeout: (reason: unknown) => void;
  readonly #onAbort = () => this.#onTimeout(this.#limits.signal?.reason);
  #timer: NodeJS.Timeout | undefined;
  /** Null before the time starts. */
  #startedAt: number | null = null;
  #hasEnded = false;

  /**
   * @param onTimeout called with the signal's reason, or on timeout
   * @throws the signal's reason when it is aborted already
   */
  constructor(limits: ReadLimits, onTimeout: (reason: unknown) => void) {
    limits.signal?.throwIfAborted();
    this.#limits = limits;
    this.#onTimeout = onTimeout;
    limits.signal?.addEventListener('abort', this.#onAbort);
  }

  /** Starts the time. */
  begin(): void {
    if (this.#startedAt !== null || this.#hasEnded) return;
    this.#startedAt = performance.now();
    const { timeoutMs } = this.#limits;
    this.#timer = setTimeout(
      () => this.#onTimeout(storageUnavailable(new Error(`A reader thread exceeded ${timeoutMs} ms.`))),
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    if (this.#startedAt !== null) this.#limits.onSpent?.(performance.now() - this.#startedAt);
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** Long reads with their own threads. They end with the database. */
export function openLongReads(database: Database, options: ThreadedOptions): LongReads {
  const { path } = database;
  if (path === null) return new TurnReads(database, async () => (await import('./tasks.ts')).TASKS);
  const reads = new ThreadedReads(database, path, options);
  database.addCompanions(reads);
  return reads;
}
