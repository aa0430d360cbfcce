/** Addresses in the console's form: postcodes that lost a zero. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes } from '../support/browser-site.ts';
import type { ConsoleSite } from '../support/console.ts';
import { openMap, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Phone', type: 'phone' },
];

const form = (page: Page) => page.getByRole('dialog');

async function storedOf(site: ConsoleSite, mapId: string) {
  const query = `{ map(id: "${mapId}") { locations { nodes { latitude longitude properties geocoding { provider isChecked } } } } }`;
  return dataOf(await site.server.graphql(query, {}, site.token)).map.locations.nodes;
}

async function addLocation(
  site: ConsoleSite,
  mapId: string,
  fields: Record<string, unknown>,
  position: { latitude: number; longitude: number },
): Promise<void> {
  const mutation = 'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { map { id } } }';
  dataOf(await site.server.graphql(mutation, { input: { mapId, fields, position } }, site.token));
}

async function save(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Save' }).click();
  await form(page).waitFor({ state: 'detached' });
}

describeUnless(skipWithoutChromium(), "the console's form for an address", () => {
  const site = useConsole();

  it('makes no request while it is only opened', async () => {
    const fields = [...FIELDS, { name: 'Postcode', type: 'text' }];
    const map = await makeMap(
      site.server,
      { name: 'Opened', fields, geocoding: { countries: ['DE'] } },
      site.token,
    );
    await addLocation(
      site,
      map.id,
      { Name: 'Hut', Address: 'Main Street 1', Postcode: '1067' },
      { latitude: 51, longitude: 13.7 },
    );
    const { page, close } = await site.open();
    await page.clock.install();
    await signIn(page, site.token);
    await openMap(page, 'Opened');
    await rowOf(page, 'Hut').waitFor();
    await page.locator('.map .pin').waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? request.url()));
    await rowOf(page, 'Hut').click();
    await form(page).getByText('1067 → 01067?').waitFor();
    await form(page).getByLabel('Address').focus();
    for (const key of ['ArrowDown', 'End', 'Tab']) await page.keyboard.press(key);
    await page.clock.runFor(10_000);
    // The map moves to the pin, and loads what is in view there.
    expect(asked.filter((body) => !body.includes('query InView('))).toEqual([]);
    await close();
  });

  it('offers the zero that a postcode has lost, not while it is typed', async () => {
    const fields = [...FIELDS, { name: 'PLZ', type: 'number' }, { name: 'Land', type: 'text' }];
    const map = await makeMap(site.server, { name: 'Zeros', fields }, site.token);
    await addLocation(
      site,
      map.id,
      { Name: 'Hut', Address: 'Main Street 1', PLZ: 1067, Land: 'Deutschland' },
      { latitude: 51, longitude: 13.7 },
    );
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Zeros');
    await rowOf(page, 'Hut').click();
    const change = form(page).getByRole('button', { name: 'Change 1067 to 01067' });
    await change.waitFor();
    await expectAccessibleInBothSchemes(page, 'console-postcode');
    await form(page).getByLabel('Land').fill('Österreich');
    await change.waitFor({ state: 'detached' });
    await form(page).getByLabel('Land').fill('Germany');
    await change.waitFor();
    await form(page).getByLabel('PLZ').fill('106');
    await page.keyboard.press('End');
    await page.keyboard.type('7');
    expect(await change.count()).toBe(0);
    await page.keyboard.press('Tab');
    await change.click();
    expect(await page.evaluate('document.activeElement.value')).toBe('01067');
    expect(await change.count()).toBe(0);
    await save(page);
    expect((await storedOf(site, map.id))[0].properties).toMatchObject({ PLZ: '01067', Land: 'Germany' });
    site.expectClean(record);
    await close();
  });
});
