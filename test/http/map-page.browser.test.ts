import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { Deferred } from '../../src/lib/deferred.ts';
import { formatOf, MAP_FORMATS } from '../../src/transfer/formats.ts';
import { openRecordedPage, resizeTo, skipWithoutChromium, until } from '../support/browser.ts';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  shoot,
  useBrowserSite,
  VIEWPORTS,
} from '../support/browser-site.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Text', type: 'text' },
  { name: 'Day', type: 'date' },
  { name: 'Tags', type: 'tag' },
  { name: 'Book', type: 'cta' },
  { name: 'Sound', type: 'audio' },
  { name: 'Web', type: 'website' },
  { name: 'Phone', type: 'phone' },
  { name: 'Story', type: 'description' },
  { name: 'Picture', type: 'image_link' },
  { name: 'Kind', type: 'category' },
  { name: 'Height', type: 'number' },
];

const MEDIA = 'http://127.0.0.1:9';

const LIGHTHOUSES = [
  ['Skagen', 57.7371, 10.6297, 'Tower'],
  ['Roter Sand', 53.8549, 8.0817, 'Rock'],
  ['Bell Rock', 56.4342, -2.3871, 'Rock'],
  ['Kõpu', 58.9161, 22.1996, 'Tower'],
] as const;

const HOSTILE = '<img src=x onerror=alert(1)>\u202E';

interface DOMRectJson {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const rows = (page: Page) => page.getByRole('listbox').getByRole('option');
const pins = (page: Page) => page.locator('.map .pin');
const card = (page: Page) => page.getByRole('article');

describeUnless(skipWithoutChromium(), 'a map’s page in a browser', () => {
  const site = useBrowserSite({ MEDIA_ORIGINS: MEDIA });
  let lighthouses: { mapId: string; ids: string[] };
  let towns: { mapId: string; ids: string[] };

  beforeAll(async () => {
    lighthouses = await createPublishedMap(site.server, {
      name: 'Lighthouses',
      fields: FIELDS,
      locations: [
        ...LIGHTHOUSES.map(([Name, latitude, longitude, Kind]) => ({
          fields: {
            Name,
            Kind,
            Address: `near ${Name}`,
            Text: 'Bring a coat.',
            Day: '1858-11-01',
            Tags: 'sea, light',
            Book: 'https://example.org/book',
            Sound: 'https://example.org/a.mp3',
            Web: 'https://www.example.org/',
            Phone: '+45 98 44',
            Story: 'It stands here.',
            Picture: 'https://example.org/a.jpg',
            Height: 1234.5,
          },
          position: { latitude, longitude },
        })),
        {
          fields: {
            ...Object.fromEntries(FIELDS.map(({ name }) => [name, 'javascript:alert(1)'])),
            Name: HOSTILE,
            Story: 'x'.repeat(40_000),
            Tags: ['<b>1</b>', { a: 1 }],
          },
          position: { latitude: 56, longitude: 3 },
        },
      ],
    });
    towns = await createPublishedMap(site.server, {
      name: 'Towns',
      locations: Array.from({ length: 1_000 }, (_, index) =>
        placeAt(`Town ${index}`, 40 + (index % 40) / 4, (index % 25) / 2),
      ),
    });
  });

  const open = (
    mapId: string,
    { suffix = '', ...options }: BrowserContextOptions & { suffix?: string } = {},
  ) => site.open(`/maps/${mapId}${suffix}`, options);

  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    it(`shows the list and the pins, and is accessible (${name})`, async () => {
      const { page, record, close } = await open(lighthouses.mapId, { viewport });
      await pins(page).nth(4).waitFor();
      expect(await rows(page).locator('.row-name').allInnerTexts()).toEqual([
        ...LIGHTHOUSES.map(([lighthouse]) => lighthouse),
        HOSTILE,
      ]);
      expect(await page.getByRole('status').innerText()).toBe('5 locations');
      await expectAccessibleInBothSchemes(page, `map-${name}`);
      await rows(page).first().click();
      await card(page).getByRole('heading', { name: 'Skagen' }).waitFor();
      await expectAccessibleInBothSchemes(page, `map-${name}-card`);
      site.expectClean(record);
      await close();
    });
  }

  it('offers its locations as a file in every format, with the purpose of each', async () => {
    const { page, record, close } = await site.open(`/maps/${lighthouses.mapId}`);
    const summary = page.locator('summary', { hasText: 'Download' });
    await summary.focus();
    await page.keyboard.press('Enter');
    const links = page.locator('.downloads').getByRole('link');
    for (const name of MAP_FORMATS) {
      const link = links.getByText(formatOf(name).label, { exact: true });
      expect(await link.getAttribute('href')).toBe(`/maps/${lighthouses.mapId}/locations.${name}`);
      const response = await page.request.get(
        await link.evaluate((element) => (element as unknown as { href: string }).href),
      );
      expect([response.status(), response.headers()['content-type']]).toEqual([
        200,
        formatOf(name).mediaType,
      ]);
    }
    expect(await links.count()).toBe(MAP_FORMATS.length + 1);
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await expectAccessibleInBothSchemes(page, `map-downloads-${size}`);
    }
    const download = page.waitForEvent('download');
    await links.getByText('CSV for Excel').click();
    expect((await download).url()).toMatch(/locations\.csv\?for=spreadsheet$/);
    expect(await page.locator('.downloads ul').isVisible()).toBe(false);
    site.expectClean(record);
    await close();
  });

  it('draws land and water without a tile server', async () => {
    const { page, record, close } = await open(lighthouses.mapId, { suffix: '#map=2/20/0' });
    // Water, land, borders, and blends of them.
    await until(
      page,
      `new Set([...document.querySelectorAll('.map canvas')].flatMap((tile) => [
        ...new Uint32Array(tile.getContext('2d').getImageData(0, 0, tile.width, tile.height).data.buffer),
      ])).size > 3`,
    );
    // Finer outlines, and towns, are loaded when the map is zoomed in.
    const loaded = () =>
      record.requests.flatMap((url) => /\/((?:world|towns)-\w+)-/.exec(url)?.[1] ?? []).toSorted();
    expect(loaded()).toEqual(['world-110m']);
    // Two clicks in one task: the second arrives while the first zoom is animated.
    await page.getByRole('button', { name: 'Zoom in' }).evaluate((button) => {
      (button as unknown as { click(): void }).click();
      (button as unknown as { click(): void }).click();
    });
    await until(page, `location.hash.startsWith('#map=4/')`);
    while (loaded().length < 3) await page.evaluate('new Promise(requestAnimationFrame)');
    expect(loaded()).toEqual(['towns-large', 'world-110m', 'world-50m']);
    site.expectClean(record);
    await close();
  });

  it('shows each field of a location by its type', async () => {
    const { page, record, close } = await open(lighthouses.mapId);
    await page.getByRole('button', { name: 'Skagen' }).click();
    await card(page).getByRole('heading', { name: 'Skagen' }).waitFor();
    const links = await card(page)
      .locator('.values')
      .getByRole('link')
      .evaluateAll((all) =>
        all.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
      );
    const rel = 'noopener noreferrer nofollow';
    expect(links).toEqual([
      ['Book', 'https://example.org/book', rel],
      ['example.org/a.mp3', 'https://example.org/a.mp3', rel],
      ['www.example.org', 'https://www.example.org/', rel],
      ['+45 98 44', 'tel:+459844', null],
      ['example.org/a.jpg', 'https://example.org/a.jpg', rel],
    ]);
    expect(await card(page).locator('time').innerText()).toBe('1 November 1858');
    expect(await card(page).getByRole('listitem').allInnerTexts()).toEqual(['sea', 'light']);
    expect(await card(page).innerText()).toContain('1,234.5');
    site.expectClean(record);
    await close();
  });

  it('links from a location to directions, and offers its link', async () => {
    const { page, record, close } = await open(lighthouses.mapId, { suffix: '?embed=1' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await rows(page).first().click();
    await card(page).getByRole('heading', { name: 'Skagen' }).waitFor();
    const hrefs = await card(page)
      .locator('.card-links')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual([
      'https://www.openstreetmap.org/directions?to=57.7371,10.6297',
      'https://www.google.com/maps/dir/?api=1&destination=57.7371,10.6297',
    ]);
    await card(page).getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied.').waitFor();
    const link = await page.evaluate('navigator.clipboard.readText()');
    expect(link).toBe(`${site.baseUrl}/maps/${lighthouses.mapId}#location=${lighthouses.ids[0]}`);
    site.expectClean(record);
    await close();
  });

  it('offers its files at an address that ends with a slash', async () => {
    const { page, record, close } = await site.open(`/maps/${lighthouses.mapId}/`);
    await page.locator('summary', { hasText: 'Download' }).click();
    const link = page.locator('.downloads').getByRole('link').first();
    expect(await link.getAttribute('href')).toMatch(`/maps/${lighthouses.mapId}/locations.`);
    site.expectClean(record);
    await close();
  });

  it('leads to the address of a location of which the point says only the town', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      locations: [placeAt('A Brasileira', 38, -9)],
    });
    const { page, record, close } = await open(mapId);
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        /"geocoding":\{[^}]*\}/,
        '"geocoding":{"precision":"locality","isChecked":false}',
      );
      await route.fulfill({ response, body });
    });
    await rows(page).first().click();
    await card(page).getByRole('heading', { name: 'A Brasileira' }).waitFor();
    const links = card(page).locator('.card-links').getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://www.openstreetmap.org/directions?to=near%20A%20Brasileira',
      'https://www.google.com/maps/dir/?api=1&destination=near%20A%20Brasileira',
    ]);
    site.expectClean(record);
    await close();
  });

  it('shows hostile values as plain text', async () => {
    const { page, record, close } = await open(lighthouses.mapId);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await rows(page).last().click();
    await card(page).getByRole('heading').waitFor();
    expect(await card(page).getByRole('heading').innerText()).toBe(HOSTILE);
    const hrefs = await card(page)
      .locator('.values')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    // Only the digits of a telephone number are used.
    expect(hrefs).toEqual(['tel:1']);
    expect(await card(page).locator('img, audio, iframe, b').count()).toBe(0);
    expect(await card(page).getByRole('listitem').allInnerTexts()).toEqual(['<b>1</b>', '{"a":1}']);
    await card(page).getByRole('button', { name: 'Show all' }).click();
    expect((await card(page).innerText()).length).toBeGreaterThan(40_000);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(dialogs).toEqual([]);
    site.expectClean(record);
    await close();
  });

  it('loads a picture and a sound only from hosts that the operator names', async () => {
    const asked: string[] = [];
    const media = createServer((request, response) => {
      asked.push(String(request.url));
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    });
    await once(media.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(media.address() as AddressInfo).port}`;
    const own = await createTestServer({ MEDIA_ORIGINS: origin });
    try {
      const { mapId, ids } = await createPublishedMap(own, {
        fields: FIELDS,
        locations: [
          {
            fields: {
              Name: 'A',
              Address: 'B',
              Picture: `${origin}/picture.svg`,
              Sound: `${origin}/sound.mp3`,
              Web: `${origin}/page`,
            },
            position: { latitude: 1, longitude: 1 },
          },
        ],
      });
      const address = await own.app.listen({ host: '127.0.0.1', port: 0 });
      const { page, record, close } = await openRecordedPage(site.browser);
      await page.goto(`${address}/maps/${mapId}#location=${ids[0]}`);
      const picture = card(page).getByRole('img');
      await picture.waitFor();
      await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
      expect(asked).toEqual(['/picture.svg']);
      expect(await card(page).locator('audio').getAttribute('src')).toBe(`${origin}/sound.mp3`);
      expect(record.violations).toEqual([]);
      await close();
    } finally {
      media.close();
      await own.close();
    }
  });

  it('searches by words and category, and shows the number of results', async () => {
    const { page, record, close } = await open(lighthouses.mapId);
    const status = page.getByRole('status');
    await page.getByLabel('Search').fill('bel');
    await status.getByText('1 location found').waitFor();
    expect(await rows(page).locator('.row-name').allInnerTexts()).toEqual(['Bell Rock']);
    await page.locator('.map .pin').nth(0).waitFor();
    const kinds = page.getByLabel('Kind').locator('option');
    expect(await kinds.allTextContents()).toEqual([
      'Kind: all',
      'javascript:alert(1) (1)',
      'Rock (2)',
      'Tower (2)',
    ]);
    // The legend, the rows and the pins share the categories' markers.
    expect(await page.locator('.legend li').allInnerTexts()).toEqual([
      'javascript:alert(1)',
      'Rock',
      'Tower',
    ]);
    const shapeIn = (place: string) => page.locator(`${place} path`).last().getAttribute('d');
    const rock = await shapeIn('.legend li:nth-child(2)');
    expect(await shapeIn('.row')).toBe(rock);
    expect(await shapeIn('.pin[aria-label="Bell Rock"]')).toBe(rock);
    expect(await page.locator('.pin[aria-label="Bell Rock"]').getAttribute('class')).toContain('mark-2');
    expect(await shapeIn('.legend li:nth-child(3)')).not.toBe(rock);
    await page.getByLabel('Kind').selectOption('Tower (2)');
    await page.getByText('No results for “bel”').waitFor();
    await page.getByLabel('Search').fill('');
    await status.getByText('2 locations found').waitFor();
    await page.getByRole('button', { name: 'Show all locations' }).click();
    await status.getByText('5 locations', { exact: true }).waitFor();
    site.expectClean(record);
    await close();
  });

  it('fits its pins next to the legend and the sheet, and moves an opened location out from under them', async () => {
    // One in each corner, and a legend in one of them.
    const corners = [
      ['North-west', 60, 5, 'Rock'],
      ['North-east', 60, 21, 'Tower'],
      ['South-west', 50, 5, 'Tower'],
      ['South-east', 50, 21, 'Ship'],
    ] as const;
    const { mapId } = await createPublishedMap(site.server, {
      fields: FIELDS,
      locations: corners.map(([Name, latitude, longitude, Kind]) => ({
        fields: { Name, Kind, Address: `near ${Name}` },
        position: { latitude, longitude },
      })),
    });
    for (const viewport of Object.values(VIEWPORTS)) {
      const { page, record, close } = await open(mapId, { viewport });
      const expectFree = async (selector: string) => {
        const boxes = await page.evaluate<{ pins: DOMRectJson[]; covers: DOMRectJson[] }>(
          `(() => {
            const rects = (wanted) => [...document.querySelectorAll(wanted)].map((one) => one.getBoundingClientRect().toJSON());
            return { pins: rects('${selector}'), covers: rects('.legend, .side, .map-controls, .attribution') };
          })()`,
        );
        for (const pin of boxes.pins)
          for (const cover of boxes.covers)
            expect([
              pin.left >= cover.right || pin.right <= cover.left,
              pin.top >= cover.bottom || pin.bottom <= cover.top,
            ]).toContain(true);
        return boxes.pins.length;
      };
      await pins(page).nth(3).waitFor();
      expect(await expectFree('.pin')).toBe(4);
      await shoot(page, `map-corners-${viewport.width}`);

      // Beneath the legend, which is now open on a phone, too.
      if (viewport === VIEWPORTS.phone) await page.locator('.legend summary').click();
      await page.evaluate(`(() => {
        const at = document.querySelector('.legend').getBoundingClientRect();
        const map = document.querySelector('.map').getBoundingClientRect();
        const world = 256 * 2 ** 7;
        const east = ((at.left + at.width / 2 - map.left - map.width / 2) / world) * 360;
        location.hash = '#map=7/50/' + (5 - east);
      })()`);
      await until(page, `location.hash.startsWith('#map=7/')`);
      await rows(page).filter({ hasText: 'South-west' }).click();
      await page.locator('.pin-open').waitFor();
      await until(page, `document.querySelector('.leaflet-pan-anim') === null`);
      expect(await expectFree('.pin-open')).toBe(1);
      site.expectClean(record);
      await close();
    }
  });

  it('shows one category when its legend entry is pressed, and all when it is pressed again', async () => {
    const { page, record, close } = await open(lighthouses.mapId);
    const status = page.getByRole('status');
    const entry = (name: string) => page.locator('.legend').getByRole('button', { name });
    await entry('Tower').focus();
    await page.keyboard.press('Enter');
    await status.getByText('2 locations found').waitFor();
    expect(await entry('Tower').getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('Kind').inputValue()).toBe('Tower');
    await page.keyboard.press('Space');
    await status.getByText('5 locations', { exact: true }).waitFor();
    expect(await entry('Tower').getAttribute('aria-pressed')).toBe('false');
    expect(await page.getByLabel('Kind').inputValue()).toBe('');

    // The legend follows the select.
    await page.getByLabel('Kind').selectOption('Tower (2)');
    await page.locator('.legend [aria-pressed="true"]', { hasText: 'Tower' }).waitFor();
    // A card gives way to the list of results, and the focus stays.
    await page.getByRole('listbox', { name: 'Locations' }).getByRole('option').first().click();
    await card(page).locator(':focus').waitFor();
    await entry('Rock').focus();
    await page.keyboard.press('Enter');
    await page.locator('.legend [aria-pressed="true"]', { hasText: 'Rock' }).waitFor();
    await card(page).waitFor({ state: 'hidden' });
    await page.getByRole('listbox').getByRole('option', { name: 'Bell Rock' }).waitFor();
    expect(await entry('Rock').evaluate((button) => button.matches(':focus'))).toBe(true);
    site.expectClean(record);
    await close();
  });

  it('does not move the focus if the reader has moved it while a location loads', async () => {
    const { page, record, close } = await open(lighthouses.mapId);
    const mayBeAnswered = new Deferred<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(lighthouses.ids[0]!)) await mayBeAnswered.promise;
      await route.continue();
    });
    const entry = page.locator('.legend').getByRole('button', { name: 'Rock' });
    await page.getByRole('listbox', { name: 'Locations' }).getByRole('option', { name: 'Skagen' }).click();
    await card(page).waitFor();
    await entry.focus();
    mayBeAnswered.resolve();
    await card(page).getByRole('heading', { name: 'Skagen' }).waitFor();
    // The card would take the focus before the next frame.
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await entry.evaluate((button) => button.matches(':focus'))).toBe(true);
    site.expectClean(record);
    await close();
  });

  it('filters by a category named like a member of every object', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      fields: [...FIELDS.slice(0, 2), { name: 'constructor', type: 'category' }],
      locations: [
        {
          fields: { Name: 'With', Address: 'A', ['constructor']: 'Rock' },
          position: { latitude: 1, longitude: 1 },
        },
        { fields: { Name: 'Without', Address: 'B' }, position: { latitude: 1, longitude: 2 } },
      ],
    });
    const { page, record, close } = await open(mapId);
    await page.getByRole('status').getByText('2 locations').waitFor();
    await page.getByLabel('constructor').selectOption('Rock (1)');
    await page.getByRole('status').getByText('1 location found').waitFor();
    expect(await rows(page).locator('.row-name').allInnerTexts()).toEqual(['With']);
    site.expectClean(record);
    await close();
  });

  it('filters by the prefix of a category if there are too many locations to list all categories', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      fields: FIELDS,
      locations: Array.from({ length: 120 }, (_, index) => ({
        fields: { Name: `N ${index}`, Address: 'A', Kind: `Kind ${index}` },
        position: { latitude: 1, longitude: index },
      })),
    });
    const { page, close } = await open(mapId);
    await page.getByRole('status').getByText('120 locations').waitFor();
    await page.getByLabel('Kind').fill('Kin');
    await page.getByRole('status').getByText('120 locations found').waitFor();
    await page.getByLabel('Kind').fill('Kind 119');
    await page.getByRole('status').getByText('1 location found').waitFor();
    await close();
  });

  it('opens the location of its URL, updates the URL, and goes back', async () => {
    const { page, record, close } = await open(lighthouses.mapId, {
      suffix: `#location=${lighthouses.ids[1]}&map=6/54/8`,
    });
    await card(page).getByRole('heading', { name: 'Roter Sand' }).waitFor();
    const hash = () => page.evaluate('location.hash');
    expect(await hash()).toBe(`#location=${lighthouses.ids[1]}&map=6/54/8`);
    await page.getByRole('button', { name: 'All locations' }).click();
    await rows(page).nth(2).click();
    await card(page).getByRole('heading', { name: 'Bell Rock' }).waitFor();
    expect(await hash()).toContain(`location=${lighthouses.ids[2]}`);
    await page.goBack();
    await card(page).waitFor({ state: 'detached' });
    await page.goBack();
    await card(page).getByRole('heading', { name: 'Roter Sand' }).waitFor();
    // Another location's URL, entered on this page.
    await page.evaluate(`location.hash = '#location=${lighthouses.ids[0]}'`);
    await card(page).getByRole('heading', { name: 'Skagen' }).waitFor();
    await page.evaluate(`location.hash = '#location=nothing'`);
    await page.getByText('This location is no longer on the map.').waitFor();
    site.expectClean(record);
    await close();
  });

  it('is usable with the keyboard alone', async () => {
    const { page, record, close } = await open(lighthouses.mapId);
    await pins(page).nth(4).waitFor();
    const focused = () =>
      page.evaluate(`document.activeElement.getAttribute('role') ?? document.activeElement.tagName`);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await card(page).getByRole('heading', { name: 'Kõpu' }).waitFor();
    await until(page, `document.activeElement.tagName === 'H2'`);
    // Along the list, but not beyond its end.
    await page.keyboard.press('ArrowRight');
    await card(page).getByRole('heading', { name: HOSTILE }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await card(page).getByRole('heading', { name: 'Kõpu' }).waitFor();
    await card(page).getByRole('button', { name: 'Previous location' }).press('Enter');
    await card(page).getByRole('heading', { name: 'Bell Rock' }).waitFor();
    await card(page).getByRole('status').getByText('3 of 5: Bell Rock').waitFor();
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(
      'Previous location',
    );
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
    await until(page, `document.activeElement.getAttribute('role') === 'listbox'`);
    expect(await page.getByRole('listbox').getAttribute('aria-activedescendant')).toBe('row-2');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Zoom in');
    for (let controls = 0; controls < 3; controls += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip the map markers');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('application');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Natural Earth');
    // A pin.
    await page.getByRole('button', { name: 'Bell Rock' }).focus();
    await page.keyboard.press('Enter');
    await card(page).getByRole('heading', { name: 'Bell Rock' }).waitFor();
    site.expectClean(record);
    await close();
  });

  it('shows many locations as clusters that expand, and loads the list on scrolling', async () => {
    const { page, record, close } = await open(towns.mapId);
    await page
      .getByRole('button', { name: /locations$/ })
      .nth(1)
      .waitFor();
    const counts = await page
      .locator('.map .cluster')
      .evaluateAll((all) =>
        all.map((one) => Number(/[\d,]+/.exec(String(one.getAttribute('aria-label')))?.[0].replace(',', ''))),
      );
    const singles = await pins(page).count();
    expect(counts.reduce((sum, count) => sum + count, singles)).toBe(1_000);
    const before = await page.evaluate('location.hash');
    await page.locator('.map .cluster').first().click();
    await until(page, `location.hash !== ${JSON.stringify(before)}`);

    // Only rows in view exist, and the last one loads as the list is scrolled.
    expect(await rows(page).count()).toBeLessThan(40);
    await page.getByRole('listbox').focus();
    const last = page.getByRole('option', { name: 'Town 999' });
    while ((await last.count()) === 0) {
      await page.keyboard.press('End');
      await until(page, `document.querySelector('[role=listbox]').getAttribute('aria-busy') === 'false'`);
    }
    expect(await last.getAttribute('aria-posinset')).toBe('1000');
    expect(await last.getAttribute('aria-setsize')).toBe('1000');
    // aria-activedescendant names the active row if it exists, and nothing else.
    const list = page.getByRole('listbox');
    expect(await list.getAttribute('aria-activedescendant')).toBe('row-999');
    await list.evaluate((box) => (box.scrollTop = 0));
    await page.getByRole('option', { name: 'Town 0', exact: false }).first().waitFor();
    expect(await list.getAttribute('aria-activedescendant')).toBeNull();
    site.expectClean(record);
    await close();
  });

  it('lists locations at the same point, which no zoom can separate', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      locations: [placeAt('One', 10, 180), placeAt('Two', 10, 180), placeAt('Far', 10, -170)],
    });
    const { page, record, close } = await open(mapId);
    await page.getByRole('button', { name: '2 locations' }).click();
    await page.getByRole('status').getByText('2 locations found').waitFor();
    expect(await page.getByText('Only locations at the same point.').isVisible()).toBe(true);
    expect(await rows(page).locator('.row-name').allInnerTexts()).toEqual(['One', 'Two']);
    site.expectClean(record);
    await close();
  });

  it('shows a map across the antimeridian in one piece', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      locations: [placeAt('Suva', -18.1, 178.4), placeAt('Apia', -13.8, -171.8)],
    });
    const { page, close } = await open(mapId, { viewport: { width: 1280, height: 800 } });
    await pins(page).nth(1).waitFor();
    const [suva, apia] = await Promise.all(
      ['Suva', 'Apia'].map(async (name) => page.getByRole('button', { name }).boundingBox()),
    );
    expect(apia!.x - suva!.x).toBeGreaterThan(200);
    await close();
  });

  it('says if it is empty, if the server is unreachable, and if the map is no longer public', async () => {
    const { mapId } = await createPublishedMap(site.server, { name: 'Empty' });
    const { page, record, close } = await open(mapId);
    await page.getByText('This map has no locations yet.').waitFor();
    site.expectClean(record);
    await page.context().setOffline(true);
    await page.getByLabel('Search').fill('a');
    await page.getByText('The server cannot be reached.').first().waitFor();
    await page.context().setOffline(false);
    await site.server.graphql(
      'mutation ($id: ID!) { updateMap(input: {id: $id, isPublished: false}) { map { id } } }',
      {
        id: mapId,
      },
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This map is no longer public.').first().waitFor();
    await close();
  });

  it('can be framed by another page only as an embed', async () => {
    const host = createServer((request, response) => {
      const embed = request.url === '/embed' ? '?embed=1' : '';
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<iframe src="${site.baseUrl}/maps/${lighthouses.mapId}${embed}" width="800" height="500"></iframe>`,
        );
    });
    await once(host.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const { page, close } = await openRecordedPage(site.browser);
    await page.goto(`${address}/embed`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.pin').nth(4).waitFor();
    await frame.getByRole('link', { name: 'Open the full page' }).waitFor();
    await page.goto(`${address}/page`);
    await page.waitForLoadState('networkidle');
    expect(await frame.locator('#app').count()).toBe(0);
    await close();
    host.close();
  });

  it('gives the screen of a phone to the map or to the list, as the reader chooses', async () => {
    const { page, record, close } = await open(lighthouses.mapId, { viewport: VIEWPORTS.phone });
    await pins(page).nth(4).waitFor();
    const mapHeight = async () => (await page.locator('.map').boundingBox())?.height ?? 0;
    const half = await mapHeight();
    await page.getByRole('button', { name: 'Show more of the list' }).click();
    expect(await mapHeight()).toBeLessThan(half / 2);
    const box = await page.getByRole('button', { name: 'Show the map' }).boundingBox();
    if (box === null) throw new Error('There is no handle.');
    await page.mouse.move(195, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(195, 800, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Show the list' }).waitFor();
    expect(await mapHeight()).toBeGreaterThan(half * 1.5);
    expect(await page.getByRole('listbox').isVisible()).toBe(false);
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });

  it('shows locations all over the world on a phone, next to the list and full screen', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      locations: [
        placeAt('Wellington', -41.3, 174.8),
        placeAt('Honolulu', 21.3, -157.9),
        placeAt('Reykjavík', 64.1, -21.9),
        placeAt('Punta Arenas', -53.2, -70.9),
        placeAt('Perth', -32, 115.9),
        placeAt('Delhi', 28.6, 77.2),
      ],
    });
    const { page, close } = await open(mapId, { viewport: VIEWPORTS.phone });
    const expectAllInView = async () => {
      await pins(page).nth(5).waitFor();
      const map = await page.locator('.map').boundingBox();
      for (const pin of await pins(page).all()) {
        const box = await pin.boundingBox();
        expect(box!.x).toBeGreaterThanOrEqual(map!.x);
        expect(box!.x + box!.width).toBeLessThanOrEqual(map!.x + map!.width);
        expect(box!.y + box!.height).toBeLessThanOrEqual(map!.y + map!.height);
      }
    };
    await expectAllInView();
    await page.getByRole('button', { name: 'Show more of the list' }).click();
    await page.getByRole('button', { name: 'Show the map' }).click();
    await page.getByRole('button', { name: 'Show all on the map' }).click();
    await expectAllInView();
    await shoot(page, 'map-world-phone');
    await close();
  });

  it('draws the basemap as large as the map if the world fits at no integer zoom', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      name: 'Far apart',
      locations: [
        placeAt('Mexico City', 19.4, -99.1),
        placeAt('London', 51.5, -0.1),
        placeAt('Singapore', 1.3, 103.8),
        placeAt('Auckland', -36.8, 174.8),
      ],
    });
    // The map is a square of 700 pixels that the world fills, so its tiles of zoom 1 are half as wide.
    const { page, close } = await open(mapId, { viewport: { width: 1_100, height: 700 } });
    const widths = () =>
      page
        .locator('.leaflet-tile')
        .evaluateAll((tiles) => [
          ...new Set(tiles.map((tile) => Math.round(tile.getBoundingClientRect().width))),
        ]);
    // The outlines have loaded, and all tiles were redrawn with them.
    await page.waitForLoadState('networkidle');
    await page.locator('.leaflet-tile').first().waitFor();
    expect(await widths()).toEqual([350]);
    await close();
  });

  it('is only a map in a small frame, and a card opens over it', async () => {
    const viewport = { width: 480, height: 360 };
    const { page, record, close } = await open(lighthouses.mapId, { suffix: '?embed=1', viewport });
    await pins(page).nth(2).waitFor();
    expect((await page.locator('.map').boundingBox())?.height).toBeGreaterThan(240);
    await shoot(page, 'map-frame');
    await page.getByRole('button', { name: 'Kõpu' }).focus();
    await page.keyboard.press('Enter');
    await card(page).getByRole('heading', { name: 'Kõpu' }).waitFor();
    await shoot(page, 'map-frame-card');
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
    await until(page, `document.activeElement.className === 'sheet-handle'`);
    expect((await page.locator('.map').boundingBox())?.height).toBeGreaterThan(240);
    site.expectClean(record);
    await close();
  });

  it('shows the first names without scripts', async () => {
    const { page, close } = await open(towns.mapId, { javaScriptEnabled: false });
    expect(await page.getByRole('listitem').count()).toBe(50);
    expect(await page.innerText('body')).toContain('The map needs JavaScript.');
    expect(await page.title()).toBe('Towns');
    await close();
  });
});
