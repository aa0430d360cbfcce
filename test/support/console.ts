/** The console in a browser, on a server of its own, as an owner of its own in each test. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import type { PageRecord } from './browser.ts';
import { launchChromium, openRecordedPage, requestsElsewhere } from './browser.ts';
import { dataOf } from './graphql.ts';
import type { TestServer } from './server.ts';
import { createTestServer } from './server.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
export const DESKTOP = { width: 1280, height: 900 };

export interface ConsoleSite {
  readonly server: TestServer;
  /** Of the test's owner. */
  readonly token: string;
  readonly owner: string;
  /** The page may ask nobody but this server. */
  open(
    options?: BrowserContextOptions,
  ): Promise<{ page: Page; record: PageRecord; close: () => Promise<void> }>;
  /** Names of a map's locations, in their order. */
  namesOf(mapId: string): Promise<string[]>;
  expectClean(record: PageRecord): void;
}

/** Called within `describe`. */
export function useConsole(): ConsoleSite {
  let server: TestServer;
  let baseUrl: string;
  let browser: Browser;
  let token: string;
  let owners = 0;
  beforeAll(async () => {
    server = await createTestServer();
    baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    await server.close();
  });
  beforeEach(async () => {
    owners += 1;
    token = await server.createToken({ owner: `owner ${owners}` });
  });
  return {
    get server() {
      return server;
    },
    get token() {
      return token;
    },
    get owner() {
      return `owner ${owners}`;
    },
    async open(options = {}) {
      const opened = await openRecordedPage(browser, { locale: 'en-GB', viewport: DESKTOP, ...options });
      await opened.page.context().route(
        (url) => url.origin !== new URL(baseUrl).origin,
        (route) => route.abort(),
      );
      await opened.page.goto(`${baseUrl}/console`);
      return opened;
    },
    async namesOf(mapId) {
      const query = `{ map(id: "${mapId}") { locations { nodes { name } } } }`;
      const { nodes } = dataOf(await server.graphql(query, {}, token)).map.locations;
      return nodes.map(({ name }: { name: string }) => name);
    },
    expectClean(record) {
      expect(requestsElsewhere(record, baseUrl)).toEqual([]);
      expect([record.problems, record.violations]).toEqual([[], []]);
    },
  };
}

export async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Token').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
}

export async function openMap(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** A pin of the map may have the same name. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('table').getByRole('button', { name, exact: true });
}

/** Of the rows that are elements. */
export function rowNames(page: Page): Promise<string[]> {
  return page.locator('.c-name').allTextContents();
}

export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[];
  }>('axe.run()');
  expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** For a look at it: only with a folder in SCREENSHOTS. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/console-${name}.png` });
}
