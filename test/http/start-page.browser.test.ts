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

  it('leads to GraphiQL by keyboard', async () => {
    const { page, close } = await site.open('/');
    await page.getByRole('link', { name: 'GraphiQL', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.baseUrl}/graphiql`);
    await close();
  });
});
