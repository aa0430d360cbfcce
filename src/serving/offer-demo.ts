/** The demo of a first start, as part of serving. */

import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Gateway } from '../gateway.ts';

/** The demo is an offer: a store that cannot take it still serves. */
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
