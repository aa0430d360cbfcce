import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

import type { Browser } from 'playwright-core';

import {
  launchChromium,
  openRecordedPage,
  requestsElsewhere,
  skipWithoutChromium,
} from '../support/browser.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FINDINGS = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`;

describeUnless(skipWithoutChromium(), 'the API reference in a browser', () => {
  let server: TestServer;
  let baseUrl: string;
  let browser: Browser;

  beforeAll(async () => {
    server = await createTestServer();
    baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    // Undefined where `beforeAll` failed, and then that is the failure to read.
    await (browser as Browser | undefined)?.close();
    await server.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`keeps to its origin and policy, fits, and axe finds nothing (${colorScheme}, ${width})`, async () => {
        const viewport = { width, height: 900 };
        const { page, record, close } = await openRecordedPage(browser, { colorScheme, viewport });
        await page.goto(`${baseUrl}/docs`);
        await page.getByRole('button', { name: 'Copy' }).first().waitFor();
        // What is folded is looked at too.
        await page.evaluate(
          "document.querySelectorAll('details').forEach((details) => { details.open = true; })",
        );
        await page.evaluate(AXE);
        expect(await page.evaluate(FINDINGS)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(requestsElsewhere(record, baseUrl)).toEqual([]);
        expect([...record.problems, ...record.violations]).toEqual([]);
        const folder = process.env['SCREENSHOTS'];
        if (folder) await page.screenshot({ path: `${folder}/docs-${colorScheme}-${width}.png` });
        await close();
      });
    }
  }

  it('leads by the keyboard from its contents to an operation, and unfolds an answer', async () => {
    const { page, close } = await openRecordedPage(browser);
    await page.goto(`${baseUrl}/docs`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.getByRole('link', { name: 'List locations' }).focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'List locations' });
    await heading.waitFor();
    expect(page.url()).toBe(`${baseUrl}/docs#listLocations`);
    const operation = page.locator('section', { has: heading });
    const text = operation.getByText('There is no body.');
    expect(await text.isVisible()).toBe(false);
    await operation.locator('summary', { hasText: '304' }).focus();
    await page.keyboard.press('Enter');
    await text.waitFor();
    await close();
  });

  it('copies an example', async () => {
    const { page, close } = await openRecordedPage(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${baseUrl}/docs`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(baseUrl);
    await close();
  });

  it('needs no script', async () => {
    const { page, record, close } = await openRecordedPage(browser, { javaScriptEnabled: false });
    await page.goto(`${baseUrl}/docs`);
    await page.getByRole('heading', { name: 'Create a location' }).waitFor();
    await page.locator('summary', { hasText: '415' }).click();
    await page.getByText('no such type of body').first().waitFor();
    expect(record.problems).toEqual([]);
    await close();
  });
});
