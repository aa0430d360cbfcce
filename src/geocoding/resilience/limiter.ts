/** Limits concurrency, with a bounded FIFO queue. */

import { AsyncResource } from 'node:async_hooks';

import PQueue from 'p-queue';

import type { Bounds, Time } from './time.ts';

export interface LimiterOptions {
  /** Maximum running. */
  readonly concurrency: number;
  /** Maximum waiting. */
  readonly queueLength: number;
}

/** The work was not started: the queue is full, or the deadline passed while it waited. */
export class QueueError extends Error {
  readonly reason: 'full' | 'late';

  constructor(reason: 'full' | 'late') {
    super(reason === 'full' ? 'The queue is full.' : 'The deadline passed in the queue.');
    this.reason = reason;
  }
}

/** p-queue with a bounded queue and a deadline per caller that includes the time in the queue. */
export class Limiter {
  readonly #time: Time;
  readonly #queueLength: number;
  readonly #queue: PQueue;

  constructor(time: Time, { concurrency, queueLength }: LimiterOptions) {
    this.#time = time;
    this.#queueLength = queueLength;
    this.#queue = new PQueue({ concurrency });
  }

  /** True if nothing runs or waits. */
  get isIdle(): boolean {
    return this.#queue.pending === 0 && this.#queue.size === 0;
  }

  /** @throws QueueError; the signal's reason; any error of the work */
  async run<T>({ deadline, signal }: Bounds, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { pending, concurrency, size } = this.#queue;
    if (pending < concurrency) return this.#queue.add(work);
    if (size >= this.#queueLength) throw new QueueError('full');
    // Aborting this removes the task from the queue, before the work starts.
    const dequeue = new AbortController();
    const started = new AbortController();
    this.#untilLate(deadline, AbortSignal.any([signal, started.signal])).then(
      () => dequeue.abort(new QueueError('late')),
      (reason: unknown) => {
        if (!started.signal.aborted) dequeue.abort(reason);
      },
    );
    // The task before it starts the work; bind keeps the async context of the caller.
    const start = AsyncResource.bind(() => {
      started.abort();
      return work();
    });
    return this.#queue.add(start, { signal: dequeue.signal });
  }

  async #untilLate(deadline: Bounds['deadline'], signal: AbortSignal): Promise<void> {
    // The deadline may have moved.
    while (!deadline.isPast) await this.#time.sleep(deadline.remaining(), signal);
  }
}
