/** The console in a browser, on its own server, with a new owner in each test. */

import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

import type { Environment } from '../../src/app/config.ts';
import type { Parts } from '../../src/app/composition/application.ts';
import type { BrowserSite, OpenedPage } from './browser-site.ts';
import { shoot as shootPage, useBrowserSite } from './browser-site.ts';
import { dataOf } from './graphql.ts';
import type { TestServer } from './server.ts';

export interface ConsoleSite extends Pick<BrowserSite, 'expectClean'> {
  readonly server: TestServer;
  /** A token of the test's owner. */
  readonly token: string;
  readonly owner: string;
  /** @param fragment of the address, with its # */
  readonly open: (options?: BrowserContextOptions, fragment?: string) => Promise<OpenedPage>;
  /** Names of a map's locations, in order. */
  readonly namesOf: (mapId: string) => Promise<string[]>;
}

/** Called within `describe`; `settings` and `parts` are those of useBrowserSite. */
export function useConsole(
  settings: Environment | (() => Promise<Environment>) = {},
  parts: Parts = {},
): ConsoleSite {
  const site = useBrowserSite(settings, parts);
  let token: string;
  let owners = 0;
  beforeEach(async () => {
    owners += 1;
    token = await site.server.createToken({ owner: `owner ${owners}` });
  });
  return {
    get server() {
      return site.server;
    },
    get token() {
      return token;
    },
    get owner() {
      return `owner ${owners}`;
    },
    open: (options, fragment = '') => site.open(`/console${fragment}`, options),
    expectClean: site.expectClean,
    async namesOf(mapId) {
      const query = `{ map(id: "${mapId}") { locations { nodes { name } } } }`;
      const { nodes } = dataOf(await site.server.graphql(query, {}, token)).map.locations;
      return nodes.map(({ name }: { name: string }) => name);
    },
  };
}

/** With a token, as everywhere where a test is not about accounts. */
export async function signIn(page: Page, secret: string): Promise<void> {
  await enterToken(page, secret);
  await page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
}

/** Unfolds the form first, where there are other ways to sign in. */
export async function enterToken(page: Page, secret: string): Promise<void> {
  await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
  const fold = page.locator('details.c-fold:not([open]) > summary');
  if ((await fold.count()) > 0) await fold.click();
  await page.getByLabel('Token').fill(secret);
  await page
    .getByRole('button', { name: /^Sign in( with the token)?$/ })
    .last()
    .click();
}

export async function openMap(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** Excludes a pin on the map with the same name. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('table').getByRole('button', { name, exact: true });
}

/** Names of the rows that are rendered. */
export function rowNames(page: Page): Promise<string[]> {
  return page.locator('.c-name').allTextContents();
}

export function shoot(page: Page, name: string): Promise<void> {
  return shootPage(page, `console-${name}`);
}
