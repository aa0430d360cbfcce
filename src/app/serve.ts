/** Serves: reads the settings, starts one process or a cluster, and reports a failed start. */

import type { AddressInfo } from 'node:net';

import type { Logger } from 'pino';

import { listenForMetrics } from '../http/metrics-server.ts';
import { prepareShutdown } from '../http/shutdown.ts';
import { loadTracing } from '../tracing/load.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { openBackend } from './backend.ts';
import { createApplicationServer } from './composition/server.ts';
import type { Config, Environment } from './config.ts';
import { ConfigError, readEnvironment, readServingConfig } from './config.ts';
import { createLogger } from './observability/logger.ts';
import { createObservers } from './observability/observers.ts';
import {
  addressOf,
  expectedFailure,
  reopenAuditOnSignal,
  stopOnSignal,
  tuneGarbageCollection,
  urlOf,
} from './process.ts';
import { logStart } from './startup-banner.ts';

/**
 * Serves until a signal ends the process. A failed start says why and sets exit status 1.
 *
 * @param settings override the environment
 */
export async function serve(settings: Environment = {}): Promise<void> {
  let config: Config;
  try {
    config = await readServingConfig({ ...readEnvironment(), ...settings });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`map-locations: ${error.message}`);
    process.exitCode = 1;
    return;
  }
  const { tracing, warning } = await loadTracing();
  const logger = await createLogger(config, tracing);
  try {
    await logStart(config, logger);
    if (warning !== null) logger.warn(warning);
    if (config.workers === 1) await serveSingleProcess(config, logger, tracing);
    else await (await import('./cluster/primary.ts')).serveByWorkers(config, logger);
  } catch (error) {
    const line = expectedFailure(error);
    if (line === null) logger.fatal({ err: error }, 'Cannot start');
    else logger.fatal(`Cannot start: ${line}`);
    process.exitCode = 1;
  }
}

/** @throws what prevents the start */
async function serveSingleProcess(config: Config, logger: Logger, tracing: Tracing | null): Promise<void> {
  tuneGarbageCollection();
  const metrics =
    config.metricsPort === 0 ? null : (await import('./observability/metrics.ts')).createMetrics();
  const backend = openBackend(config, logger, { ...createObservers(logger, metrics), tracing });
  const { application } = backend;
  const ends: (() => Promise<unknown> | void)[] = [() => application.close()];
  try {
    const stopping = new AbortController();
    let maintenance = Promise.resolve();
    let endServer = () => Promise.resolve();
    // First, because what follows may take long, such as another process's migration.
    stopOnSignal({
      logger,
      stop: async () => {
        stopping.abort();
        await Promise.all([endServer(), maintenance]);
        await application.close();
        await tracing?.flush();
      },
    });
    reopenAuditOnSignal(application.reopenAudit);
    await backend.open();
    const app = await createApplicationServer(application, config, logger, { metrics, tracing });
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
    maintenance = backend.maintain({ url, served: app.servedPages, stopping: stopping.signal });
    await maintenance;
  } catch (error) {
    for (const end of ends) await end();
    throw error;
  }
}
