/** The theme of a map's page: accent, font, appearance, logo and the line about the software. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { dataOf } from '../support/graphql.ts';
import { asDataUrl, SVG_LOGO } from '../support/logos.ts';
import { makeMapLink } from '../support/members.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const LOGO = asDataUrl(Buffer.from(SVG_LOGO), 'image/svg+xml');

describeUnless(skipWithoutChromium(), 'the theme of a map’s page', () => {
  const site = useBrowserSite();
  const themed = async (theme: object, { isPublished = true } = {}) => {
    const { mapId } = await createPublishedMap(site.server, {
      ...{ name: 'Springs', isPublished },
      locations: [placeAt('First spring', 50, 8), placeAt('Second spring', 51, 9)],
    });
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { id: mapId, theme } }));
    return mapId;
  };
  const isListed = (page: Page) =>
    page.getByRole('option').getByText('First spring', { exact: true }).waitFor();
  const lookOf = (page: Page) =>
    page.evaluate<Record<string, string>>(`(() => {
      const style = getComputedStyle(document.documentElement);
      return {
        accent: style.getPropertyValue('--accent'),
        background: getComputedStyle(document.body).backgroundColor,
        scheme: style.colorScheme,
        font: getComputedStyle(document.body).fontFamily,
      };
    })()`);
  const LIGHT = 'rgb(255, 255, 255)';
  const DARK = 'rgb(18, 22, 28)';

  it.each([
    { appearance: 'auto', reader: 'light', accent: '#0b6bcb', background: LIGHT },
    { appearance: 'auto', reader: 'dark', accent: '#fde047', background: DARK },
    { appearance: 'light', reader: 'dark', accent: '#0b6bcb', background: LIGHT },
    { appearance: 'dark', reader: 'light', accent: '#fde047', background: DARK },
  ] as const)(
    'is $appearance for a reader of $reader',
    async ({ appearance, reader, accent, background }) => {
      // Each of the two is readable on one of the backgrounds.
      const isDark = background === DARK;
      const mapId = await themed({ accent: isDark ? '#fde047' : '#0b6bcb', appearance, font: 'serif' });
      const { page, record, close } = await site.open(`/maps/${mapId}`, { colorScheme: reader });
      await isListed(page);
      const look = await lookOf(page);
      expect(look).toMatchObject({ accent, background, font: expect.stringMatching(/^ui-serif/) });
      if (appearance !== 'auto') expect(look['scheme']).toBe(appearance);
      await expectAccessible(page);
      site.expectClean(record);
      await close();
    },
  );

  it('has a readable accent in place of one that is not', async () => {
    const mapId = await themed({ accent: '#fde047' });
    const { page, record, close } = await site.open(`/maps/${mapId}`, { colorScheme: 'light' });
    await isListed(page);
    expect((await lookOf(page))['accent']).not.toBe('#fde047');
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });

  it('shows the logo, and does not name the software if its owner says so', async () => {
    const mapId = await themed({ accent: '#c2410c', logo: LOGO, poweredBy: false });
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    await isListed(page);
    await until(
      () => page.evaluate<boolean>(`(document.querySelector('.logo')?.naturalWidth ?? 0) > 0`),
      'the logo is loaded',
    );
    expect(await page.getByText('Powered by').count()).toBe(0);
    for (const viewport of Object.values(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await shoot(page, `map-page-theme-${viewport.width}`);
    }
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });

  it.each(['light', 'dark'] as const)('is %s before its script has run', async (appearance) => {
    const mapId = await themed({ appearance });
    const { page, record, close } = await site.open('/healthz', {
      colorScheme: appearance === 'light' ? 'dark' : 'light',
    });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(`${site.baseUrl}/maps/${mapId}`);
    await page.getByRole('heading', { name: 'Springs' }).waitFor();
    expect(await lookOf(page)).toMatchObject({
      background: appearance === 'light' ? LIGHT : DARK,
      scheme: appearance,
    });
    expect(await page.locator('meta[name="color-scheme"]').getAttribute('content')).toBe(appearance);
    expect(record.violations).toEqual([]);
    await close();
  });

  it('shows the name alone if the logo cannot be loaded', async () => {
    const mapId = await themed({ logo: LOGO });
    const { page, close } = await site.open('/healthz');
    await page.route('**/logo?*', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${site.baseUrl}/maps/${mapId}`);
    await isListed(page);
    await page.locator('.logo').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Springs' }).waitFor();
    await close();
  });

  it('applies to an unpublished map that a link opens', async () => {
    const mapId = await themed({ accent: '#c2410c', appearance: 'dark', logo: LOGO }, { isPublished: false });
    const { secret } = await makeMapLink(site.server, mapId);
    const { page, record, close } = await site.open(`/maps/${mapId}#key=${secret}`);
    await isListed(page);
    expect((await lookOf(page))['background']).toBe(DARK);
    expect(await page.locator('.logo').getAttribute('src')).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(record.violations).toEqual([]);
    await close();
  });

  it('costs the page of a map without one no request', async () => {
    const mapId = await themed({});
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    await isListed(page);
    await page.getByText('Powered by Map Locations').waitFor();
    expect(record.requests.filter((url) => /theme|logo/.test(url))).toEqual([]);
    site.expectClean(record);
    await close();
  });
});
