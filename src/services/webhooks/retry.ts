/** When a message that has not arrived is sent again. Times are milliseconds, moments those since the epoch. */

/** The longest wait, unless the receiver asks for more. */
const LONGEST_MS = 3_600_000;
/** By how much waits differ, so that those who fail together do not come again together. */
const JITTER = 0.2;

export interface RetryRule {
  /** The wait after the first failure; it is doubled after each further one. */
  readonly firstMs: number;
  /** How long one message may fail. */
  readonly forMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface Failure {
  /** Of this message, with this one. */
  readonly failures: number;
  readonly failingSince: number;
  readonly now: number;
  /** What the receiver asks for; null where it does not. */
  readonly retryAfterMs: number | null;
}

/** The moment of the next attempt; null where there is to be none. */
export function nextAttemptAt(
  { failures, failingSince, now, retryAfterMs }: Failure,
  rule: RetryRule,
): number | null {
  if (now >= failingSince + rule.forMs) return null;
  return now + Math.max(waitAfter(failures, rule), retryAfterMs ?? 0);
}

/** The doubled wait, or up to a fifth longer; where that comes to an hour, an hour or up to a fifth less. */
function waitAfter(failures: number, { firstMs, random }: RetryRule): number {
  const doubled = firstMs * 2 ** (failures - 1);
  const share = JITTER * random();
  return Math.round(Math.min(doubled * (1 + share), LONGEST_MS * (1 - JITTER + share)));
}
