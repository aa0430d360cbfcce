/** Signing in at two identity providers that are not ours, in Chromium: the built program on 127.0.0.1, they on localhost. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, BrowserContext, Page, Request } from 'playwright-core';

import { launchChromium, skipWithoutChromium } from '../support/browser.ts';
import { NO_CANAILLE, startCanaille } from '../support/canaille.ts';
import { findCanaries } from '../support/canaries.ts';
import { freePort } from '../support/free-port.ts';
import type { Neighbour } from '../support/neighbour.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { CLIENT_ID, CLIENT_SECRET, TestProvider, visitProvider } from '../support/oidc-provider.ts';
import type { Server } from '../support/program.ts';
import { createFolder, killPrograms, startPlainServer } from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';
import { PATIENCE_MS } from '../support/until.ts';
import { prepareMap } from './prepared-map.ts';

/** What a person does on the pages of a provider. */
interface ProviderPages {
  enter(page: Page, name: string): Promise<void>;
  consent(page: Page): Promise<void>;
  decline(page: Page): Promise<void>;
  /** Null if it asks nothing. */
  readonly confirmSignOut: ((page: Page) => Promise<void>) | null;
  /** Whether it asks for consent at each sign-in, not only at the first. */
  readonly asksAgain: boolean;
}

const PASSWORD = 'the password at the provider';

const OIDC_PROVIDER_PAGES: ProviderPages = {
  async enter(page, name) {
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign-in' }).click();
  },
  consent: (page) => page.getByRole('button', { name: 'Continue' }).click(),
  async decline(page) {
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.getByRole('link', { name: '[ Cancel ]' }).click();
  },
  confirmSignOut: (page) => page.getByRole('button', { name: 'Yes, sign me out' }).click(),
  asksAgain: true,
};

const CANAILLE_PAGES: ProviderPages = {
  async enter(page, name) {
    await page.locator('[name=login]').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  },
  consent: (page) => page.getByRole('button', { name: 'Accept' }).click(),
  decline: (page) => page.getByRole('button', { name: 'Deny' }).click(),
  confirmSignOut: null,
  asksAgain: false,
};

interface Site {
  readonly server: Server;
  readonly console: string;
  readonly mapId: string;
  readonly auditLog: string;
}

let browser: Browser;
const contexts: BrowserContext[] = [];

/** The program with a provider, and a map of `anna` there. */
async function startSite(port: number, issuer: string, settings: Record<string, string> = {}): Promise<Site> {
  const cwd = createFolder();
  const { mapId } = await prepareMap(cwd, {}, `${issuer}#anna`);
  const publicUrl = `http://127.0.0.1:${port}`;
  const auditLog = join(cwd, 'audit.log');
  const server = await startPlainServer(cwd, {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_LABEL: 'the museum',
    AUDIT_LOG: auditLog,
    LOG_LEVEL: 'trace',
    ...settings,
  });
  return { server, console: `${publicUrl}/console`, mapId, auditLog };
}

const redirectsOf = (port: number) => ({
  redirectUri: `http://127.0.0.1:${port}/auth/callback`,
  signedOutUri: `http://127.0.0.1:${port}/console`,
});

async function newPerson(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  contexts.push(context);
  // The provider's pages ask for fonts, which are no part of this.
  await context.route(
    ({ hostname }) => !['127.0.0.1', 'localhost'].includes(hostname),
    (route) => route.abort(),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

const signInButton = (page: Page) => page.getByRole('link', { name: 'Sign in with the museum' });
const mapHeading = (page: Page) => page.getByRole('heading', { name: 'Cafés', exact: true });
const problem = (page: Page, text: RegExp) => page.getByRole('alert').getByText(text).waitFor();

/** Opens the console at the map, and signs in to get there. */
async function signIn(page: Page, site: Site, pages: ProviderPages): Promise<void> {
  await page.goto(`${site.console}#/maps/${site.mapId}`);
  await signInButton(page).click();
  await pages.enter(page, 'anna');
  await pages.consent(page);
  await mapHeading(page).waitFor();
}

beforeAll(async () => {
  if (skipWithoutChromium() === false) browser = await launchChromium();
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  killPrograms();
});

/** What both providers have in common. */
function itSignsIn(siteOf: () => Site, pages: ProviderPages): void {
  it('leads to the wanted map, signs out at the provider, and asks who it is the next time', async () => {
    const site = siteOf();
    const page = await newPerson();
    await signIn(page, site, pages);
    expect(page.url()).toBe(`${site.console}#/maps/${site.mapId}`);
    await page.reload();
    await mapHeading(page).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await pages.confirmSignOut?.(page);
    await signInButton(page).waitFor();
    expect(page.url().split('#')[0]).toBe(site.console);

    await signInButton(page).click();
    await pages.enter(page, 'anna');
    if (pages.asksAgain) await pages.consent(page);
    await page.getByRole('link', { name: 'Cafés' }).waitFor();
  });

  it('says so when the person declines, and lets them try again', async () => {
    const site = siteOf();
    const page = await newPerson();
    await page.goto(site.console);
    await signInButton(page).click();
    await pages.enter(page, 'ben');
    await pages.decline(page);
    await problem(page, /^Signing in was cancelled at the provider/);
    expect(page.url().split('#')).toEqual([site.console]);
    await signInButton(page).click();
    await page.waitForURL((url) => url.hostname === 'localhost');
  });
}

describeUnless(skipWithoutChromium(), 'with oidc-provider', () => {
  let provider: TestProvider;
  let elsewhere: Neighbour;
  let site: Site;
  beforeAll(async () => {
    const port = await freePort();
    provider = await TestProvider.start(redirectsOf(port));
    elsewhere = await startNeighbour();
    site = await startSite(port, provider.issuer, {
      TILE_URL: `${elsewhere.otherSite}/{z}/{x}/{y}.png`,
      TILE_ATTRIBUTION: `[Elsewhere](${elsewhere.otherSite}/linked)`,
    });
  });
  afterEach(() => {
    provider.fault = null;
  });
  afterAll(async () => {
    await (provider as TestProvider | undefined)?.close();
    await (elsewhere as Neighbour | undefined)?.close();
  });

  itSignsIn(() => site, OIDC_PROVIDER_PAGES);

  it('says within five seconds that the provider is down, while sessions go on', async () => {
    const page = await newPerson();
    await signIn(page, site, OIDC_PROVIDER_PAGES);
    const other = await newPerson();
    await other.goto(site.console);
    await signInButton(other).waitFor();
    for (const fault of [
      (request: { socket: { destroy(): void } }) => request.socket.destroy(),
      () => {
        // Never responds.
      },
    ]) {
      provider.fault = fault;
      await signInButton(other).click();
      await problem(other, /^The provider cannot be reached at the moment/);
      await page.reload();
      await mapHeading(page).waitFor();
    }
  });

  it('signs nobody in to the account of somebody who sends the link of a callback (login CSRF)', async () => {
    const login = await fetch(`${site.server.url}/auth/login`, { redirect: 'manual' });
    const { redirectUri } = redirectsOf(site.server.port);
    const link = await visitProvider(String(login.headers.get('location')), redirectUri, { name: 'mallory' });
    const page = await newPerson();
    for (const hasStarted of [false, true]) {
      if (hasStarted) {
        await page.goto(`${site.server.url}/auth/login`);
        await page.getByPlaceholder('Enter any login').waitFor();
      }
      // As in a message: a navigation from another site.
      await page.goto(elsewhere.otherSite);
      await page.evaluate(`location.href = ${JSON.stringify(link.href)}`);
      await problem(page, /^Signing in took too long, or was started in another window/);
      expect(page.url()).toBe(site.console);
    }
    // Neither does it disturb a session.
    await signIn(page, site, OIDC_PROVIDER_PAGES);
    await page.goto(link.href);
    await page.goto(`${site.console}#/maps/${site.mapId}`);
    await mapHeading(page).waitFor();
  });

  it.each([
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '/\t/evil.example/console',
    '\\\\evil.example',
    '/console/../..//evil.example',
    'javascript:alert(1)//console',
    'http://127.0.0.1@evil.example/console',
    '%2f%2fevil.example',
  ])('ends at the console, wherever returnTo wants to lead: %j', async (returnTo) => {
    const page = await newPerson();
    await page.goto(`${site.server.url}/auth/login?${new URLSearchParams({ returnTo }).toString()}`);
    await OIDC_PROVIDER_PAGES.enter(page, 'anna');
    await OIDC_PROVIDER_PAGES.consent(page);
    await page.getByRole('link', { name: 'Cafés' }).waitFor();
    expect(page.url()).toBe(site.console);
  });

  it('leaves no code, state or secret in the address bar, the history, a Referer, the log or the audit log', async () => {
    const page = await newPerson();
    const secrets: Record<string, string> = { client: CLIENT_SECRET, password: PASSWORD };
    page.context().on('request', (request: Request) => {
      for (const [name, value] of new URL(request.url()).searchParams) {
        if (['code', 'state', 'nonce', 'id_token_hint'].includes(name)) secrets[name] = value;
      }
    });
    const keepCookies = async () => {
      for (const { name, value, domain } of await page.context().cookies()) {
        if (domain === '127.0.0.1') secrets[`cookie ${name}`] = value;
      }
    };
    await page.goto(`${site.console}#/maps/${site.mapId}`);
    await signInButton(page).click();
    await OIDC_PROVIDER_PAGES.enter(page, 'anna');
    await keepCookies();
    await OIDC_PROVIDER_PAGES.consent(page);
    await mapHeading(page).waitFor();
    await keepCookies();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Elsewhere' }).click(),
    ]);
    await opened.waitForLoadState();
    // Tile servers may ask for the origin; the console of a server without tiles sends nothing.
    expect(await opened.evaluate('[document.referrer, opener]')).toEqual([`${site.server.url}/`, null]);
    const history = await page.context().newCDPSession(page);
    const { entries } = await history.send('Page.getNavigationHistory');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await OIDC_PROVIDER_PAGES.confirmSignOut?.(page);
    await signInButton(page).waitFor();

    expect(
      Object.keys(secrets)
        .map((name) => name.replace(/[0-9a-f]{8}/, 'HASH'))
        .sort(),
    ).toEqual([
      ...['client', 'code', 'cookie map-locations-HASH', 'cookie map-locations-HASH-sign-in'],
      ...['id_token_hint', 'nonce', 'password', 'state'],
    ]);
    const { server, auditLog } = site;
    const addresses = entries.map(({ url }) => url);
    expect(addresses.at(-1)).toBe(`${site.console}#/maps/${site.mapId}`);
    expect(elsewhere.received.map(({ url }) => url)).toContain('/linked');
    const left = {
      history: addresses.join('\n'),
      referer: elsewhere.received.map(({ headers }) => headers.referer ?? '').join('\n'),
      log: server.stderr() + server.stdout(),
      'audit log': readFileSync(auditLog, 'utf8'),
    };
    for (const [place, text] of Object.entries(left)) {
      expect([place, findCanaries(secrets, text)]).toEqual([place, []]);
    }
    expect(left['audit log']).toContain('"operation":"signOut"');
    expect(left.log).toContain('/auth/callback');
  });
});

describeUnless(skipWithoutChromium() || NO_CANAILLE, 'with Canaille', () => {
  const USERS = [
    { name: 'anna', password: PASSWORD, fullName: 'Anna Lind' },
    { name: 'ben', password: PASSWORD, fullName: 'Ben Okri' },
  ];
  const startWith = async (hasAudience: boolean): Promise<Site> => {
    const port = await freePort();
    const client = { id: CLIENT_ID, secret: CLIENT_SECRET, hasAudience, ...redirectsOf(port) };
    const { issuer } = await startCanaille(client, USERS);
    return startSite(port, issuer);
  };

  describe('that names an audience', () => {
    let site: Site;
    beforeAll(async () => {
      site = await startWith(true);
    });
    itSignsIn(() => site, CANAILLE_PAGES);
  });

  it('is refused without an audience', async () => {
    const site = await startWith(false);
    const page = await newPerson();
    await page.goto(site.console);
    await signInButton(page).click();
    await CANAILLE_PAGES.enter(page, 'anna');
    await CANAILLE_PAGES.consent(page);
    await problem(page, /^The provider’s response is not valid/);
    const cookies = await page.context().cookies(site.console);
    expect(cookies.map(({ name }) => name)).toEqual([expect.stringMatching(/-sign-in$/)]);
    expect(site.server.log()).toContainEqual(expect.objectContaining({ code: 'invalid_response' }));
  });
});
