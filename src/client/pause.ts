/** Backoff between retries. */

/** Milliseconds. */
const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/**
 * Exponential backoff with jitter, in milliseconds, so that clients do not all retry at once.
 *
 * @param attempt from 1
 * @param retryAfter minimum, in seconds, as the server requests
 */
export function pauseBefore(attempt: number, retryAfter = 0): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.max(retryAfter * 1_000, longest * (0.5 + Math.random() / 2));
}

/** @throws the reason of the signal when it is aborted */
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
