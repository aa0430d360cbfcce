/** Sharing, invitations and imports in each language of the console. */

import type { Page } from 'playwright-core';

import { LANGUAGES } from '../../web/shared/i18n/languages.ts';
import type { Language } from '../../web/shared/i18n/languages.ts';
import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible } from '../support/browser-site.ts';
import { useConsole } from '../support/console.ts';
import { expectTexts, SIZES } from '../support/console-texts.ts';
import { makeMap } from '../support/graphql.ts';
import { addMember, makeInvitation, makeMapLink } from '../support/members.ts';
import { catalogueOf } from '../support/page-texts.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Nom', type: 'placeName' },
  { name: 'Adresse', type: 'address' },
  { name: 'Art', type: 'category' },
  { name: 'Plätze', type: 'number' },
].map((field) => ({ ...field, isPublic: true }));

describeUnless(skipWithoutChromium(), 'sharing and imports in the language of the console', () => {
  const site = useConsole();

  /** Signed in with the token, on a wide screen. */
  async function openAs(language: Language, token: string, fragment: string) {
    const opened = await site.open({ locale: language, viewport: SIZES[1] }, fragment);
    await opened.page.evaluate(`sessionStorage.setItem('map-locations-token', ${JSON.stringify(token)})`);
    await opened.page.reload();
    return opened;
  }

  /** Opens a panel by the key of its button. */
  async function openPanel(page: Page, language: Language, key: string): Promise<void> {
    const name = catalogueOf('console', language)[key] as string;
    await page.locator('.c-header, header, main').getByRole('button', { name, exact: true }).first().click();
  }

  it.each(LANGUAGES)('fits sharing in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen', fields: FIELDS, isPublished: true }, site.token);
    await addMember(site.server, map.id, `viewer of ${map.id}`, 'viewer');
    await makeInvitation(site.server, map.id, site.token, { note: 'Zebra' });
    await makeMapLink(site.server, map.id, site.token, { name: 'Presse' });
    const { page, record, close } = await openAs(language, site.token, `#/maps/${map.id}`);
    await openPanel(page, language, 'share.title');
    await page.locator('.c-member').nth(1).waitFor();
    const [invite, link] = [page.locator('form.c-invite').first(), page.locator('form.c-invite').last()];
    await invite.locator('button').click();
    await link.locator('input').fill('Presse 2');
    await link.locator('button').click();
    await page.locator('.c-notice').nth(1).waitFor();
    // Its texts are those of the map's page.
    await page.frameLocator('.c-preview').locator('main').first().waitFor();
    await expectTexts(page, language, 'sharing', '.c-settings');
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });

  it.each(LANGUAGES)('fits the sharing of a private map in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen', fields: FIELDS }, site.token);
    const { page, record, close } = await openAs(language, site.token, `#/maps/${map.id}`);
    await openPanel(page, language, 'share.title');
    await page.locator('.c-member').waitFor();
    await expectTexts(page, language, 'sharing-private', '.c-settings');
    site.expectClean(record);
    await close();
    const guest = `viewer of ${map.id}`;
    await addMember(site.server, map.id, guest, 'viewer');
    const token = await site.server.createToken({ owner: guest });
    const theirs = await openAs(language, token, `#/maps/${map.id}`);
    await openPanel(theirs.page, language, 'share.title');
    await theirs.page.locator('.c-member').nth(1).waitFor();
    await expectTexts(theirs.page, language, 'sharing-viewer', '.c-settings');
    await theirs.close();
  });

  it.each(LANGUAGES)('fits invitations in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen' }, site.token);
    const { link, id } = await makeInvitation(site.server, map.id, site.token, { role: 'editor' });
    const { hash } = new URL(link);
    const signedOut = await site.open({ locale: language, viewport: SIZES[1] }, hash);
    await signedOut.page.locator('h1 bdi').first().waitFor();
    await expectTexts(signedOut.page, language, 'join-signed-out');
    await expectAccessible(signedOut.page);
    await signedOut.close();
    for (const scope of ['write', 'read'] as const) {
      const token = await site.server.createToken({ owner: `guest of ${map.id}`, scope });
      const { page, close } = await openAs(language, token, hash);
      await page.locator('h1 bdi').first().waitFor();
      await expectTexts(page, language, `join-${scope}`);
      await close();
    }
    const revoke =
      'mutation ($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { revokedId } }';
    await site.server.graphql(revoke, { input: { mapId: map.id, id } }, site.token);
    const dead = await site.open({ locale: language, viewport: SIZES[1] }, hash);
    await dead.page.getByRole('alert').waitFor();
    await expectTexts(dead.page, language, 'join-dead');
    await dead.close();
  });

  const choose = (page: Page, name: string, text: string) =>
    page.locator('.c-drop input').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

  it.each(LANGUAGES)('fits imports in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen', fields: FIELDS }, site.token);
    const { page, record, close } = await openAs(language, site.token, `#/maps/${map.id}`);
    await openPanel(page, language, 'import.title');
    await page.locator('.c-drop').waitFor();
    await expectTexts(page, language, 'import');
    await choose(page, 'Orte.pdf', '%PDF-1.7');
    await page.getByRole('alert').waitFor();
    await choose(page, 'Orte.csv', 'Titel,street,city\nA,S 1,Paris\n');
    await page.locator('.c-mapping').waitFor();
    await expectTexts(page, language, 'import-columns');
    await choose(
      page,
      'Museen.csv',
      'Nom,Adresse,lat,lng,Plätze,externalId,street,,\n' +
        'A,S 1,1,2,many,e1,,x,\n\nB,S 2,91,2,3,e2,,,\nC,,1,2,3,e3,,,\nD,S 4,1,2,3,e1,,,\nE,S 5,,,3,e5,,,\n"F,',
    );
    await page.locator('.c-warning').waitFor();
    await page.locator('input[name=mode]').nth(1).check();
    await page.locator('.c-next:enabled').waitFor();
    await expectTexts(page, language, 'import-preview', '.c-import');
    await expectAccessible(page);
    await page.locator('.c-next:enabled').click();
    await page.locator('.c-failed').first().waitFor();
    await expectTexts(page, language, 'import-checked', '.c-import');
    await page.locator('.c-next:enabled').click();
    await page.locator('.c-import .c-actions .button').nth(2).waitFor();
    await expectTexts(page, language, 'import-ended', '.c-import');
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });
});
