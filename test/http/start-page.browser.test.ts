import axe from 'axe-core';
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

const VIEWPORTS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

describeUnless(skipWithoutChromium(), 'the start page in a browser', () => {
  let server: TestServer;
  let baseUrl: string;
  let browser: Browser;

  beforeAll(async () => {
    server = await createTestServer();
    baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    await server.close();
  });

  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`is one request, fits, and is accessible: ${name}, ${colorScheme}`, async () => {
        const { page, record, close } = await openRecordedPage(browser, { viewport, colorScheme });
        await page.goto(baseUrl);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(requestsElsewhere(record, baseUrl)).toEqual([]);
        expect([record.requests.length, record.violations, record.problems]).toEqual([1, [], []]);
        const folder = process.env['SCREENSHOTS'];
        if (folder) await page.screenshot({ path: `${folder}/start-${name}-${colorScheme}.png` });
        await close();
      });
    }
  }

  it('leads by the keyboard to GraphiQL', async () => {
    const { page, close } = await openRecordedPage(browser);
    await page.goto(baseUrl);
    await page.getByRole('link', { name: 'GraphiQL', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${baseUrl}/graphiql`);
    await close();
  });
});
