import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the start page in a browser', () => {
  const site = useBrowserSite();

  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    it(`is one request, fits, and is accessible: ${name}`, async () => {
      const { page, record, close } = await site.open('/', { viewport });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `start-${name}`);
      site.expectClean(record);
      expect(record.requests).toHaveLength(1);
      await close();
    });
  }

  it('copies the address of the tiles of the demo map', async () => {
    const { page, record, close } = await site.open('/');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the address: Vector tiles' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(address).toMatch(new RegExp(`^${site.baseUrl}/maps/\\w+/tiles\\.json$`));
    site.expectClean(record);
    await close();
  });

  it('leads to GraphiQL by keyboard', async () => {
    const { page, close } = await site.open('/');
    await page.getByRole('link', { name: 'GraphiQL', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.baseUrl}/graphiql`);
    await close();
  });
});
