/** Long reads in threads, each with a connection of its own to the file. */

import { storageUnavailable } from '../../../errors.ts';
import { programFile } from '../../../lib/package-files.ts';
import { databaseClosed } from '../errors.ts';
import type { Job } from './job.ts';
import type { LaneOptions } from './lane.ts';
import { Lane } from './lane.ts';
import type { LongReads, ReadLimits } from './long-reads.ts';
import { QueueTimeout } from './queue-timeout.ts';

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
