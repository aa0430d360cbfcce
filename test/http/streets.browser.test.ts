import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { openRecordedPage, skipWithoutChromium, until, untilQuiet } from '../support/browser.ts';
import { shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, signIn } from '../support/console.ts';
import { feature, makeArchive, rectangle } from '../support/pmtiles.ts';
import type { Layers } from '../support/pmtiles.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';
import { startStaticSite } from '../support/static-site.ts';

const HOLLAND = [3, 51, 7, 54] as const;
const AMSTERDAM = { latitude: 52.37, longitude: 4.9 };

/** A town with names, a road and a building ground. */
const STREETS: Layers = {
  earth: [rectangle(HOLLAND)],
  water: [rectangle([5.1, 52.4, 5.5, 52.8], { kind: 'lake' })],
  roads: [
    feature(
      {
        type: 'LineString',
        coordinates: [
          [4, 52],
          [6, 53],
        ],
      },
      { kind: 'highway', min_zoom: 3 },
    ),
  ],
  places: [
    feature(
      { type: 'Point', coordinates: [4.9, 52.37] },
      {
        ...{ kind: 'locality', name: 'Amsterdam', 'name:de': 'Amsterdam (DE)', 'name:ar': 'أمستردام' },
        ...{ min_zoom: 4, population_rank: 11 },
      },
    ),
  ],
};
const ARCHIVE = makeArchive({ bounds: HOLLAND, layers: STREETS, maxZoom: 9 });
/** All of it is the ground of a hospital, and it is of less detail. */
const OTHER = makeArchive({
  bounds: HOLLAND,
  layers: { earth: [rectangle(HOLLAND)], landuse: [rectangle(HOLLAND, { kind: 'hospital' })] },
  maxZoom: 8,
  metadata: { padding: 'x'.repeat(5_000) },
});

/** Flavours of the Protomaps style. */
const EARTH = { light: '226,223,218', dark: '31,31,31' };
const WATER = { light: '128,222,234' };
const HOSPITAL = { light: '228,218,217' };

/** Keeps every text that is drawn, and every colour of tiles that are on the map at the same time. */
const RECORDER = `
  window.drawn = new Set();
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind) {
    return getContext.call(this, kind, { willReadFrequently: true });
  };
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.drawn.add(text);
    return fillText.call(this, text, ...rest);
  };
  // The topmost colour that is drawn at a point of the window.
  window.colourAt = (x, y) => {
    const tiles = [...document.querySelectorAll('.leaflet-tile-pane canvas')].reverse();
    const layerOf = (tile) => Number(tile.closest('.leaflet-layer').style.zIndex || 1);
    for (const tile of tiles.sort((one, other) => layerOf(other) - layerOf(one))) {
      const { left, top, right, bottom, width } = tile.getBoundingClientRect();
      if (x < left || x >= right || y < top || y >= bottom) continue;
      const scale = tile.width / width;
      const [red, green, blue, alpha] = tile.getContext('2d').getImageData((x - left) * scale, (y - top) * scale, 1, 1).data;
      if (alpha > 0) return red + ',' + green + ',' + blue;
    }
    return null;
  };
  window.streetColours = () => {
    const layers = [...document.querySelectorAll('.leaflet-layer')].filter((layer) => layer.style.zIndex === '2');
    const colours = layers.flatMap((layer) => [...layer.querySelectorAll('canvas')]).map((tile) => {
      const [red, green, blue, alpha] = tile.getContext('2d').getImageData(tile.width / 2 + 3, tile.height / 2 + 3, 1, 1).data;
      return alpha === 0 ? null : red + ',' + green + ',' + blue;
    });
    return [...new Set(colours)].filter((colour) => colour !== null).sort();
  };
`;

describeUnless(skipWithoutChromium(), 'the streets of a basemap file', () => {
  let folder: string;
  let path: string;
  let mapId: string;
  const site = useBrowserSite(() => {
    folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
    path = join(folder, 'streets.pmtiles');
    writeFileSync(path, ARCHIVE);
    return Promise.resolve({ BASEMAP_FILE: path, PUBLIC_RATE_LIMIT: '0' });
  });
  beforeAll(async () => {
    ({ mapId } = await createPublishedMap(site.server, {
      name: 'Cafés',
      locations: [placeAt('Café', AMSTERDAM.latitude + 0.5, AMSTERDAM.longitude - 0.5)],
    }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => replaceBy(ARCHIVE));

  function replaceBy(content: Buffer): void {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  }

  async function open(
    view: string,
    { query = '', ...options }: BrowserContextOptions & { query?: string } = {},
  ) {
    const opened = await openRecordedPage(site.browser, {
      locale: 'en-GB',
      viewport: VIEWPORTS.desktop,
      ...options,
    });
    await opened.page.addInitScript(RECORDER);
    await opened.page.goto(`${site.baseUrl}/maps/${mapId}${query}#map=${view}`);
    return opened;
  }

  /** The middle of the map, moved by pixels. */
  async function colourAt(
    page: Page,
    [right, down]: readonly [number, number] = [0, 0],
  ): Promise<string | null> {
    const box = await page.locator('.map-canvas').boundingBox();
    const x = box!.x + box!.width / 2 + right;
    const y = box!.y + box!.height / 2 + down;
    return page.evaluate<string | null>(`colourAt(${x}, ${y})`);
  }

  const untilColoured = (page: Page, colour: string) =>
    until(page, `streetColours().includes(${JSON.stringify(colour)})`);

  it('are drawn within its bounds, on the built-in map, with its attribution', async () => {
    const { page, record, close } = await open('7/52.5/4.3');
    await untilColoured(page, EARTH.light);
    await untilQuiet(page, record);
    await shoot(page, 'streets');
    expect(await colourAt(page, [20, 60])).toBe(EARTH.light);
    // West of its bounds: the North Sea of the built-in map.
    const water = await page.evaluate<string>(`
      [...getComputedStyle(document.documentElement).getPropertyValue('--water').matchAll(/[0-9a-f]{2}/g)]
        .map(([byte]) => parseInt(byte, 16)).join()`);
    expect(await colourAt(page, [-200, 0])).toBe(water);
    const attribution = page.locator('.attribution');
    expect(await attribution.innerText()).toMatch(
      /^Map data: Natural Earth, GeoNames, Protomaps © OpenStreetMap$/,
    );
    expect(await attribution.getByRole('link', { name: 'OpenStreetMap' }).getAttribute('href')).toBe(
      'https://www.openstreetmap.org/copyright',
    );
    site.expectClean(record);
    await close();
  });

  it('are drawn beyond its zooms, and not where the world has copies of other places', async () => {
    const { page, record, close } = await open('14/52.6/5.3');
    // Zoom 14 of a file that ends at 9: the lake.
    await untilColoured(page, WATER.light);
    expect(await colourAt(page)).toBe(WATER.light);
    site.expectClean(record);
    await close();
  });

  it('have names in the language of the page', async () => {
    for (const [query, name] of [
      ['?lang=en', 'Amsterdam'],
      ['?lang=de', 'Amsterdam (DE)'],
    ] as const) {
      const { page, close } = await open('9/52.37/4.9', { query });
      await until(page, `drawn.has(${JSON.stringify(name)})`);
      const names = await page.evaluate<string[]>(
        `[...drawn].filter((text) => text.startsWith('Amsterdam ('))`,
      );
      expect(names).toEqual(name === 'Amsterdam' ? [] : [name]);
      await close();
    }
  });

  it('follow the colour scheme', async () => {
    const { page, close } = await open('8/52.5/4.3', { colorScheme: 'dark' });
    await untilColoured(page, EARTH.dark);
    await shoot(page, 'streets-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await untilColoured(page, EARTH.light);
    expect(await page.evaluate('streetColours()')).not.toContain(EARTH.dark);
    await close();
  });

  it('let the page show a location within its bounds from near by', async () => {
    const { page, close } = await open('3/0/0');
    await page.getByRole('option').click();
    await until(page, `/map=14\\//.test(location.hash)`);
    await close();
  });

  it('are never of two files, when the file is replaced while the page is open', async () => {
    const { page, record, close } = await open('8/52.2/4.3');
    await untilColoured(page, EARTH.light);
    await untilQuiet(page, record);
    await page.evaluate(`
      window.mixed = [];
      const watch = () => {
        const colours = streetColours();
        if (colours.includes('${EARTH.light}') && colours.includes('${HOSPITAL.light}')) mixed.push(colours);
        requestAnimationFrame(watch);
      };
      watch();`);
    replaceBy(OTHER);
    // Nothing tells the page until it needs another tile.
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowRight', '+']) {
      await page.locator('.map-canvas').focus();
      await page.keyboard.press(key);
    }
    await until(page, `streetColours().join() === '${HOSPITAL.light}'`);
    await untilQuiet(page, record);
    expect(await page.evaluate('mixed')).toEqual([]);
    // And back, to a longer file.
    replaceBy(ARCHIVE);
    for (const key of ['-', '-', 'ArrowDown']) await page.keyboard.press(key);
    await until(page, `streetColours().includes('${EARTH.light}')`);
    await untilQuiet(page, record);
    expect(await page.evaluate('mixed')).toEqual([]);
    site.expectClean(record);
    await close();
  });

  it('are those of the new file on a page that is loaded again', async () => {
    const { page, record, close } = await open('8/52.2/4.3');
    await untilColoured(page, EARTH.light);
    await untilQuiet(page, record);
    replaceBy(OTHER);
    await page.reload();
    await until(page, `streetColours().join() === '${HOSPITAL.light}'`);
    await untilQuiet(page, record);
    site.expectClean(record);
    await close();
  });

  it('leave the built-in map while the file cannot be read, and come back with it', async () => {
    const { page, close } = await open('8/52.2/4.3');
    await untilColoured(page, EARTH.light);
    rmSync(path);
    await page.locator('.map-canvas').focus();
    const refused = page.waitForResponse(
      (response) => response.url().endsWith('.pmtiles') && response.status() === 503,
    );
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await refused;
    expect(await colourAt(page, [200, 200])).not.toBeNull();
    replaceBy(ARCHIVE);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await until(page, `streetColours().includes('${EARTH.light}')`);
    await close();
  });

  it('are on the map of the console', async () => {
    const { page, record, close } = await openRecordedPage(site.browser, { viewport: VIEWPORTS.desktop });
    await page.addInitScript(RECORDER);
    await page.goto(`${site.baseUrl}/console`);
    await signIn(page, await site.server.createToken());
    await openMap(page, 'Cafés');
    await untilColoured(page, EARTH.light);
    site.expectClean(record);
    await close();
  });

  it('are not loaded by a page without a file', async () => {
    const { page, record, close } = await open('8/52.2/4.3');
    await untilColoured(page, EARTH.light);
    const loads = () => record.requests.filter((url) => /\/streets-[^/]*\.js|\.pmtiles/.test(url));
    expect(loads().map((url) => new URL(url).pathname.replace(/-.*/, ''))).toEqual(
      expect.arrayContaining(['/assets/streets', '/basemap.pmtiles']),
    );
    rmSync(path);
    record.requests.length = 0;
    await page.reload();
    await untilQuiet(page, record);
    expect(loads()).toEqual([]);
    await close();
  });

  it('can be read in a sandboxed frame, whose origin is opaque', async () => {
    const script = `fetch('${site.baseUrl}/basemap.pmtiles', { headers: { range: 'bytes=0-6' } }).then(async (response) =>
      parent.postMessage([origin, response.status, await response.text(), response.headers.get('etag') !== null], '*'))`;
    const host = await startStaticSite(folder, (_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<script>addEventListener('message', ({ data }) => (window.received = data))</script>
        <iframe sandbox="allow-scripts" srcdoc="<script>${script.replaceAll('"', '&quot;')}</script>"></iframe>`);
      return true;
    });
    const { page, close } = await openRecordedPage(site.browser);
    await page.goto(host.origin);
    await until(page, 'window.received !== undefined');
    expect(await page.evaluate('received')).toEqual(['null', 206, 'PMTiles', true]);
    await close();
    host.close();
  });
});
