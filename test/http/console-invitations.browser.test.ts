/** Members and invitations in the console. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { enterToken, openMap, rowOf, signIn, useConsole } from '../support/console.ts';
import { codesOf, dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { addMember, makeInvitation } from '../support/members.ts';
import { cheapPasswords, PASSWORD } from '../support/sign-in.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'members and invitations in the console', () => {
  const site = useConsole({}, { passwords: cheapPasswords().passwords });
  let guests = 0;

  async function makeGuest(): Promise<{ name: string; token: string }> {
    guests += 1;
    const name = `guest ${guests}`;
    return { name, token: await site.server.createToken({ owner: name }) };
  }

  const button = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true });
  const member = (page: Page, name: string) => page.locator('.c-member').filter({ hasText: name });

  /** The panel of a map with a location, of the test's owner. */
  async function openSharing(name: string) {
    const map = await makeMap(site.server, { name }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const opened = await site.open();
    opened.page.on('dialog', (dialog) => void dialog.accept());
    await signIn(opened.page, site.token);
    await openMap(opened.page, name);
    await button(opened.page, 'Share').click();
    await member(opened.page, site.owner).waitFor();
    return { ...opened, map };
  }

  async function check(page: Page, name: string): Promise<void> {
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `sharing-${name}-${size}`);
    }
    await resizeTo(page, VIEWPORTS.desktop);
  }

  /** Everything in the tab that could hold a secret. */
  const tracesIn = (page: Page) =>
    page.evaluate<string>(
      'location.href + JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state])',
    );

  it('invite by a link, which leads through the sign-in to the map', async () => {
    const guest = await makeGuest();
    const mine = await openSharing('Cafés');
    await mine.page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Editor');
    await mine.page.getByText('Editors can see all locations').waitFor();
    await mine.page.getByLabel('Note for the invited').fill('For the café team');
    await button(mine.page, 'Create link').click();
    const link = (await mine.page.locator('.c-notice code').textContent()) ?? '';
    const mail = await mine.page.getByRole('link', { name: 'Send by e-mail' }).getAttribute('href');
    expect(decodeURIComponent(mail ?? '')).toContain(link);
    await mine.page.getByText('0 of 1 accepted').waitFor();
    await check(mine.page, 'owner');

    const theirs = await site.open({}, new URL(link).hash);
    const heading = `${site.owner} invites you to Cafés as editor`;
    await theirs.page.getByRole('heading', { name: heading }).waitFor();
    await theirs.page.getByText('For the café team').waitFor();
    expect(await theirs.page.evaluate('location.href')).not.toContain('mli_');
    await check(theirs.page, 'join-signed-out');
    // A provider would lead away and back.
    await theirs.page.reload();
    await theirs.page.getByRole('heading', { name: heading }).waitFor();
    await enterToken(theirs.page, guest.token);
    await theirs.page.getByText(`You are signed in as ${guest.name}.`).waitFor();
    await check(theirs.page, 'join');
    await button(theirs.page, 'Accept').click();
    await theirs.page.getByRole('heading', { name: 'Cafés', exact: true }).waitFor();
    await rowOf(theirs.page, 'Place 0').waitFor();
    expect(await tracesIn(theirs.page)).not.toContain('mli_');

    await member(mine.page, guest.name).waitFor();
    await mine.page.getByText('0 of 1 accepted').waitFor({ state: 'detached' });
    site.expectClean(mine.record);
    site.expectClean(theirs.record);
    await mine.close();
    await theirs.close();
  });

  it('can be accepted after signing in with a password', async () => {
    const { name } = await makeGuest();
    const map = await makeMap(site.server, { name: 'Parks' }, site.token);
    const { secret } = await makeInvitation(site.server, map.id, site.token);
    const account = await site.server.gateway.services.accounts.create(name, { withLink: true });
    const { page, record, close } = await site.open({}, `#setup=${account?.secret}`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(page, 'Create the account').click();
    await page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    // Opened in a tab that has the console open already.
    await page.evaluate(`location.hash = '#join=${secret}'`);
    await page.getByRole('heading', { name: 'invites you to Parks' }).waitFor();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(page, 'Sign in').click();
    await button(page, 'Accept').click();
    await page.getByRole('heading', { name: 'Parks', exact: true }).waitFor();
    await page.goBack();
    expect(await page.evaluate('location.href')).not.toContain('mli_');
    site.expectClean(record);
    await close();
  });

  it('show people by their names at the provider, and their accounts beside them', async () => {
    const { storage } = site.server.gateway;
    const map = await makeMap(site.server, { name: 'Museums' }, site.token);
    const guest = `https://login.example.org/realms/a-museum-with-a-long-name#${'0123456789abcdef'.repeat(4)}`;
    await storage.setDisplayName(await addMember(site.server, map.id, guest, 'editor'), 'Anna Bäcker');
    const inviter = await storage.findOwnerByName(site.owner);
    await storage.setDisplayName(String(inviter?.id), 'Anna Bäcker');
    const { secret } = await makeInvitation(site.server, map.id, site.token);

    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Museums');
    await button(page, 'Share').click();
    await member(page, `Anna Bäcker (you)`).getByText(site.owner, { exact: true }).waitFor();
    await member(page, guest).getByText('Anna Bäcker', { exact: true }).waitFor();
    await page.getByLabel(`Role of Anna Bäcker (${guest})`).waitFor();
    expect(await page.getByText('created by Anna Bäcker').locator('bdi').getAttribute('title')).toBe(
      site.owner,
    );
    await check(page, 'display-names');
    await page.evaluate(`location.hash = '#join=${secret}'`);
    await page.getByRole('heading', { name: 'Anna Bäcker invites you to Museums as viewer' }).waitFor();
    await page.getByText(`Anna Bäcker is the account ${site.owner}.`).waitFor();
    await check(page, 'join-display-names');
    site.expectClean(record);
    await close();
  });

  it('can be put off, and say when they no longer work', async () => {
    const guest = await makeGuest();
    const map = await makeMap(site.server, { name: 'Off' }, site.token);
    const { secret, id } = await makeInvitation(site.server, map.id, site.token);
    const first = await site.open({}, `#join=${secret}`);
    await first.page.getByRole('heading', { name: 'invites you to Off' }).waitFor();
    await enterToken(first.page, guest.token);
    await button(first.page, 'Not now').click();
    await first.page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
    expect(await tracesIn(first.page)).not.toContain('mli_');
    await first.close();

    const mutation = `mutation { revokeInvitation(input: { mapId: "${map.id}", id: "${id}" }) { revokedId } }`;
    dataOf(await site.server.graphql(mutation, {}, site.token));
    const { page, record, close } = await site.open({}, `#join=${secret}`);
    await page.getByRole('alert').getByText('It was used or revoked, or it has expired.').waitFor();
    await check(page, 'dead-invitation');
    await button(page, 'Go to the console').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await tracesIn(page)).not.toContain('mli_');
    site.expectClean(record);
    await close();
  });

  it('say why a limited token cannot accept', async () => {
    const map = await makeMap(site.server, { name: 'Limited' }, site.token);
    const { secret } = await makeInvitation(site.server, map.id, site.token);
    const reader = await site.server.createToken({ owner: 'reader', scope: 'read' });
    const { page, close } = await site.open({}, `#join=${secret}`);
    await page.getByRole('heading', { name: 'invites you to Limited' }).waitFor();
    await enterToken(page, reader);
    await page.getByText('Your token may only read, or is limited to one map.').waitFor();
    expect(await button(page, 'Accept').count()).toBe(0);
    await button(page, 'Sign in as someone else').click();
    await page.getByRole('heading', { name: 'Sign in to accept' }).waitFor();
    await close();
  });

  it('are listed once, even if a list read meanwhile has them already', async () => {
    const { page, record, close } = await openSharing('Once');
    const invitation = page.getByText('0 of 1 accepted');
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation CreateInvitation') !== true) return route.fallback();
      const response = await route.fetch();
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await invitation.waitFor();
      await route.fulfill({ response });
    });
    await button(page, 'Create link').click();
    await page.locator('.c-notice code').waitFor();
    expect(await invitation.count()).toBe(1);
    site.expectClean(record);
    await close();
  });

  it('are revoked, and then lead nowhere', async () => {
    const { page, record, close } = await openSharing('Revoked');
    await button(page, 'Create link').click();
    const link = (await page.locator('.c-notice code').textContent()) ?? '';
    await page.getByRole('button', { name: /^Revoke the invitation/ }).click();
    await page.getByText('0 of 1 accepted').waitFor({ state: 'detached' });
    expect(await page.locator('.c-notice').count()).toBe(0);
    const secret = new URL(link).hash.slice('#join='.length);
    const preview = await site.server.graphql(`{ invitation(secret: "${secret}") { role } }`, {}, null);
    expect(codesOf(preview)).toEqual(['INVITATION_NOT_FOUND']);
    site.expectClean(record);
    await close();
  });

  it('get another role, are removed and leave; the last owner cannot', async () => {
    const guest = await makeGuest();
    const { page, record, close, map } = await openSharing('Roles');
    const myRole = page.getByLabel(`Role of ${site.owner}`);
    await myRole.selectOption('Viewer');
    await page.getByRole('alert').getByText('A map needs an owner').waitFor();
    expect(await myRole.inputValue()).toBe('owner');
    await button(page, 'Leave').click();
    await page.getByRole('alert').getByText('A map needs an owner').waitFor();

    await addMember(site.server, map.id, guest.name, 'viewer');
    await page.getByLabel(`Role of ${guest.name}`).selectOption('Owner');
    const members = `{ map(id: "${map.id}") { members { name role } } }`;
    await button(page, 'Leave').click();
    await page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
    await page.getByText('You have left the map Roles.').waitFor();
    expect(dataOf(await site.server.graphql(members, {}, guest.token)).map.members).toEqual([
      { name: guest.name, role: 'owner' },
    ]);
    site.expectClean(record);
    await close();
  });

  it('lose access when they are removed, while they look at the map', async () => {
    const guest = await makeGuest();
    const { page, record, close, map } = await openSharing('Removed');
    await addMember(site.server, map.id, guest.name, 'editor');
    const theirs = await site.open();
    await signIn(theirs.page, guest.token);
    await openMap(theirs.page, 'Removed');
    await rowOf(theirs.page, 'Place 0').waitFor();
    await button(page, `Remove ${guest.name}`).click();
    await member(page, guest.name).waitFor({ state: 'detached' });
    await theirs.page.getByText('You are no longer a member of this map.').waitFor();
    site.expectClean(record);
    await close();
    await theirs.close();
  });
});
