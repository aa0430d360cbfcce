/** One Chromium for all test files of a run; each file opens its own contexts (../browser.ts). */

import type { BrowserServer } from 'playwright-core';

let server: BrowserServer | undefined;

/** Starts Chromium, if there is one, and passes its endpoint to the processes of the test files. */
export async function provideChromium(): Promise<void> {
  // Loaded late: Playwright loads slowly, and most runs of a few files do not need it.
  const { findChromium, launchOptions, SHARED_CHROMIUM } = await import('../browser.ts');
  const executablePath = findChromium();
  if (executablePath === undefined) return;
  const { chromium } = await import('playwright-core');
  server = await chromium.launchServer(launchOptions(executablePath));
  process.env[SHARED_CHROMIUM] = server.wsEndpoint();
}

export async function stopChromium(): Promise<void> {
  await server?.close();
}
