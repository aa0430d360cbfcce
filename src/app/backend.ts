/** The backend of a server, a store or an upstream: how a process opens it, waits for it and maintains it. */

import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { ServiceError } from '../errors.ts';
import type { MaintenanceOptions } from './background-jobs.ts';
import { maintainStore } from './background-jobs.ts';
import type { Application, Parts } from './composition/application.ts';
import type { StoreApplication } from './composition/store.ts';
import { createStoreApplication } from './composition/store.ts';
import { createUpstreamApplication } from './composition/upstream.ts';
import { mayBeAway } from './composition/whole-stores.ts';
import type { Config } from './config.ts';
import { announceUpstream } from './startup-banner.ts';

export interface Backend {
  readonly application: Application;
  /**
   * Opens the store. A database that cannot be reached but may come up later leaves the application not ready.
   *
   * @throws what prevents the start
   */
  open(): Promise<void>;
  /** Waits until the application is ready. @throws the error of a database that was reached but cannot be served */
  becomeReady(signal: AbortSignal): Promise<void>;
  /** The work of exactly one process of the server. Waits until the application is ready. */
  maintain(options: Omit<MaintenanceOptions, 'application' | 'config' | 'logger'>): Promise<void>;
}

/** Milliseconds between two attempts to reach the database. */
const RETRY_MS = 500;

/** @throws OperatorError when the audit log cannot be opened */
export function openBackend(config: Config, logger: Logger, parts: Parts): Backend {
  const { url } = config.upstream;
  return url === null ? openStore(config, logger, parts) : openUpstream(url, config, logger, parts);
}

function openUpstream(url: string, config: Config, logger: Logger, parts: Parts): Backend {
  return {
    application: createUpstreamApplication(config, url, parts),
    open: () => Promise.resolve(),
    becomeReady: () => Promise.resolve(),
    maintain: (options) => {
      announceUpstream(url, { ...options, config, logger });
      return Promise.resolve();
    },
  };
}

function openStore(config: Config, logger: Logger, parts: Parts): Backend {
  const application = createStoreApplication(config, parts);
  const becomeReady: Backend['becomeReady'] = async (signal) => {
    if (!application.isReady()) await retryOpening(application, logger, signal);
  };
  return {
    application,
    becomeReady,
    async open() {
      try {
        await application.open();
      } catch (error) {
        if (!mayBeAway(config.databaseUrl) || !isUnavailable(error)) throw error;
        logger.warn('The database cannot be reached; waiting for it');
      }
    },
    async maintain(options) {
      await becomeReady(options.stopping);
      if (!options.stopping.aborted) await maintainStore({ ...options, application, config, logger });
    },
  };
}

async function retryOpening(
  application: StoreApplication,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    try {
      await application.open();
      logger.info('The database can be reached');
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}
