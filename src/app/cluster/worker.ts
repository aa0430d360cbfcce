/** The program of a worker process: waits for its settings, then serves. The primary gives it connections and stops it. */

import type { Logger } from 'pino';

import { prepareShutdown } from '../../http/shutdown.ts';
import { Deferred } from '../../lib/deferred.ts';
import { nameSources } from '../../lib/stack-traces.ts';
import { loadTracing } from '../../tracing/load.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { openBackend } from '../backend.ts';
import { createApplicationServer } from '../composition/server.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../observability/logger.ts';
import { createObservers } from '../observability/observers.ts';
import { expectedFailure, prepareStop, reopenAuditOnSignal, tuneGarbageCollection } from '../process.ts';
import { linkToPrimary, send } from './link.ts';
import type { ServeMessage, ToWorker } from './messages.ts';

nameSources();
process.on('message', function start(message: ToWorker) {
  // The primary may send other messages to all workers before this one serves.
  if (message.type !== 'serve') return;
  process.off('message', start);
  void serveAsWorker(message);
});
await send({ type: 'online' });

/** Serves until the primary or a signal ends the process. Reports a failed start to the primary. */
async function serveAsWorker({ config, address }: ServeMessage): Promise<void> {
  // The primary has logged the warning, if tracing could not be loaded.
  const { tracing } = await loadTracing();
  const logger = await createLogger(config, tracing);
  try {
    await serve(config, address, logger, tracing);
  } catch (error) {
    const line = expectedFailure(error);
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    await send({ type: 'failed', message: line ?? message, stack: line === null ? stack : null });
    process.exit(1);
  }
}

async function serve(config: Config, host: string, logger: Logger, tracing: Tracing | null): Promise<void> {
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
      await application.close();
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
    onReopenAudit: () => application.reopenAudit?.(),
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
  const { application } = backend;
  // The primary sends a message too, but a signal may reach only this process.
  reopenAuditOnSignal(application.reopenAudit);
  await backend.open();
  const app = await createApplicationServer(application, config, logger, {
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
