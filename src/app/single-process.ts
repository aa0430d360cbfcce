/** Serves with this process only. */

import type { AddressInfo } from 'node:net';

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { createGatewayServer } from './composition/server.ts';
import { listenForMetrics } from '../http/metrics-server.ts';
import { prepareShutdown } from '../http/shutdown.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { addressOf, urlOf } from './address.ts';
import { openBackend } from './backend.ts';
import { tuneGarbageCollection } from './gc-tuning.ts';
import { createObservers } from './observers.ts';
import { reopenOnSignal } from './reopen.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** @throws what prevents the start */
export async function serveSingleProcess(
  config: Config,
  logger: Logger,
  tracing: Tracing | null,
): Promise<void> {
  tuneGarbageCollection();
  const metrics =
    config.metricsPort === 0 ? null : (await import('./observability/metrics.ts')).createMetrics();
  const backend = openBackend(config, logger, { ...createObservers(logger, metrics), tracing });
  const gateway = backend.served;
  const ends: (() => Promise<unknown> | void)[] = [() => gateway.close()];
  try {
    const stopping = new AbortController();
    let rest = Promise.resolve();
    let endServer = () => Promise.resolve();
    // Before anything that may take long, such as another process's migration.
    stopOnSignal({
      logger,
      stop: async () => {
        stopping.abort();
        await Promise.all([endServer(), rest]);
        await gateway.close();
        await tracing?.flush();
      },
    });
    reopenOnSignal(gateway.reopenAudit);
    await backend.open();
    const app = await createGatewayServer(gateway, config, logger, { metrics, tracing });
    ends.unshift(() => app.close());
    const shutDown = prepareShutdown(app);
    const listening = addressOf(config.host).then((host) => app.listen({ host, port: config.port }));
    endServer = async () => {
      await listening;
      await shutDown(config.shutdownTimeoutMs);
    };
    await listening;
    const { address, port } = app.server.address() as AddressInfo;
    if (metrics !== null) {
      const server = await listenForMetrics(metrics, address, config.metricsPort);
      ends.unshift(() => void server.close());
    }
    const url = urlOf(config.host, port);
    rest = backend.maintain({ url, served: app.servedPages, stopping: stopping.signal });
    await rest;
  } catch (error) {
    for (const end of ends) await end();
    throw error;
  }
}
