/** The console for users who sign in with an issuer's JWT. */

import { skipWithoutChromium } from '../support/browser.ts';
import { signIn, useConsole } from '../support/console.ts';
import { dataOf } from '../support/graphql.ts';
import { Issuer } from '../support/issuer.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the console with a JWT', () => {
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await Issuer.start();
  });
  afterAll(() => issuer.stop());
  const site = useConsole(() => Promise.resolve(issuer.settings));

  it('creates the first map and token of a new owner', async () => {
    const jwt = await issuer.sign({ sub: 'newcomer' });
    const { page, record, close } = await site.open();
    await signIn(page, jwt);
    await page.getByLabel('Name of the new map').fill('First');
    await page.getByRole('button', { name: 'Create map' }).click();
    await page.getByRole('heading', { name: 'First' }).waitFor();
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Name of the new token').fill('Script');
    await page.getByRole('button', { name: 'Create token' }).click();
    // It must not outlive the JWT.
    await page
      .getByRole('listitem')
      .getByText(/expires/)
      .waitFor();
    const { viewer } = dataOf(await site.server.graphql('{ viewer { maps { nodes { name } } } }', {}, jwt));
    expect(viewer.maps.nodes).toEqual([{ name: 'First' }]);
    site.expectClean(record);
    await close();
  });

  it('creates nothing with a read-only JWT', async () => {
    const { page, close } = await site.open();
    await signIn(page, await issuer.sign({ sub: 'reader', scope: 'map-locations:read' }));
    await page.getByText('No maps yet.').waitFor();
    expect(await page.getByLabel('Name of the new map').count()).toBe(0);
    await close();
  });
});
