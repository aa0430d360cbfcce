/** After all tests: stops what was started for them. */

import { stopChromium } from './chromium.ts';
import { stopMongodb } from './mongodb.ts';

export default async function globalTeardown(): Promise<void> {
  await Promise.all([stopMongodb(), stopChromium()]);
}
