/**
 * Reads that may take more than a few milliseconds (docs/decisions/0012-sqlite-reader-threads.md). They do not block the
 * event loop, have a time limit, and stop early when their caller is gone.
 */

import { storageUnavailable } from '../../../errors.ts';
import { yieldIfDue } from '../../../lib/cooperative-scheduler.ts';
import type { TimeBudget } from '../../deadline.ts';
import type { StorageScope } from '../../storage.ts';
import type { GuardedReader, Reader } from '../engine/statements.ts';

/**
 * Work that yields after at most a few milliseconds. It can only be stopped where it yields, so it must release resources in
 * `finally`. In a thread all steps read one snapshot; in memory other writes run between the steps.
 */
export type ResumableScan<T = unknown> = Generator<void, T, undefined>;

/** Runs all steps at once. */
export function runToCompletion<T>(steps: ResumableScan<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

export type Task<Input = never> = (reader: Reader, input: Input) => ResumableScan;

/** Tasks by name. */
export type Tasks = Readonly<Record<string, Task>>;

/** @throws Error for an unknown name */
export function taskOf(tasks: Tasks, name: string): Task<unknown> {
  if (!Object.hasOwn(tasks, name)) throw new Error(`No long read is named ${name}.`);
  // The caller passes the input of the task that it names.
  return tasks[name] as Task<unknown>;
}

export interface ReadLimits {
  /** Milliseconds until the result, including the wait in the queue. They start once a thread is running. */
  readonly timeoutMs: number;
  /** Called once at the end, with the milliseconds used. */
  readonly onSpent?: (milliseconds: number) => void;
  /** Aborted when the caller is gone. */
  readonly signal?: AbortSignal;
}

export interface LongReads {
  /**
   * Sees every write that completed before the call.
   *
   * @param input must be structured-cloneable, as must the result. Byte arrays that are the result, or members of it, are
   *   transferred, not copied
   * @throws ServiceError STORAGE_UNAVAILABLE on timeout, when the queue is full or the file is gone; the signal's reason;
   *   the errors of the task
   */
  run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T>;
}

/**
 * Runs a task within the call's time limit and the caller's budget.
 *
 * @throws as {@link LongReads.run}
 */
export function runWithin<T>(
  { timeoutMs: callMs }: { readonly timeoutMs: number },
  long: LongReads,
  { task, input }: { readonly task: string; readonly input: unknown },
  { signal }: Pick<StorageScope, 'signal'> = {},
  budget?: TimeBudget,
): Promise<T> {
  return long.run<T>(task, input, {
    timeoutMs: Math.min(callMs, budget?.leftMs ?? Infinity),
    ...(budget !== undefined && { onSpent: (milliseconds: number) => budget.spend(milliseconds) }),
    ...(signal !== undefined && { signal }),
  });
}

/** Long reads of an in-memory database, which no thread can open: on the event loop, yielding between the steps. */
export class TurnReads implements LongReads {
  readonly #reader: GuardedReader;
  readonly #loadTasks: () => Promise<Tasks>;

  constructor(reader: GuardedReader, loadTasks: () => Promise<Tasks>) {
    this.#reader = reader;
    this.#loadTasks = loadTasks;
  }

  async run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T> {
    const startedAt = performance.now();
    const endsAt = startedAt + limits.timeoutMs;
    const steps = await this.#start(task, input);
    try {
      for (;;) {
        const { done = false, value } = this.#next(steps, endsAt, limits.signal);
        // The caller knows the result type of the task that it names.
        if (done) return value as T;
        await yieldIfDue();
      }
    } finally {
      steps.return(undefined);
      limits.onSpent?.(performance.now() - startedAt);
    }
  }

  async #start(name: string, input: unknown): Promise<ResumableScan> {
    return taskOf(await this.#loadTasks(), name)(this.#reader, input);
  }

  #next(
    steps: ResumableScan,
    endsAt: number,
    signal: AbortSignal | undefined,
  ): IteratorResult<unknown, unknown> {
    signal?.throwIfAborted();
    if (performance.now() >= endsAt)
      throw storageUnavailable(new Error('A long read exceeded its time limit.'));
    return this.#reader.read(() => steps.next());
  }
}
