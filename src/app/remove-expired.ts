/** Removes from the store, at intervals, what has expired and what is too old. */

import type { Logger } from 'pino';

import type { Gateway } from './composition/gateway.ts';

const EXPIRED_EVERY_MS = 10 * 60 * 1000;
/** What is too old is gone within ten seconds. */
const CHANGES_EVERY_MS = 5_000;
const CHANGES_KEPT_MS = 24 * 60 * 60 * 1000;

export function removeExpiredPeriodically({ storage }: Gateway, logger: Logger, signal: AbortSignal): void {
  every(EXPIRED_EVERY_MS, signal, () => {
    storage.removeExpired(Date.now()).then(
      (removed) => logger.debug({ removed }, 'Removed expired records'),
      (error: unknown) => logger.warn({ err: error }, 'Expired records were not removed'),
    );
  });
  every(CHANGES_EVERY_MS, signal, () => {
    storage.removeOldChanges(Date.now() - CHANGES_KEPT_MS).catch((error: unknown) => {
      logger.warn({ err: error }, 'Old changes were not removed');
    });
  });
}

function every(intervalMs: number, signal: AbortSignal, work: () => void): void {
  const timer = setInterval(work, intervalMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}
