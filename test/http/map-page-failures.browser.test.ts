/** A map's page when its list cannot be read, or changes while it is read. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium } from '../support/browser.ts';
import { shoot, useBrowserSite } from '../support/browser-site.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { refuse, waitFrames } from '../support/refusal.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const ROW_HEIGHT = 64;

async function scrollTo(page: Page, row: number): Promise<void> {
  await page.getByRole('listbox').evaluate((list, top) => {
    (list as { scrollTop?: number }).scrollTop = top;
  }, row * ROW_HEIGHT);
}

describeUnless(skipWithoutChromium(), 'a map’s page with a failing or changing list', () => {
  const site = useBrowserSite();
  const rows = (page: Page) => page.getByRole('listbox').getByRole('option');
  const rowOf = (page: Page, name: string) => rows(page).getByText(name, { exact: true });
  /** Scrolls to a town, again while the list ends above it because its next page has not arrived. */
  const reach = (page: Page, town: number) =>
    until(async () => {
      await scrollTo(page, town);
      return rowOf(page, `Town ${town}`).isVisible();
    }, `Town ${town}`);
  const alertOf = (page: Page) => page.locator('.results').getByRole('alert');

  async function openTowns() {
    const { mapId, ids } = await createPublishedMap(site.server, {
      locations: Array.from({ length: 250 }, (_, index) => placeAt(`Town ${index}`, 40 + index / 100, 1)),
    });
    const opened = await site.open(`/maps/${mapId}`);
    await rowOf(opened.page, 'Town 0').waitFor();
    return { ...opened, mapId, ids };
  }

  it('requests a failing next page once, and again only on demand', async () => {
    const { page, close } = await openTowns();
    const refusal = await refuse(page, 'MoreLocations');
    await scrollTo(page, 80);
    await alertOf(page).getByText('Please wait 30 seconds.').waitFor();
    await waitFrames(page);
    expect(refusal.count).toBe(1);
    await shoot(page, 'map-page-failed');
    await alertOf(page).getByRole('button', { name: 'Try again' }).click();
    await alertOf(page).waitFor();
    await waitFrames(page);
    expect(refusal.count).toBe(2);
    refusal.end();
    await alertOf(page).getByRole('button', { name: 'Try again' }).click();
    await alertOf(page).waitFor({ state: 'detached' });
    await reach(page, 150);
    await reach(page, 190);
    await reach(page, 249);
    await close();
  });

  it('repeats a failed search from its beginning, and shows no count until it succeeds', async () => {
    const { page, close } = await openTowns();
    const status = page.getByRole('status');
    await status.getByText('250 locations').waitFor();
    const refusal = await refuse(page, 'FindLocations');
    await page.getByLabel('Search').fill('Town 24');
    await alertOf(page).getByText('Please wait 30 seconds.').waitFor();
    expect(await status.innerText()).toBe('');
    expect(await rows(page).count()).toBe(0);
    await waitFrames(page);
    expect(refusal.count).toBe(1);
    refusal.end();
    await alertOf(page).getByRole('button', { name: 'Try again' }).click();
    await status.getByText('11 locations found').waitFor();
    expect((await rows(page).locator('.row-name').allInnerTexts()).toSorted()).toEqual(
      ['Town 24', ...Array.from({ length: 10 }, (_, digit) => `Town 24${digit}`)].toSorted(),
    );
    await close();
  });

  it('says that a location cannot be shown while its part of the page cannot be loaded', async () => {
    const { mapId } = await createPublishedMap(site.server, { locations: [placeAt('Skagen', 57.7, 10.6)] });
    const { page, close } = await site.open('/healthz');
    let isOffline = true;
    await page.route('**/LocationCard-*', (route) => (isOffline ? route.abort() : route.continue()));
    await page.goto(`${site.baseUrl}/maps/${mapId}`);
    await rowOf(page, 'Skagen').click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await shoot(page, 'map-page-without-card');
    await page.getByRole('button', { name: 'All locations' }).click();
    isOffline = false;
    await rowOf(page, 'Skagen').click();
    await page.getByRole('article').getByRole('heading', { name: 'Skagen' }).waitFor();
    await close();
  });

  it('says that an unpublished map cannot be opened while what opens it cannot be loaded', async () => {
    const { page, close } = await site.open('/healthz');
    await page.route('**/map-key-*', (route) => route.abort());
    await page.goto(`${site.baseUrl}/maps/unknown#key=secret`);
    await page.locator('main').getByText('The server cannot be reached.').waitFor();
    await close();
  });

  it('shows a location once if it moves to the next page while the list is read', async () => {
    const { page, record, close, mapId, ids } = await openTowns();
    await page.getByRole('status').getByText('250 locations').waitFor();
    const response = await site.server.graphql(
      'mutation ($input: MoveLocationsInput!) { moveLocations(input: $input) { locations { id } } }',
      { input: { mapId, ids: [ids[98]], after: ids[101] } },
    );
    expect(response.json.errors).toBeUndefined();
    // Both of its positions are in view at once.
    await scrollTo(page, 80);
    await rowOf(page, 'Town 90').waitFor();
    await scrollTo(page, 96);
    await rowOf(page, 'Town 103').waitFor();
    expect(await rowOf(page, 'Town 98').count()).toBe(1);
    site.expectClean(record);
    await close();
  });
});
