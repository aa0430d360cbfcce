/** The console's history, trash, review and webhooks in every language: no text is cut off, missing or in English. */

import type { Locator, Page } from 'playwright-core';

import { LANGUAGES } from '../../web/shared/i18n/languages.ts';
import type { Language } from '../../web/shared/i18n/languages.ts';
import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible } from '../support/browser-site.ts';
import { useConsole } from '../support/console.ts';
import { expectTexts, SIZES } from '../support/console-texts.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { catalogueOf } from '../support/page-texts.ts';
import type { Receiver } from '../support/receiver.ts';
import { startReceiver } from '../support/receiver.ts';
import { describeUnless } from '../support/skip.ts';

const [, WIDE] = SIZES;

describeUnless(skipWithoutChromium(), 'a map in the languages of the console', () => {
  // Messages are sent, so that operations are not executed twice.
  const site = useConsole({ WEBHOOK_ALLOW_HTTP: '1' }, { post: undefined, onStorageCommand: () => {} });
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.behave(() => 500);
  });
  afterAll(() => receiver.close());

  async function mutate(field: string, input: Record<string, unknown>): Promise<void> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const mutation = `mutation ($input: ${type}!) { ${field}(input: $input) { map { id } } }`;
    dataOf(await site.server.graphql(mutation, { input }, site.token));
  }

  async function open(language: Language, mapId: string) {
    const opened = await site.open({ locale: language, viewport: WIDE });
    const { page } = opened;
    await page.locator('.c-fold > summary').click();
    await page.locator('.c-fold input').fill(site.token);
    await page.locator('.c-fold form > button').click();
    await page.locator('a.c-card').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/maps/${mapId}`);
    await page.locator('.c-name').first().waitFor();
    const texts = catalogueOf('console', language);
    /** Clicks the first button with the text of a key. */
    const press = (key: string, within: Page | Locator = page) =>
      within
        .getByRole('button', { name: texts[key] as string, exact: true })
        .first()
        .click();
    /** Leaves the page wide. */
    const check = async (name: string) => {
      await expectTexts(page, language, name);
      await expectAccessible(page);
      await resizeTo(page, WIDE);
    };
    return { ...opened, press, check };
  }

  it.each(LANGUAGES)('shows what was changed, and undoes it, in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen' }, site.token);
    const [first, second, third] = await makeLocations(site.server, map.id, [null, null, null], site.token);
    const mapId = map.id;
    await mutate('updateLocation', { mapId, id: first?.id, fields: { Name: 'Zebra', Seats: 4 } });
    await mutate('moveLocations', { mapId, ids: [first?.id], toEnd: true });
    for (const latitude of [10, 11])
      await mutate('updateLocation', { mapId, id: first?.id, position: { latitude, longitude: 10 } });
    await mutate('checkLocations', { mapId, ids: [second?.id], isChecked: true });
    await mutate('deleteLocations', { mapId, ids: [third?.id] });
    const { page, record, press, check, close } = await open(language, mapId);

    await press('history.title');
    const calls = page.locator('.c-call');
    await calls.last().locator('button').first().click();
    await calls.last().locator('.c-undo').click();
    await page.locator('.c-preview .c-leftlist').waitFor();
    await calls.first().locator('button').first().click();
    await calls.first().locator('.c-undo').click();
    await page.locator('.c-preview .button-accent').waitFor();
    await check('history');

    await press('trash.title');
    await page.locator('.c-trashed input').check();
    await page.locator('.c-trashtools .c-dangerous').click();
    await page.locator('.c-purge').waitFor();
    await check('trash');

    await press('trash.title');
    await page.locator('.c-name', { hasText: 'Zebra' }).click();
    await page.locator('.c-versions > summary').click();
    await page.locator('.c-version button[aria-pressed]').first().click();
    await page.locator('.c-version [role=status]').waitFor();
    await check('versions');

    await press('close', page.locator('.c-form'));
    await page.locator('.c-list input[type=checkbox]').nth(1).check();
    await page.locator('.c-selection .c-dangerous').click();
    await page.locator('.c-toast').waitFor();
    await check('undo');
    await page.locator('.c-toast button').first().click();
    await page.locator('.c-toast', { hasNot: page.locator('[aria-keyshortcuts]') }).waitFor();
    await check('undone');
    site.expectClean(record);
    await close();
  });

  it.each(LANGUAGES)('reviews points in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen' }, site.token);
    const addresses = [
      'several: locality: Springfield',
      'street: Harbour',
      'region: North',
      'interpolated: 2',
    ];
    const locations = addresses.map((address) => ({ fields: { Name: `⌂ ${address}`, Address: address } }));
    await mutate('createLocations', { mapId: map.id, locations });
    const { page, record, check, close } = await open(language, map.id);
    await page.locator('.c-counts .button').waitFor();
    // On a narrow screen they are one line, which scrolls.
    await expectTexts(page, language, 'counts', undefined, [WIDE]);
    await page.locator('.c-counts .button').click();
    const candidates = page.locator('.c-candidatelist li');
    await candidates.first().waitFor();
    await check('candidates');
    await page.keyboard.press('p');
    await page.keyboard.press('e');
    await page.locator('.c-correction').waitFor();
    await check('correction');
    await page.keyboard.press('Escape');
    await page.locator('.c-keysbutton').click();
    await page.locator('.c-keys[open]').waitFor();
    await check('keys');
    await page.locator('.c-keys button').click();
    await page.locator('.c-reviewcard').focus();
    for (const _ of addresses) {
      const position = await page.locator('.c-progress span').textContent();
      await page.keyboard.press('y');
      await page.locator('.c-progress span', { hasText: position ?? '' }).waitFor({ state: 'detached' });
    }
    await page.locator('.c-reviewcard > h3 + p:not([class])').waitFor();
    await check('reviewed');
    site.expectClean(record);
    await close();
  });

  it.each(LANGUAGES)('manages webhooks in %s', async (language) => {
    const map = await makeMap(site.server, { name: 'Museen' }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const { page, record, press, check, close } = await open(language, map.id);
    await press('webhooks.title');
    await page.locator('.c-settings > .c-muted + .c-muted').waitFor();
    await check('no-webhooks');
    for (const events of [4, 2]) {
      await page.locator('.c-headline button').click();
      await page.locator('input[name=url]').fill(receiver.url);
      for (const box of (await page.locator('input[name=events]').all()).slice(events)) await box.uncheck();
      await press('editor.add', page.locator('.c-hookform'));
      await page.locator('.c-notice code').last().waitFor();
      await page.locator('.c-hookform').waitFor({ state: 'detached' });
    }
    await press('webhooks.pause', page.locator('.c-card').last());
    await press('webhooks.test.send', page.locator('.c-card').first());
    await page.locator('.c-card [role=status]', { hasText: '500' }).waitFor();
    await check('webhooks');
    await press('webhooks.edit', page.locator('.c-card').first());
    await page.locator('.c-card .c-hookform').waitFor();
    await check('webhook');
    site.expectClean(record);
    await close();
  });
});
