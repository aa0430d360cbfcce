/** What the server refuses, in the language of the console. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot } from '../support/browser-site.ts';
import { useConsole } from '../support/console.ts';
import { makeLocations, makeMap } from '../support/graphql.ts';
import { catalogueOf } from '../support/page-texts.ts';
import { describeUnless } from '../support/skip.ts';

const REFUSALS = [
  {
    language: 'de',
    repeated: 'Zwei Felder heißen Name. Jeder Name darf nur einmal vorkommen.',
    missing: 'Eine Karte braucht ein Feld vom Typ „Adresse“.',
    private: 'Die URL muss auf eine Adresse im Internet zeigen, nicht in ein privates Netz.',
    other: 'Der Server nimmt das nicht an: url must have neither user information nor a fragment.',
    unknown: 'Die Adresse wurde nicht gefunden. Prüfen Sie die Schreibweise oder ergänzen Sie Ort und Land.',
    limited: 'Zu viele Anfragen. Bitte warten Sie 60 Sekunden.',
  },
  {
    language: 'ja',
    repeated: '「Name」という項目が2つあります。項目名は重複できません。',
    missing: '地図には種類が「住所」の項目が必要です。',
    private: 'URLには、プライベートネットワークではなくインターネット上のアドレスを指定してください。',
    other: 'サーバーがこの内容を受け付けませんでした：url must have neither user information nor a fragment.',
    unknown: '住所が見つかりません。表記を確認するか、市区町村名と国名を追加してください。',
    limited: 'アクセスが集中しています。60秒ほどお待ちください。',
  },
] as const;

describeUnless(skipWithoutChromium(), 'a refusal of the server in the console', () => {
  const site = useConsole();

  it.each(REFUSALS)('is in the language of the user: $language', async ({ language, ...texts }) => {
    const map = await makeMap(site.server, { name: 'Museen' }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const catalogue = catalogueOf('console', language);
    const { page, close } = await site.open({ locale: language });
    const press = (key: string) =>
      page
        .getByRole('button', { name: catalogue[key] as string, exact: true })
        .first()
        .click();
    await page.locator('.c-fold > summary').click();
    await page.locator('.c-fold input').fill(site.token);
    await page.locator('.c-fold form > button').click();
    await page.locator('a.c-card').click();
    await page.locator('.c-name').first().waitFor();

    await press('settings.title');
    const names = page.locator('.c-fieldrow > .input:not(select)');
    await names.nth(1).fill('Name');
    await press('settings.save');
    await expectProblem(page, texts.repeated);
    await names.nth(1).fill('Place');
    await page.locator('.c-fieldrow > select').nth(1).selectOption('text');
    await press('settings.save');
    await expectProblem(page, texts.missing);
    await shoot(page, `console-refusals-${language}-settings`);
    page.on('dialog', (dialog) => void dialog.accept());

    await press('webhooks.title');
    await press('webhooks.add');
    await page.locator('input[name=url]').fill('https://10.0.0.1/hook');
    await page.locator('.c-hookform .button-accent').click();
    await expectProblem(page, texts.private);
    await page.locator('input[name=url]').fill('https://example.org/#part');
    await page.locator('.c-hookform .button-accent').click();
    await expectProblem(page, texts.other);
    await expectAccessible(page);
    await shoot(page, `console-refusals-${language}-webhook`);

    await press('editor.back');
    await page.locator('.c-name').first().click();
    const address = page.locator('.c-form').getByLabel('Address');
    await address.fill('unknown: street');
    await page.locator('.c-formfoot .button-accent').click();
    await expectProblem(page, texts.unknown);
    await shoot(page, `console-refusals-${language}-form`);
    await address.fill('limited: street');
    await page.locator('.c-formfoot .button-accent').click();
    await expectProblem(page, texts.limited);
    await close();
  });

  function expectProblem(page: Page, text: string): Promise<void> {
    return page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  }
});
