/** The recipes of docs/recipes, bundled as written and run in Chromium: lists, creates and live changes. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import type { Browser, Page, Request, Route } from 'playwright-core';

import { launchChromium, openRecordedPage, skipWithoutChromium } from '../support/browser.ts';
import type { OpenedPage } from '../support/browser-site.ts';
import { blocksOf, readDocument } from '../support/documents.ts';
import { createLocation, dataOf, deleteLocation, makeLocations, makeMap } from '../support/graphql.ts';
import { createFolder, ROOT } from '../support/program.ts';
import { listen } from '../support/raw-http.ts';
import { bundleRecipe } from '../support/recipes.ts';
import { unlessChanged } from '../support/scope.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';
import type { StaticSite } from '../support/static-site.ts';
import { startStaticSite } from '../support/static-site.ts';
import type { TcpRelay } from '../support/tcp-relay.ts';
import { startTcpRelay } from '../support/tcp-relay.ts';
import { PATIENCE_MS } from '../support/until.ts';

/** A transparent pixel, for a tile. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);

/** More than one page of the GraphQL recipes. */
const LOCATIONS = 25;

interface Kind {
  /** Whether the reader loads the list page by page. */
  readonly hasPages: boolean;
  /** Checks that the map, if any, shows this many locations. */
  readonly expectDrawn?: (page: Page, count: number) => Promise<void>;
}

const byLeaflet: Kind = {
  hasPages: false,
  async expectDrawn(page, count) {
    // Leaflet draws circles as interactive paths.
    await page.waitForFunction(
      `document.querySelectorAll('.leaflet-overlay-pane path.leaflet-interactive').length === ${count}`,
    );
  },
};

const byMapLibre: Kind = {
  hasPages: false,
  async expectDrawn(page) {
    // The last row pans to its location, and a click there hits the drawn point.
    const row = rows(page).last().getByRole('button');
    const name = await row.innerText();
    await row.click();
    const view = page.locator('#map canvas');
    const popup = page.locator('.maplibregl-popup').filter({ hasText: name });
    const deadline = Date.now() + PATIENCE_MS;
    // MapLibre draws the data once its worker has cut it into tiles.
    while (!(await popup.isVisible())) {
      if (Date.now() > deadline) throw new Error(`The map does not show ${name}.`);
      await view.click();
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
  },
};

const RECIPES: Readonly<Record<string, Kind>> = {
  'apollo-client': { hasPages: true },
  maplibre: byMapLibre,
  'react-leaflet': byLeaflet,
  relay: { hasPages: true },
  'svelte-leaflet': byLeaflet,
  urql: { hasPages: true },
};

interface HeldResponse {
  /** Settles when the request has arrived. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** Holds the response to the page's second query: the list, loaded again at `resync`. */
function holdSecondResponse(page: Page): HeldResponse {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hasSingleResponse = (request: Request): boolean =>
    request.method() !== 'OPTIONS' && request.headers()['accept'] !== 'text/event-stream';
  let requests = 0;
  const arrived = new Promise<void>((resolve) => {
    const handle = async (route: Route): Promise<void> => {
      if (!hasSingleResponse(route.request())) return route.fallback();
      requests += 1;
      if (requests !== 2) return route.fallback();
      const response = await route.fetch();
      resolve();
      await released;
      await route.fulfill({ response });
    };
    void page.route(({ pathname }) => pathname === '/graphql', handle);
  });
  return { arrived, release };
}

const rows = (page: Page) => page.getByRole('listitem');
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByText(name, { exact: true }) });

async function expectRows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(`document.querySelectorAll('li').length === ${count}`);
}

/** Documents without a page, or whose page has a test of its own. */
const NO_PAGES = ['README', 'mcp', 'vector-tiles'];

describe('the recipes', () => {
  it('are all tested', () => {
    const documents = readdirSync(join(ROOT, 'docs/recipes')).map((name) => name.replace(/\.md$/, ''));
    expect(documents.filter((name) => !NO_PAGES.includes(name)).toSorted()).toEqual(Object.keys(RECIPES));
  });

  it('run once more for calls during a run, and never run twice at once', async () => {
    const code = blocksOf(readDocument('docs/recipes/README.md')).find(
      ({ file }) => file === 'one-at-a-time.js',
    )?.code;
    const { oneAtATime } = await import(`data:text/javascript,${encodeURIComponent(String(code))}`);
    const ends: ((failure?: Error) => void)[] = [];
    const run = oneAtATime(
      () =>
        new Promise<void>((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
        }),
    );
    const runs = [run(), run(), run()];
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await Promise.all(runs);
    const failing = run();
    ends[2]?.(new Error('No response.'));
    await expect(failing).rejects.toThrow('No response.');
    const again = run();
    ends[3]?.();
    await again;
    expect(ends).toHaveLength(4);
  });
});

const unchanged = unlessChanged(
  ...['docs/recipes', 'docs/client.md', 'schema', 'package-lock.json'],
  ...['test/e2e/recipes.test.ts', 'test/support/recipes.ts'],
);
describeUnless(skipWithoutChromium() || unchanged, 'the recipes in a browser', () => {
  const folder = createFolder();
  let site: StaticSite;
  let server: TestServer;
  let relay: TcpRelay;
  let browser: Browser;
  let config: Record<string, string>;
  let sdl: string;

  beforeAll(async () => {
    site = await startStaticSite(folder, (request, response) => {
      if (request.url?.startsWith('/tiles/') !== true) return false;
      response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
      return true;
    });
    server = await createTestServer({ CORS_ORIGINS: site.origin });
    relay = await startTcpRelay(await listen(server));
    const url = `http://127.0.0.1:${relay.port}`;
    config = { url, token: await server.createToken(), tileUrl: `${site.origin}/tiles/{z}/{x}/{y}.png` };
    sdl = await (await fetch(`${url}/schema.graphql`)).text();
    browser = await launchChromium({ webGl: true });
  });
  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    (relay as TcpRelay | undefined)?.close();
    await (server as TestServer | undefined)?.close();
    (site as StaticSite | undefined)?.close();
  });

  const prepare = async (): Promise<OpenedPage> => {
    const opened = await openRecordedPage(browser);
    const ours = [site.origin, config['url']];
    await opened.page.context().route(
      (url) => !ours.includes(url.origin),
      (route) => route.abort(),
    );
    return opened;
  };

  for (const [name, { hasPages, expectDrawn }] of Object.entries(RECIPES)) {
    it(`${name}: lists, creates, refuses, and shows live changes, also after a lost connection`, async () => {
      const { id: mapId } = await makeMap(server);
      const [first, second] = await makeLocations(server, mapId, Array<null>(LOCATIONS).fill(null));
      await bundleRecipe(`docs/recipes/${name}.md`, {
        folder: join(folder, name),
        config: { ...config, mapId },
        sdl,
      });
      const { page, record, close } = await prepare();
      const held = hasPages ? holdSecondResponse(page) : null;
      await page.goto(`${site.origin}/${name}/dist/`);

      if (held !== null) {
        await expectRows(page, 20);
        await held.arrived;
        await page.getByRole('button', { name: 'More' }).click();
        held.release();
      }
      await expectRows(page, LOCATIONS);
      await row(page, `Place ${LOCATIONS - 1}`).waitFor();

      await page.getByLabel('Name').fill('A Brasileira');
      await page.getByLabel('Address').fill('Rua Garrett 122');
      await page.getByRole('button', { name: 'Add' }).click();
      await row(page, 'A Brasileira').waitFor();
      await expectRows(page, LOCATIONS + 1);
      await expectDrawn?.(page, LOCATIONS + 1);

      dataOf(
        await server.graphql(
          'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { id } } }',
          { input: { mapId, id: first?.id, fields: { Name: 'Renamed' } } },
        ),
      );
      await row(page, 'Renamed').waitFor();
      await row(page, 'Place 0').waitFor({ state: 'detached' });
      await deleteLocation(server, mapId, String(second?.id));
      await row(page, 'Place 1').waitFor({ state: 'detached' });
      dataOf(await createLocation(server, { mapId, fields: { Name: 'Elsewhere', Address: 'Elsewhere 1' } }));
      await row(page, 'Elsewhere').waitFor();
      await expectRows(page, LOCATIONS + 1);
      await expectDrawn?.(page, LOCATIONS + 1);

      expect([record.problems, record.violations]).toEqual([[], []]);
      await page.getByLabel('Name').fill('Nowhere');
      await page.getByLabel('Address').fill('unknown: street');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('alert').filter({ hasText: 'No such address.' }).waitFor();

      relay.cut();
      dataOf(await createLocation(server, { mapId, fields: { Name: 'Meanwhile', Address: 'Meanwhile 1' } }));
      await row(page, 'Meanwhile').waitFor();
      await expectRows(page, LOCATIONS + 2);
      await close();
    });
  }

  it('vector-tiles: draws locations and clusters of a published map, without a token', async () => {
    const { id: mapId } = await makeMap(server, { isPublished: true });
    // At the centre of the page one location, and to its left more than a tile shows by themselves.
    const positions = [
      { latitude: 20, longitude: 0 },
      ...Array.from({ length: 600 }, (_, index) => ({ latitude: 20, longitude: -90 + index / 1e4 })),
    ];
    const locations = positions.map((position, index) => ({
      fields: { Name: `Place ${index}`, Address: 'x' },
      position,
    }));
    dataOf(
      await server.graphql(
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }',
        { input: { mapId, locations } },
      ),
    );
    const name = 'vector-tiles';
    const { token: _token, ...shown } = config;
    await bundleRecipe(`docs/recipes/${name}.md`, {
      folder: join(folder, name),
      config: { ...shown, mapId },
      sdl,
    });
    const { page, record, close } = await prepare();
    await page.goto(`${site.origin}/${name}/dist/`);
    const view = page.locator('#map canvas');
    const { width, height } = (await view.boundingBox())!;
    /** A click stops the movement that the one before has started. */
    const clickUntil = async (x: number, isDone: () => Promise<boolean>) => {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const done = isDone();
        await view.click({ position: { x, y: height / 2 } });
        if (await done) return;
        if (Date.now() > deadline) throw new Error('The map draws nothing there.');
      }
    };
    const popup = page.locator('.maplibregl-popup');
    const within = { timeout: 2_000 };
    const succeeds = (done: Promise<unknown>) =>
      done.then(
        () => true,
        () => false,
      );
    await clickUntil(width / 2, () => succeeds(popup.waitFor(within)));
    expect(await popup.innerText()).toContain('Place 0');
    if (process.env['SCREENSHOTS'] !== undefined) {
      await page.screenshot({ path: join(process.env['SCREENSHOTS'], 'vector-tiles.png') });
    }
    // At zoom 1 the world is 1,024 pixels wide. A click on the cluster goes two zooms nearer.
    await clickUntil(width / 2 - 256, () =>
      succeeds(page.waitForResponse(/\/tiles\/3\/\d+\/\d+\.mvt$/, within)),
    );
    expect([record.problems, record.violations]).toEqual([[], []]);
    await close();
  });
});
