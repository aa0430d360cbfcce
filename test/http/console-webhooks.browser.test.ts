/** The console's webhooks: created, watched, tested, changed and deleted. */

import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';

import { resizeTo, skipWithoutChromium, until } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { startReceiver, takes } from '../support/receiver.ts';
import { describeUnless } from '../support/skip.ts';
import { PATIENCE_MS } from '../support/until.ts';

/** A failed message is not retried during the test. */
const SETTINGS = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_RETRY_MS: '600000' };
/** Messages are sent while tests run, so results may change at any moment and operations are not executed twice. */
const PARTS = { post: undefined, onStorageCommand: () => {} };
/** The page never scrolls sideways, so content that is too wide would be cut off. */
const FARTHEST_RIGHT = `Math.max(...[...document.querySelectorAll('.c-app *')].map((one) => one.getBoundingClientRect().right))`;
const ALL = ['created', 'updated', 'moved', 'deleted'];

describeUnless(skipWithoutChromium(), "the console's webhooks in a browser", () => {
  const site = useConsole(SETTINGS, PARTS);
  let receiver: Receiver;
  beforeAll(() => site.server.gateway.dispatcher.start());
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const fails = () => receiver.behave(() => 500);

  async function makeWebhook(mapId: string, events: readonly string[] = ALL): Promise<string> {
    const mutation =
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
    const input = { mapId, url: receiver.url, events };
    return dataOf(await site.server.graphql(mutation, { input }, site.token)).createWebhook.webhook.id;
  }

  async function storedOf(mapId: string) {
    const query = `{ map(id: "${mapId}") { webhooks { id url events status } } }`;
    return dataOf(await site.server.graphql(query, {}, site.token)).map.webhooks;
  }

  /** Opens the map's webhooks, signed in. */
  async function openWebhooks(mapName: string) {
    const opened = await site.open();
    await opened.page.clock.install();
    await signIn(opened.page, site.token);
    await openMap(opened.page, mapName);
    await opened.page.getByRole('button', { name: 'Webhooks' }).click();
    return opened;
  }

  /** The page and each webhook have buttons with the same names. */
  const cards = (page: Page) => page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem');
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

  /** The panel reloads every five seconds. */
  async function untilRead(page: Page, text: string | RegExp): Promise<void> {
    for (const endsAt = performance.now() + PATIENCE_MS; !(await cards(page).getByText(text).isVisible());) {
      if (performance.now() > endsAt) throw new Error(`Never shown: ${text}`);
      await page.clock.runFor(5_000);
    }
  }

  const secretOf = async (page: Page) => (await page.locator('.c-notice code').textContent()) ?? '';

  function verifies(secret: string, { body, headers }: Received): boolean {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }

  it('are added, show the secret once, and show whether messages arrive', async () => {
    const map = await makeMap(site.server, { name: 'Told' }, site.token);
    const { page, record, close } = await openWebhooks('Told');
    await page.getByText('No webhooks yet.').waitFor();
    await button(page, 'Add webhook').click();
    await until(page, `document.activeElement.name === 'url'`);
    await page.keyboard.type(receiver.url);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(4);
    await page.keyboard.press('Enter');
    await cards(page).getByText('Nothing sent yet.').waitFor();
    expect(await storedOf(map.id)).toMatchObject([{ url: receiver.url, events: ALL, status: 'active' }]);
    const secret = await secretOf(page);
    // The keyboard focus is at the secret, and next at its button.
    await page.keyboard.press('Tab');
    await until(page, `document.activeElement.ariaLabel === 'Copy secret'`);

    await makeLocations(site.server, map.id, [null], site.token);
    const [message] = await receiver.received.until(1);
    if (message === undefined) throw new Error('Nothing was received.');
    expect([message.type, verifies(secret, message)]).toEqual(['location.created', true]);
    await untilRead(page, /^The last attempt, on .+, succeeded: the receiver responded with 200\.$/);

    fails();
    await makeLocations(site.server, map.id, [null], site.token);
    await untilRead(
      page,
      /^The last attempt, on .+, failed\. The receiver responded with 500; only 2xx counts as received\./,
    );
    await cards(page).getByText('Failing', { exact: true }).waitFor();

    await button(page, 'Webhooks').click();
    await button(page, 'Webhooks').click();
    await cards(page).getByText('Failing', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    site.expectClean(record);
    await close();
  });

  it('are tested, paused and resumed', async () => {
    const map = await makeMap(site.server, { name: 'Tried' }, site.token);
    await makeWebhook(map.id);
    const { page, record, close } = await openWebhooks('Tried');
    await button(page, 'Send a test').click();
    await page.getByText('The test succeeded: the receiver responded with 200.').waitFor();
    fails();
    await button(page, 'Send a test').click();
    await page.getByText('The test failed. The receiver responded with 500; only 2xx').waitFor();
    expect(receiver.received.all.map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test']);

    await button(page, 'Pause').click();
    await cards(page).getByText('Paused', { exact: true }).waitFor();
    expect(await storedOf(map.id)).toMatchObject([{ status: 'disabled' }]);
    await makeLocations(site.server, map.id, [null], site.token);
    receiver.behave(takes);
    await button(page, 'Resume').click();
    await cards(page).getByText('Active', { exact: true }).waitFor();
    const all = await receiver.received.until(3);
    expect(all.slice(2).map(({ type }) => type)).toEqual(['location.created']);
    site.expectClean(record);
    await close();
  });

  it('are edited, with errors next to their input', async () => {
    const map = await makeMap(site.server, { name: 'Edited' }, site.token);
    await makeWebhook(map.id);
    const { page, record, close } = await openWebhooks('Edited');
    await button(page, 'Edit').click();
    const form = page.getByRole('form', { name: 'Webhook' });
    const url = form.getByLabel('URL');
    expect(await url.inputValue()).toBe(receiver.url);
    await url.fill('http://example.org/hook');
    await button(form, 'Save').click();
    await form.getByRole('alert').getByText('The URL must begin with https://.').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    await until(page, `document.activeElement.name === 'url'`);

    await url.fill(`${receiver.url}/other`);
    for (const name of ['Created', 'Updated', 'Moved', 'Deleted']) await form.getByLabel(name).uncheck();
    await button(form, 'Save').click();
    await form.getByRole('alert').getByText('Choose at least one kind of event.').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('false');
    expect(await form.getByRole('alert').count()).toBe(1);

    await form.getByLabel('Moved').check();
    await form.getByLabel('Created').check();
    // A reload does not replace input, and leaving asks for confirmation.
    await page.clock.runFor(5_000);
    page.once('dialog', (dialog) => void dialog.dismiss());
    await button(page, 'Settings').click();
    await button(form, 'Save').click();
    await cards(page).getByText('Events: created, moved', { exact: true }).waitFor();
    await until(page, `document.activeElement.textContent === 'Edit'`);
    expect(await storedOf(map.id)).toMatchObject([
      { url: `${receiver.url}/other`, events: ['created', 'moved'] },
    ]);
    site.expectClean(record);
    await close();
  });

  it('get a new secret and are deleted after confirmation', async () => {
    const map = await makeMap(site.server, { name: 'Changed' }, site.token);
    await makeWebhook(map.id, ['created']);
    const { page, record, close } = await openWebhooks('Changed');
    const asked: string[] = [];
    let isSure = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (isSure ? dialog.accept() : dialog.dismiss());
    });
    await button(page, 'New secret').click();
    await button(page, 'Delete').click();
    expect(asked).toEqual([
      expect.stringContaining('For 24 hours, messages are signed with both secrets'),
      expect.stringContaining(receiver.url),
    ]);
    isSure = true;
    await button(page, 'New secret').click();
    await page.locator('.c-notice code').waitFor();
    await button(page, 'Send a test').click();
    const [message] = await receiver.received.until(1);
    if (message === undefined) throw new Error('Nothing was received.');
    expect(verifies(await secretOf(page), message)).toBe(true);
    await page.getByText('The test succeeded:').waitFor();

    await button(page, 'Delete').click();
    await page.getByText('No webhooks yet.').waitFor();
    await until(page, `document.activeElement.textContent === 'Webhooks'`);
    expect(await storedOf(map.id)).toEqual([]);
    expect(asked).toHaveLength(4);
    site.expectClean(record);
    await close();
  });

  it('are reloaded only while the page is visible', async () => {
    const map = await makeMap(site.server, { name: 'Watched' }, site.token);
    await makeWebhook(map.id);
    const { page, close } = await openWebhooks('Watched');
    const setVisibility = (state: 'visible' | 'hidden') =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await cards(page).getByText('Active', { exact: true }).waitFor();
    await setVisibility('hidden');
    // No time passes on its own.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    let reads = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('query Webhooks(')) reads += 1;
    });
    await page.clock.runFor(60_000);
    expect(reads).toBe(0);
    const mutation =
      'mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { id } } }';
    const [{ id }] = await storedOf(map.id);
    const input = { mapId: map.id, id, status: 'disabled' };
    dataOf(await site.server.graphql(mutation, { input }, site.token));
    await setVisibility('visible');
    await cards(page).getByText('Paused', { exact: true }).waitFor();
    expect(reads).toBe(1);
    await button(page, 'Webhooks').click();
    await page.clock.runFor(60_000);
    expect(reads).toBe(1);
    await close();
  });

  it('are not offered with a read-only token', async () => {
    await makeMap(site.server, { name: 'Looked at' }, site.token);
    const reader = await site.server.createToken({ owner: site.owner, scope: 'read' });
    const { page, close } = await site.open();
    await signIn(page, reader);
    await openMap(page, 'Looked at');
    await page.getByText('Read only').waitFor();
    expect(await button(page, 'Webhooks').count()).toBe(0);
    await close();
  });

  it('fit and are accessible everywhere, in light and dark mode', async () => {
    const map = await makeMap(site.server, { name: 'Seen' }, site.token);
    fails();
    await makeWebhook(map.id);
    await makeLocations(site.server, map.id, [null], site.token);
    await receiver.received.until(1);
    await makeWebhook(map.id, ['deleted']);
    const { page, record, close } = await openWebhooks('Seen');
    page.on('dialog', (dialog) => void dialog.accept());
    await untilRead(page, /^The last attempt, on .+, failed/);
    await button(cards(page).nth(1), 'Pause').click();
    await cards(page).nth(1).getByText('Paused', { exact: true }).waitFor();
    await button(cards(page).nth(1), 'New secret').click();
    await page.locator('.c-notice code').waitFor();
    await button(cards(page).nth(0), 'Send a test').click();
    await page.getByText('The test failed.').waitFor();
    await button(page, 'Add webhook').click();
    await page.getByLabel('URL').fill('http://example.org');
    await button(page, 'Add').click();
    await page.getByRole('alert').getByText('The URL must begin with https://.').waitFor();
    for (const viewport of [{ width: 360, height: 1_600 }, VIEWPORTS.desktop]) {
      await resizeTo(page, viewport);
      expect(await page.evaluate(FARTHEST_RIGHT)).toBeLessThanOrEqual(viewport.width);
      await expectAccessibleInBothSchemes(page, `console-webhooks-${viewport.width}`);
    }
    site.expectClean(record);
    await close();
  });
});
