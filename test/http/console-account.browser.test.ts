/** The account page of the console: who is signed in, the password, sessions, and what a token sees. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { signIn, useConsole } from '../support/console.ts';
import { makeMap } from '../support/graphql.ts';
import { cheapPasswords, jarOf, OWN_PAGE, PASSWORD, postAuth } from '../support/sign-in.ts';
import { describeUnless } from '../support/skip.ts';

const NEW_PASSWORD = 'staple battery horse';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

describeUnless(skipWithoutChromium(), 'the account page of the console', () => {
  const site = useConsole({}, { passwords: cheapPasswords().passwords });

  const button = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true });
  const cards = (page: Page) => page.locator('ul.c-cards > li');
  const openAccount = async (page: Page, name: string) => {
    await page.getByRole('link', { name: `Account: ${name}` }).click();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  };

  /** The page of an account, by default of the test's owner, signed in by password. */
  async function openSignedIn(name = site.owner) {
    const link = await site.server.gateway.services.accounts.create(name, { withLink: true });
    const opened = await site.open({}, `#setup=${link?.secret}`);
    await opened.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(opened.page, 'Create the account').click();
    await opened.page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
    return opened;
  }

  /** Another browser of the test's owner. */
  const signInElsewhere = async (userAgent: string, password = PASSWORD) => {
    const body = { name: site.owner, password };
    return jarOf(await postAuth(site.server, 'sign-in', body, { 'user-agent': userAgent }));
  };
  const isSignedIn = async (jar: Readonly<Record<string, string>>): Promise<boolean> => {
    const headers = { ...OWN_PAGE, ...jar };
    const body = { query: '{ viewer { owner } }' };
    return (
      (await site.server.request('POST', '/graphql', { token: null, headers, body })).json.errors ===
      undefined
    );
  };

  async function check(page: Page, name: string): Promise<void> {
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `account-page-${name}-${size}`);
    }
    await resizeTo(page, VIEWPORTS.desktop);
  }

  it('lists the sessions, and ends one and all others', async () => {
    const { page, record, close } = await openSignedIn();
    const jars = [
      await signInElsewhere(FIREFOX),
      await signInElsewhere(SAFARI),
      await signInElsewhere('curl/8'),
    ];
    await openAccount(page, site.owner);
    await cards(page).nth(3).waitFor();
    const mine = cards(page).filter({ hasText: 'This one' });
    expect(await mine.locator('strong').textContent()).toMatch(/^Chrome on /);
    expect(await mine.getByRole('button').count()).toBe(0);
    await check(page, 'sessions');

    const end = cards(page).filter({ hasText: 'Firefox on Windows' }).getByRole('button');
    await end.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1 session was ended.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Sessions');
    expect(await Promise.all(jars.map(isSignedIn))).toEqual([false, true, true]);
    await button(page, 'End all others').click();
    await page.getByRole('status').getByText('2 sessions were ended.').waitFor();
    expect(await cards(page).count()).toBe(1);
    expect(await button(page, 'End all others').count()).toBe(0);
    expect(await Promise.all(jars.map(isSignedIn))).toEqual([false, false, false]);
    await page.reload();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect(await cards(page).count()).toBeLessThanOrEqual(1);
    record.problems.length = 0;
    site.expectClean(record);
    await close();
  });

  it('changes the password, which ends the other sessions', async () => {
    const { page, close } = await openSignedIn();
    const elsewhere = await signInElsewhere(SAFARI);
    await openAccount(page, site.owner);
    await cards(page).filter({ hasText: 'Safari on iPhone' }).waitFor();
    await page.getByText('Change the password').first().click();
    const current = page.getByLabel('Current password');
    const change = async (from: string, to: string) => {
      await current.fill(from);
      await page.getByLabel('New password').fill(to);
      await page.keyboard.press('Enter');
    };
    await change('not the password', NEW_PASSWORD);
    await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
    await check(page, 'wrong-password');
    expect(await isSignedIn(elsewhere)).toBe(true);
    await change(PASSWORD, 'too short');
    await page.getByRole('alert').getByText('The password must have 10 to 256 characters').waitFor();
    await change(PASSWORD, NEW_PASSWORD);
    await page
      .getByRole('status')
      .getByText('The password was changed. The other session was ended.')
      .waitFor();
    expect([await current.inputValue(), await cards(page).count()]).toEqual(['', 1]);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(await signInElsewhere(SAFARI, NEW_PASSWORD))).toBe(true);
    await close();
  });

  it('shows the name at the provider and the account, leads to the tokens, and signs out', async () => {
    const { storage, services } = site.server.gateway;
    const name = `https://login.example.org/realms/staff#${'0123456789abcdef'.repeat(4)}`;
    const { owner } = await services.tokens.findOrCreateOwner(name);
    await storage.setDisplayName(owner.id, 'Anna Bäcker');
    const { page, record, close } = await openSignedIn(name);
    await openAccount(page, 'Anna Bäcker');
    await page.getByRole('main').getByText(name, { exact: true }).waitFor();
    await page.getByText('You sign in with a password and at login.example.org.').waitFor();
    await check(page, 'provider');
    await page.getByRole('link', { name: 'Create and revoke tokens' }).click();
    await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor();
    await resizeTo(page, VIEWPORTS.phone);
    await page.getByText('Menu', { exact: true }).click();
    await expectAccessibleInBothSchemes(page, 'account-page-menu');
    await openAccount(page, 'Anna Bäcker');
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    site.expectClean(record);
    await close();
  });

  it('shows a token what it is, and neither sessions nor the password', async () => {
    const first = await openSignedIn();
    await first.close();
    const map = await makeMap(site.server, { name: 'Cafés' }, site.token);
    for (const [token, rights, link] of [
      [site.token, 'You are signed in with a token, for this tab only.', 'Create and revoke tokens'],
      [
        await site.server.createToken({ owner: site.owner, scope: 'read', mapId: map.id }),
        'It may only read. It is limited to the map Cafés.',
        'Show the token',
      ],
    ] as const) {
      const { page, record, close } = await site.open();
      await signIn(page, token);
      await openAccount(page, site.owner);
      await page.getByText(rights).waitFor();
      await page.getByRole('link', { name: link }).waitFor();
      for (const name of ['Sessions', 'Password']) {
        expect(await page.getByRole('heading', { name, exact: true }).count()).toBe(0);
      }
      await check(page, link === 'Show the token' ? 'limited-token' : 'token');
      site.expectClean(record);
      await close();
    }
  });
});
