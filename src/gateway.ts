/** The composition root: the only file that knows every layer. */

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { Geocoder } from './geocoding/geocoder.ts';
import { createOfflineGeocoder } from './geocoding/offline/offline-geocoder.ts';
import { startApollo } from './graphql/apollo.ts';
import { createExecutor } from './graphql/executor.ts';
import { createSchema } from './graphql/schema.ts';
import { createServer } from './http/server.ts';
import { createTable } from './rest/table.ts';
import { createSecrets, prepareSecrets } from './services/secrets.ts';
import type { Services } from './services/services.ts';
import { createServices } from './services/services.ts';
import { openStorage } from './storage/open.ts';
import type { Storage } from './storage/storage.ts';

/** What a command needs: the services, and the store beneath them to let go of. */
export interface Gateway {
  readonly services: Services;
  readonly storage: Storage;
  close(): Promise<void>;
}

/** What tests put in the place of what the configuration names. */
export interface Replacements {
  readonly storage?: Storage;
  readonly geocoder?: Geocoder;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** @throws SecretKeyError where the store's keys need another SECRET_KEY; what opening the store throws */
export async function openGateway(config: Config, replacements: Replacements = {}): Promise<Gateway> {
  const storage =
    replacements.storage ?? (await openStorage(config.databaseUrl, { timeoutMs: config.databaseTimeoutMs }));
  try {
    const secrets = createSecrets(config.secretKey);
    await prepareSecrets(storage, secrets, config.secretKey !== null);
    const { geocoder = createOfflineGeocoder(), clock } = replacements;
    const services = createServices({ storage, geocoder, secrets, limits: config.limits, clock });
    return { services, storage, close: () => storage.close() };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Both doors over an open gateway; not yet listening. */
export async function createGatewayServer(
  { services }: Gateway,
  config: Config,
  logger: Logger,
): Promise<FastifyInstance> {
  const schema = createSchema();
  const executor = createExecutor(schema);
  const apollo = await startApollo({
    schema,
    executor,
    limits: config.graphql,
    logFailure: (error) => logger.error({ err: error }, 'An operation failed'),
  });
  const app = await createServer({
    config,
    services,
    apollo,
    executor,
    rows: createTable(config.v0),
    logger,
  });
  app.addHook('onClose', () => apollo.stop());
  return app;
}
