/** Opens the store at the start of a process, and waits for a database that is not reachable yet. */

import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { ServiceError } from '../errors.ts';
import type { ServingGateway } from './composition/gateway.ts';
import { mayBeAway } from './composition/stores.ts';

/** Milliseconds between two attempts to reach the database. */
const RETRY_MS = 500;

/**
 * Leaves the gateway not ready when the database cannot be reached and is worth waiting for.
 *
 * @throws the error of any other database that cannot be opened
 */
export async function tryToOpen(gateway: ServingGateway, config: Config, logger: Logger): Promise<void> {
  try {
    await gateway.open();
  } catch (error) {
    if (!mayBeAway(config.databaseUrl) || !isUnavailable(error)) throw error;
    logger.warn('The database cannot be reached; waiting for it');
  }
}

/** @throws the error of a database that was reached but cannot be served */
export async function openWhenThere(
  gateway: ServingGateway,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    try {
      await gateway.open();
      logger.info('The database has been reached');
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}
