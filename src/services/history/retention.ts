/** How much history is kept. */

import type { HistoryLimits } from '../../storage/storage.ts';

export interface HistoryRetention {
  /** Days that changes and former states are kept; 0 keeps none. */
  readonly days: number;
  /** Former states kept of each location; 0 keeps none. */
  readonly maxVersions: number;
  /** Days that deleted locations stay in the trash; 0 keeps none. */
  readonly trashDays: number;
}

export const DEFAULT_RETENTION: HistoryRetention = { days: 90, maxVersions: 100, trashDays: 30 };

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Longer than an idempotency key is remembered. */
const KEYED_CALL_DAYS = 2;

/** What happened at or after this time is kept. Milliseconds since the epoch; infinity if nothing is kept. */
export function keptSince(days: number, now: number): number {
  return days === 0 ? Number.POSITIVE_INFINITY : now - days * DAY_MS;
}

/** What the store may remove. */
export function limitsOf({ days, maxVersions, trashDays }: HistoryRetention, now: number): HistoryLimits {
  return {
    // Records say who put a location into the trash, and whether a call under an idempotency key has written.
    recordsSince: now - Math.max(days, trashDays, KEYED_CALL_DAYS) * DAY_MS,
    versionsSince: now - days * DAY_MS,
    trashSince: now - trashDays * DAY_MS,
    mostVersions: maxVersions,
  };
}
