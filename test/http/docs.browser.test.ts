import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot, useBrowserSite } from '../support/browser-site.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the API reference in a browser', () => {
  const site = useBrowserSite();

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`keeps to its origin and policy, fits, and axe finds nothing (${colorScheme}, ${width})`, async () => {
        const viewport = { width, height: 900 };
        const { page, record, close } = await site.open('/docs', { colorScheme, viewport });
        await page.getByRole('button', { name: 'Copy' }).first().waitFor();
        // What is folded is looked at too.
        await page.evaluate(
          "document.querySelectorAll('details').forEach((details) => { details.open = true; })",
        );
        await expectAccessible(page);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        site.expectClean(record);
        await shoot(page, `docs-${colorScheme}-${width}`);
        await close();
      });
    }
  }

  it('leads by the keyboard from its contents to an operation, and unfolds an answer', async () => {
    const { page, close } = await site.open('/docs');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.getByRole('link', { name: 'List locations' }).focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'List locations' });
    await heading.waitFor();
    expect(page.url()).toBe(`${site.baseUrl}/docs#listLocations`);
    const operation = page.locator('section', { has: heading });
    const text = operation.getByText('There is no body.');
    expect(await text.isVisible()).toBe(false);
    await operation.locator('summary', { hasText: '304' }).focus();
    await page.keyboard.press('Enter');
    await text.waitFor();
    await close();
  });

  it('copies an example', async () => {
    const { page, close } = await site.open('/docs');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(site.baseUrl);
    await close();
  });

  it('needs no script', async () => {
    const { page, record, close } = await site.open('/docs', { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'Create a location' }).waitFor();
    await page.locator('summary', { hasText: '415' }).click();
    await page.getByText('no such type of body').first().waitFor();
    expect(record.problems).toEqual([]);
    await close();
  });
});
