import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the API reference in a browser', () => {
  const site = useBrowserSite();

  it('keeps to its origin and policy, fits, and is accessible, large and small', async () => {
    const { page, record, close } = await site.open('/docs');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    // Collapsed sections are checked, too.
    await page.evaluate(
      "document.querySelectorAll('details').forEach((details) => { details.open = true; })",
    );
    for (const [name, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `docs-${name}`);
    }
    site.expectClean(record);
    await close();
  });

  it('leads by keyboard from its contents to an operation, and expands a response', async () => {
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
    const text = operation.getByText("The client's cached response");
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

  it('works without scripts', async () => {
    const { page, record, close } = await site.open('/docs', { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'Create a location' }).waitFor();
    await page.locator('summary', { hasText: '415' }).click();
    await page.getByText('unsupported media type').first().waitFor();
    expect(record.problems).toEqual([]);
    await close();
  });
});
