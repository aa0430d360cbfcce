/** The labels, colours and icons of a map's categories, in the console. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, shoot, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, signIn, useConsole } from '../support/console.ts';
import { createLocation, dataOf, makeMap } from '../support/graphql.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Kind', type: 'category' },
];
const KINDS = ['cafe', 'cafe', 'museum', 'park'];
const STYLES = [
  { value: 'park', label: 'Parks', color: '#fde047', icon: 'park' },
  { value: 'cafe', label: 'Cafés', color: '#8a3ffc', icon: 'cafe' },
];
const PURPLE = 'rgb(138, 63, 252)';
const YELLOW = 'rgb(253, 224, 71)';

describeUnless(skipWithoutChromium(), 'the categories of a map in the console', () => {
  const site = useConsole();

  async function setCategories(id: string, categories: readonly object[]): Promise<void> {
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { id, categories } }, site.token));
  }

  async function openSprings(categories: readonly object[]) {
    const { id } = await makeMap(site.server, { name: 'Springs', fields: FIELDS }, site.token);
    for (const [index, Kind] of KINDS.entries()) {
      const fields = { Name: `Spring ${index}`, Address: `${index} Street`, Kind };
      const position = { latitude: 50 + index, longitude: 8 + (index % 2) * 5 };
      dataOf(await createLocation(site.server, { mapId: id, fields, position }, site.token));
    }
    await setCategories(id, categories);
    const opened = await site.open();
    await signIn(opened.page, site.token);
    await openMap(opened.page, 'Springs');
    await opened.page.locator('.legend').waitFor();
    return { id, ...opened };
  }

  const fillsOf = (page: Page, selector: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('${selector}')].map((mark) => getComputedStyle(mark).fill)`,
    );
  const rowMarks = (page: Page) => fillsOf(page, '.c-table .badge');
  const pinMarks = (page: Page) => fillsOf(page, '.pin svg');
  const count = (fills: readonly string[], fill: string) => fills.filter((one) => one === fill).length;

  it('have their labels, colours and icons in the list, the pins and the legend', async () => {
    const { page, record, close } = await openSprings(STYLES);
    await until(async () => (await rowMarks(page))[0] === PURPLE, 'the list has the colours');
    const rows = await rowMarks(page);
    expect([count(rows, PURPLE), count(rows, YELLOW), new Set(rows).size]).toEqual([2, 1, 3]);
    await until(async () => (await pinMarks(page)).length === KINDS.length, 'all pins are shown');
    const pins = await pinMarks(page);
    expect([count(pins, PURPLE), count(pins, YELLOW), new Set(pins).size]).toEqual([2, 1, 3]);
    const legend = page.locator('.legend');
    expect(await legend.locator('.legend-entry').allTextContents()).toEqual(['Parks', 'Cafés', 'museum']);
    const icon = await legend.locator('.badge path').nth(1).getAttribute('d');
    expect(await page.locator(`.pin .pin-shape[d="${icon}"]`).count()).toBe(2);
    expect(await page.locator(`.c-table .badge path[d="${icon}"]`).count()).toBe(2);
    for (const [name, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      const toMap = page.getByRole('button', { name: 'Map', exact: true });
      if (await toMap.isVisible()) await toMap.click();
      await shoot(page, `console-categories-${name}`);
      await expectAccessibleInBothSchemes(page, `console-categories-${name}`);
    }
    site.expectClean(record);
    await close();
  });

  it('filter the list when they are chosen in the legend', async () => {
    const { page, record, close } = await openSprings(STYLES);
    const cafes = page.locator('.legend').getByRole('button', { name: 'Cafés' });
    const filter = page.getByRole('group', { name: 'Active filters' }).getByText('Kind is cafe');
    await cafes.click();
    await filter.waitFor();
    await until(async () => (await page.locator('.c-name').count()) === 2, 'the list has the cafés alone');
    expect(await cafes.getAttribute('aria-pressed')).toBe('true');
    await page.locator('.legend').getByRole('button', { name: 'Parks' }).click();
    await page.getByText('Kind is park').waitFor();
    await filter.waitFor({ state: 'detached' });
    await page.locator('.legend').getByRole('button', { name: 'Parks' }).click();
    await until(async () => (await page.locator('.c-name').count()) === 4, 'the list has all again');
    site.expectClean(record);
    await close();
  });

  it('have their colours and icons on a map whose locations do not fit on one page', async () => {
    const { id } = await makeMap(site.server, { name: 'Large', fields: FIELDS }, site.token);
    const locations = Array.from({ length: 130 }, (_, index) => ({
      fields: { Name: `Spring ${index}`, Address: `${index} Street`, Kind: index < 126 ? 'museum' : 'cafe' },
      position:
        index < 126 ? { latitude: 50, longitude: 8 } : { latitude: -20, longitude: (index - 126) * 40 - 150 },
    }));
    const mutation =
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { error { code } } } }';
    for (const some of [locations.slice(0, 100), locations.slice(100)])
      dataOf(await site.server.graphql(mutation, { input: { mapId: id, locations: some } }, site.token));
    await setCategories(id, STYLES);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Large');
    const cafes = page.locator('.legend').getByRole('button', { name: 'Cafés' });
    await cafes.waitFor();
    expect(await page.locator('.legend .legend-entry').allTextContents()).toEqual([
      'Parks',
      'Cafés',
      'All others',
    ]);
    await until(async () => count(await pinMarks(page), PURPLE) > 0, 'the pins of cafés are purple');
    await cafes.click();
    await until(async () => (await page.locator('.c-name').count()) === 4, 'the list has the cafés alone');
    expect(count(await rowMarks(page), PURPLE)).toBe(4);
    await until(async () => count(await pinMarks(page), PURPLE) === 4, 'their pins are purple');
    site.expectClean(record);
    await close();
  });

  it('change in the list and the pins when they are saved', async () => {
    const { page, record, close } = await openSprings([]);
    expect(record.requests.filter((url) => url.includes('category-styles'))).toEqual([]);
    expect(await rowMarks(page)).not.toContain(PURPLE);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Another value').fill('cafe');
    await page.getByRole('button', { name: 'Add category' }).click();
    const color = page.getByRole('group', { name: 'cafe' }).getByLabel('Colour', { exact: true });
    const save = async (value: string) => {
      await color.fill(value);
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText('Saved.').waitFor();
    };
    const expectColor = async (fill: string) => {
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await until(async () => count(await rowMarks(page), fill) === 2, 'the list has the colour');
      await until(async () => count(await pinMarks(page), fill) === 2, 'the pins have the colour');
    };
    await save('#8a3ffc');
    await expectColor(PURPLE);
    await page.getByRole('button', { name: 'Settings' }).click();
    await save('#fde047');
    await expectColor(YELLOW);
    site.expectClean(record);
    await close();
  });
});
