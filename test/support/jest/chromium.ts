/** One Chromium for all test files of a run, each of which opens contexts of its own (../browser.ts). */

import type { BrowserServer } from 'playwright-core';

let server: BrowserServer | undefined;

/** Starts it, where there is a Chromium, and tells the processes of the test files. */
export async function provideChromium(): Promise<void> {
  // Late: Playwright takes long to load, and most runs of a few files need none.
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
