/** Ends a process: in order, once, and within a time limit that always holds. */

import type { Logger } from 'pino';

/** Milliseconds after which the process ends, whatever is still open. */
const HARD_LIMIT_MS = 14_500;

export interface StopOptions {
  readonly logger: Logger;
  /** Closes everything. */
  readonly stop: () => Promise<void>;
  /** Called at the hard limit, just before the process ends. */
  readonly onHardLimit?: () => void;
  /** `debug` when another process logs the end. */
  readonly level?: 'info' | 'debug';
}

/** @returns a function that ends the process, with exit 0 when all was closed in order. Further calls do nothing */
export function prepareStop(options: StopOptions): (reason: Readonly<Record<string, unknown>>) => void {
  const { logger, stop, onHardLimit, level = 'info' } = options;
  let stopping = false;
  return (reason) => {
    if (stopping) return;
    stopping = true;
    logger[level](reason, 'Stopping');
    setTimeout(() => {
      logger.error('Something held on to the end; stopped all the same');
      onHardLimit?.();
      process.exit(0);
    }, HARD_LIMIT_MS).unref();
    stop().then(
      () => {
        logger[level]('Stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'Could not stop cleanly');
        process.exit(1);
      },
    );
  };
}

/** As {@link prepareStop}, at the first SIGTERM or SIGINT. */
export function stopOnSignal(options: StopOptions): void {
  const begin = prepareStop(options);
  const handle = (signal: NodeJS.Signals) => begin({ signal });
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}
