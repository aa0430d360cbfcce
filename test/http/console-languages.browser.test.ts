import type { Page } from 'playwright-core';

import { LANGUAGES } from '../../web/shared/i18n/languages.ts';
import type { Language } from '../../web/shared/i18n/languages.ts';
import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible } from '../support/browser-site.ts';
import { useConsole } from '../support/console.ts';
import { expectTexts, SIZES } from '../support/console-texts.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { catalogueOf } from '../support/page-texts.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Kind', type: 'category' },
  { name: 'Hours', type: 'openingHours' },
];

describeUnless(skipWithoutChromium(), 'the language of the console', () => {
  const site = useConsole();

  it.each(LANGUAGES)('fits its pages in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen', isPublished: true, fields: FIELDS }, site.token);
    const update = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    const settings = { theme: { accent: '#fde047' }, categories: [{ value: '1', icon: 'place-of-worship' }] };
    dataOf(await site.server.graphql(update, { input: { id: map.id, ...settings } }, site.token));
    await makeLocations(site.server, map.id, [null, null], site.token);
    const { page, record, close } = await site.open({ locale: language, viewport: SIZES[0] });
    await page.locator('input[type=password]').first().waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      language,
      language === 'ar' ? 'rtl' : 'ltr',
    ]);
    await expectTexts(page, language, 'sign-in');
    await page.locator('.c-fold > summary').click();
    await page.locator('.c-fold input').fill(site.token);
    await page.locator('.c-fold form > button').click();
    await page.locator('a.c-card').waitFor();
    await expectTexts(page, language, 'maps');
    await page.goto(`${page.url().split('#')[0]}#/tokens`);
    await page.locator('.c-badge').first().waitFor();
    await expectTexts(page, language, 'tokens');
    await page.goto(`${page.url().split('#')[0]}#/account`);
    await page.locator('.c-account').waitFor();
    await expectTexts(page, language, 'account');
    await expectAccessible(page);
    await page.goto(`${page.url().split('#')[0]}#/maps/${map.id}`);
    await page.locator('.c-name').first().waitFor();
    await page.locator('.c-tools button').first().click();
    await page.locator('.c-filter').waitFor();
    await expectTexts(page, language, 'table');
    await expectAccessible(page);
    await openSettings(page, language);
    await expectTexts(page, language, 'settings');
    await expectAccessible(page);
    await page.locator('.c-iconbutton').click();
    await expectTexts(page, language, 'icons', '.c-icons');
    await page.keyboard.press('Escape');
    await page.locator('.c-back button').click();
    await page.locator('.c-name').first().click();
    await page.locator('.c-hours button').click();
    await page.locator('.c-hours select').first().selectOption('open');
    await page.locator('.c-hours .c-range input').last().fill('02:00');
    await expectTexts(page, language, 'form', '.c-form form');
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });

  it('is chosen in the account and kept in the browser', async () => {
    const { page, close } = await site.open({ locale: 'fr-FR' });
    const select = page.getByLabel('Langue');
    await select.selectOption('de');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.goto(`${page.url()}?lang=nl`);
    await page.getByRole('heading', { name: 'Aanmelden' }).waitFor();
    await page.getByLabel('Taal').selectOption('en');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
  });

  /** The button is in a menu on narrow screens. */
  async function openSettings(page: Page, language: Language): Promise<void> {
    await resizeTo(page, SIZES[1]);
    await page
      .getByRole('button', { name: catalogueOf('console', language)['settings.title'] as string })
      .click();
    await page.locator('.c-iconbutton').waitFor();
  }
});
