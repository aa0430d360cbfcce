/** At most so many requests at once, and a bounded queue for the others, first come first served. */

import { AsyncResource } from 'node:async_hooks';

import PQueue from 'p-queue';

import type { Bounds, Time } from './time.ts';

export interface LimiterOptions {
  /** How many may run at once. */
  readonly concurrency: number;
  /** How many may wait. */
  readonly queueLength: number;
}

/** Why the work was not begun: the queue is full, or the deadline passed while it waited. */
export class QueueError extends Error {
  readonly reason: 'full' | 'late';

  constructor(reason: 'full' | 'late') {
    super(reason === 'full' ? 'The queue is full.' : 'The deadline passed in the queue.');
    this.reason = reason;
  }
}

/** p-queue, with a bound on the queue and a deadline for each caller, which also counts while it waits. */
export class Limiter {
  readonly #time: Time;
  readonly #queueLength: number;
  readonly #queue: PQueue;

  constructor(time: Time, { concurrency, queueLength }: LimiterOptions) {
    this.#time = time;
    this.#queueLength = queueLength;
    this.#queue = new PQueue({ concurrency });
  }

  /** True when nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#queue.pending === 0 && this.#queue.size === 0;
  }

  /** @throws QueueError; the signal's reason; what the work throws */
  async run<T>({ deadline, signal }: Bounds, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { pending, concurrency, size } = this.#queue;
    if (pending < concurrency) return this.#queue.add(work);
    if (size >= this.#queueLength) throw new QueueError('full');
    // Aborting it makes p-queue drop the task from its queue. That only happens before the work has begun.
    const leaving = new AbortController();
    const waitingEnds = new AbortController();
    this.#untilLate(deadline, AbortSignal.any([signal, waitingEnds.signal])).then(
      () => leaving.abort(new QueueError('late')),
      (reason: unknown) => {
        if (!waitingEnds.signal.aborted) leaving.abort(reason);
      },
    );
    // Whoever leaves the queue before begins the work. It is still done for the request that has asked for it.
    const begin = AsyncResource.bind(() => {
      waitingEnds.abort();
      return work();
    });
    return this.#queue.add(begin, { signal: leaving.signal });
  }

  async #untilLate(deadline: Bounds['deadline'], signal: AbortSignal): Promise<void> {
    // The deadline may have been extended meanwhile.
    while (!deadline.isPast) await this.#time.sleep(deadline.remaining(), signal);
  }
}
