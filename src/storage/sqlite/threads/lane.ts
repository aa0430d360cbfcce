/** Some threads, and the jobs that wait for one of them, first come first served. */

import { storageUnavailable } from '../../../errors.ts';
import type { Job, ThreadEvents, ThreadOptions } from './thread.ts';
import { Thread } from './thread.ts';

export interface LaneOptions extends ThreadOptions {
  /** The most threads. */
  readonly threads: number;
  /** The most jobs that wait. */
  readonly waiting: number;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #events: ThreadEvents;
  readonly #waiting: Job[] = [];
  /** Those that take jobs, with those that are being started. */
  readonly #threads = new Set<Thread>();
  readonly #starting = new Set<Thread>();
  /** The one that was free last comes last, and is taken first: the others may end. */
  readonly #free: Thread[] = [];
  /** All that have not ended yet. */
  readonly #running = new Set<Thread>();

  /** @param assertFileInPlace throws when the file at the path is not the store's */
  constructor(options: LaneOptions, assertFileInPlace: () => void) {
    this.#options = options;
    this.#events = {
      assertFileInPlace,
      onFree: (thread) => {
        if (this.#starting.delete(thread)) for (const job of this.#waiting) job.onServed();
        this.#free.push(thread);
        this.#dispatch();
      },
      onGone: (thread, error) => this.#lost(thread, error),
    };
  }

  add(job: Job): void {
    if (this.#waiting.length >= this.#options.waiting) {
      job.onFailed(storageUnavailable(new Error('Too many tasks wait for a reader thread.')));
      return;
    }
    this.#waiting.push(job);
    if (this.#threads.size > this.#starting.size) job.onServed();
    this.#dispatch();
  }

  /** The caller does not wait any more. */
  cancel(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    else for (const thread of this.#threads) thread.stop(job);
  }

  /** Fails all jobs, and ends all threads. Others are started when they are needed. */
  drop(error: unknown): void {
    const threads = [...this.#threads];
    this.#threads.clear();
    this.#starting.clear();
    this.#free.length = 0;
    for (const thread of threads) thread.end(error);
    this.#failWaiting(error);
  }

  /** Resolves when no thread is left of those that were dropped. */
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

  #lost(thread: Thread, error: unknown): void {
    this.#threads.delete(thread);
    const place = this.#free.indexOf(thread);
    if (place >= 0) this.#free.splice(place, 1);
    // Whoever is started next would most likely fail as well.
    if (this.#starting.delete(thread)) this.#failWaiting(error);
    this.#dispatch();
  }

  #failWaiting(error: unknown): void {
    for (const job of this.#waiting.splice(0)) job.onFailed(error);
  }
}
