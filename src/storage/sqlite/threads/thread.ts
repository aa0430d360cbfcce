/** One reader thread, as the event loop sees it. */

import { Worker } from 'node:worker_threads';

import { storageUnavailable } from '../../../errors.ts';
import { fileOfThread } from '../../../lib/package-files.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import { CONTROL_BYTES, STOP, toError } from './messages.ts';

export interface ThreadOptions {
  /** The database file. */
  readonly path: string;
  /** A module that calls `serveTasks`. */
  readonly program: URL;
  /** Milliseconds until it can take a job. After them the thread is terminated. */
  readonly startMs: number;
  /** Milliseconds that a task may take to its next step when it is to stop. After them the thread is terminated. */
  readonly stopMs: number;
  /** Milliseconds without a task after which the thread ends. */
  readonly idleMs: number;
}

export interface ThreadEvents {
  /** @throws ServiceError when the file that the thread has just opened is not the one that it was to open */
  assertFileInPlace(): void;
  /** The thread can take a job: it has opened the file, or done the one before. */
  onFree(thread: Thread): void;
  /** The thread takes no further job, though nobody has ended it. The error is null when it had been idle for long. */
  onGone(thread: Thread, error: unknown): void;
}

/** Whose task the thread is still at, when its caller does not wait any more. */
const NOBODY: Job = {
  task: '',
  input: undefined,
  onServed: () => {},
  onDone: () => {},
  onFailed: () => {},
};

export class Thread {
  /** Resolves when the thread has ended, and the file is closed. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #words: Int32Array;
  readonly #options: ThreadOptions;
  readonly #events: ThreadEvents;
  /** Null before the first job, and between two. */
  #job: Job | null = null;
  #isGone = false;
  /** Until the thread is terminated, or ends for lack of work. */
  #timer: NodeJS.Timeout;

  constructor(options: ThreadOptions, events: ThreadEvents) {
    this.#options = options;
    this.#events = events;
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    this.#words = new Int32Array(control);
    const workerData: ThreadData = { path: options.path, control, program: options.program.href };
    this.#worker = new Worker(fileOfThread(options.program), { workerData, name: 'sqlite-reader' });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('messageerror', (error) => this.#abandon(storageUnavailable(error)));
    this.#worker.on('error', (error) => this.#abandon(storageUnavailable(error)));
    const { startMs } = options;
    this.#timer = setTimeout(
      () =>
        this.#abandon(
          storageUnavailable(new Error(`A reader thread took more than ${startMs} ms to start.`)),
        ),
      startMs,
    );
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        clearTimeout(this.#timer);
        this.#leave(storageUnavailable(new Error(`A reader thread has ended with code ${code}.`)));
        resolve();
      });
    });
  }

  /**
   * To be called when the thread is free.
   *
   * @throws DataCloneError for an input that cannot be sent. The thread stays free
   */
  begin(job: Job): void {
    const { task, input } = job;
    // The thread reads it only while it does a job.
    Atomics.store(this.#words, STOP, 0);
    this.#send({ type: 'begin', task, input });
    this.#job = job;
    clearTimeout(this.#timer);
    this.#worker.ref();
  }

  /** The caller does not wait for the job any more, and is told nothing further. */
  stop(job: Job): void {
    if (this.#job !== job) return;
    this.#job = NOBODY;
    this.#interrupt();
    this.#timer = setTimeout(() => this.#abandon(null), this.#options.stopMs);
  }

  /** Ends the thread. The job that it is at fails with the error. */
  end(error: unknown): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#timer);
    this.#job?.onFailed(error);
    this.#job = null;
    this.#interrupt();
    this.#send({ type: 'end' });
    this.#worker.ref();
    this.#timer = setTimeout(() => void this.#worker.terminate(), this.#options.stopMs);
  }

  #hear(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        this.#opened();
        break;
      case 'unfit':
        this.#abandon(toError(message.fault));
        break;
      case 'done':
        this.#finished()?.onDone(message.output);
        break;
      case 'failed':
        this.#finished()?.onFailed(toError(message.fault));
        break;
      case 'stopped':
        this.#finished();
    }
  }

  #opened(): void {
    try {
      this.#events.assertFileInPlace();
    } catch (error) {
      this.#abandon(error);
      return;
    }
    this.#rest();
  }

  /** @returns the job that has come to its end; null when the thread was told to end meanwhile */
  #finished(): Job | null {
    const job = this.#job;
    this.#job = null;
    this.#rest();
    return job;
  }

  #rest(): void {
    if (this.#isGone) return;
    clearTimeout(this.#timer);
    // A thread that does nothing keeps no process from ending.
    this.#worker.unref();
    this.#timer = setTimeout(() => {
      this.end(null);
      this.#events.onGone(this, null);
    }, this.#options.idleMs).unref();
    this.#events.onFree(this);
  }

  #abandon(error: unknown): void {
    this.#leave(error);
    void this.#worker.terminate();
  }

  #leave(error: unknown): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const job = this.#job;
    this.#job = null;
    job?.onFailed(error);
    this.#events.onGone(this, error);
  }

  #interrupt(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

export interface Job {
  readonly task: string;
  readonly input: unknown;
  /** There is a thread that has started. From now on it waits for other jobs only. May be told more than once. */
  onServed(): void;
  onDone(output: unknown): void;
  /** Told any failure, also that of the thread. */
  onFailed(error: unknown): void;
}
