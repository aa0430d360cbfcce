import type { Page } from 'playwright-core';

import { LANGUAGES } from '../../web/shared/i18n/languages.ts';
import type { Language } from '../../web/shared/i18n/languages.ts';
import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { problemsOfTexts } from '../support/page-texts.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the language of a map’s page', () => {
  const site = useBrowserSite();

  it.each([
    { locale: 'de-AT', query: '', lang: 'de', dir: 'ltr', status: '2 Orte' },
    { locale: 'en-GB', query: '?lang=de', lang: 'de', dir: 'ltr', status: '2 Orte' },
    { locale: 'de-AT', query: '?lang=en', lang: 'en', dir: 'ltr', status: '2 locations' },
    { locale: 'sv-SE', query: '?lang=xx', lang: 'en', dir: 'ltr', status: '2 locations' },
  ])('is $lang for a reader of $locale with “$query”', async ({ locale, query, lang, dir, status }) => {
    const { mapId } = await createPublishedMap(site.server, {
      name: 'Two',
      locations: [placeAt('One', 1, 1), placeAt('Other', 2, 2)],
    });
    const { page, record, close } = await site.open(`/maps/${mapId}${query}`, { locale });
    await page.getByRole('status').getByText(status, { exact: true }).waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      lang,
      dir,
    ]);
    const catalogues = record.requests.filter((url) => url.includes('language-'));
    expect(catalogues).toHaveLength(lang === 'en' ? 0 : 1);
    site.expectClean(record);
    await close();
  });

  it.each([
    { locale: 'ar', count: 2, shown: '2', name: '2: موقعان' },
    { locale: 'en', count: 1_200, shown: '1.2K', name: '1.2K: 1,200 locations' },
    { locale: 'de', count: 12, shown: '12', name: '12 Orte' },
  ])('names a cluster of $count by what it shows in $locale', async ({ locale, count, shown, name }) => {
    const { mapId } = await createPublishedMap(site.server, {
      locations: Array.from({ length: count }, (_, index) => placeAt(`Place ${index}`, 1, 1)),
    });
    const { page, record, close } = await site.open(`/maps/${mapId}`, { locale });
    const cluster = page.locator('.cluster');
    await cluster.waitFor();
    expect([await cluster.textContent(), await cluster.getAttribute('aria-label')]).toEqual([shown, name]);
    await expectAccessible(page);
    site.expectClean(record);
    await close();
  });

  describe.each(LANGUAGES)('%s', (language) => {
    let mapId: string;
    beforeAll(async () => {
      ({ mapId } = await createPublishedMap(site.server, MUSEUMS));
    });
    const open = (query = '', id = mapId) =>
      site.open(`/maps/${id}${query}`, { locale: LOCALES[language], viewport: SIZES[0] });

    it('fits the list, its menus and a location', async () => {
      const { page, record, close } = await open();
      const options = page.getByRole('listbox').getByRole('option');
      await options.nth(2).waitFor();
      expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
        language,
        language === 'ar' ? 'rtl' : 'ltr',
      ]);
      await expectTexts(page, language, 'list');
      await expectAccessible(page);
      await page.locator('.downloads summary').click();
      await expectTexts(page, language, 'download', '.downloads');
      await page.keyboard.press('Escape');
      await page.getByRole('searchbox').fill('zzz');
      await page.locator('.nothing').waitFor();
      await expectTexts(page, language, 'none');
      await page.locator('.choice button').click();
      await options.nth(2).click();
      await page.locator('.card-title').waitFor();
      await expectTexts(page, language, 'card');
      await expectAccessible(page);
      site.expectClean(record);
      await close();
    });

    it('fits the frame, the failures and the page of an unknown map', async () => {
      const { page, close } = await open('?embed=1');
      await page.locator('.whole').waitFor();
      await expectTexts(page, language, 'embed');
      await page.route('**/graphql', (route) => route.abort());
      await page.reload();
      await page.locator('.problem').waitFor({ state: 'attached' });
      await page.locator('.sheet-handle').click();
      await expectTexts(page, language, 'failure');
      await page.goto(`${site.baseUrl}/maps/unknown`);
      await page.getByRole('heading').waitFor();
      await expectTexts(page, language, 'unknown');
      await expectAccessible(page);
      await close();
    });
  });

  /** In all sizes. It stays in the first. */
  async function expectTexts(page: Page, language: Language, name: string, scope?: string): Promise<void> {
    for (const size of SIZES.toReversed()) {
      await resizeTo(page, size);
      const problems = await problemsOfTexts(page, language, ['shared', 'map'], { scope });
      expect({ name, size, ...problems }).toEqual({ name, size, untranslated: [], misplaced: [] });
    }
    if (!process.env['SCREENSHOTS']) return;
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await shoot(page, `map-${language}-${name}-${size}-${colorScheme}`);
      }
    }
    await resizeTo(page, SIZES[0]);
  }
});

const SIZES = [
  { width: 320, height: 720 },
  { width: 1280, height: 900 },
] as const;

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  it: 'it-IT',
  nl: 'nl-NL',
  'pt-BR': 'pt-BR',
  pl: 'pl-PL',
  ja: 'ja-JP',
  ar: 'ar-EG',
};

/** Names are written in three scripts. */
const MUSEUMS = {
  name: 'Museen der Welt',
  fields: [
    { name: 'Name', type: 'placeName' },
    { name: 'Adresse', type: 'address' },
    { name: 'Typ', type: 'category' },
    { name: 'Seit', type: 'date' },
    { name: 'Werke', type: 'number' },
  ],
  locations: [
    ['Pergamonmuseum', 52.521, 13.3969, 'Antike'],
    ['東京国立博物館', 35.7188, 139.7765, 'Kunst'],
    ['المتحف المصري', 30.0478, 31.2336, 'Antike'],
  ].map(([Name, latitude, longitude, Typ]) => ({
    fields: { Name, Typ, Adresse: `${Name} 1`, Seit: '1902-11-15', Werke: 120_000.5 },
    position: { latitude: Number(latitude), longitude: Number(longitude) },
  })),
};
