/** Refuses a page's requests as a rate-limited server would, or delays them, until the test lets them pass. */

import type { Page } from 'playwright-core';

import { Deferred } from '../../src/lib/deferred.ts';

export interface Refusal {
  /** The number of refused requests. */
  readonly count: number;
  readonly end: () => void;
}

/** @param part of the body of the requests to refuse */
export async function refuse(page: Page, part: string): Promise<Refusal> {
  let count = 0;
  let isOver = false;
  await page.route('**/graphql', async (route) => {
    if (isOver || route.request().postData()?.includes(part) !== true) return route.fallback();
    count += 1;
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '30' },
      json: { errors: [{ message: 'Too many requests.', extensions: { code: 'RATE_LIMITED' } }] },
    });
  });
  return {
    get count() {
      return count;
    },
    end: () => void (isOver = true),
  };
}

/**
 * @param part of the body of the requests to delay
 * @returns a function that lets them pass
 */
export async function holdBack(page: Page, part: string): Promise<() => void> {
  const mayPass = new Deferred<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(part)) await mayPass.promise;
    await route.continue();
  });
  return () => mayPass.resolve();
}

/** Waits long enough for a page to retry on its own. */
export async function waitFrames(page: Page, frames = 30): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) await page.evaluate('new Promise(requestAnimationFrame)');
}
