/** The locations nearest to the reader, on a map's page. */

import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';

import { findChromium, launchOptions, openRecordedPage, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';

/** More precise than the server may know it. */
const AARHUS = { latitude: 56.162937, longitude: 10.203921 };
const BY_DISTANCE = ['Skagen', 'Roter Sand', 'Bell Rock'];

describeUnless(skipWithoutChromium(), 'near me', () => {
  const site = useBrowserSite({ LOG_LEVEL: 'trace' });
  let mapId: string;

  beforeAll(async () => {
    ({ mapId } = await createPublishedMap(site.server, {
      name: 'Lighthouses',
      locations: [
        placeAt('Bell Rock', 56.4342, -2.3871),
        placeAt('Roter Sand', 53.8549, 8.0817),
        placeAt('Skagen', 57.7371, 10.6297),
      ],
    }));
  });

  const names = (page: Page) => page.locator('.row-name').allInnerTexts();
  const distances = (page: Page) => page.locator('.row-detail b').allInnerTexts();
  const button = (page: Page) => page.getByRole('button', { name: 'Near me' });
  const granted = { geolocation: AARHUS, permissions: ['geolocation'] };

  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    it(`lists the nearest first, with their distances, and marks where the reader is (${name})`, async () => {
      const { page, record, close } = await site.open(`/maps/${mapId}`, { viewport, ...granted });
      await page.locator('.map .pin').nth(2).waitFor();
      expect(await names(page)).toEqual(['Bell Rock', 'Roter Sand', 'Skagen']);
      expect(await page.locator('.position').count()).toBe(0);
      await button(page).click();
      await page.getByText('Nearest first').waitFor();
      await page.locator('.row-nearest').getByText('Skagen').first().waitFor();
      expect(await names(page)).toEqual(BY_DISTANCE);
      expect(await distances(page)).toEqual(['110 mi', '180 mi', '482 mi']);
      await page.locator('.position').waitFor();
      await expectAccessibleInBothSchemes(page, `near-me-${name}`);

      await page.getByRole('searchbox').fill('r');
      await page.getByText('2 locations found').waitFor();
      await page.getByRole('button', { name: 'Show all locations' }).click();
      await page.getByText('3 locations', { exact: true }).waitFor();
      expect(await names(page)).toEqual(['Bell Rock', 'Roter Sand', 'Skagen']);
      expect([await distances(page), await page.locator('.position').count()]).toEqual([[], 0]);
      site.expectClean(record);
      await close();
    });
  }

  it('asks for the position only when pressed, and sends it rounded, in the query alone', async () => {
    const { page, close } = await site.open('/', granted);
    await page.addInitScript(`asked = 0; {
      const { geolocation } = navigator, { getCurrentPosition, watchPosition } = geolocation;
      geolocation.getCurrentPosition = (...args) => (asked += 1, getCurrentPosition.apply(geolocation, args));
      geolocation.watchPosition = () => { asked += 100; };
    }`);
    const sent: { url: string; body: string; referer: string }[] = [];
    page.on('request', (request) => {
      const { referer = '' } = request.headers();
      sent.push({ url: request.url(), body: request.postData() ?? '', referer });
    });
    await page.goto(`${site.baseUrl}/maps/${mapId}`);
    await page.locator('.map .pin').nth(2).waitFor();
    expect(await page.evaluate('asked')).toBe(0);
    await button(page).click();
    await page.locator('.row-nearest').first().waitFor();
    expect(await page.evaluate('asked')).toBe(1);

    const text = (parts: readonly string[]) => parts.join('\n');
    expect(text(sent.map(({ url, referer }) => url + referer))).not.toMatch(/56\.16|10\.20/);
    const bodies = text(sent.map(({ body }) => body));
    expect(bodies).toContain('"near":{"latitude":56.163,"longitude":10.204,"radius":20037508}');
    expect(bodies).not.toMatch(/56\.1629|10\.2039/);
    expect(page.url()).not.toContain('56.16');
    expect(site.server.log.join('')).not.toMatch(/56\.163|10\.204/);
    await close();
  });

  it('gives distances in the units of the reader’s region', async () => {
    for (const [locale, distance] of [
      ['en-US', '110 mi'],
      ['en-IE', '177 km'],
      ['de-DE', '177 km'],
    ] as const) {
      const { page, close } = await site.open(`/maps/${mapId}?near=56.163,10.204`, { locale });
      await page.locator('.row-nearest').first().waitFor();
      expect((await distances(page))[0]?.replace('\u00a0', ' ')).toBe(distance);
      await close();
    }
  });

  it('starts at a place and with a search that its address names', async () => {
    const { page, record, close } = await site.open(`/maps/${mapId}?near=56,10&q=s`);
    await page.locator('.row-nearest').getByText('Skagen').first().waitFor();
    expect(await names(page)).toEqual(['Skagen', 'Roter Sand']);
    expect(await page.getByRole('searchbox').inputValue()).toBe('s');
    site.expectClean(record);
    await close();
    for (const wrong of ['', '1', '1,2,3', '91,0', '0,181', 'x,y', ',']) {
      const opened = await site.open(`/maps/${mapId}?near=${wrong}`);
      await opened.page.locator('.map .pin').nth(2).waitFor();
      expect([wrong, ...(await names(opened.page))]).toEqual([wrong, 'Bell Rock', 'Roter Sand', 'Skagen']);
      await opened.close();
    }
  });

  it('says what to do without permission, and without a position', async () => {
    const denied = await site.open(`/maps/${mapId}`);
    await button(denied.page).click();
    await denied.page.getByText('This page may not use your position.').waitFor();
    await expectAccessibleInBothSchemes(denied.page, 'near-me-denied');
    expect(await names(denied.page)).toEqual(['Bell Rock', 'Roter Sand', 'Skagen']);
    await denied.close();

    const lost = await site.open('/', granted);
    await lost.page.addInitScript(
      'navigator.geolocation.getCurrentPosition = (found, failed) => failed({ code: 2 })',
    );
    await lost.page.goto(`${site.baseUrl}/maps/${mapId}`);
    await button(lost.page).click();
    await lost.page.getByText('Your position could not be found.').waitFor();
    await lost.close();
  });

  for (const [name, allow] of Object.entries({ allows: 'allow="geolocation"', 'does not allow': '' })) {
    it(`works in a frame of another site that ${name} it, or says what to do`, async () => {
      const host = await startNeighbour((_request, response) => {
        const frame = `<iframe src="${site.baseUrl}/maps/${mapId}?embed=1" ${allow} width="900" height="600"></iframe>`;
        response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Host</title>${frame}`);
      });
      try {
        const { page, record, close } = await openRecordedPage(site.browser, { locale: 'en-GB', ...granted });
        await page.goto(host.otherSite);
        const frame = page.frameLocator('iframe');
        await frame.locator('.map .pin').nth(2).waitFor();
        await frame.getByRole('button', { name: 'Near me' }).click();
        if (allow === '') {
          await frame.getByText('Open the full page, or type a place in the search.').waitFor();
          expect(await frame.getByRole('link', { name: 'Open the full page' }).count()).toBe(1);
          await shoot(page, 'near-me-frame');
        } else {
          await frame.locator('.row-nearest').getByText('Skagen').first().waitFor();
          expect(await frame.locator('.row-name').allInnerTexts()).toEqual(BY_DISTANCE);
        }
        expect(record.violations).toEqual([]);
        await close();
      } finally {
        await host.close();
      }
    });
  }

  it('says over http that the page needs https', async () => {
    const options = launchOptions(findChromium()!);
    const browser = await chromium.launch({
      ...options,
      args: [...(options.args ?? []), '--host-resolver-rules=MAP maps.test 127.0.0.1'],
    });
    try {
      const page = await browser.newPage({ locale: 'en-GB' });
      await page.goto(`http://maps.test:${new URL(site.baseUrl).port}/maps/${mapId}`);
      await button(page).click();
      await page.getByText('Browsers give a position only to pages opened by https.').waitFor();
      await shoot(page, 'near-me-insecure');
    } finally {
      await browser.close();
    }
  });
});
