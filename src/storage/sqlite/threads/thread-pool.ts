/** Some threads, and a first-come first-served queue of jobs. */

import { storageUnavailable } from '../../../errors.ts';
import type { Job, ThreadEvents, ThreadOptions } from './thread.ts';
import { Thread } from './thread.ts';

export interface ThreadPoolOptions extends ThreadOptions {
  /** Maximum number of threads. */
  readonly threads: number;
  /** Maximum number of waiting jobs. */
  readonly waiting: number;
}

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #events: ThreadEvents;
  readonly #waiting: Job[] = [];
  /** Threads that take jobs, including those that are starting. */
  readonly #threads = new Set<Thread>();
  readonly #starting = new Set<Thread>();
  /** Last in, first out, so that surplus threads become idle and end. */
  readonly #free: Thread[] = [];
  /** All that have not exited yet. */
  readonly #running = new Set<Thread>();

  /** @param assertFileInPlace throws when the file at the path is not the store's */
  constructor(options: ThreadPoolOptions, assertFileInPlace: () => void) {
    this.#options = options;
    this.#events = {
      assertFileInPlace,
      onFree: (thread) => {
        if (this.#starting.delete(thread)) for (const job of this.#waiting) job.onThreadReady();
        this.#free.push(thread);
        this.#dispatch();
      },
      onEnded: (thread, error) => this.#onThreadEnded(thread, error),
    };
  }

  add(job: Job): void {
    if (this.#waiting.length >= this.#options.waiting) {
      job.onFailed(storageUnavailable(new Error('Too many tasks are waiting for a reader thread.')));
      return;
    }
    this.#waiting.push(job);
    if (this.#threads.size > this.#starting.size) job.onThreadReady();
    this.#dispatch();
  }

  /** The caller is gone. */
  cancel(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    else for (const thread of this.#threads) thread.stop(job);
  }

  /** Fails all jobs and ends all threads. New threads start on demand. */
  drop(error: unknown): void {
    const threads = [...this.#threads];
    this.#threads.clear();
    this.#starting.clear();
    this.#free.length = 0;
    for (const thread of threads) thread.end(error);
    this.#failWaiting(error);
  }

  /** Resolves when all dropped threads have exited. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  #dispatch(): void {
    while (this.#free.length > 0) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      const thread = this.#free.pop();
      try {
        thread?.begin(job);
      } catch (error) {
        if (thread !== undefined) this.#free.push(thread);
        job.onFailed(error);
      }
    }
    while (this.#starting.size < this.#waiting.length && this.#threads.size < this.#options.threads) {
      this.#start();
    }
  }

  #start(): void {
    const thread = new Thread(this.#options, this.#events);
    this.#threads.add(thread);
    this.#starting.add(thread);
    this.#running.add(thread);
    void thread.ended.then(() => this.#running.delete(thread));
  }

  #onThreadEnded(thread: Thread, error: unknown): void {
    this.#threads.delete(thread);
    const place = this.#free.indexOf(thread);
    if (place >= 0) this.#free.splice(place, 1);
    // The next thread would most likely fail too.
    if (this.#starting.delete(thread)) this.#failWaiting(error);
    this.#dispatch();
  }

  #failWaiting(error: unknown): void {
    for (const job of this.#waiting.splice(0)) job.onFailed(error);
  }
}
