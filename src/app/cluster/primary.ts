/**
 * Serves with several processes. This one, the primary, handles no requests: it accepts connections and hands them to its
 * workers, round robin. It also does what must happen only once, because exactly one primary exists from before the first
 * worker until after the last: it prepares and maintains the store, and aggregates rate limits and metrics.
 */

import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import { listenForMetrics } from '../../http/metrics-server.ts';
import { createRateTotals } from '../../http/limits/rate-limit.ts';
import type { ServedPages } from '../../web/pages.ts';
import { openBackend } from '../backend.ts';
import { WorkerPool, sendTo } from './worker-pool.ts';
import { createObservers } from '../observability/observers.ts';
import { addressOf, reopenAuditOnSignal, stopOnSignal, urlOf } from '../process.ts';

/** @throws what prevents the start; later, an error when no worker can be started */
export async function serveByWorkers(config: Config, logger: Logger): Promise<never> {
  const size = config.workers;
  const metrics =
    config.metricsPort === 0
      ? null
      : (await import('../observability/metrics.ts')).createMetrics(() => pool.serving);
  const metricsPool =
    metrics === null
      ? null
      : new (await import('./metrics-pool.ts')).MetricsPool(metrics, () => pool.workers);
  const backend = openBackend(config, logger, { ...createObservers(logger, metrics), processes: size });
  const { application } = backend;
  const ends: (() => Promise<unknown> | void)[] = [() => application.close()];
  const address = await addressOf(config.host);
  const addCounts = {
    requests: createRateTotals(config.rateLimit),
    public: createRateTotals(config.publicRateLimit),
  };
  let served: ServedPages = { pages: [], hasMapPages: false };
  const pool = new WorkerPool({
    size,
    serve: { type: 'serve', config, address },
    stopTimeoutMs: config.shutdownTimeoutMs,
    logger,
    onMessage: (worker, message) => {
      if (message.type === 'counts') {
        const { rate, counts } = message;
        const { totals, usedUp } = addCounts[rate](counts);
        sendTo(worker, { type: 'totals', rate, totals });
        const others = usedUp.length === 0 ? [] : pool.workers.filter((other) => other !== worker);
        for (const other of others) sendTo(other, { type: 'usedUp', rate, totals: usedUp });
      }
      if (message.type === 'pages') served = message.served;
      if (message.type === 'metrics') metricsPool?.received(worker, message.id, message.snapshot);
    },
    onEnd: (worker) => void metricsPool?.ended(worker),
  });
  try {
    const stopping = new AbortController();
    let maintenance = Promise.resolve();
    // First, because what follows may take long, such as another process's migration.
    stopOnSignal({
      logger,
      stop: async () => {
        stopping.abort();
        await Promise.all([pool.stop(), maintenance]);
        await application.close();
      },
      onHardLimit: () => pool.kill(),
    });
    const { reopenAudit } = application;
    reopenAuditOnSignal(
      reopenAudit === null
        ? null
        : () => {
            reopenAudit();
            for (const worker of pool.workers) sendTo(worker, { type: 'reopenAudit' });
          },
    );
    // Before any worker opens the store, so that only this process migrates it.
    await backend.open();
    ends.unshift(() => pool.stop());
    const port = await pool.start();
    const url = urlOf(config.host, port);
    logger.info({ workers: size }, `Server listening at ${url}`);
    if (metricsPool !== null) {
      const server = await listenForMetrics(metricsPool, address, config.metricsPort);
      ends.unshift(() => void server.close());
    }
    maintenance = backend.maintain({ url, served, stopping: stopping.signal });
    await Promise.race([maintenance, pool.lost]);
    return await pool.lost;
  } catch (error) {
    for (const end of ends) await end();
    throw error;
  }
}
