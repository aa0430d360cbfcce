/** Serves with this process only. */

import type { AddressInfo } from 'node:net';

import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import { createGateway, createGatewayServer } from '../gateway.ts';
import { listenForMetrics } from '../http/metrics-server.ts';
import { prepareShutdown } from '../http/shutdown.ts';
import { addressOf, urlOf } from './address.ts';
import { createObservers } from './observers.ts';
import { offerDemo } from './offer-demo.ts';
import { openWhenThere, tryToOpen } from './open-store.ts';
import { stopOnSignal } from './stop.ts';
import { sweepExpired } from './sweep.ts';

/** @throws what prevents the start */
export async function serveAlone(config: Config, logger: Logger): Promise<void> {
  const metrics =
    config.metricsPort === 0 ? null : (await import('../observability/metrics.ts')).createMetrics();
  const gateway = createGateway(config, createObservers(logger, metrics));
  const ends: (() => Promise<unknown> | void)[] = [() => gateway.close()];
  try {
    const isOpen = await tryToOpen(gateway, config, logger);
    const app = await createGatewayServer(gateway, config, logger, { metrics });
    ends.unshift(() => app.close());
    const shutDown = prepareShutdown(app);
    const listening = addressOf(config.host).then((host) => app.listen({ host, port: config.port }));
    const stopping = new AbortController();
    let rest = Promise.resolve();
    // Before the first connection, so that no signal is missed.
    stopOnSignal({
      logger,
      stop: async () => {
        stopping.abort();
        await listening;
        // A demo that is cut short would leave a store that is neither empty nor useful.
        await Promise.all([shutDown(config.shutdownTimeoutMs), rest]);
        await gateway.close();
      },
    });
    await listening;
    const { address, port } = app.server.address() as AddressInfo;
    if (metrics !== null) {
      const server = await listenForMetrics(metrics, address, config.metricsPort);
      ends.unshift(() => void server.close());
    }
    rest = isOpen ? Promise.resolve() : openWhenThere(gateway, logger, stopping.signal);
    await rest;
    if (stopping.signal.aborted) return;
    sweepExpired(gateway, logger, stopping.signal);
    if (config.demo) rest = offerDemo(gateway, config, urlOf(config.host, port), logger);
    await rest;
  } catch (error) {
    for (const end of ends) await end();
    throw error;
  }
}
