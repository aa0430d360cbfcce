/** The serving process: configuration, the gateway, listening, signals, and an orderly end. */

import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { ConfigError, readConfig } from './config.ts';
import { prepareDemo, printDemo } from './demo.ts';
import { OperatorError, ServiceError } from './errors.ts';
import type { Gateway, Parts, ServingGateway } from './gateway.ts';
import { createGateway, createGatewayServer, mayBeAway } from './gateway.ts';
import { listenForMetrics } from './http/metrics-server.ts';
import { prepareShutdown } from './http/shutdown.ts';
import { createLogger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Connections, storage and everything else are let go of by then, whatever holds on. */
const HARD_LIMIT_MS = 14_500;
/** Between two tries to reach a database that is away at the start. */
const RETRY_MS = 500;

/** Serves until a signal ends the process; a start that fails ends it with exit 1 and says why. */
export async function serve(): Promise<void> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`map-locations: ${error.message}`);
    process.exitCode = 1;
    return;
  }
  const logger = await createLogger(config);
  try {
    await start(config, logger);
  } catch (error) {
    reportFailedStart(error, logger);
    process.exitCode = 1;
  }
}

async function start(config: Config, logger: Logger): Promise<void> {
  const metrics = config.metricsPort === 0 ? null : (await import('./metrics.ts')).createMetrics();
  const gateway = createGateway(config, {
    onStorageCommand: commandObserver(logger, metrics),
    onGeocode: (event) => {
      metrics?.observeGeocode(event);
      logger.debug(event, 'Geocoded');
    },
    onGeocodeCacheFailure: (error) => logger.warn({ err: error }, 'A geocode was not kept'),
  });
  const ends: (() => Promise<unknown> | void)[] = [() => gateway.close()];
  try {
    const isOpen = await tryToOpen(gateway, config, logger);
    const app = await createGatewayServer(gateway, config, logger, metrics);
    ends.unshift(() => app.close());
    const shutDown = prepareShutdown(app);
    const listening = listen(app, config);
    const stopping = new AbortController();
    let rest = Promise.resolve();
    // From before the first connection on.
    onSignal(logger, async () => {
      stopping.abort();
      await listening;
      // A demo cut short would leave a store that is neither empty nor of use.
      await Promise.all([shutDown(config.shutdownTimeoutMs), rest]);
      await gateway.close();
    });
    const address = await listening;
    if (metrics !== null) {
      const server = await listenForMetrics(metrics, address, config.metricsPort);
      ends.unshift(() => void server.close());
    }
    rest = isOpen ? Promise.resolve() : openWhenThere(gateway, logger, stopping.signal);
    await rest;
    if (stopping.signal.aborted) return;
    sweepExpired(gateway, logger, stopping.signal);
    if (config.demo) rest = offerDemo(gateway, config, urlOf(app, config.host), logger);
    await rest;
  } catch (error) {
    for (const end of ends) await end();
    throw error;
  }
}

/**
 * Listens on one address: given the name "localhost", Fastify makes further servers, which would not end in order.
 *
 * @returns the address
 */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  const { address } = await lookup(host);
  await app.listen({ host: address, port });
  return address;
}

/** Null where nobody listens: then the driver does not even look at its clock. */
function commandObserver(logger: Logger, metrics: Metrics | null): Parts['onStorageCommand'] {
  if (metrics === null && !logger.isLevelEnabled('debug')) return undefined;
  return (command) => {
    metrics?.observeStorageCommand(command);
    logger.debug(command, 'Database command');
  };
}

/** @returns false where the database is one to wait for, and cannot be reached */
async function tryToOpen(gateway: ServingGateway, config: Config, logger: Logger): Promise<boolean> {
  try {
    await gateway.open();
    return true;
  } catch (error) {
    if (!mayBeAway(config.databaseUrl) || !isUnavailable(error)) throw error;
    logger.warn('The database cannot be reached; waiting for it');
    return false;
  }
}

async function openWhenThere(gateway: ServingGateway, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    try {
      await gateway.open();
      logger.info('The database has been reached');
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}

/** The demo is an offer: a store that cannot take it still serves. */
async function offerDemo(gateway: Gateway, config: Config, url: string, logger: Logger): Promise<void> {
  try {
    const demo = await prepareDemo(gateway, config.limits.bulk);
    if (demo !== null) printDemo(demo, url);
  } catch (error) {
    logger.error({ err: error }, 'The demo map was not made');
  }
}

function urlOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  // An address that means every interface is none that a client can ask for.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

const SWEEP_INTERVAL_MS = 10 * 60 * 1000;

function sweepExpired({ storage }: Gateway, logger: Logger, signal: AbortSignal): void {
  const timer = setInterval(() => {
    storage.removeExpired(Date.now()).then(
      (removed) => logger.debug({ removed }, 'Removed expired records'),
      (error: unknown) => logger.warn({ err: error }, 'Expired records were not removed'),
    );
  }, SWEEP_INTERVAL_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}

function onSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Stopping');
    setTimeout(() => {
      logger.error('Something held on to the end; stopped all the same');
      process.exit(0);
    }, HARD_LIMIT_MS).unref();
    stop().then(
      () => {
        logger.info('Stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'Could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

/** In a line where an operator can do something about it, else with all there is to know. */
function reportFailedStart(error: unknown, logger: Logger): void {
  if (error instanceof ServiceError && error.cause instanceof Error) {
    logger.fatal(`Cannot start: ${error.message} ${error.cause.message}`);
  } else if (isExpected(error)) {
    logger.fatal(`Cannot start: ${error.message}`);
  } else logger.fatal({ err: error }, 'Cannot start');
}

function isExpected(error: unknown): error is Error {
  return error instanceof ServiceError || error instanceof OperatorError || isAddressError(error);
}

/** HOST and PORT cannot be listened on. */
function isAddressError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    ['listen', 'bind', 'getaddrinfo'].includes(String(error.syscall))
  );
}
