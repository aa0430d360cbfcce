/** Long reads of a database in memory, which no other thread can open: on the event loop, with turns between the steps. */

import { storageUnavailable } from '../../../errors.ts';
import { yieldIfDue } from '../../../lib/cooperative-scheduler.ts';
import type { Reader } from '../reader.ts';
import type { LongReads, ReadLimits, ResumableScan, Tasks } from './long-reads.ts';
import { taskOf } from './long-reads.ts';

/** The connection that writes. */
export interface SteppedReader extends Reader {
  /** Runs reads, and translates what they throw. */
  read<T>(work: () => T): T;
}

export class TurnReads implements LongReads {
  readonly #reader: SteppedReader;
  readonly #tasks: () => Promise<Tasks>;

  /** @param tasks loads them; called at each need */
  constructor(reader: SteppedReader, tasks: () => Promise<Tasks>) {
    this.#reader = reader;
    this.#tasks = tasks;
  }

  async run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T> {
    const begun = performance.now();
    const until = begun + limits.timeoutMs;
    const steps = await this.#begin(task, input);
    try {
      for (;;) {
        const { done = false, value } = this.#next(steps, until, limits.signal);
        // What a task returns is known to whoever names it.
        if (done) return value as T;
        await yieldIfDue();
      }
    } finally {
      steps.return(undefined);
      limits.onSpent?.(performance.now() - begun);
    }
  }

  async #begin(name: string, input: unknown): Promise<ResumableScan> {
    return taskOf(await this.#tasks(), name)(this.#reader, input);
  }

  /** One step. */
  #next(
    steps: ResumableScan,
    until: number,
    signal: AbortSignal | undefined,
  ): IteratorResult<unknown, unknown> {
    signal?.throwIfAborted();
    if (performance.now() >= until) throw storageUnavailable(new Error('A long read took too long.'));
    return this.#reader.read(() => steps.next());
  }
}
