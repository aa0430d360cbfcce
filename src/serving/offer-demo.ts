/** Makes the demo at the first start of a server. */

import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Gateway } from '../gateway.ts';

/** A failure is only logged: a store that cannot take the demo can still be served. */
export async function offerDemo(
  gateway: Gateway,
  config: Config,
  url: string,
  logger: Logger,
): Promise<void> {
  try {
    const { prepareDemo, printDemo } = await import('../demo.ts');
    const demo = await prepareDemo(gateway, config.limits.bulk);
    if (demo !== null) printDemo(demo, url);
  } catch (error) {
    logger.error({ err: error }, 'The demo map was not made');
  }
}
