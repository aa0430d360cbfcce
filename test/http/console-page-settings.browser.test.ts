/** The settings of a map's page in the console: what they change on the page, and what they refuse. */

import type { Locator, Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, shoot, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, signIn, useConsole } from '../support/console.ts';
import { createLocation, dataOf, makeMap } from '../support/graphql.ts';
import { asDataUrl, LOGOS } from '../support/logos.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Kind', type: 'category' },
];
const KINDS = ['cafe', 'cafe', 'museum', 'park'];

describeUnless(skipWithoutChromium(), 'the page settings in the console', () => {
  const site = useConsole();

  async function makeSprings(settings: object = {}) {
    const input = { name: 'Springs', isPublished: true, fields: FIELDS };
    const { id } = await makeMap(site.server, input, site.token);
    for (const [index, Kind] of KINDS.entries()) {
      const fields = { Name: `Spring ${index}`, Address: `${index} Street`, Kind };
      const position = { latitude: 50 + index, longitude: 8 };
      dataOf(await createLocation(site.server, { mapId: id, fields, position }, site.token));
    }
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { id, ...settings } }, site.token));
    return id;
  }

  async function settingsOf(id: string) {
    const query = `{ map(id: "${id}") { language timeZone
      theme { accent font appearance poweredBy logo { type bytes } } categories { value label color icon } } }`;
    return dataOf(await site.server.graphql(query, {}, site.token)).map;
  }

  async function openSettings(page: Page): Promise<void> {
    await signIn(page, site.token);
    await openMap(page, 'Springs');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Accent colour', { exact: true }).waitFor();
  }

  const logoInput = (page: Page) => page.getByLabel('Choose a file');

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved.').waitFor();
  }

  async function openPage(page: Page, id: string): Promise<void> {
    await page.goto(new URL(`/maps/${id}`, page.url()).href);
    await page.getByRole('option').getByText('Spring 0', { exact: true }).waitFor();
  }

  const problemOf = (input: Locator) =>
    input.evaluate<string, { validationMessage: string }>(({ validationMessage }) => validationMessage);

  it('change the language, the colours, the font and the line about the software', async () => {
    const id = await makeSprings();
    const { page, record, close } = await site.open();
    await openSettings(page);
    await page.getByLabel('Language').selectOption({ label: 'Français' });
    await page.getByLabel('Time zone').fill('Europe/Paris');
    await page.getByLabel('Accent colour', { exact: true }).fill('#C2410C');
    await page.getByLabel('Font').selectOption('Serif');
    await page.getByLabel('Appearance').selectOption('Dark');
    await page.getByLabel('Say that the page is made with Map Locations').uncheck();
    await save(page);
    expect(await settingsOf(id)).toMatchObject({
      language: 'fr',
      timeZone: 'Europe/Paris',
      theme: { accent: '#c2410c', font: 'serif', appearance: 'dark', poweredBy: false },
    });
    await openPage(page, id);
    const look = await page.evaluate<object>(`(() => {
      const { lang } = document.documentElement;
      const style = getComputedStyle(document.body);
      return { lang, background: style.backgroundColor, font: style.fontFamily.slice(0, 8) };
    })()`);
    expect(look).toEqual({ lang: 'fr', background: 'rgb(18, 22, 28)', font: 'ui-serif' });
    expect(await page.getByText('Map Locations').count()).toBe(0);
    site.expectClean(record);
    await close();
  });

  it('say which accent pages use in place of one that is hard to read', async () => {
    await makeSprings();
    const { page, record, close } = await site.open();
    await openSettings(page);
    const accent = page.getByLabel('Accent colour', { exact: true });
    await accent.fill('fde047');
    await accent.press('Tab');
    expect(await accent.inputValue()).toBe('#fde047');
    await page.getByText(/^Light pages use #[0-9a-f]{6}, which is easier to read\./).waitFor();
    expect(await page.getByText(/^Dark pages use/).count()).toBe(0);
    await page.getByLabel('Appearance').selectOption('Dark');
    expect(await page.getByText(/^Light pages use/).count()).toBe(0);
    await accent.fill('#123');
    await accent.press('Tab');
    expect(await accent.inputValue()).toBe('#112233');
    await page.getByText(/^Dark pages use/).waitFor();
    site.expectClean(record);
    await close();
  });

  it('refuse what is no colour and no time zone', async () => {
    const id = await makeSprings();
    const { page, record, close } = await site.open();
    await openSettings(page);
    const zone = page.getByLabel('Time zone');
    await zone.fill('Berlin');
    await page.getByRole('button', { name: 'Save settings' }).click();
    expect(await problemOf(zone)).toBe('Berlin is not a time zone. Enter one such as Europe/Berlin.');
    await zone.fill('Europe/Berlin');
    const accent = page.getByLabel('Accent colour', { exact: true });
    await accent.fill('crimson');
    await page.getByRole('button', { name: 'Save settings' }).click();
    expect(await problemOf(accent)).not.toBe('');
    expect(await settingsOf(id)).toMatchObject({ timeZone: null, theme: { accent: null } });
    await accent.fill('');
    await save(page);
    expect(await settingsOf(id)).toMatchObject({ timeZone: 'Europe/Berlin', theme: { accent: null } });
    site.expectClean(record);
    await close();
  });

  it('send only what was changed', async () => {
    const id = await makeSprings({ theme: { accent: '#c2410c', logo: asDataUrl(LOGOS['image/png']) } });
    const { page, record, close } = await site.open();
    await openSettings(page);
    // Another owner changes the accent meanwhile.
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    const theirs = { id, theme: { accent: '#0b6bcb' } };
    dataOf(await site.server.graphql(mutation, { input: theirs }, site.token));
    await page.getByLabel('Font').selectOption('Rounded');
    await save(page);
    expect(await settingsOf(id)).toMatchObject({
      theme: { accent: '#0b6bcb', font: 'rounded', logo: { type: 'image/png' } },
    });
    expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('#0b6bcb');
    site.expectClean(record);
    await close();
  });

  it('upload a logo, show it, and remove it', async () => {
    const id = await makeSprings();
    const { page, record, close } = await site.open();
    await openSettings(page);
    const preview = page.getByAltText('Preview of the logo');
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      logoInput(page).setInputFiles({ name, mimeType, buffer });
    await choose('mark.svg', 'image/svg+xml', LOGOS['image/svg+xml']);
    await preview.waitFor();
    await save(page);
    expect((await settingsOf(id)).theme.logo).toMatchObject({ type: 'image/svg+xml' });
    await until(
      () => preview.evaluate<boolean, { naturalWidth: number }>(({ naturalWidth }) => naturalWidth > 0),
      'the stored logo is shown',
    );
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await preview.waitFor({ state: 'detached' });
    await choose('mark.png', 'image/png', LOGOS['image/png']);
    await preview.waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await save(page);
    expect((await settingsOf(id)).theme.logo).toBeNull();
    site.expectClean(record);
    await close();
  });

  it.each([
    ['a file of another type', 'mark.gif', 'image/gif', Buffer.from('GIF89a'), /^mark\.gif is not a PNG/],
    [
      'a large file',
      'mark.png',
      'image/png',
      Buffer.alloc(300_000),
      /^mark\.png has 293 KiB; at most 256 KiB/,
    ],
    ['a damaged file', 'mark.webp', 'image/webp', Buffer.from('RIFF'), /^mark\.webp cannot be shown/],
    [
      'an SVG file with a document type',
      'mark.svg',
      'image/svg+xml',
      Buffer.from(`<!DOCTYPE svg>${LOGOS['image/svg+xml'].toString()}`),
      /^mark\.svg has a document type \(DOCTYPE\)/,
    ],
  ])('refuse %s as a logo', async (_, name, mimeType, buffer, problem) => {
    const id = await makeSprings({ theme: { logo: asDataUrl(LOGOS['image/png']) } });
    const { page, record, close } = await site.open();
    await openSettings(page);
    const input = logoInput(page);
    await input.setInputFiles({ name, mimeType, buffer });
    await page.getByRole('alert').getByText(problem).waitFor();
    await save(page);
    expect((await settingsOf(id)).theme.logo).toMatchObject({ type: 'image/png' });
    await input.setInputFiles({ name: 'good.png', mimeType: 'image/png', buffer: LOGOS['image/png'] });
    await page.getByRole('alert').getByText(problem).waitFor({ state: 'detached' });
    expect(record.violations).toEqual([]);
    await close();
  });

  it('set labels, colours and icons of the values that locations have', async () => {
    const id = await makeSprings();
    const { page, record, close } = await site.open();
    await openSettings(page);
    await page.getByRole('button', { name: 'Add all 3' }).click();
    const cafe = page.getByRole('group', { name: 'cafe' });
    const park = page.getByRole('group', { name: 'park' });
    await cafe.getByLabel('Label').fill('Cafés');
    await cafe.getByLabel('Colour', { exact: true }).fill('#8a3ffc');
    await cafe.getByRole('button', { name: 'Icon for cafe: Automatic' }).click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Café', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await park.getByRole('button', { name: 'Move park up' }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'museum' }).getByRole('button', { name: 'Remove museum' }).click();
    await save(page);
    expect((await settingsOf(id)).categories).toEqual([
      { value: 'park', label: null, color: null, icon: null },
      { value: 'cafe', label: 'Cafés', color: '#8a3ffc', icon: 'cafe' },
    ]);
    await openPage(page, id);
    const legend = page.locator('.legend');
    await legend.getByText('Cafés').waitFor();
    expect(await legend.getByRole('button').allTextContents()).toEqual(['park', 'Cafés', 'museum']);
    site.expectClean(record);
    await close();
  });

  it('add a value and choose its icon with the keyboard', async () => {
    const id = await makeSprings();
    const { page, record, close } = await site.open();
    await openSettings(page);
    await page.getByLabel('Another value').focus();
    await page.keyboard.type('harbour');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Icon for harbour: Automatic' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(
      'Icon for harbour: Café',
    );
    await page.getByRole('button', { name: 'Save settings' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect((await settingsOf(id)).categories).toEqual([
      { value: 'harbour', label: null, color: null, icon: 'cafe' },
    ]);
    site.expectClean(record);
    await close();
  });

  it('fit all screens, in both colour schemes', async () => {
    await makeSprings({
      theme: { accent: '#fde047', logo: asDataUrl(LOGOS['image/svg+xml']) },
      categories: [
        { value: 'cafe', label: 'Cafés', color: '#8a3ffc', icon: 'cafe' },
        { value: 'park', color: '#fde047', icon: 'park' },
      ],
    });
    const { page, record, close } = await site.open();
    await openSettings(page);
    for (const [name, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      for (const part of ['Accent colour', 'Another value']) {
        await page.getByLabel(part, { exact: true }).scrollIntoViewIfNeeded();
        await shoot(page, `console-settings-${name}-${part.split(' ')[0]}`);
      }
      await expectAccessibleInBothSchemes(page, `console-settings-${name}`);
      await page.getByRole('button', { name: 'Icon for park: Park' }).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessibleInBothSchemes(page, `console-settings-icons-${name}`);
      await page.keyboard.press('Escape');
    }
    site.expectClean(record);
    await close();
  });
});
