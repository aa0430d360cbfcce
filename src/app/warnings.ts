/** What an operator should know at a start and would not be told of by any failure. A line each. */

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { Gateway } from './composition/gateway.ts';
import { allWebhooks } from '../services/webhooks/all-webhooks.ts';

export async function warnOfRisks(gateway: Gateway, config: Config, logger: Logger): Promise<void> {
  for (const line of config.warnings) logger.warn(line);
  if (config.secretKey !== null) return;
  const kept = [
    ...((await holdsKeys(gateway)) ? ['API keys of maps'] : []),
    ...((await holdsWebhookSecrets(gateway)) ? ['secrets of webhooks'] : []),
  ];
  if (kept.length > 0) {
    logger.warn(`${kept.join(' and ')} are stored unencrypted; SECRET_KEY encrypts them`);
  }
}

async function holdsKeys({ storage }: Gateway): Promise<boolean> {
  for await (const _map of storage.listMapsWithKeys()) return true;
  return false;
}

async function holdsWebhookSecrets({ storage }: Gateway): Promise<boolean> {
  for await (const { secret, formerSecret } of allWebhooks(storage)) {
    if (secret !== null || formerSecret !== null) return true;
  }
  return false;
}
