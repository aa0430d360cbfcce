/** What exactly one process of a server does for its store: removes old records, delivers to webhooks, makes the demo. */

import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { removeOldHistory } from '../services/history/remove-old.ts';
import type { HistoryRetention } from '../services/history/retention.ts';
import { DAY_MS } from '../services/history/retention.ts';
import { CHANGES_READABLE_MS } from '../storage/changes.ts';
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
const HISTORY_INTERVAL_MS = 10 * 60 * 1000;
/** Between two steps that remove history. */
const HISTORY_PAUSE_MS = 100;
const CHANGES_INTERVAL_MS = 5_000;

/**
 * Starts the jobs, makes the demo, and prints the startup banner. Await it before the store is closed: half a demo would leave
 * a store that is neither empty nor useful.
 */
export async function maintainStore(options: MaintenanceOptions): Promise<void> {
  const { application, config, logger, stopping } = options;
  removeOldRecords(application, config.history, logger, stopping);
  removeHistory(application, config.history, logger, stopping);
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

function removeOldRecords(
  { storage }: StoreApplication,
  history: HistoryRetention,
  logger: Logger,
  stopping: AbortSignal,
): void {
  every(EXPIRED_INTERVAL_MS, stopping, () => {
    storage.removeExpired(Date.now()).then(
      (removed) => logger.debug({ removed }, 'Removed expired records'),
      (error: unknown) => logger.warn({ err: error }, 'Expired records could not be removed'),
    );
  });
  const changesKeptMs = Math.max(CHANGES_READABLE_MS, history.days * DAY_MS);
  every(CHANGES_INTERVAL_MS, stopping, () => {
    storage.removeOldChanges(Date.now() - changesKeptMs).catch((error: unknown) => {
      logger.warn({ err: error }, 'Old changes could not be removed');
    });
  });
}

/** One walk at a time, since it may take longer than the interval. */
function removeHistory(
  { storage }: StoreApplication,
  history: HistoryRetention,
  logger: Logger,
  stopping: AbortSignal,
): void {
  let isUnderWay = false;
  const pause = () => delay(HISTORY_PAUSE_MS, undefined, { signal: stopping, ref: false }).catch(() => {});
  every(HISTORY_INTERVAL_MS, stopping, () => {
    if (isUnderWay) return;
    isUnderWay = true;
    removeOldHistory(storage, history, { now: Date.now(), pause, signal: stopping })
      .then(
        (removed) => logger.debug({ removed }, 'Removed old history'),
        (error: unknown) => logger.warn({ err: error }, 'Old history could not be removed'),
      )
      .finally(() => (isUnderWay = false));
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
