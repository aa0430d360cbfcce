/** What an operator should know at a start and would not be told of by any failure. A line each. */

import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Gateway } from '../gateway.ts';

export async function warnOfRisks(gateway: Gateway, config: Config, logger: Logger): Promise<void> {
  for (const line of config.warnings) logger.warn(line);
  if (config.secretKey === null && (await holdsKeys(gateway))) {
    logger.warn('API keys of maps are stored unencrypted; SECRET_KEY encrypts them');
  }
}

async function holdsKeys({ storage }: Gateway): Promise<boolean> {
  for await (const _map of storage.listMapsWithKeys()) return true;
  return false;
}
