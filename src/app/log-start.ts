/** The first line of the log: what starts here. */

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { describeStorage } from './composition/stores.ts';
import { VERSION } from '../lib/version.ts';
import { describeGeocoder } from './describe-geocoder.ts';

/** Without user, password and keys. */
export async function logStart(config: Config, logger: Logger): Promise<void> {
  const { url } = config.upstream;
  const backend =
    url === null
      ? { store: await describeStorage(config.databaseUrl), geocoder: describeGeocoder(config) }
      : { upstream: url };
  logger.info({ version: VERSION, ...backend, workers: config.workers }, 'Starting');
}
