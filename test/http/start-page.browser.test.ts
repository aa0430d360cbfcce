import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessible, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the start page in a browser', () => {
  const site = useBrowserSite();

  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`is one request, fits, and is accessible: ${name}, ${colorScheme}`, async () => {
        const { page, record, close } = await site.open('/', { viewport, colorScheme });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
        await expectAccessible(page);
        site.expectClean(record);
        expect(record.requests).toHaveLength(1);
        await shoot(page, `start-${name}-${colorScheme}`);
        await close();
      });
    }
  }

  it('leads by the keyboard to GraphiQL', async () => {
    const { page, close } = await site.open('/');
    await page.getByRole('link', { name: 'GraphiQL', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.baseUrl}/graphiql`);
    await close();
  });
});
