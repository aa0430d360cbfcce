/** What one process does for the store while it is served, however many processes serve. */

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { ServingGateway } from './composition/gateway.ts';
import type { ServedPages } from '../web/pages.ts';
import { announce } from './startup-banner.ts';
import { offerDemo } from './offer-demo.ts';
import { openWhenThere } from './open-store.ts';
import { removeExpiredPeriodically } from './remove-expired.ts';

export interface MaintenanceOptions {
  readonly gateway: ServingGateway;
  readonly config: Config;
  readonly logger: Logger;
  /** Where clients find the server. */
  readonly url: string;
  readonly served: ServedPages;
  /** Ends the wait for the database, the sweep, and the deliveries. */
  readonly stopping: AbortSignal;
}

/**
 * Opens a store that could not be opened yet, removes at intervals what has expired or is too old, delivers to webhooks, makes the
 * demo, and prints where everything is. Must be waited for before the store is closed: half a demo would leave a store that is neither empty nor useful.
 *
 * @throws the error of a database that was reached but cannot be served
 */
export async function maintainStore(options: MaintenanceOptions): Promise<void> {
  const { gateway, config, logger, stopping } = options;
  if (!gateway.isReady()) await openWhenThere(gateway, logger, stopping);
  if (stopping.aborted) return;
  removeExpiredPeriodically(gateway, logger, stopping);
  deliver(gateway, config, stopping);
  const demo = config.demo ? await offerDemo(gateway, config, logger) : null;
  await announce(options, demo);
}

/** Ends with the process: what is under way then is waited for where the store is closed. */
function deliver({ dispatcher }: ServingGateway, { shutdownTimeoutMs }: Config, stopping: AbortSignal): void {
  dispatcher.start();
  stopping.addEventListener('abort', () => void dispatcher.stop(shutdownTimeoutMs));
}
