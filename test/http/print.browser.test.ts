import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import type { PageRecord } from '../support/browser.ts';
import { skipWithoutChromium, until, untilQuiet } from '../support/browser.ts';
import { useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { findOnPath } from '../support/executables.ts';
import { dataOf } from '../support/graphql.ts';
import { createPublishedMap } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Hours', type: 'openingHours' },
];
/** Locations of the large map: more than are printed. */
const MANY = 620;

const placeOf = (index: number) => ({
  fields: {
    Name: `Café ${index}`,
    Address: `${index} Long Street of the ${'very '.repeat(index % 7)}old town`,
    Hours: `Mo-Fr 09:00-1${index % 10}:00`,
  },
  position: { latitude: 50 + (index % 25) / 10, longitude: 4 + Math.floor(index / 25) / 10 },
});

const needsPdftotext =
  findOnPath('pdftotext') === undefined && 'needs pdftotext: `apt-get install poppler-utils`';

interface Word {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}

describeUnless(skipWithoutChromium() || needsPdftotext, 'a map’s page on paper', () => {
  const site = useBrowserSite({ PUBLIC_RATE_LIMIT: '0' });
  let folder: string;
  let few: string;
  let many: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
    const locationsOf = (count: number) => Array.from({ length: count }, (_, index) => placeOf(index + 1));
    ({ mapId: few } = await createPublishedMap(site.server, {
      ...{ name: 'Cafés', fields: FIELDS, locations: locationsOf(8) },
    }));
    ({ mapId: many } = await createPublishedMap(site.server, {
      ...{ name: 'All cafés', fields: FIELDS, locations: locationsOf(MANY) },
    }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Words of a PDF, with their places in points. */
  function wordsOf(pdf: Buffer): { pages: number; width: number; text: string; words: readonly Word[] } {
    const path = join(folder, 'a.pdf');
    writeFileSync(path, pdf);
    const html = execFileSync('pdftotext', ['-bbox', path, '-'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const words: Word[] = [];
    let pages = 0;
    for (const line of html.split('\n')) {
      if (line.includes('<page ')) pages += 1;
      const [, left, top, bottom, text] =
        /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(.*)<\/word>/.exec(line) ?? [];
      if (text !== undefined)
        words.push({ page: pages, left: Number(left), top: Number(top), bottom: Number(bottom), text });
    }
    const width = Number(/<page width="([\d.]+)"/.exec(html)?.[1]);
    return { pages, width, words, text: words.map(({ text }) => text).join(' ') };
  }

  /** Presses Print. The dialogue of the browser is replaced. */
  async function pressPrint(page: Page): Promise<void> {
    await page.evaluate(`window.print = () => { window.printed = true }`);
    await page.getByRole('button', { name: 'Print' }).click();
    await until(page, 'window.printed === true');
  }

  /** The page loads what paper needs when it has nothing else to do. */
  async function untilPrintable(page: Page, record: PageRecord): Promise<void> {
    await until(
      page,
      `performance.getEntriesByType('resource').some(({ name }) => /\\/print-[^/]+\\.js$/.test(name))`,
    );
    await untilQuiet(page, record);
  }

  /** Numbers of the rows, sorted: to the left of their names. */
  const numbersIn = (words: readonly Word[]) =>
    words
      .filter(({ text }) => text === 'Café')
      .map((name) => {
        const before = words.filter(
          ({ page, top, left }) => page === name.page && Math.abs(top - name.top) < 3 && left < name.left,
        );
        return Number(before.sort((one, other) => other.left - one.left)[0]?.text);
      })
      .sort((one, other) => one - other);

  /** The top of the line with the address of the page; infinite on a page without. */
  const footOf = (words: readonly Word[], page: number) =>
    words.find((word) => word.page === page && word.text.startsWith('http://'))?.top ??
    Number.POSITIVE_INFINITY;

  it('has the map, a numbered list with addresses and hours, and where it is from', async () => {
    const { page, record, close } = await site.open(`/maps/${few}`);
    await page.locator('.map .pin').nth(7).waitFor();
    await untilQuiet(page, record);
    await pressPrint(page);
    // Their shadows make pictures of them, not text.
    const numbers = await page.locator('.map .pin-number text').allTextContents();
    expect(numbers.sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    const { pages, text, words } = wordsOf(await page.pdf({ format: 'A4', printBackground: false }));
    expect(pages).toBe(1);
    expect(text).toMatch(/^Cafés 8 locations /);
    for (let index = 1; index <= 8; index += 1) {
      expect(text).toContain(`Café ${index} `);
      expect(text).toContain(`${placeOf(index).fields.Address} Mo-Fr 09:00-1${index}:00`);
    }
    expect(numbersIn(words)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(text).toMatch(/Natural Earth.*Cafés · http:\/\/127\.0\.0\.1:\d+\/maps\/\S+ · \d{1,2} \w+ 20\d\d$/);
    expect(text).not.toMatch(/Search|Download|Print/);
    site.expectClean(record);
    await close();
  });

  it('keeps the order of an address whose name is of another direction', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      name: 'Cafés',
      fields: FIELDS,
      locations: [{ ...placeOf(1), fields: { Name: 'مقهى النخيل', Address: '61 Main Street' } }],
    });
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    await untilPrintable(page, record);
    await pressPrint(page);
    const { words } = wordsOf(await page.pdf({ format: 'A4', printBackground: false }));
    const main = words.find(({ text }) => text === 'Main')!;
    const [number, house] = ['1', '61'].map((wanted) => words.find(({ text }) => text === wanted)!);
    expect(number!.left).toBeLessThan(house!.left);
    expect([house!.left < main.left, Math.abs(house!.top - main.top) < 3]).toEqual([true, true]);
    site.expectClean(record);
    await close();
  });

  it('has the week of each location in the language of the page', async () => {
    const { mapId } = await createPublishedMap(site.server, {
      name: 'Cafés',
      fields: FIELDS,
      locations: [
        {
          ...placeOf(1),
          fields: { ...placeOf(1).fields, Hours: 'Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00' },
        },
        { ...placeOf(2), fields: { ...placeOf(2).fields, Hours: '24/7' } },
        { ...placeOf(3), fields: { ...placeOf(3).fields, Hours: 'by appointment' } },
      ],
    });
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    const input = { id: mapId, timeZone: 'Europe/Berlin', language: 'de' };
    dataOf(await site.server.graphql(mutation, { input }));
    const { page, record, close } = await site.open(`/maps/${mapId}`);
    await page.locator('.row .hours').first().waitFor();
    await untilPrintable(page, record);
    const { text } = wordsOf(await page.pdf({ format: 'A4' }));
    expect(text).toContain('Mo – Fr 09:00–12:30, 13:30–18:00 Sa 10:00–14:00 So Geschlossen');
    expect(text).toContain('Mo – So Rund um die Uhr geöffnet');
    expect(text).toContain('by appointment');
    expect(text).not.toContain('Mo-Fr');
    await close();
  });

  it('shows the page again afterwards', async () => {
    const { page, record, close } = await site.open(`/maps/${few}`);
    await page.locator('.map .pin').nth(7).waitFor();
    await untilPrintable(page, record);
    await page.pdf();
    await until(page, `document.querySelector('.print-sheet, .pin-number, [data-printing]') === null`);
    expect(await page.locator('.map .pin').count()).toBe(8);
    await close();
  });

  for (const format of ['A4', 'Letter']) {
    it(`has 500 locations at most, says so, and cuts no row (${format})`, async () => {
      const { page, close } = await site.open(`/maps/${many}`);
      await page.getByRole('option').first().waitFor();
      await pressPrint(page);
      const { pages, text, words, width } = wordsOf(await page.pdf({ format }));
      expect(text).toContain(`500 of ${MANY} locations`);
      expect(numbersIn(words)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
      expect(pages).toBeGreaterThan(3);
      // Each column of each page begins with a name and ends with opening hours.
      const columns = Array.from({ length: 2 * (pages - 1) }, (_, index) =>
        words.filter(
          ({ page: on, left, top }) =>
            on === 2 + Math.floor(index / 2) &&
            left > width / 2 === (index % 2 === 1) &&
            top < footOf(words, on),
        ),
      ).filter((column) => column.length > 0);
      expect(columns.length).toBeGreaterThan(pages);
      for (const column of columns) {
        const tops = column.map(({ top }) => top);
        const lineAt = (at: number) =>
          column.filter(({ top }) => Math.abs(top - at) < 3).map((word) => word.text);
        expect(lineAt(Math.min(...tops))).toContain('Café');
        expect(lineAt(Math.max(...tops))).toContain('Mo-Fr');
      }
      await close();
    });
  }

  it('has what is loaded, and says how many, when the browser’s own command prints it', async () => {
    const { page, record, close } = await site.open(`/maps/${many}`);
    await untilPrintable(page, record);
    const { text, words } = wordsOf(await page.pdf());
    expect(text).toContain(`100 of ${MANY} locations`);
    expect(numbersIn(words)).toHaveLength(100);
    await close();
  });

  it.each([
    { appearance: 'auto', reader: 'dark' },
    { appearance: 'dark', reader: 'light' },
  ] as const)(
    'is light, and fits on paper from a phone (the page is $appearance for a reader of $reader)',
    async ({ appearance, reader }) => {
      const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
      dataOf(await site.server.graphql(mutation, { input: { id: few, theme: { appearance } } }));
      const { page, record, close } = await site.open(`/maps/${few}`, {
        colorScheme: reader,
        viewport: VIEWPORTS.phone,
      });
      await page.locator('.map .pin').nth(7).waitFor();
      await untilQuiet(page, record);
      const land = `Math.max(...[...document.querySelectorAll('.leaflet-tile-pane canvas')].map((canvas) =>
        canvas.getContext('2d').getImageData(1, 1, 1, 1).data[0]))`;
      expect(await page.evaluate<number>(land)).toBeLessThan(200);
      await pressPrint(page);
      expect(await page.evaluate<number>(land)).toBeGreaterThan(200);
      await page.emulateMedia({ media: 'print' });
      const colours = `(({ color, colorScheme }) => [color, colorScheme])(getComputedStyle(document.body))`;
      expect(await page.evaluate(colours)).toEqual(['rgb(26, 31, 38)', 'light']);
      expect(wordsOf(await page.pdf({ format: 'A4' })).pages).toBe(1);
      await close();
    },
  );
});
