/** Serves as one of several processes. Connections come from the primary, and so does the message to stop. */

import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import { createGatewayServer } from '../composition/server.ts';
import { prepareShutdown } from '../../http/shutdown.ts';
import { createLogger } from '../observability/logger.ts';
import { loadTracing } from '../../tracing/load.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { openBackend } from '../backend.ts';
import { Deferred } from './deferred.ts';
import { expectedFailure } from '../start-failure.ts';
import { linkToPrimary, send } from './link.ts';
import type { ServeMessage } from './messages.ts';
import { tuneGarbageCollection } from '../gc-tuning.ts';
import { createObservers } from '../observers.ts';
import { reopenOnSignal } from '../reopen.ts';
import { prepareStop } from '../stop-on-signal.ts';

/** Serves until the primary or a signal ends the process. Tells the primary of a start that fails. */
export async function serveAsWorker({ config, address }: ServeMessage): Promise<void> {
  // The primary tells why nothing is traced.
  const { tracing } = await loadTracing();
  const logger = await createLogger(config, tracing);
  try {
    await start(config, address, logger, tracing);
  } catch (error) {
    const line = expectedFailure(error);
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    await send({ type: 'failed', message: line ?? message, stack: line === null ? stack : null });
    process.exit(1);
  }
}

async function start(config: Config, host: string, logger: Logger, tracing: Tracing | null): Promise<void> {
  tuneGarbageCollection();
  const metrics =
    config.metricsPort === 0 ? null : (await import('../observability/metrics.ts')).createMetrics();
  const serving = new Deferred<void>();
  const stopping = new AbortController();
  let timeoutMs = config.shutdownTimeoutMs;
  let drain = () => {};
  let shutDown = (_timeoutMs: number) => Promise.resolve();
  const stop = prepareStop({
    logger,
    // The primary logs the end.
    level: 'debug',
    stop: async () => {
      stopping.abort();
      await serving.promise;
      await shutDown(timeoutMs);
      await gateway.close();
      await tracing?.flush();
    },
  });
  const link = linkToPrimary({
    processes: config.workers,
    onDrain: () => drain(),
    onStop: (limit) => {
      timeoutMs = limit;
      stop({});
    },
    onReopenAudit: () => gateway.reopenAudit?.(),
    snapshot: async () => (await metrics?.snapshot()) ?? [],
  });
  // A signal may reach all processes at once, as Ctrl-C does. The primary decides the order in which they end.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void send({ type: 'signalled' }));
  }
  const backend = openBackend(config, logger, {
    ...createObservers(logger, metrics),
    processes: config.workers,
    tracing,
  });
  const gateway = backend.served;
  // The primary tells it too: a signal may reach one process, or all.
  reopenOnSignal(gateway.reopenAudit);
  await backend.open();
  const app = await createGatewayServer(gateway, config, logger, {
    metrics,
    sharedCounts: link.sharedCounts,
    tracing,
  });
  drain = () => app.readiness.drain();
  shutDown = prepareShutdown(app, link);
  await send({ type: 'pages', served: app.servedPages });
  await app.listen({ host, port: config.port, listenTextResolver: (url) => `Worker listening at ${url}` });
  serving.resolve();
  await backend.becomeReady(stopping.signal);
}
