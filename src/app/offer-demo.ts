/** Makes the demo at the first start of a server. */

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { Demo } from './demo-locations.ts';
import type { Gateway } from './composition/gateway.ts';

/**
 * A failure is only logged: a store that cannot take the demo can still be served.
 *
 * @returns null where none was made
 */
export async function offerDemo(gateway: Gateway, config: Config, logger: Logger): Promise<Demo | null> {
  try {
    const { prepareDemo } = await import('./demo-locations.ts');
    return await prepareDemo(gateway, config.limits.bulk);
  } catch (error) {
    logger.error({ err: error }, 'The demo map was not made');
    return null;
  }
}
