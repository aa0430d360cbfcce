/** The serving process: configuration, the gateway, listening, signals, and an orderly end. */

import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { ConfigError, readConfig } from './config.ts';
import { prepareDemo, printDemo } from './demo.ts';
import { ServiceError } from './errors.ts';
import type { Gateway } from './gateway.ts';
import { createGatewayServer, openGateway } from './gateway.ts';
import { prepareShutdown } from './http/shutdown.ts';
import { createLogger } from './logger.ts';
import { SecretKeyError } from './services/secrets.ts';

/** Connections, storage and everything else are let go of by then, whatever holds on. */
const HARD_LIMIT_MS = 14_500;

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
  const gateway = await openGateway(config);
  let app: FastifyInstance | undefined;
  try {
    app = await createGatewayServer(gateway, config, logger);
    const shutDown = prepareShutdown(app);
    await app.listen({ host: config.host, port: config.port });
    const stopSweeping = sweepExpired(gateway, logger);
    let demo = Promise.resolve();
    onSignal(logger, async () => {
      stopSweeping();
      // A demo cut short would leave a store that is neither empty nor of use.
      await Promise.all([shutDown(config.shutdownTimeoutMs), demo]);
      await gateway.close();
    });
    const url = urlOf(app, config.host);
    if (config.demo) demo = offerDemo(gateway, url, logger);
    await demo;
  } catch (error) {
    await app?.close();
    await gateway.close();
    throw error;
  }
}

/** The demo is an offer: a store that cannot take it still serves. */
async function offerDemo(gateway: Gateway, url: string, logger: Logger): Promise<void> {
  try {
    const demo = await prepareDemo(gateway);
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

function sweepExpired({ storage }: Gateway, logger: Logger): () => void {
  const timer = setInterval(() => {
    storage.removeExpired(Date.now()).then(
      (removed) => logger.debug({ removed }, 'Removed expired records'),
      (error: unknown) => logger.warn({ err: error }, 'Expired records were not removed'),
    );
  }, SWEEP_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
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

function reportFailedStart(error: unknown, logger: Logger): void {
  const isExpected = error instanceof SecretKeyError || error instanceof ServiceError || isListenError(error);
  if (isExpected && error instanceof Error) logger.fatal(`Cannot start: ${error.message}`);
  else logger.fatal({ err: error }, 'Cannot start');
}

function isListenError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}
