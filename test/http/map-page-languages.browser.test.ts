import { skipWithoutChromium } from '../support/browser.ts';
import { useBrowserSite } from '../support/browser-site.ts';
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
});
