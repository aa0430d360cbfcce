/** The pages of /ogc in a browser. */

import { skipWithoutChromium, until } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { createPublishedMap } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';

const LONG_NAME = 'Opening hours during the school holidays, if they differ from those of other weeks';
const UNBROKEN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);
const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: LONG_NAME, type: 'text' },
  { name: UNBROKEN.slice(0, 100), type: 'text' },
  { name: 'Notes', type: 'description' },
  { name: 'Link', type: 'text' },
  ...Array.from({ length: 20 }, (_, index) => ({ name: `Field ${index}`, type: 'text' })),
];

describeUnless(skipWithoutChromium(), 'the pages of /ogc in a browser', () => {
  const site = useBrowserSite();
  let pages: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const locations = Array.from({ length: 12 }, (_, index) => ({
      fields: {
        ...{
          Name: index === 1 ? UNBROKEN : `Lighthouse ${index}`,
          Address: `${index} Harbour Street, Neuwerk`,
        },
        ...{ [LONG_NAME]: 'Mo-Fr 09:00-17:00', [UNBROKEN.slice(0, 100)]: index === 2 ? UNBROKEN : 'short' },
        ...{ Notes: 'Built of brick, and lit since 1310. '.repeat(index === 3 ? 40 : 2) },
        ...{
          Link: `https://example.org/${'a'.repeat(120)}`,
          'Field 3': true,
          'Field 4': null,
          'Field 5': 5.5,
        },
      },
      position: { latitude: 53.9 + index / 1_000, longitude: 8.5 },
    }));
    const { mapId, ids } = await createPublishedMap(site.server, { fields: FIELDS, locations });
    const { mapId: empty } = await createPublishedMap(site.server, { name: UNBROKEN.slice(0, 200) });
    const map = `/ogc/collections/${mapId}`;
    pages = {
      landing: '/ogc',
      conformance: '/ogc/conformance',
      api: '/ogc/api',
      collections: '/ogc/collections',
      collection: map,
      items: `${map}/items`,
      'items-filtered': `${map}/items?bbox=0,0,90,90&limit=3`,
      item: `${map}/items/${ids[3]}`,
      'collection-empty': `/ogc/collections/${empty}`,
      'items-empty': `/ogc/collections/${empty}/items`,
      'error-400': `${map}/items?${LONG_NAME.replaceAll(' ', '+')}x=1`,
      'error-404': '/ogc/collections/none',
    };
  });

  for (const [viewportName, viewport] of Object.entries(VIEWPORTS)) {
    it(`fit, and are accessible: ${viewportName}`, async () => {
      for (const [name, path] of Object.entries(pages)) {
        const { page, record, close } = await site.open(path, { viewport });
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([name, width]).toEqual([name, viewport.width]);
        await expectAccessibleInBothSchemes(page, `ogc-${name}-${viewportName}`);
        // The console names a page that is an error.
        const problems = record.problems.filter((problem) => !/status of 40\d/.test(problem));
        site.expectClean({ ...record, problems });
        await close();
      }
    });
  }

  it('scroll a wide table by keyboard, and not the page', async () => {
    const { page, close } = await site.open(pages['items']!, { viewport: VIEWPORTS.phone });
    await page.getByRole('region', { name: 'Locations' }).focus();
    await page.keyboard.press('ArrowRight');
    await until(page, `document.querySelector('.table').scrollLeft > 0`);
    expect(await page.evaluate('scrollX')).toBe(0);
    await close();
  });

  it('lead from the start to a location and back, and through the pages', async () => {
    const { page, record, close } = await site.open('/ogc');
    await page.getByRole('link', { name: 'Maps' }).click();
    await page.getByRole('link', { name: 'Lighthouses' }).click();
    await page.getByRole('link', { name: 'Locations', exact: true }).click();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('2 of 12 locations').waitFor();
    await page.getByRole('link', { name: 'Lighthouse 11' }).click();
    await page.getByRole('heading', { name: 'Lighthouse 11' }).waitFor();
    await page.getByRole('link', { name: 'Start' }).click();
    await page.waitForURL(/\/ogc\?f=html$/);
    site.expectClean(record);
    await close();
  });

  it('lead from an error to the start', async () => {
    const { page, close } = await site.open(pages['error-404']!);
    await page.getByRole('heading', { name: '404 Not Found' }).waitFor();
    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'OGC API - Features' }).waitFor();
    await close();
  });
});
