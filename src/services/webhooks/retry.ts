/** Exponential backoff for messages that failed. Durations in milliseconds, times in milliseconds since the epoch. */

/** The longest wait, unless Retry-After asks for a longer one. */
const LONGEST_MS = 3_600_000;
/** Jitter keeps webhooks that fail together from retrying together. */
const JITTER = 0.2;

export interface RetryRule {
  /** The wait after the first failure; doubles after each further one. */
  readonly firstMs: number;
  /** How long a message is retried. */
  readonly forMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface Failure {
  /** Failures of this message, including this one. */
  readonly failures: number;
  readonly failingSince: number;
  readonly now: number;
  /** Retry-After of the response; null if absent. */
  readonly retryAfterMs: number | null;
}

/** @returns the time of the next attempt; null if the retry period is over */
export function nextAttemptAt(
  { failures, failingSince, now, retryAfterMs }: Failure,
  rule: RetryRule,
): number | null {
  if (now >= failingSince + rule.forMs) return null;
  return now + Math.max(waitAfter(failures, rule), retryAfterMs ?? 0);
}

/** The doubled wait plus up to a fifth; at most an hour, less up to a fifth. */
function waitAfter(failures: number, { firstMs, random }: RetryRule): number {
  const doubled = firstMs * 2 ** (failures - 1);
  const share = JITTER * random();
  return Math.round(Math.min(doubled * (1 + share), LONGEST_MS * (1 - JITTER + share)));
}
