/** A reader thread, and the jobs that it runs. */

import { Worker } from 'node:worker_threads';

import { storageUnavailable } from '../../../errors.ts';
import { fileOfThread } from '../../../lib/package-files.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import { CONTROL_BYTES, STOP, deserializeError } from './messages.ts';

export interface ThreadOptions {
  readonly path: string;
  /** A module that calls `serveTasks`. */
  readonly program: URL;
  /** Milliseconds to start; then the thread is terminated. */
  readonly startMs: number;
  /** Milliseconds to the next step of a task that should stop; then the thread is terminated. */
  readonly stopMs: number;
  /** Milliseconds without a task after which the thread exits. */
  readonly idleMs: number;
}

export interface ThreadEvents {
  /** @throws ServiceError when the thread may have opened another file than the store's */
  assertFileInPlace(): void;
  /** The thread is ready for a job. */
  onFree(thread: Thread): void;
  /** The thread takes no further jobs, without `end`. The error is null after it idled too long. */
  onEnded(thread: Thread, error: unknown): void;
}

/** Stands for a job that was stopped, while the thread still runs its task. */
const STOPPED_JOB: Job = {
  task: '',
  input: undefined,
  onThreadReady: () => {},
  onDone: () => {},
  onFailed: () => {},
};

export class Thread {
  /** Resolves when the thread has exited, and the file is closed. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #control: Int32Array;
  readonly #options: ThreadOptions;
  readonly #events: ThreadEvents;
  /** Null while idle. */
  #job: Job | null = null;
  #hasEnded = false;
  /** Terminates the thread, or ends it when idle. */
  #timer: NodeJS.Timeout;

  constructor(options: ThreadOptions, events: ThreadEvents) {
    this.#options = options;
    this.#events = events;
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    this.#control = new Int32Array(control);
    const workerData: ThreadData = { path: options.path, control, program: options.program.href };
    this.#worker = new Worker(fileOfThread(options.program), { workerData, name: 'sqlite-reader' });
    this.#worker.on('message', (message: FromThread) => this.#onMessage(message));
    this.#worker.on('messageerror', (error) => this.#abandon(storageUnavailable(error)));
    this.#worker.on('error', (error) => this.#abandon(storageUnavailable(error)));
    const { startMs } = options;
    this.#timer = setTimeout(
      () =>
        this.#abandon(storageUnavailable(new Error(`A reader thread did not start within ${startMs} ms.`))),
      startMs,
    );
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        clearTimeout(this.#timer);
        this.#markEnded(storageUnavailable(new Error(`A reader thread exited with code ${code}.`)));
        resolve();
      });
    });
  }

  /**
   * Only for an idle thread.
   * @throws DataCloneError for an input that cannot be sent; the thread stays idle
   */
  begin(job: Job): void {
    const { task, input } = job;
    // The thread only reads it during a job.
    Atomics.store(this.#control, STOP, 0);
    this.#send({ type: 'begin', task, input });
    this.#job = job;
    clearTimeout(this.#timer);
    this.#worker.ref();
  }

  /** The caller is gone, and receives nothing further. */
  stop(job: Job): void {
    if (this.#job !== job) return;
    this.#job = STOPPED_JOB;
    this.#interrupt();
    this.#timer = setTimeout(() => this.#abandon(null), this.#options.stopMs);
  }

  /** Ends the thread. Its job fails with the error. */
  end(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#job?.onFailed(error);
    this.#job = null;
    this.#interrupt();
    this.#send({ type: 'end' });
    this.#worker.ref();
    this.#timer = setTimeout(() => void this.#worker.terminate(), this.#options.stopMs);
  }

  #onMessage(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        this.#opened();
        break;
      case 'open-failed':
        this.#abandon(deserializeError(message.error));
        break;
      case 'done':
        this.#finished()?.onDone(message.output);
        break;
      case 'failed':
        this.#finished()?.onFailed(deserializeError(message.error));
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
    this.#becomeIdle();
  }

  /** @returns the finished job; null when the thread was ended meanwhile */
  #finished(): Job | null {
    const job = this.#job;
    this.#job = null;
    this.#becomeIdle();
    return job;
  }

  #becomeIdle(): void {
    if (this.#hasEnded) return;
    clearTimeout(this.#timer);
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    this.#timer = setTimeout(() => {
      this.end(null);
      this.#events.onEnded(this, null);
    }, this.#options.idleMs).unref();
    this.#events.onFree(this);
  }

  #abandon(error: unknown): void {
    this.#markEnded(error);
    void this.#worker.terminate();
  }

  #markEnded(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const job = this.#job;
    this.#job = null;
    job?.onFailed(error);
    this.#events.onEnded(this, error);
  }

  #interrupt(): void {
    Atomics.store(this.#control, STOP, 1);
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

export interface Job {
  readonly task: string;
  readonly input: unknown;
  /** A thread has started, so the job waits for other jobs only. May be called repeatedly. */
  onThreadReady(): void;
  onDone(output: unknown): void;
  /** Called with any failure, including the thread's. */
  onFailed(error: unknown): void;
}
