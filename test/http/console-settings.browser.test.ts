/** The console's map settings: they replace neither unloaded values nor concurrent input. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium } from '../support/browser.ts';
import { openMap, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { holdBack } from '../support/refusal.ts';
import { describeUnless } from '../support/skip.ts';

const GEOCODING_KEY = 'Google API key for geocoding this map’s addresses';

describeUnless(skipWithoutChromium(), "the console's settings in a browser", () => {
  const site = useConsole();

  async function makeKeyed(name: string) {
    return makeMap(site.server, { name, geocodingApiKey: 'find-1', providerMapApiKey: 'draw-1' }, site.token);
  }

  async function settingsOf(mapId: string) {
    const query = `{ map(id: "${mapId}") { name geocodingApiKey providerMapApiKey } }`;
    return dataOf(await site.server.graphql(query, {}, site.token)).map;
  }

  async function openSettings(page: Page, name: string): Promise<void> {
    await signIn(page, site.token);
    await openMap(page, name);
    await page.getByRole('button', { name: 'Settings' }).click();
  }

  const save = (page: Page) => page.getByRole('button', { name: 'Save settings' }).click();

  it('keep keys that could not be loaded, until they are loaded and changed', async () => {
    const map = await makeKeyed('Keyed');
    const { page, close } = await site.open();
    let isBroken = true;
    await page.route('**/graphql', (route) =>
      isBroken && route.request().postData()?.includes('query Keys') ? route.abort() : route.continue(),
    );
    await openSettings(page, 'Keyed');
    await page.getByText('The keys could not be loaded.').waitFor();
    expect(await page.getByLabel(GEOCODING_KEY).isDisabled()).toBe(true);
    await page.getByLabel('Map name').fill('Renamed');
    await save(page);
    await page.getByText('Saved.').waitFor();
    expect(await settingsOf(map.id)).toEqual({
      name: 'Renamed',
      geocodingApiKey: 'find-1',
      providerMapApiKey: 'draw-1',
    });

    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel(GEOCODING_KEY).fill('');
    await save(page);
    await page.getByText('Saved.').waitFor();
    expect(await settingsOf(map.id)).toEqual({
      name: 'Renamed',
      geocodingApiKey: null,
      providerMapApiKey: 'draw-1',
    });
    await close();
  });

  it('keep input written while they are saved', async () => {
    await makeKeyed('Slow');
    const { page, record, close } = await site.open();
    const letSave = await holdBack(page, 'mutation UpdateMap');
    await openSettings(page, 'Slow');
    const name = page.getByLabel('Map name');
    await name.fill('Slower');
    await save(page);
    await name.fill('Slowest');
    letSave();
    await page.getByRole('heading', { name: 'Slower' }).waitFor();
    expect(await name.inputValue()).toBe('Slowest');
    site.expectClean(record);
    await close();
  });
});
