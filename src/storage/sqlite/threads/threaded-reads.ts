/** Long reads in threads, each with a connection of its own to the file. */

import { storageUnavailable } from '../../../errors.ts';
import { programFile } from '../../../package-files.ts';
import { databaseClosed } from '../failures.ts';
import type { Job } from './job.ts';
import type { LaneOptions } from './lane.ts';
import { Lane } from './lane.ts';
import type { LongReads, ReadLimits } from './long-reads.ts';
import { Patience } from './patience.ts';

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

const DEFAULTS = { waiting: 100, stopMs: 2_000, idleMs: 30_000 };

export class ThreadedReads implements LongReads {
  readonly #file: SharedFile;
  readonly #runs: Lane;
  /** Apart from the others: a stream has its thread as long as its client takes to read. */
  readonly #streams: Lane;

  /** No thread is started before it is needed. */
  constructor(file: SharedFile, path: string, options: ThreadedOptions) {
    this.#file = file;
    const program = programFile('storage/sqlite/threads/thread-main');
    const lane = () => new Lane({ ...DEFAULTS, program, path, ...options }, () => file.assertFileInPlace());
    this.#runs = lane();
    this.#streams = lane();
  }

  run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#file.assertUsable();
      const patience = new Patience(limits, (reason) => {
        patience.end();
        this.#runs.cancel(job);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason is its owner's
        reject(reason);
      });
      const job: Job = {
        task,
        input,
        isStream: false,
        onItem: () => {},
        onDone: (output) => {
          patience.end();
          // What a task returns is known to whoever names it.
          resolve(output as T);
        },
        onFailed: (error) => {
          patience.end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
          reject(this.#file.failure(error));
        },
      };
      patience.wait();
      this.#runs.add(job);
    });
  }

  async *stream<T>(task: string, input: unknown, limits: ReadLimits): AsyncGenerator<T> {
    this.#file.assertUsable();
    const items: unknown[] = [];
    let end: { readonly error: unknown } | 'done' | null = null;
    let wake = () => {};
    const finish = (how: NonNullable<typeof end>) => {
      end ??= how;
      wake();
    };
    const patience = new Patience(limits, (reason) => {
      this.#streams.cancel(job);
      finish({ error: reason });
    });
    const job: Job = {
      task,
      input,
      isStream: true,
      onItem: (item) => {
        items.push(item);
        wake();
      },
      onDone: () => finish('done'),
      onFailed: (error) => finish({ error: this.#file.failure(error) }),
    };
    const ended = () => end;
    this.#streams.add(job);
    try {
      for (;;) {
        if (items.length === 0 && ended() === null) {
          patience.wait();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          patience.rest();
        }
        const how = ended();
        if (how !== null && how !== 'done') throw how.error;
        if (items.length === 0) return;
        this.#streams.take(job);
        yield items.shift() as T;
      }
    } finally {
      patience.end();
      this.#streams.cancel(job);
    }
  }

  /** The file is not in its place any more. What was opened under its path meanwhile may be another one. */
  drop(): void {
    this.#end(storageUnavailable());
  }

  async close(): Promise<void> {
    this.#end(databaseClosed());
    await Promise.all([this.#runs.ended(), this.#streams.ended()]);
  }

  #end(error: unknown): void {
    this.#runs.drop(error);
    this.#streams.drop(error);
  }
}
