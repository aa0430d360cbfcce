/** Removes what has expired from the store, at intervals. */

import type { Logger } from 'pino';

import type { Gateway } from '../gateway.ts';

const SWEEP_INTERVAL_MS = 10 * 60 * 1000;

export function sweepExpired({ storage }: Gateway, logger: Logger, signal: AbortSignal): void {
  const timer = setInterval(() => {
    storage.removeExpired(Date.now()).then(
      (removed) => logger.debug({ removed }, 'Removed expired records'),
      (error: unknown) => logger.warn({ err: error }, 'Expired records were not removed'),
    );
  }, SWEEP_INTERVAL_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}
