/** After all tests: stops what global-setup.ts started. */

import { stopChromium } from './chromium.ts';
import { stopMongodb } from './mongodb.ts';

export default async function globalTeardown(): Promise<void> {
  await Promise.all([stopMongodb(), stopChromium()]);
}
