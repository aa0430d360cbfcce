/** A map's page in frames of a page of another site, sandboxed and not. */

import type { BrowserContextOptions, Frame, Page } from 'playwright-core';

import { openRecordedPage, skipWithoutChromium, until, untilQuiet } from '../support/browser.ts';
import { shoot, useBrowserSite } from '../support/browser-site.ts';
import type { Neighbour } from '../support/neighbour.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';

/** What content management systems put into `sandbox`; undefined for no such attribute. */
const SANDBOXES = { 'not sandboxed': undefined, 'sandboxed with scripts only': 'allow-scripts' } as const;

const HOST_SIZE = { width: 1000, height: 900 };

/** Chromium needs both to take the frame for a page on a phone. */
const TOUCH = { hasTouch: true, isMobile: true } as const;
/** A point of the host page in the middle of the map's part of a frame of the default size. */
const ON_MAP = { x: 700, y: 500 };

describeUnless(skipWithoutChromium(), 'an embedded map', () => {
  const site = useBrowserSite();
  let host: Neighbour;
  let mapId: string;
  let ids: readonly string[];

  beforeAll(async () => {
    // Each page of the host has the HTML of its `body` parameter, and keeps the messages that it gets.
    host = await startNeighbour((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://host');
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><title>Host</title><meta name="viewport" content="width=device-width">` +
            `<script>received = []; addEventListener('message', ({ data, origin }) => received.push({ data, origin }))</script>` +
            `<body>${searchParams.get('body') ?? ''}</body>`,
        );
    });
    ({ mapId, ids } = await createPublishedMap(site.server, {
      name: 'Lighthouses',
      locations: [
        placeAt('Skagen', 57.7371, 10.6297),
        placeAt('Bell Rock', 56.4342, -2.3871),
        placeAt('Roter Sand', 53.8549, 8.0817),
      ],
    }));
  });
  afterAll(() => host.close());

  /** Opens a page of the other site that frames the map, between paragraphs that make it longer than the screen. */
  async function embed({
    sandbox,
    allow = '',
    query = '',
    width = 900,
    height = 600,
    head = '',
    platform,
    map = mapId,
    ...options
  }: Embedding = {}) {
    const opened = await openRecordedPage(site.browser, { locale: 'en-GB', viewport: HOST_SIZE, ...options });
    const { page, record } = opened;
    if (platform !== undefined) {
      await page.addInitScript(`Object.defineProperty(navigator, 'platform', { value: '${platform}' })`);
    }
    const attributes = `width="${width}" height="${height}" allow="${allow}"${sandbox === undefined ? '' : ` sandbox="${sandbox}"`}`;
    const frame = `<iframe src="${site.baseUrl}/maps/${map}?embed=1${query}" ${attributes}></iframe>`;
    const body = `${head}<p style="height: 200px">Before</p>${frame}<p style="height: 2000px">After</p>`;
    await page.goto(`${host.otherSite}/?body=${encodeURIComponent(body)}`);
    const inner = await innerFrame(page);
    await inner.locator('.map :is(.pin, .cluster)').first().waitFor();
    await untilQuiet(page, record);
    return { ...opened, inner };
  }

  async function innerFrame(page: Page): Promise<Frame> {
    const element = await page.waitForSelector('iframe');
    const frame = await element.contentFrame();
    if (frame === null) throw new Error('The page has no frame.');
    return frame;
  }

  for (const [name, sandbox] of Object.entries(SANDBOXES)) {
    it(`shows the list, the pins and a card (${name})`, async () => {
      const { page, record, inner, close } = await embed({ sandbox });
      expect(await inner.evaluate('origin')).toBe(sandbox === undefined ? site.baseUrl : 'null');
      await inner.getByRole('option').first().click();
      await inner.getByRole('heading', { name: 'Skagen' }).waitFor();
      await inner.getByRole('button', { name: 'Copy link' }).click();
      // Neither frame may write to the clipboard.
      await inner.getByText(`${site.baseUrl}/maps/${mapId}#location=`).waitFor();
      await inner.getByRole('button', { name: 'All locations' }).click();
      await inner.getByRole('searchbox').fill('bell');
      await inner.getByText('1 location found').waitFor();
      await shoot(page, `embed-${sandbox ?? 'plain'}`);
      expect([record.problems, record.violations]).toEqual([[], []]);
      await close();
    });
  }

  it('copies the link to a location where the host lets it write to the clipboard', async () => {
    const { record, inner, close } = await embed({
      allow: 'clipboard-write',
      // Headless Chromium grants it to no page.
      permissions: ['clipboard-write'],
    });
    await inner.getByRole('option').first().click();
    await inner.getByRole('button', { name: 'Copy link' }).click();
    await inner.getByText('Copied.').waitFor();
    expect([record.problems, record.violations]).toEqual([[], []]);
    await close();
  });

  const scrollOf = (page: Page): Promise<number> => page.evaluate('scrollY');
  /** The view of the map, which it writes into its address. */
  const viewOf = (inner: Frame) =>
    inner.evaluate<string>('new URLSearchParams(location.hash.slice(1)).get("map")');
  const zoomOf = async (inner: Frame) => Number((await viewOf(inner)).split('/')[0]);
  const hintOf = (inner: Frame) => inner.locator('.gesture-hint-shown').innerText();
  /** Waits until nothing has moved for ten frames. */
  const untilStill = (page: Page) =>
    page.evaluate(`new Promise((resolve) => {
      let last = scrollY, still = 0;
      const look = () => (still = scrollY === last ? still + 1 : 0, last = scrollY, still < 10 ? requestAnimationFrame(look) : resolve());
      look();
    })`);

  /** Moves fingers by `dy` pixels, in steps. */
  async function swipe(page: Page, fingers: readonly { x: number; y: number }[], dy: number): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const at = (moved: number) => fingers.map(({ x, y }, id) => ({ x, y: y + moved, id }));
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let step = 1; step <= 10; step += 1) {
      await session.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: at((dy * step) / 10),
      });
    }
    // Fingers that rest before they leave give the page no momentum, which the next gesture could not tell.
    await untilStill(page);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await untilStill(page);
  }

  /** A map whose address has a view, so that the page has written it. */
  const WITH_VIEW = '#map=5/56/5';

  for (const [name, sandbox] of Object.entries(SANDBOXES)) {
    it(`leaves the wheel to the page around it, says so, and zooms with Ctrl (${name})`, async () => {
      const { page, inner, close } = await embed({ sandbox, query: WITH_VIEW });
      await page.mouse.move(ON_MAP.x, ON_MAP.y);
      await page.mouse.wheel(0, 100);
      await until(page, 'scrollY === 100');
      expect(await hintOf(inner)).toBe('Use Ctrl + scroll to zoom');
      await shoot(page, `embed-hint-${sandbox ?? 'plain'}`);
      expect(await zoomOf(inner)).toBe(5);

      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -200);
      await until(inner, 'Number(new URLSearchParams(location.hash.slice(1)).get("map").split("/")[0]) > 5');
      await page.keyboard.up('Control');
      expect(await scrollOf(page)).toBe(100);
      await close();
    });
  }

  it('names the key of Apple’s keyboards on them', async () => {
    const { page, inner, close } = await embed({ platform: 'MacIntel' });
    await page.mouse.move(ON_MAP.x, ON_MAP.y);
    await page.mouse.wheel(0, 100);
    expect(await hintOf(inner)).toBe('Use ⌘ + scroll to zoom');
    await close();
  });

  it('scrolls the page around it with one finger, and moves with two', async () => {
    const { page, inner, close } = await embed({ ...TOUCH, query: WITH_VIEW });
    const before = await viewOf(inner);
    await swipe(page, [ON_MAP], -150);
    expect(await scrollOf(page)).toBeGreaterThan(100);
    expect(await hintOf(inner)).toBe('Use two fingers to move the map');
    expect(await viewOf(inner)).toBe(before);

    const scrolled = await scrollOf(page);
    const y = ON_MAP.y - scrolled + 60;
    await swipe(
      page,
      [
        { x: ON_MAP.x - 60, y },
        { x: ON_MAP.x + 60, y },
      ],
      -100,
    );
    await until(
      inner,
      `new URLSearchParams(location.hash.slice(1)).get("map") !== ${JSON.stringify(before)}`,
    );
    expect(await scrollOf(page)).toBe(scrolled);
    await close();
  });

  it('takes all gestures with gestures=greedy', async () => {
    const { page, inner, close } = await embed({ ...TOUCH, query: `&gestures=greedy${WITH_VIEW}` });
    const before = await viewOf(inner);
    await swipe(page, [ON_MAP], -150);
    await until(
      inner,
      `new URLSearchParams(location.hash.slice(1)).get("map") !== ${JSON.stringify(before)}`,
    );
    expect(await scrollOf(page)).toBe(0);
    expect(await inner.locator('.gesture-hint').count()).toBe(0);
    await close();
  });

  it('takes the wheel on the full page, and where no page is around it', async () => {
    for (const query of ['', '?embed=1']) {
      const { page, close } = await site.open(`/maps/${mapId}${query}${WITH_VIEW}`);
      await page.locator('.map .pin').nth(2).waitFor();
      await page.mouse.move(ON_MAP.x, ON_MAP.y);
      await page.mouse.wheel(0, -200);
      await until(page, 'Number(new URLSearchParams(location.hash.slice(1)).get("map").split("/")[0]) > 5');
      await close();
    }
  });

  /** The messages that the host got, without those about the height. */
  const receivedBy = async (page: Page) =>
    (await page.evaluate<{ data: { type: string }; origin: string }[]>('received')).filter(
      ({ data }) => data.type !== 'height',
    );

  for (const [name, sandbox] of Object.entries(SANDBOXES)) {
    it(`tells the page around it what the reader does (${name})`, async () => {
      const { page, inner, close } = await embed({ sandbox });
      await inner.getByRole('option').first().click();
      await inner.getByRole('heading', { name: 'Skagen' }).waitFor();
      await inner.getByRole('button', { name: 'All locations' }).click();
      await inner.getByRole('searchbox').fill('bell');
      await inner.getByText('1 location found').waitFor();
      await until(page, `received.some(({ data }) => data.type === 'search')`);
      const envelope = { source: 'map-locations', version: 1, mapId };
      const messages = await receivedBy(page);
      expect(messages.map(({ data }) => data)).toEqual([
        { ...envelope, type: 'ready', count: 3 },
        {
          ...envelope,
          type: 'select',
          location: { id: ids[0], name: 'Skagen', latitude: 57.7371, longitude: 10.6297 },
        },
        { ...envelope, type: 'select', location: null },
        { ...envelope, type: 'search', text: 'bell', filters: { category: null }, count: 1 },
      ]);
      expect(new Set(messages.map(({ origin }) => origin))).toEqual(
        new Set([sandbox === undefined ? site.baseUrl : 'null']),
      );
      await close();
    });
  }

  const heightOf = async (page: Page) => (await page.locator('iframe').boundingBox())?.height;

  for (const [name, sandbox] of Object.entries(SANDBOXES)) {
    it(`is as high as what it shows, if the host has the script for it (${name})`, async () => {
      const { page, record, inner, close } = await embed({
        ...{ sandbox, query: '&height=auto', width: 380, height: 150, viewport: { width: 400, height: 900 } },
        head: `<script src="${site.baseUrl}/embed.js"></script>`,
      });
      const rows = 3 * 64;
      await until(page, `document.querySelector('iframe').clientHeight > 320 + ${rows}`);
      const height = await heightOf(page);
      const measured = await inner.evaluate<{ list: number; all: number; page: number; inner: number }>(
        `({ list: document.querySelector('.rows').clientHeight, all: document.querySelector('.rows-all').clientHeight,
            page: document.documentElement.scrollHeight, inner: innerHeight })`,
      );
      // Nothing of it scrolls, and nothing is left empty.
      expect(measured).toMatchObject({ all: rows, page: measured.inner });
      expect(measured.list).toBeGreaterThanOrEqual(rows);
      expect(measured.list).toBeLessThan(rows + 24);
      await shoot(page, `embed-auto-${sandbox ?? 'plain'}`);

      await inner.getByRole('searchbox').fill('bell');
      await until(page, `document.querySelector('iframe').clientHeight < ${height}`);
      expect([record.problems, record.violations]).toEqual([[], []]);
      await close();
    });
  }

  it('does not grow beyond a limit, and keeps the height of the frame where the host has no script', async () => {
    const { mapId: long } = await createPublishedMap(site.server, {
      name: 'Many',
      locations: Array.from({ length: 100 }, (_, index) => placeAt(`Place ${index}`, 50, 8 + index / 10)),
    });
    const { page, close } = await embed({ map: long, query: '&height=auto' });
    await until(page, `received.some(({ data }) => data.type === 'height')`);
    const heights = await page.evaluate<number[]>(
      `received.filter(({ data }) => data.type === 'height').map(({ data }) => data.height)`,
    );
    expect(Math.max(...heights)).toBe(900);
    expect(await heightOf(page)).toBe(604);
    await close();
  });

  it('lets a frame of another server set no height by the script', async () => {
    const forged = `<script>parent.postMessage({ source: 'map-locations', version: 1, type: 'height', height: 5000 }, '*')</script>`;
    const { page, close } = await openRecordedPage(site.browser);
    const frame = `<script src="${site.baseUrl}/embed.js"></script><iframe src="/?body=${encodeURIComponent(encodeURIComponent(forged)).replaceAll('%25', '%')}" height="200"></iframe>`;
    await page.goto(`${host.otherSite}/?body=${encodeURIComponent(frame)}`);
    await until(page, 'received.length > 0');
    expect(await heightOf(page)).toBe(204);
    await close();
  });
});

interface Embedding extends BrowserContextOptions {
  readonly sandbox?: string | undefined;
  readonly allow?: string;
  /** More parameters of the embedded page: `&gestures=greedy`. */
  readonly query?: string;
  /** Pixels of the frame. */
  readonly width?: number;
  readonly height?: number;
  /** HTML of the host page before the frame. */
  readonly head?: string;
  /** Of the browser, as `navigator.platform` has it. */
  readonly platform?: string;
  /** A map besides the first one. */
  readonly map?: string;
}
