/** The opening hours in the console's form of a location: by day, and as text that is never lost. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, rowOf, signIn, useConsole } from '../support/console.ts';
import { createLocation, dataOf, makeMap } from '../support/graphql.ts';
import { addMember } from '../support/members.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Hours', type: 'openingHours' },
];

describeUnless(skipWithoutChromium(), 'opening hours in the form of a location', () => {
  const site = useConsole();
  const hours = (page: Page) => page.getByRole('group', { name: 'Hours', exact: true });
  const day = (page: Page, name: string) => hours(page).getByRole('group', { name, exact: true });
  const kindOf = (page: Page, name: string) => day(page, name).getByRole('combobox');

  /** @param text empty for no hours */
  async function makeBakery(text: string): Promise<string> {
    const input = { name: 'Bakeries', fields: FIELDS, isPublished: true };
    const { id: mapId } = await makeMap(site.server, input, site.token);
    const update = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    const settings = { id: mapId, timeZone: 'Europe/Berlin' };
    dataOf(await site.server.graphql(update, { input: settings }, site.token));
    const fields = { Name: 'Mill', Address: '1 Street', ...(text !== '' && { Hours: text }) };
    const position = { latitude: 52.5, longitude: 13 };
    dataOf(await createLocation(site.server, { mapId, fields, position }, site.token));
    return mapId;
  }

  async function storedHours(mapId: string): Promise<unknown> {
    const query = `{ map(id: "${mapId}") { locations { nodes { properties } } } }`;
    const { nodes } = dataOf(await site.server.graphql(query, {}, site.token)).map.locations;
    return nodes[0].properties.Hours;
  }

  async function openForm(page: Page, token = site.token): Promise<void> {
    await signIn(page, token);
    await openMap(page, 'Bakeries');
    await rowOf(page, 'Mill').click();
    await page.getByRole('dialog').waitFor();
  }

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Saved: Mill').waitFor();
  }

  async function copy(page: Page, from: string, to: string): Promise<void> {
    await day(page, from).getByText('Copy').click();
    await day(page, from).getByRole('button', { name: to }).click();
  }

  it('are entered by day, with breaks, after midnight and on holidays, and shown on the page', async () => {
    const mapId = await makeBakery('');
    const { page, record, close } = await site.open();
    await openForm(page);
    await hours(page).getByRole('button', { name: 'Enter hours' }).click();
    await kindOf(page, 'Monday').selectOption('Open');
    await day(page, 'Monday').getByLabel('Monday, to').fill('12:30');
    await day(page, 'Monday').getByRole('button', { name: 'add hours' }).click();
    await day(page, 'Monday').getByLabel('Monday, from').last().fill('13:30');
    await day(page, 'Monday').getByLabel('Monday, to').last().fill('18:00');
    await copy(page, 'Monday', 'To Monday–Friday');
    await kindOf(page, 'Friday').selectOption('24 hours');
    await kindOf(page, 'Saturday').selectOption('Open');
    await day(page, 'Saturday').getByRole('button', { name: 'remove 13:30–18:00' }).click();
    await day(page, 'Saturday').getByLabel('Saturday, from').fill('20:00');
    await day(page, 'Saturday').getByLabel('Saturday, to').fill('02:00');
    await day(page, 'Saturday').getByText('(next day)').waitFor();
    await kindOf(page, 'Public holidays').selectOption('Closed');
    await save(page);
    expect(await storedHours(mapId)).toBe(
      'Mo-Th 09:00-12:30,13:30-18:00; Fr 00:00-24:00; Sa 20:00-02:00; PH off',
    );
    await page.goto(new URL(`/maps/${mapId}`, page.url()).href);
    await page.getByRole('option').first().click();
    await page.getByText('9:00–12:30, 13:30–18:00').first().waitFor({ state: 'attached' });
    site.expectClean(record);
    await close();
  });

  it('are shown by day, and unchanged until they are edited', async () => {
    const text = 'mo-fr 9:00 – 18:00; PH 10:00-12:00';
    const mapId = await makeBakery(text);
    const { page, record, close } = await site.open();
    await openForm(page);
    expect(await kindOf(page, 'Monday').inputValue()).toBe('open');
    expect(await day(page, 'Friday').getByLabel('Friday, from').inputValue()).toBe('09:00');
    expect(await kindOf(page, 'Sunday').inputValue()).toBe('closed');
    expect(await day(page, 'Public holidays').getByLabel('Public holidays, to').inputValue()).toBe('12:00');
    await page.getByRole('dialog').getByLabel('Name').fill('Old mill');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved: Old mill').waitFor();
    expect(await storedHours(mapId)).toBe(text);
    site.expectClean(record);
    await close();
  });

  it('stay text where the days do not hold them in full', async () => {
    const text = 'Mo-Fr 09:00-18:00 "ring twice"';
    const mapId = await makeBakery(text);
    const { page, record, close } = await site.open();
    await openForm(page);
    const input = hours(page).getByRole('textbox', { name: 'Hours' });
    expect(await input.inputValue()).toBe(text);
    await hours(page).getByText('Pages show this as text.').waitFor();
    expect(await hours(page).getByRole('button', { name: 'Edit by day' }).count()).toBe(0);
    await input.fill('PH off; Mo-Fr 09:00-18:00');
    await hours(page).getByText('These hours can only be edited as text.').waitFor();
    await input.fill('By appointment');
    await save(page);
    expect(await storedHours(mapId)).toBe('By appointment');
    site.expectClean(record);
    await close();
  });

  it('are edited as text, by day again, and removed', async () => {
    const mapId = await makeBakery('24/7');
    const { page, record, close } = await site.open();
    await openForm(page);
    expect(await kindOf(page, 'Wednesday').inputValue()).toBe('allDay');
    await hours(page).getByRole('button', { name: 'Edit as text' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Sa,Su 10:00-16:00');
    await hours(page).getByRole('button', { name: 'Edit by day' }).click();
    expect(await kindOf(page, 'Wednesday').inputValue()).toBe('closed');
    expect(await day(page, 'Sunday').getByLabel('Sunday, to').inputValue()).toBe('16:00');
    await copy(page, 'Sunday', 'To all days');
    await save(page);
    expect(await storedHours(mapId)).toBe('Mo-Su 10:00-16:00');
    await rowOf(page, 'Mill').click();
    await hours(page).getByRole('button', { name: 'Remove hours' }).click();
    await save(page);
    expect(await storedHours(mapId)).toBeUndefined();
    site.expectClean(record);
    await close();
  });

  it('are not saved while a time is missing', async () => {
    const mapId = await makeBakery('Mo 09:00-12:00');
    const { page, record, close } = await site.open();
    await openForm(page);
    await day(page, 'Monday').getByRole('button', { name: 'add hours' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const missing = day(page, 'Monday').getByLabel('Monday, from').last();
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Monday, from');
    expect(await missing.inputValue()).toBe('');
    expect(await storedHours(mapId)).toBe('Mo 09:00-12:00');
    site.expectClean(record);
    await close();
  });

  it('are edited with the keyboard', async () => {
    const mapId = await makeBakery('Mo-Fr 09:00-18:00');
    const { page, record, close } = await site.open();
    await openForm(page);
    await kindOf(page, 'Monday').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1015');
    await kindOf(page, 'Sunday').focus();
    await page.keyboard.type('24');
    await page.keyboard.press('Enter');
    await save(page);
    expect(await storedHours(mapId)).toBe('Mo 10:15-18:00; Tu-Fr 09:00-18:00; Su 00:00-24:00');
    site.expectClean(record);
    await close();
  });

  it('follow what others store', async () => {
    const mapId = await makeBakery('Mo-Fr 09:00-18:00');
    const { page, close } = await site.open();
    await openForm(page);
    const query = `{ map(id: "${mapId}") { locations { nodes { id } } } }`;
    const { nodes } = dataOf(await site.server.graphql(query, {}, site.token)).map.locations;
    const mutation =
      'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { id } } }';
    const input = { mapId, id: nodes[0].id, fields: { Hours: 'Mo-Sa 07:00-18:00' } };
    dataOf(await site.server.graphql(mutation, { input }, site.token));
    await day(page, 'Saturday').getByLabel('Saturday, from').waitFor();
    expect(await day(page, 'Monday').getByLabel('Monday, from').inputValue()).toBe('07:00');
    await close();
  });

  it('cannot be changed by viewers', async () => {
    const mapId = await makeBakery('Mo-Fr 09:00-18:00');
    await addMember(site.server, mapId, 'a viewer', 'viewer');
    const { page, record, close } = await site.open();
    await openForm(page, await site.server.createToken({ owner: 'a viewer' }));
    expect(await kindOf(page, 'Monday').isDisabled()).toBe(true);
    expect(await day(page, 'Monday').getByLabel('Monday, from').isEditable()).toBe(false);
    expect(await hours(page).getByRole('button').count()).toBe(0);
    site.expectClean(record);
    await close();
  });

  it('fit all screens, in both colour schemes', async () => {
    await makeBakery('Mo-Fr 09:00-12:30,13:30-18:00; Sa 20:00-02:00; PH off');
    const { page, record, close } = await site.open();
    await openForm(page);
    for (const [name, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await hours(page).evaluate<void, { scrollIntoView(): void }>((element) => element.scrollIntoView());
      await expectAccessibleInBothSchemes(page, `console-hours-${name}`);
    }
    site.expectClean(record);
    await close();
  });
});
