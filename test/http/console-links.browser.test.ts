/** Links to a map in the console: made in Share, and opened without an account. */

import type { Locator, Page } from 'playwright-core';

import { skipWithoutChromium } from '../support/browser.ts';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  shoot,
  VIEWPORTS,
} from '../support/browser-site.ts';
import { openMap, rowNames, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { makeMapLink } from '../support/members.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

describeUnless(skipWithoutChromium(), 'links to a map in the console', () => {
  const site = useConsole();
  let mapId: string;
  beforeEach(async () => {
    mapId = (await makeMap(site.server, { name: 'Springs' }, site.token)).id;
    await makeLocations(site.server, mapId, [null, null], site.token);
  });

  const makeLink = (input: Record<string, unknown> = {}) =>
    makeMapLink(site.server, mapId, site.token, { name: 'For the volunteers', ...input });
  const openLink = async (secret: string, options = {}) => site.open(options, `#map-link=${secret}`);
  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
  const revoke = async (id: string) => {
    const mutation = `mutation { revokeMapLink(input: {mapId: "${mapId}", id: "${id}"}) { revokedId } }`;
    dataOf(await site.server.graphql(mutation, {}, site.token));
  };
  async function openShare() {
    const opened = await site.open();
    await signIn(opened.page, site.token);
    await openMap(opened.page, 'Springs');
    await button(opened.page, 'Share').click();
    await opened.page.getByRole('heading', { name: 'Links without an account' }).waitFor();
    return opened;
  }
  const PHONE = { viewport: VIEWPORTS.phone };

  it('are made with their addresses, listed, replaced and revoked', async () => {
    const { page, record, close } = await openShare();
    page.on('dialog', (dialog) => void dialog.accept());
    const panel = page.getByRole('region', { name: 'Share' });
    const notice = panel.getByRole('group', { name: 'Link to the map' });
    await page.getByLabel('Allows to').selectOption('View');
    await page.getByText('Whoever has the link can see and export all locations.').waitFor();
    await page.getByLabel('Name of the link').fill('For the press');
    await button(page, 'Create map link').click();
    await notice.waitFor();
    const addresses = () => notice.locator('code').allTextContents();
    const [console, mapPage] = await addresses();
    expect(console).toMatch(/\/console#map-link=mll_[\w-]{43}$/);
    expect(mapPage).toMatch(new RegExp(`/maps/${mapId}#key=mll_[\\w-]{43}$`));
    const card = panel.getByRole('listitem').filter({ hasText: 'For the press' });
    await card.getByText('Not used yet').waitFor();
    await card.getByText('View', { exact: true }).waitFor();

    await button(page, 'Replace the link: For the press').click();
    await until(async () => (await addresses())[0] !== console, 'the link has another address');
    await page.getByLabel('Allows to').selectOption('Edit');
    await page.getByText('Whoever has the link can see all locations, and add, change,').waitFor();
    await page.getByLabel('Link expires').selectOption('never');
    await page.getByLabel('Name of the link').fill('For Ben');
    await button(page, 'Create map link').click();
    await notice.getByText('For Ben').waitFor();
    expect(await addresses()).toHaveLength(1);
    await panel.getByText('never expires').waitFor();
    await expectAccessibleInBothSchemes(page, 'console-links-desktop');
    await button(page, 'Revoke the link: For Ben').click();
    await notice.waitFor({ state: 'detached' });
    expect(await panel.getByText('For Ben').count()).toBe(0);
    site.expectClean(record);
    await close();
  });

  it.each(['light', 'dark'] as const)('fit a phone, %s', async (colorScheme) => {
    await makeLink();
    const { page, close } = await site.open({ ...PHONE, colorScheme });
    await signIn(page, site.token);
    await openMap(page, 'Springs');
    await page.getByText('More', { exact: true }).click();
    await button(page, 'Share').click();
    await page.getByLabel('Name of the link').fill('For the press');
    await button(page, 'Create map link').click();
    await page.getByRole('group', { name: 'Link to the map' }).waitFor();
    await shoot(page, `console-links-phone-${colorScheme}`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await expectAccessible(page);
    await close();
  });

  it('open their map alone, to edit', async () => {
    const other = await makeMap(site.server, { name: 'Another' }, site.token);
    const { secret } = await makeLink({ scope: 'edit' });
    const { page, record, close } = await openLink(secret);
    await page.getByText('Opened by the link For the volunteers: you can edit').waitFor();
    await rowOf(page, 'Place 0').waitFor();
    expect(page.url()).toMatch(new RegExp(`/console#/maps/${mapId}$`));
    for (const name of ['Share', 'Settings', 'Webhooks', 'Publish', 'Sign out']) {
      expect([name, await button(page, name).count()]).toEqual([name, 0]);
    }
    expect(await page.getByRole('navigation', { name: 'Console' }).count()).toBe(0);
    await rowOf(page, 'Place 1').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Changed by a volunteer');
    await button(page, 'Save').click();
    await rowOf(page, 'Changed by a volunteer').waitFor();
    expect(await site.namesOf(mapId)).toContain('Changed by a volunteer');
    await expectAccessibleInBothSchemes(page, 'console-edit-link-desktop');

    await button(page, 'History').click();
    const calls = page.getByRole('main').getByRole('listitem');
    await calls.filter({ hasText: 'For the volunteers' }).first().waitFor();
    await calls.filter({ hasText: 'a member' }).first().waitFor();
    // No address leads elsewhere, and a reload stays.
    for (const path of [`/maps/${other.id}`, '/', '/tokens', '/account']) {
      await page.evaluate(`location.hash = '#${path}'`);
      await page.reload();
      await page.getByRole('heading', { name: 'Springs', exact: true }).waitFor();
      expect(await page.getByText('Another').count()).toBe(0);
    }
    site.expectClean(record);
    await close();
  });

  it('open their map to view, on a phone', async () => {
    const { secret } = await makeLink({ name: 'For the press' });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, record, close } = await openLink(secret, { ...PHONE, colorScheme });
      await page.getByText('Opened by the link For the press: you can view').waitFor();
      await page.getByText('Place 0').first().waitFor();
      expect(await button(page, 'Add location').count()).toBe(0);
      await shoot(page, `console-view-link-phone-${colorScheme}`);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await expectAccessible(page);
      site.expectClean(record);
      await close();
    }
  });

  it('stay in their tab: another one is as it was, and leaving returns to it', async () => {
    const { secret } = await makeLink();
    const { page, close } = await site.open();
    await signIn(page, site.token);
    const tab = await page.context().newPage();
    await tab.goto(page.url().replace(/#.*/, '') + `#map-link=${secret}`);
    await tab.getByText('Opened by the link').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
    await button(tab, 'Leave').click();
    await tab.getByRole('heading', { name: /^Sign in/ }).waitFor();
    await tab.reload();
    await tab.getByRole('heading', { name: /^Sign in/ }).waitFor();
    expect(site.server.log.join('')).not.toContain(secret);
    await close();
  });

  it('say so when they have ended', async () => {
    const { id, secret } = await makeLink({ scope: 'edit' });
    const { page, close } = await openLink(secret);
    await rowOf(page, 'Place 0').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Not saved yet');
    await revoke(id);
    const ended = page.getByRole('dialog', { name: 'This link has ended' });
    await ended.waitFor();
    await expectAccessible(page);
    await shoot(page, 'console-link-ended');
    await button(page, 'Back to the page').click();
    expect(await form.getByLabel('Name').inputValue()).toBe('Not saved yet');
    expect(await rowNames(page)).toHaveLength(2);
    await button(form, 'Save').click();
    await form.getByText('The link to this map has ended.').waitFor();
    await close();

    const late = await openLink(secret);
    await late.page.getByRole('heading', { name: 'This link does not open a map' }).waitFor();
    await shoot(late.page, 'console-link-dead');
    await expectAccessible(late.page);
    expect(late.page.url()).not.toContain(secret);
    await button(late.page, 'Go to the console').click();
    await late.page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    await late.close();
  });
});
