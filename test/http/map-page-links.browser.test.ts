/** The page of an unpublished map, opened by a link. */

import type { Page } from 'playwright-core';

import type { PageRecord } from '../support/browser.ts';
import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { dataOf } from '../support/graphql.ts';
import { makeMapLink } from '../support/members.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

describeUnless(skipWithoutChromium(), 'the page of an unpublished map', () => {
  const site = useBrowserSite();
  let mapId: string;
  let link: { readonly id: string; readonly secret: string };

  beforeEach(async () => {
    ({ mapId } = await createPublishedMap(site.server, {
      name: 'Secret springs',
      isPublished: false,
      locations: [placeAt('First spring', 50, 8), placeAt('Second spring', 51, 9)],
    }));
    link = await makeMapLink(site.server, mapId);
  });

  const titleOf = (page: Page) => page.getByRole('heading', { level: 1 });
  const open = (fragment: string, id = mapId) => site.open(`/maps/${id}${fragment}`);
  const revoke = async () => {
    const mutation = `mutation { revokeMapLink(input: {mapId: "${mapId}", id: "${link.id}"}) { revokedId } }`;
    dataOf(await site.server.graphql(mutation));
  };
  /** Nothing but the response for an unknown map is a problem. */
  const expectQuiet = (record: PageRecord) => {
    expect(record.violations).toEqual([]);
    expect(record.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  };

  it('shows the map, and takes the key out of the address', async () => {
    const { page, record, close } = await open(`#key=${link.secret}`);
    await titleOf(page).getByText('Secret springs').waitFor();
    await page.getByRole('option').getByText('First spring', { exact: true }).click();
    await page.getByRole('heading', { name: 'First spring' }).waitFor();
    expect(page.url()).not.toContain(link.secret);
    expect(await page.title()).toBe('Secret springs');
    // Both are addresses without the key.
    for (const text of ['Download', 'Copy link']) expect(await page.getByText(text).count()).toBe(0);
    await shoot(page, 'map-page-by-link');
    await page.reload();
    await titleOf(page).getByText('Secret springs').waitFor();
    expectQuiet(record);
    await close();
  });

  it('is in the language of the map, unless the address names one', async () => {
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { id: mapId, language: 'ar' } }));
    for (const [query, language, direction, status] of [
      ['', 'ar', 'rtl', 'موقعان'],
      ['?lang=de', 'de', 'ltr', '2 Orte'],
    ] as const) {
      const { page, record, close } = await open(`${query}#key=${link.secret}`);
      await page.getByRole('status').getByText(status, { exact: true }).waitFor();
      expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
        language,
        direction,
      ]);
      expectQuiet(record);
      await close();
    }
  });

  it('sends the key in a header only', async () => {
    const addresses: string[] = [];
    const { page, close } = await site.open('/');
    page.on('request', (request) => {
      addresses.push(request.url(), request.headers()['referer'] ?? '');
    });
    await page.goto(`${site.baseUrl}/maps/${mapId}#key=${link.secret}`);
    await titleOf(page).getByText('Secret springs').waitFor();
    await page.getByRole('option').first().waitFor();
    const sent = addresses.filter((address) => new URL(address || 'x:').hash === '').join(' ');
    expect(sent).toContain('/graphql');
    expect(sent).not.toContain(link.secret);
    expect(site.server.log.join('')).not.toContain(link.secret);
    await close();
  });

  it('shows the public view: a private field stays private', async () => {
    const { mapId: id } = await createPublishedMap(site.server, {
      isPublished: false,
      fields: [
        { name: 'Name', type: 'placeName' },
        { name: 'Address', type: 'address' },
        { name: 'Owner', type: 'text', isPublic: false },
      ],
      locations: [
        { ...placeAt('A spring', 50, 8), fields: { Name: 'A spring', Address: 'A', Owner: 'Smith' } },
      ],
    });
    const { secret } = await makeMapLink(site.server, id);
    const { page, close } = await open(`#key=${secret}`, id);
    await page.getByRole('option').getByText('A spring', { exact: true }).click();
    await page.getByRole('heading', { name: 'A spring' }).waitFor();
    expect(await page.getByText('Smith').count()).toBe(0);
    await close();
  });

  it.each(['desktop', 'phone'] as const)('says on a %s that a link has ended', async (kind) => {
    await revoke();
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, record, close } = await site.open(`/maps/${mapId}#key=${link.secret}`, {
        viewport: VIEWPORTS[kind],
        colorScheme,
      });
      await titleOf(page).getByText('This link does not open the map').waitFor();
      expect(page.url()).not.toContain(link.secret);
      await expectAccessible(page);
      await shoot(page, `map-page-ended-link-${kind}-${colorScheme}`);
      expect(record.violations).toEqual([]);
      await close();
    }
  });

  it('says the same for another map’s link and an unknown one, and opens a good one afterwards', async () => {
    const { mapId: other } = await createPublishedMap(site.server, { isPublished: false });
    const { secret } = await makeMapLink(site.server, other);
    const { page, close } = await open(`#key=${secret}`);
    await titleOf(page).getByText('This link does not open the map').waitFor();
    await page.goto(`${site.baseUrl}/maps/${mapId}#key=mll_${'A'.repeat(43)}`);
    await titleOf(page).getByText('This link does not open the map').waitFor();
    await page.goto(`${site.baseUrl}/maps/${mapId}#key=${link.secret}`);
    await titleOf(page).getByText('Secret springs').waitFor();
    await close();
  });

  it('is the page of an unknown map without a key', async () => {
    const { page, close } = await open('');
    await titleOf(page).getByText('There is no such map').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await titleOf(page).textContent()).toBe('There is no such map');
    await close();
  });

  it('says that a link has ended while the map is open', async () => {
    const { page, close } = await open(`#key=${link.secret}`);
    await page.getByRole('option').first().waitFor();
    await revoke();
    await page.getByRole('searchbox').fill('spring');
    await page.getByRole('alert').getByText('The link that opened this map has ended.').first().waitFor();
    await close();
  });

  it('does not read the key once the map is published', async () => {
    const { mapId: id } = await createPublishedMap(site.server, { name: 'Open springs' });
    const tokens: (string | undefined)[] = [];
    const { page, close } = await site.open('/');
    page.on('request', (request) => tokens.push(request.headers()['authorization']));
    await page.goto(`${site.baseUrl}/maps/${id}#key=${link.secret}`);
    await titleOf(page).getByText('Open springs').waitFor();
    await until(async () => tokens.length > 3, 'the page has asked for its locations');
    expect(tokens.filter((token) => token !== undefined)).toEqual([]);
    await close();
  });
});
