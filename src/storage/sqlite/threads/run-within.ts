import type { StorageScope } from '../../storage.ts';
import type { LongReads } from './long-reads.ts';

/**
 * Runs a task within the time that the store has for a call, and the caller for all of them.
 *
 * @throws as {@link LongReads.run}
 */
export async function runWithin<T>(
  { timeoutMs: callMs }: { readonly timeoutMs: number },
  long: LongReads,
  task: string,
  input: unknown,
  { deadline, signal }: StorageScope = {},
): Promise<T> {
  const begun = performance.now();
  const timeoutMs = Math.min(callMs, deadline?.storageLeftMs ?? Infinity);
  try {
    return await long.run<T>(task, input, { timeoutMs, ...(signal !== undefined && { signal }) });
  } finally {
    deadline?.spendStorage(performance.now() - begun);
  }
}
