/** What exactly one process of a server does for its store: removes old records, delivers to webhooks, makes the demo. */

import type { Logger } from 'pino';

import type { ServedPages } from '../web/pages.ts';
import type { StoreApplication } from './composition/store.ts';
import type { Config } from './config.ts';
import type { Demo } from './demo.ts';
import type { IssuedLink } from '../services/accounts/sign-in-links.ts';
import { announce } from './startup-banner.ts';

export interface MaintenanceOptions {
  readonly application: StoreApplication;
  readonly config: Config;
  readonly logger: Logger;
  /** Where clients find the server. */
  readonly url: string;
  readonly served: ServedPages;
  /** Ends the jobs. */
  readonly stopping: AbortSignal;
}

const EXPIRED_INTERVAL_MS = 10 * 60 * 1000;
const CHANGES_INTERVAL_MS = 5_000;
const CHANGES_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Starts the jobs, makes the demo, and prints the startup banner. Await it before the store is closed: half a demo would leave
 * a store that is neither empty nor useful.
 */
export async function maintainStore(options: MaintenanceOptions): Promise<void> {
  const { application, config, logger, stopping } = options;
  removeOldRecords(application, logger, stopping);
  deliverWebhooks(application, config, stopping);
  const demo = config.demo ? await makeDemo(application, config, logger) : null;
  // Of several processes that start at once, the one that makes the demo prints the link.
  const isFirst = config.demo ? demo !== null : await isEmpty(application, logger);
  const link = isFirst && config.passwordSignIn ? await issueFirstLink(application, logger) : null;
  await announce(options, { demo, link });
}

async function isEmpty({ storage }: StoreApplication, logger: Logger): Promise<boolean> {
  try {
    return await storage.isEmpty();
  } catch (error) {
    logger.error({ err: error }, 'The store could not be read');
    return false;
  }
}

/** Only logs a failure: the command line makes accounts too. @returns null for no link */
async function issueFirstLink({ services }: StoreApplication, logger: Logger): Promise<IssuedLink | null> {
  try {
    return await services.accounts.issueFirstLink();
  } catch (error) {
    logger.error({ err: error }, 'The link for the first account could not be made');
    return null;
  }
}

function removeOldRecords({ storage }: StoreApplication, logger: Logger, stopping: AbortSignal): void {
  every(EXPIRED_INTERVAL_MS, stopping, () => {
    storage.removeExpired(Date.now()).then(
      (removed) => logger.debug({ removed }, 'Removed expired records'),
      (error: unknown) => logger.warn({ err: error }, 'Expired records could not be removed'),
    );
  });
  every(CHANGES_INTERVAL_MS, stopping, () => {
    storage.removeOldChanges(Date.now() - CHANGES_KEPT_MS).catch((error: unknown) => {
      logger.warn({ err: error }, 'Old changes could not be removed');
    });
  });
}

function every(intervalMs: number, stopping: AbortSignal, work: () => void): void {
  const timer = setInterval(work, intervalMs).unref();
  stopping.addEventListener('abort', () => clearInterval(timer));
}

/** Closing the application waits for deliveries under way. */
function deliverWebhooks({ dispatcher }: StoreApplication, config: Config, stopping: AbortSignal): void {
  dispatcher.start();
  stopping.addEventListener('abort', () => void dispatcher.stop(config.shutdownTimeoutMs));
}

/** Only logs a failure: a store without the demo can still be served. @returns null when no demo was made */
async function makeDemo(application: StoreApplication, config: Config, logger: Logger): Promise<Demo | null> {
  try {
    const { prepareDemo } = await import('./demo.ts');
    return await prepareDemo(application, config.limits.bulk);
  } catch (error) {
    logger.error({ err: error }, 'The demo map could not be made');
    return null;
  }
}
