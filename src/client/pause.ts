/** Waiting before something is tried again. */

/** Milliseconds of the first pause, and of the longest. */
const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/**
 * Milliseconds: twice as long each time, a random part of it, so that clients do not come back all at once.
 *
 * @param attempt from 1
 * @param retryAfter seconds that the service has asked for
 */
export function pauseBefore(attempt: number, retryAfter = 0): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.max(retryAfter * 1_000, longest * (0.5 + Math.random() / 2));
}

/** @throws the signal's reason when it is aborted */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}
