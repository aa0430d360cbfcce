/** The labels, colours and icons of a map's categories, on its page. */

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { dataOf } from '../support/graphql.ts';
import { createPublishedMap } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Kind', type: 'category' },
];

describeUnless(skipWithoutChromium(), 'the categories of a map’s page', () => {
  const site = useBrowserSite();
  const withCategories = async (
    categories: readonly object[],
    kinds: readonly unknown[] = ['museum', 'cafe', 'cafe', 'park', 'bench'],
  ) => {
    const { mapId } = await createPublishedMap(site.server, {
      fields: FIELDS,
      locations: kinds.map((Kind, index) => ({
        fields: { Name: `Place ${index}`, Address: `${index} Street`, Kind },
        position: { latitude: 50 + index / 10, longitude: 8 + (index % 2) },
      })),
    });
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { id: mapId, categories } }));
    return mapId;
  };

  it('have their labels, colours and icons in the legend, the filter, the pins and the card', async () => {
    const mapId = await withCategories([
      { value: 'park', label: 'Parks', color: '#fde047', icon: 'park' },
      { value: 'cafe', label: 'Cafés', color: '#8a3ffc', icon: 'cafe' },
      { value: 'museum', icon: 'museum' },
      { value: 'unused', label: 'Unused' },
    ]);
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    const legend = page.locator('.legend');
    await legend.getByText('Cafés').waitFor();
    expect(await legend.locator('.legend-entry').allTextContents()).toEqual([
      'Parks',
      'Cafés',
      'museum',
      'bench',
    ]);
    const colors = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.legend .badge')].map((badge) => getComputedStyle(badge).fill)`,
    );
    expect(colors.slice(0, 2)).toEqual(['rgb(253, 224, 71)', 'rgb(138, 63, 252)']);
    expect(new Set(colors).size).toBe(4);
    expect(await page.locator('#category option').allTextContents()).toEqual(
      expect.arrayContaining(['Cafés (2)', 'Parks (1)', 'bench (1)']),
    );
    await shoot(page, 'map-page-categories');
    const icon = await legend.locator('.badge path').nth(1).getAttribute('d');
    expect(await page.locator(`.pin .pin-shape[d="${icon}"]`).count()).toBe(2);

    await legend.getByText('Cafés').click();
    await page.getByRole('status').getByText('2').waitFor();
    await page.getByRole('option').getByText('Place 1', { exact: true }).click();
    await page.locator('.value-category').getByText('Cafés', { exact: true }).waitFor();
    await expectAccessible(page);
    await resizeTo(page, VIEWPORTS.phone);
    await shoot(page, 'map-page-categories-phone');
    site.expectClean(record);
    await close();
  });

  it('find locations whose values are numbers, booleans or texts with spaces around them', async () => {
    const mapId = await withCategories([], [3, '3', 1.5, true, ' Cafe ', 'Cafe', ['list'], null]);
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    const status = page.getByRole('status');
    await status.getByText('8 locations').waitFor();
    const options = page.locator('#category option');
    expect((await options.allTextContents()).slice(1)).toEqual(['1.5 (1)', '3 (2)', 'Cafe (2)', 'true (1)']);
    for (const [category, count] of Object.entries({ 3: 2, 1.5: 1, true: 1, Cafe: 2 })) {
      await page.locator('#category').selectOption(category);
      await status.getByText(count === 1 ? '1 location found' : `${count} locations found`).waitFor();
      expect(await page.getByRole('option').count()).toBeGreaterThanOrEqual(count);
    }
    site.expectClean(record);
    await close();
  });

  it('are chosen by an address that names one, or its label, in any case', async () => {
    const mapId = await withCategories([{ value: 'cafe', label: 'Coffee houses' }]);
    for (const [wanted, chosen] of [
      ['Coffee%20houses', 'cafe'],
      ['coffee%20HOUSES', 'cafe'],
      ['MUSEUM', 'museum'],
    ]) {
      const { page, record, close } = await site.open(`/maps/${mapId}?category=${wanted}`);
      await page.getByRole('status').getByText('found').waitFor();
      expect(await page.locator('#category').inputValue()).toBe(chosen);
      expect(await page.locator('.legend-entry[aria-pressed="true"]').count()).toBe(1);
      site.expectClean(record);
      await close();
    }
  });

  it('are found by their labels on a map whose locations do not fit on one page', async () => {
    const mapId = await withCategories(
      [
        { value: 'cafe', label: 'Coffee houses' },
        { value: 'park', label: 'Green spaces' },
      ],
      Array.from({ length: 130 }, (_, index) => (index < 120 ? 'museum' : 'cafe')),
    );
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    const status = page.getByRole('status');
    await status.getByText('130 locations').waitFor();
    const options = page.locator('#categories option');
    expect(await options.evaluateAll((all) => all.map((option) => option.getAttribute('value')))).toEqual([
      'museum',
      'Coffee houses',
      'Green spaces',
    ]);
    await page.locator('#category').fill('coffee');
    await status.getByText('10 locations found').waitFor();
    await page.locator('#category').fill('Green spaces');
    await status.getByText('0 locations found').waitFor();
    site.expectClean(record);
    await close();

    const byAddress = await site.open(`/maps/${mapId}?category=cafe`);
    await byAddress.page.getByRole('status').getByText('10 locations found').waitFor();
    expect(await byAddress.page.locator('#category').inputValue()).toBe('Coffee houses');
    await byAddress.close();
  });

  it('have their colours and icons on a map whose locations do not fit on one page', async () => {
    const mapId = await withCategories(
      [
        { value: 'cafe', label: 'Coffee houses', color: '#8a3ffc', icon: 'cafe' },
        { value: 'park', icon: 'park' },
        { value: 'museum', label: 'Museums' },
      ],
      Array.from({ length: 130 }, (_, index) => (index < 120 ? 'museum' : index < 129 ? 'cafe' : 'park')),
    );
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    const status = page.getByRole('status');
    await status.getByText('130 locations').waitFor();
    const legend = page.locator('.legend');
    expect(await legend.locator('.legend-entry').allTextContents()).toEqual([
      'Coffee houses',
      'park',
      'All others',
    ]);
    expect(await page.getByRole('option').first().locator('.badge').count()).toBe(1);

    const coffee = legend.getByRole('button', { name: 'Coffee houses' });
    await coffee.click();
    await status.getByText('9 locations found').waitFor();
    expect(await coffee.getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('#category').inputValue()).toBe('Coffee houses');
    await page.locator('.pin').nth(8).waitFor();
    const fills = (selector: string) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('${selector}')].map((mark) => getComputedStyle(mark).fill)`,
      );
    await until(async () => (await fills('.pin svg')).length === 9, 'the pins of the others are gone');
    expect(new Set(await fills('.pin svg'))).toEqual(new Set(['rgb(138, 63, 252)']));
    await shoot(page, 'map-page-categories-large');
    await page.getByRole('option').getByText('Place 121', { exact: true }).click();
    await page.locator('.value-category').getByText('Coffee houses', { exact: true }).waitFor();
    expect(await fills('.value-category .badge')).toEqual(['rgb(138, 63, 252)']);
    await until(
      async () => (await fills('.pin-open svg'))[0] === 'rgb(138, 63, 252)',
      'the open pin has the colour',
    );
    await coffee.click();
    await status.getByText('130 locations').waitFor();
    expect(await coffee.getAttribute('aria-pressed')).toBe('false');
    site.expectClean(record);
    await close();
  });

  it.each([
    [5, 'all of its locations are loaded'],
    [120, 'its locations do not fit on one page'],
  ])('are one where they have the same label (%s locations: %s)', async (cafes) => {
    const mapId = await withCategories(
      [
        { value: 'cafe', label: 'Coffee houses', color: '#8a3ffc' },
        { value: 'CAFE', label: 'Coffee houses', color: '#8a3ffc' },
        { value: 'park', label: 'Parks', icon: 'park' },
      ],
      [...Array.from({ length: cafes }, (_, index) => (index % 2 === 0 ? 'cafe' : 'CAFE')), 'park'],
    );
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    const status = page.getByRole('status');
    await status.getByText(`${cafes + 1} locations`).waitFor();
    const coffee = page.locator('.legend').getByRole('button', { name: 'Coffee houses' });
    await coffee.click();
    await status.getByText(`${cafes} locations found`).waitFor();
    expect(await coffee.getAttribute('aria-pressed')).toBe('true');
    await coffee.click();
    await status.getByText(`${cafes + 1} locations`).waitFor();
    if (cafes === 5) {
      expect((await page.locator('#category option').allTextContents()).slice(1)).toEqual([
        'Coffee houses (5)',
        'Parks (1)',
      ]);
    }
    site.expectClean(record);
    await close();
    for (const wanted of ['cafe', 'CAFE', 'Coffee%20houses']) {
      const byAddress = await site.open(`/maps/${mapId}?category=${wanted}`);
      await byAddress.page.getByRole('status').getByText(`${cafes} locations found`).waitFor();
      await byAddress.page.locator('.legend-entry[aria-pressed="true"]').getByText('Coffee houses').waitFor();
      await byAddress.close();
    }
  });

  it('cost the page of a map without styles no request', async () => {
    const mapId = await withCategories([]);
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    await page.locator('.legend').getByText('museum').waitFor();
    expect(record.requests.filter((url) => url.includes('category-styles'))).toEqual([]);
    site.expectClean(record);
    await close();
  });
});
