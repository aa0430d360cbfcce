/** The console's list when it cannot be read. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium, until as untilOn, untilQuiet } from '../support/browser.ts';
import { expectAccessible } from '../support/browser-site.ts';
import { openMap, rowOf, shoot, signIn, useConsole } from '../support/console.ts';
import { makeLocations, makeMap } from '../support/graphql.ts';
import { refuse, waitFrames } from '../support/refusal.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const ROW_HEIGHT = 44;

async function scrollTo(page: Page, row: number): Promise<void> {
  await page.locator('.c-list').evaluate((list, top) => {
    (list as { scrollTop?: number }).scrollTop = top;
  }, row * ROW_HEIGHT);
}

/** Scrolls to a place, again while the list ends above it because its next page has not arrived. */
const reach = (page: Page, place: number) =>
  until(async () => {
    await scrollTo(page, place);
    return rowOf(page, `Place ${place}`).isVisible();
  }, `Place ${place}`);

describeUnless(skipWithoutChromium(), "the console's list when the server refuses requests", () => {
  const site = useConsole();

  async function openLong() {
    const map = await makeMap(site.server, { name: 'Long' }, site.token);
    await makeLocations(site.server, map.id, Array<null>(250).fill(null), site.token);
    const opened = await site.open();
    await signIn(opened.page, site.token);
    await openMap(opened.page, 'Long');
    await rowOf(opened.page, 'Place 0').waitFor();
    return opened;
  }

  it('requests a failing next page once, and again only on demand', async () => {
    const { page, close } = await openLong();
    const refusal = await refuse(page, 'query Rows(');
    await scrollTo(page, 80);
    const alert = page.locator('.c-list').getByRole('alert');
    await alert.getByText('Too many requests. Please wait 30 seconds.').waitFor();
    await waitFrames(page);
    expect(refusal.count).toBe(1);
    await shoot(page, 'page-failed');
    await expectAccessible(page);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await untilOn(page, `document.activeElement.className === 'c-list'`);
    await alert.waitFor();
    await waitFrames(page);
    expect(refusal.count).toBe(2);
    refusal.end();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await rowOf(page, 'Place 100').waitFor();
    expect(await alert.count()).toBe(0);
    // It continues from there without action.
    await reach(page, 190);
    await reach(page, 249);
    await close();
  });

  it('requests no more pages after a failed search', async () => {
    const { page, record, close } = await openLong();
    await scrollTo(page, 80);
    await rowOf(page, 'Place 80').waitFor();
    await untilQuiet(page, record);
    const refusal = await refuse(page, 'query Rows(');
    await page.getByRole('searchbox', { name: 'Search' }).fill('Place 24');
    await page.locator('.c-editor > .c-problem').waitFor();
    await scrollTo(page, 250);
    await waitFrames(page);
    expect(refusal.count).toBe(1);
    refusal.end();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Place 249');
    await page.getByText('1 location found').waitFor();
    await close();
  });
});
