/** Long reads in threads, each with a connection of its own to the file. */

import { storageUnavailable } from '../../../errors.ts';
import { programFile } from '../../../lib/package-files.ts';
import type { Database } from '../database.ts';
import { databaseClosed } from '../errors.ts';
import type { LaneOptions } from './lane.ts';
import { Lane } from './lane.ts';
import type { LongReads, ReadLimits } from './long-reads.ts';
import { TurnReads } from './long-reads.ts';
import type { Job } from './thread.ts';

/** Of the connection that writes, what its threads need. */
export interface SharedFile {
  /** @throws ServiceError STORAGE_UNAVAILABLE when it is closed, or the file was not in place at the last look */
  assertUsable(): void;
  /** Looks now, and throws the same. */
  assertFileInPlace(): void;
  /** What callers get for an error. */
  failure(error: unknown): unknown;
}

/** What tests change. */
export type ThreadedOptions = Pick<LaneOptions, 'threads'> & Partial<Omit<LaneOptions, 'path'>>;

const DEFAULTS = { waiting: 100, startMs: 30_000, stopMs: 2_000, idleMs: 30_000 };

export class ThreadedReads implements LongReads {
  readonly #file: SharedFile;
  readonly #lane: Lane;

  /** No thread is started before it is needed. */
  constructor(file: SharedFile, path: string, options: ThreadedOptions) {
    this.#file = file;
    const program = programFile('storage/sqlite/threads/thread-main');
    this.#lane = new Lane({ ...DEFAULTS, program, path, ...options }, () => file.assertFileInPlace());
  }

  run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#file.assertUsable();
      const queueTimeout = new QueueTimeout(limits, (reason) => {
        queueTimeout.end();
        this.#lane.cancel(job);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason is its owner's
        reject(reason);
      });
      const job: Job = {
        task,
        input,
        onServed: () => queueTimeout.begin(),
        onDone: (output) => {
          queueTimeout.end();
          // What a task returns is known to whoever names it.
          resolve(output as T);
        },
        onFailed: (error) => {
          queueTimeout.end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
          reject(this.#file.failure(error));
        },
      };
      this.#lane.add(job);
    });
  }

  /** The file is not in its place any more. What was opened under its path meanwhile may be another one. */
  drop(): void {
    this.#lane.drop(storageUnavailable());
  }

  async close(): Promise<void> {
    this.#lane.drop(databaseClosed());
    await this.#lane.ended();
  }
}

/** A longer time would be none to a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** How long a caller waits. */
export class QueueTimeout {
  readonly #limits: ReadLimits;
  readonly #giveUp: (reason: unknown) => void;
  readonly #onAbort = () => this.#giveUp(this.#limits.signal?.reason);
  #timer: NodeJS.Timeout | undefined;
  /** Null as long as the time does not run. */
  #begun: number | null = null;
  #hasEnded = false;

  /**
   * @param giveUp called with the signal's reason, or when the time is over
   * @throws the signal's reason when it is aborted already
   */
  constructor(limits: ReadLimits, giveUp: (reason: unknown) => void) {
    limits.signal?.throwIfAborted();
    this.#limits = limits;
    this.#giveUp = giveUp;
    limits.signal?.addEventListener('abort', this.#onAbort);
  }

  /** Lets the time run. */
  begin(): void {
    if (this.#begun !== null || this.#hasEnded) return;
    this.#begun = performance.now();
    const { timeoutMs } = this.#limits;
    this.#timer = setTimeout(
      () => this.#giveUp(storageUnavailable(new Error(`A reader thread took more than ${timeoutMs} ms.`))),
      Math.min(timeoutMs, LONGEST_MS),
    );
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    if (this.#begun !== null) this.#limits.onSpent?.(performance.now() - this.#begun);
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** Long reads of one kind, which have threads of their own. They end with the connection. */
export function openLongReads(database: Database, options: ThreadedOptions): LongReads {
  const { path } = database;
  if (path === null) return new TurnReads(database, async () => (await import('./tasks.ts')).TASKS);
  const reads = new ThreadedReads(database, path, options);
  database.accompany(reads);
  return reads;
}
