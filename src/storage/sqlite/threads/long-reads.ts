/**
 * Reads that may take more than a few milliseconds (docs/decisions/0012-sqlite-reader-threads.md). They run beside the event loop, have a time
 * limit, and end early when nobody waits for them any more.
 */

import type { Reader } from '../reader.ts';

export interface ReadLimits {
  /**
   * Milliseconds until the result, the wait for other reads included. They begin when there is a thread: how long one may
   * take to start is not the caller's to say.
   */
  readonly timeoutMs: number;
  /** Told at the end how many of them it took. */
  readonly onSpent?: (milliseconds: number) => void;
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal;
}

/**
 * Reads in steps: it yields after each bounded piece of work, of a few milliseconds at most, since it can only be stopped
 * there. What was opened is closed in `finally`: a task that is stopped gets no further.
 *
 * In a thread all steps see one state of the database. In memory other calls' writes come between the steps.
 */
export type Task<Input = never> = (reader: Reader, input: Input) => ResumableScan;
export type ResumableScan = Generator<void, unknown, undefined>;

/** Tasks by their names. */
export type Tasks = Readonly<Record<string, Task>>;

/** @throws Error when there is no such task */
export function taskOf(tasks: Tasks, name: string): Task<unknown> {
  if (!Object.hasOwn(tasks, name)) throw new Error(`No long read is named ${name}.`);
  // Whoever names a task gives what it takes.
  return tasks[name] as Task<unknown>;
}

export interface LongReads {
  /**
   * Sees all that was stored when it was called.
   *
   * @param input and the result are values that structured clone takes. Bytes that are the result, or a member of it, are
   *   moved, not copied
   * @throws ServiceError STORAGE_UNAVAILABLE when the time is over, too many wait already or the file is gone; the reason
   *   of the signal; what the task throws
   */
  run<T>(task: string, input: unknown, limits: ReadLimits): Promise<T>;
}
