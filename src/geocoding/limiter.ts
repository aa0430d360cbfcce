/** At most so many at once, and a bounded queue, first come first served, for the others. */

import type { Bounds, Time } from './time.ts';

export interface LimiterOptions {
  /** How many may run at once. */
  readonly concurrency: number;
  /** How many may wait. */
  readonly queueLength: number;
}

/** Why there was no turn: the queue is full, or the deadline passed in it. */
export class NoTurnError extends Error {
  readonly reason: 'full' | 'late';

  constructor(reason: 'full' | 'late') {
    super(reason === 'full' ? 'The queue is full.' : 'The deadline passed in the queue.');
    this.reason = reason;
  }
}

export class Limiter {
  readonly #time: Time;
  readonly #options: LimiterOptions;
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor(time: Time, options: LimiterOptions) {
    this.#time = time;
    this.#options = options;
  }

  /** True when nothing runs or waits. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#queue.size === 0;
  }

  /** @throws NoTurnError; the signal's reason; what the work throws */
  async run<T>(bounds: Bounds, work: () => Promise<T>): Promise<T> {
    await this.#enter(bounds);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(bounds: Bounds): Promise<void> {
    bounds.signal.throwIfAborted();
    if (this.#running < this.#options.concurrency) {
      this.#running += 1;
      return;
    }
    if (this.#queue.size >= this.#options.queueLength) throw new NoTurnError('full');
    await this.#wait(bounds);
  }

  /** The one who leaves hands its place on, so that nobody can slip in between. */
  #leave(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#running -= 1;
    } else {
      this.#queue.delete(next);
      next();
    }
  }

  async #wait({ deadline, signal }: Bounds): Promise<void> {
    const over = new AbortController();
    let turn = (): void => undefined;
    const turnComes = new Promise<'turn'>((resolve) => {
      turn = () => resolve('turn');
    });
    this.#queue.add(turn);
    try {
      const first = await Promise.race([
        turnComes,
        this.#untilLate(deadline, AbortSignal.any([signal, over.signal])),
      ]);
      if (first === 'late' && this.#queue.has(turn)) throw new NoTurnError('late');
    } catch (error) {
      // The place may have been handed over in the very moment the waiting ended: then it is passed on.
      if (!this.#queue.delete(turn)) this.#leave();
      throw error;
    } finally {
      over.abort();
    }
  }

  async #untilLate(deadline: Bounds['deadline'], signal: AbortSignal): Promise<'late'> {
    // The deadline may have moved away meanwhile.
    while (!deadline.isPast) await this.#time.sleep(deadline.remaining(), signal);
    return 'late';
  }
}
