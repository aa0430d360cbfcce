/** Opening hours on a map's page. The clock of the browser stands still. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { dataOf } from '../support/graphql.ts';
import { createPublishedMap } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Hours', type: 'openingHours' },
];

const PLACES = [
  ['Day', 'Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00; PH off'],
  ['Night', 'Mo-Su 22:00-02:00'],
  ['Always', '24/7'],
  ['Words', 'By appointment'],
  ['None', ''],
] as const;

const details = async (page: Page) =>
  (await page.getByRole('option').locator('.row-detail').allTextContents()).map((text) => text.trim());
const names = (page: Page) => page.getByRole('option').locator('.row-name').allTextContents();

describeUnless(skipWithoutChromium(), 'opening hours on a map’s page', () => {
  const site = useBrowserSite();

  async function makePlaces(settings: Record<string, unknown>): Promise<string> {
    const { mapId } = await createPublishedMap(site.server, {
      fields: FIELDS,
      locations: PLACES.map(([name, hours], index) => ({
        fields: { Name: name, Address: `Road ${index}`, Hours: hours },
        position: { latitude: 52.5, longitude: 13 + index / 100 },
      })),
    });
    const update = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(update, { input: { id: mapId, ...settings } }));
    return mapId;
  }

  /** @param now RFC 3339 */
  async function openAt(now: string, mapId: string) {
    const opened = await site.open('/healthz', { timezoneId: 'Asia/Tokyo' });
    await opened.page.clock.setFixedTime(new Date(now));
    await opened.page.goto(`${site.baseUrl}/maps/${mapId}`);
    await opened.page.getByRole('option').first().waitFor();
    return opened;
  }

  it('says in the list what is open, by the clock of the place', async () => {
    const mapId = await makePlaces({ timeZone: 'Europe/Berlin' });
    const { page, record, close } = await openAt('2026-11-27T10:00:00Z', mapId);
    await until(async () => (await details(page))[0] === 'Open until 12:30 · Road 0', 'the hours');
    expect(await details(page)).toEqual([
      'Open until 12:30 · Road 0',
      'Opens 22:00 · Road 1',
      'Open 24 hours · Road 2',
      'Road 3',
      'Road 4',
    ]);
    await page.clock.setFixedTime(new Date('2026-11-28T23:30:00Z'));
    await until(async () => (await details(page))[0] === 'Opens Monday 09:00 · Road 0', 'the next opening');
    expect((await details(page))[1]).toBe('Open until 02:00 · Road 1');
    site.expectClean(record);
    await close();
  });

  it('shows the week of a place, or the text as it is', async () => {
    const mapId = await makePlaces({ timeZone: 'Europe/Berlin' });
    const { page, record, close } = await openAt('2026-11-28T10:00:00Z', mapId);
    await page.getByRole('option').filter({ hasText: 'Day' }).click();
    const card = page.getByRole('article');
    await card.getByText('Open until 14:00').waitFor();
    expect(await card.getByRole('row').allInnerTexts()).toEqual([
      ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map(
        (day) => `${day}\t09:00–12:30, 13:30–18:00`,
      ),
      'Saturday\t10:00–14:00',
      'Sunday\tClosed',
    ]);
    await expectAccessibleInBothSchemes(page, 'map-hours-card');
    await page.setViewportSize(VIEWPORTS.phone);
    await shoot(page, 'map-hours-card-phone');
    await card.getByRole('button', { name: 'Next location' }).click();
    await card.getByRole('heading', { name: 'Night' }).waitFor();
    expect(await card.getByRole('row').first().innerText()).toBe('Monday\t22:00–02:00');
    await card.getByRole('button', { name: 'Next location' }).click();
    await card.getByRole('button', { name: 'Next location' }).click();
    await card.getByText('By appointment').waitFor();
    expect(await card.getByRole('row').count()).toBe(0);
    site.expectClean(record);
    await close();
  });

  it('finds what is open now, on the map too', async () => {
    const mapId = await makePlaces({ timeZone: 'Europe/Berlin' });
    const { page, record, close } = await openAt('2026-11-27T10:00:00Z', mapId);
    await page.getByRole('checkbox', { name: 'Open now' }).check();
    await until(async () => (await names(page)).join() === 'Day,Always', 'what is open');
    await page.getByRole('status').getByText('2 locations found').waitFor();
    await until(async () => (await page.locator('.map .pin').count()) === 2, 'two pins');
    await expectAccessibleInBothSchemes(page, 'map-hours-open-now');
    await page.getByRole('button', { name: 'Show all locations' }).click();
    await until(async () => (await names(page)).length === PLACES.length, 'all locations');
    expect(await page.getByRole('checkbox', { name: 'Open now' }).isChecked()).toBe(false);
    site.expectClean(record);
    await close();
  });

  it('leaves the texts as they are where the map has no time zone, and loads nothing for them', async () => {
    const mapId = await makePlaces({});
    const { page, record, close } = await openAt('2026-11-27T10:00:00Z', mapId);
    expect(await details(page)).toEqual(PLACES.map((_, index) => `Road ${index}`));
    expect(await page.getByRole('checkbox').count()).toBe(0);
    const scripts = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(scripts.filter((name) => name.includes('hours'))).toEqual([]);
    await page.getByRole('option').first().click();
    await page.getByRole('article').getByText(PLACES[0][1]).waitFor();
    site.expectClean(record);
    await close();
  });

  it('speaks the language of the page', async () => {
    const mapId = await makePlaces({ timeZone: 'Europe/Berlin', language: 'de' });
    const { page, record, close } = await openAt('2026-11-28T23:30:00Z', mapId);
    await until(async () => (await details(page))[0] === 'Öffnet Montag 09:00 · Road 0', 'German');
    site.expectClean(record);
    await close();
  });
});
