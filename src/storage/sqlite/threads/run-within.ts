import type { TimeBudget } from '../../deadline.ts';
import type { StorageScope } from '../../storage.ts';
import type { LongReads } from './long-reads.ts';

/**
 * Runs a task within the time that the store has for a call, and the caller for all of them.
 *
 * @param budget the caller's
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
