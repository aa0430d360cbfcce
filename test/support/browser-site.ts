/** A server and a browser for the tests of the pages. */

import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import type { Environment } from '../../src/app/config.ts';
import type { Parts } from '../../src/app/composition/application.ts';
import type { PageRecord } from './browser.ts';
import { launchChromium, openRecordedPage, requestsElsewhere } from './browser.ts';
import type { TestServer } from './server.ts';
import { createTestServer } from './server.ts';

export const VIEWPORTS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

export interface OpenedPage {
  readonly page: Page;
  readonly record: PageRecord;
  readonly close: () => Promise<void>;
}

export interface BrowserSite {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** A page that is expected to load only from this server. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<OpenedPage>;
  /** Expects no requests to other origins, no console messages, and no violations of the policy. */
  readonly expectClean: (record: PageRecord) => void;
}

/**
 * Called within `describe`.
 *
 * @param settings of the server; a function if they are known only when the tests run
 * @param parts of the server, as for createTestServer
 */
export function useBrowserSite(
  settings: Environment | (() => Promise<Environment>) = {},
  parts: Parts = {},
): BrowserSite {
  let server: TestServer;
  let baseUrl: string;
  let browser: Browser;
  beforeAll(async () => {
    server = await createTestServer(typeof settings === 'function' ? await settings() : settings, parts);
    baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    // Undefined if `beforeAll` failed, whose error is then the one to report.
    await (browser as Browser | undefined)?.close();
    await (server as TestServer | undefined)?.close();
  });
  return {
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    get baseUrl() {
      return baseUrl;
    },
    async open(path, options = {}) {
      const opened = await openRecordedPage(browser, {
        locale: 'en-GB',
        timezoneId: 'UTC',
        viewport: VIEWPORTS.desktop,
        ...options,
      });
      await opened.page.context().route(
        (url) => url.origin !== new URL(baseUrl).origin,
        (route) => route.abort(),
      );
      await opened.page.goto(baseUrl + path);
      return opened;
    },
    expectClean(record) {
      expect(requestsElsewhere(record, baseUrl)).toEqual([]);
      expect([record.problems, record.violations]).toEqual([[], []]);
    },
  };
}

/** @param except rules that third-party content violates */
export async function expectAccessible(page: Page, except: readonly string[] = []): Promise<void> {
  await expectNoViolations(page, {
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
  });
}

/** The rules of axe about colours: all that can differ between colour schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Checks a page in dark and in light mode. It stays in light mode. */
export async function expectAccessibleInBothSchemes(
  page: Page,
  name: string,
  except: readonly string[] = [],
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, `${name}-dark`);
  await expectNoViolations(page, { runOnly: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
  await shoot(page, `${name}-light`);
  await expectAccessible(page, except);
}

async function expectNoViolations(page: Page, options: axe.RunOptions): Promise<void> {
  // Injected by the debugger, to which the page's policy does not apply. It stays until the page is reloaded.
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  );
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Takes a screenshot for inspection, if SCREENSHOTS names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
