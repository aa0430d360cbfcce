/** What is behind the services of a server: a store that is opened and tended, or an upstream that is asked. */

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { Served } from './composition/gateway.ts';
import type { Parts } from './composition/parts.ts';
import { createGateway } from './composition/gateway.ts';
import { createUpstreamGateway } from './composition/upstream.ts';
import { announceUpstream } from './upstream-banner.ts';
import { openWhenThere, tryToOpen } from './open-store.ts';
import type { MaintenanceOptions } from './background-jobs.ts';
import { maintainStore } from './background-jobs.ts';

export interface Backend {
  readonly served: Served;
  /** Leaves it not ready where it cannot be reached and is worth waiting for. @throws what prevents the start */
  open(): Promise<void>;
  /** Waits until it is ready. @throws the error of a store that was reached but cannot be served */
  becomeReady(signal: AbortSignal): Promise<void>;
  /** What one process does for it while it is served. It becomes ready first. */
  maintain(options: Omit<MaintenanceOptions, 'gateway' | 'config' | 'logger'>): Promise<void>;
}

/** @throws OperatorError */
export function openBackend(config: Config, logger: Logger, parts: Parts): Backend {
  const { url } = config.upstream;
  if (url !== null) {
    const nothing = () => Promise.resolve();
    return {
      served: createUpstreamGateway(config, url, parts),
      open: nothing,
      becomeReady: nothing,
      maintain: (options) => announceUpstream({ ...options, config, logger, upstreamUrl: url }),
    };
  }
  const gateway = createGateway(config, parts);
  return {
    served: gateway,
    open: () => tryToOpen(gateway, config, logger),
    becomeReady: async (signal) => {
      if (!gateway.isReady()) await openWhenThere(gateway, logger, signal);
    },
    maintain: (options) => maintainStore({ ...options, gateway, config, logger }),
  };
}
