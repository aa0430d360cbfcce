/** The end of a process: in order, once, and in a time that is limited whatever holds on. */

import type { Logger } from 'pino';

/** Connections, storage and everything else are let go of by then, whatever holds on. */
const HARD_LIMIT_MS = 14_500;

export interface StopOptions {
  readonly logger: Logger;
  /** Lets go of everything. */
  readonly stop: () => Promise<void>;
  /** At the hard limit, before the process ends all the same. */
  readonly onHardLimit?: () => void;
  /** `debug` where another process tells of the end. */
  readonly level?: 'info' | 'debug';
}

/** @returns ends the process, with exit 0 where that could be done in order; called again it does nothing */
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
