/** Accounts in the console: links, passwords, sessions that end, and signing out. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { enterToken, openMap, rowOf, useConsole } from '../support/console.ts';
import { makeLocations, makeMap } from '../support/graphql.ts';
import { cheapPasswords, PASSWORD } from '../support/sign-in.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'accounts in the console', () => {
  const site = useConsole({}, { passwords: cheapPasswords().passwords });
  const accounts = () => site.server.gateway.services.accounts;

  async function linkFor(name: string): Promise<string> {
    const link = await accounts().create(name, { withLink: true });
    if (link === null) throw new Error('There is no link.');
    return link.secret;
  }

  const fragmentOf = (page: Page) => page.evaluate<string>('location.hash');
  const passwordOf = (page: Page) => page.getByLabel('Password', { exact: true });
  const mapsOf = (page: Page) => page.getByRole('heading', { name: 'Maps', exact: true });

  async function signInAs(page: Page, name: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Name').last().fill(name);
    await passwordOf(page).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** A page of the owner of the test, who has a map, signed in by password. */
  async function openSignedIn() {
    const map = await makeMap(site.server, { name: 'Cafés' }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const secret = await linkFor(site.owner);
    const opened = await site.open({}, `#setup=${secret}`);
    await passwordOf(opened.page).fill(PASSWORD);
    await opened.page.getByRole('button', { name: 'Create the account' }).click();
    await opened.page.getByRole('heading', { name: 'Cafés', exact: true }).waitFor();
    return { ...opened, map };
  }

  async function check(page: Page, name: string): Promise<void> {
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `account-${name}-${size}`);
    }
  }

  it('a link sets the password, signs in and leads to the only map; its secret leaves the address', async () => {
    await makeMap(site.server, { name: 'Cafés' }, site.token);
    const { page, record, close } = await site.open({}, `#setup=${await linkFor(site.owner)}`);
    await page.getByRole('heading', { name: 'Set up your account' }).waitFor();
    expect(await fragmentOf(page)).toBe('');
    await check(page, 'set-up');
    await passwordOf(page).fill('too short');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('alert').getByText('password must have 10 to 256 characters').waitFor();
    await passwordOf(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Show the password' }).click();
    expect(await passwordOf(page).getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Cafés', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Cafés', exact: true }).waitFor();
    record.problems.length = 0;
    site.expectClean(record);
    await close();
  });

  it('a link that was used says so, and where to get another', async () => {
    const { page, close } = await site.open({}, '#setup=unknown');
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByText('npx map-locations account create NAME').waitFor();
    await check(page, 'dead-link');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
  });

  it('a reset link sets another password', async () => {
    const first = await openSignedIn();
    await first.close();
    const link = await accounts().reset(site.owner);
    const { page, close } = await site.open({}, `#reset=${link.secret}`);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await passwordOf(page).fill('another good password');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('heading', { name: 'Cafés', exact: true }).waitFor();
    await close();
  });

  it('signs in with name and password, and says what is wrong', async () => {
    const { page, close } = await openSignedIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await check(page, 'sign-in');
    await resizeTo(page, VIEWPORTS.desktop);
    await signInAs(page, site.owner, 'not the password');
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
    await signInAs(page, site.owner);
    await mapsOf(page).waitFor();
    await close();
  });

  it('signs in again over a form whose session has ended, and keeps what was typed', async () => {
    const { page, close } = await openSignedIn();
    await rowOf(page, 'Place 0').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Typed before');
    await accounts().disable(site.owner);
    await accounts().enable(site.owner);
    // The stream of changes ends, so the page says so before anything is saved.
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await check(page, 'session-ended');
    await resizeTo(page, VIEWPORTS.desktop);
    await signInAs(page, site.owner);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await rowOf(page, 'Typed before').waitFor();
    await close();
  });

  it('signing out in one tab ends the other', async () => {
    const { page, close } = await openSignedIn();
    const other = await page.context().newPage();
    await other.goto(page.url().replace(/#.*/, ''));
    await mapsOf(other).waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You have signed out in another tab.').waitFor();
    await page.getByRole('button', { name: 'Leave the page' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await close();
  });

  it('still signs in with a token, for this tab only', async () => {
    const map = await makeMap(site.server, { name: 'Cafés' }, site.token);
    const { page, close } = await site.open();
    await enterToken(page, site.token);
    await openMap(page, 'Cafés');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(map.id).not.toBe('');
    await close();
  });

  // Last: the address of all tests is counted, too.
  it('says when to try again after too many failures', async () => {
    const { page, close } = await site.open();
    for (let failure = 0; failure < 10; failure += 1) {
      await signInAs(page, site.owner, `wrong ${failure}`);
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor();
    }
    await signInAs(page, site.owner);
    await page
      .getByRole('alert')
      .getByText(/Please wait \d+ seconds/)
      .waitFor();
    await close();
  });
});
