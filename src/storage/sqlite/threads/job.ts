/** One call of a task, and who is told of it. None of its functions throws. */

export interface Job {
  readonly task: string;
  readonly input: unknown;
  /** There is a thread that has started. From now on it waits for other jobs only. May be told more than once. */
  onServed(): void;
  onDone(output: unknown): void;
  /** Told any failure, also that of the thread. */
  onFailed(error: unknown): void;
}
