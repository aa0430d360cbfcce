import type { BrowserContextOptions, Page } from 'playwright-core';

import { exampleQueries } from '../../src/web/example-queries.ts';
import { skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, shoot, useBrowserSite, VIEWPORTS } from '../support/browser-site.ts';
import { editorText, runAndExpect, visitGraphiql } from '../support/graphiql.ts';
import { describeUnless } from '../support/skip.ts';

/** Rules that the markup of GraphiQL's tabs and editor violates. */
const GRAPHIQL_VIOLATIONS = ['aria-required-children', 'nested-interactive', 'scrollable-region-focusable'];
const OWNER = 'owner of the test';

describeUnless(skipWithoutChromium(), 'GraphiQL in a browser', () => {
  const site = useBrowserSite();
  let token: string;

  beforeAll(async () => {
    const { server } = site;
    token = await server.createToken({ owner: OWNER });
    await server.graphql('mutation { createMap(input: { name: "Lighthouses" }) { map { id } } }', {}, token);
  });

  it('runs queries with a token, and keeps to its own origin and policy', async () => {
    await visitGraphiql(site.browser, {
      baseUrl: site.baseUrl,
      token,
      expectedInResponse: OWNER,
      onResponse: (page) => shoot(page, 'graphiql'),
    });
  });

  it('works if a browser opens the endpoint itself, and below a trailing slash', async () => {
    for (const path of ['/graphql', '/graphiql/']) {
      const { page, record, close } = await open({}, path);
      await giveToken(page, token, OWNER);
      await runAndExpect(page, OWNER);
      site.expectClean(record);
      await close();
    }
  });

  it('has a tab for every example, named after its operation, and links to the other pages', async () => {
    const { page, close } = await open();
    const tabs = await page.locator('.graphiql-tab-button').allInnerTexts();
    expect(tabs).toEqual(
      exampleQueries.map(({ query }) => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1]),
    );
    const links = await page
      .getByRole('navigation', { name: 'Other pages' })
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => String((link as { href?: string }).href)));
    expect(links).toEqual([`${site.baseUrl}/`, `${site.baseUrl}/console`, `${site.baseUrl}/docs`]);
    await close();
  });

  const open = async (options: BrowserContextOptions = {}, path = '/graphiql') => {
    const opened = await site.open(path, options);
    await opened.page.waitForSelector('.graphiql-container');
    return opened;
  };
  const giveToken = async (page: Page, given: string, expected: string | RegExp) => {
    await page.getByLabel('Token').fill(given);
    await page.getByRole('status').filter({ hasText: expected }).waitFor();
  };
  const openTab = (page: Page, name: string) =>
    page.locator('.graphiql-tab-button', { hasText: name }).click();

  it('shows the owner of the token, and uses real ids of the first map in the examples', async () => {
    const other = await site.server.createToken({ owner: 'another' });
    const { page, close } = await open();
    const made = await site.server.graphql(
      'mutation { createMap(input: { name: "Second" }) { map { id } } }',
      {},
      other,
    );
    const second = made.json.data.createMap.map.id;
    const location = await site.server.graphql(
      'mutation ($m: ID!) { createLocation(input: { mapId: $m, fields: { Name: "N", Address: "A" } }) { location { id } } }',
      { m: second },
      other,
    );
    const { id: locationId } = location.json.data.createLocation.location;

    // As it may be copied from a note.
    await giveToken(
      page,
      ` Bearer ${token} `,
      `${OWNER}: read and write. The examples use the map Lighthouses.`,
    );
    await openTab(page, 'NextPage');
    const { json } = await site.server.graphql('{ viewer { maps(first: 1) { nodes { id } } } }', {}, token);
    const first = json.data.viewer.maps.nodes[0].id;
    expect(JSON.parse(await editorText(page, 'Variables'))).toEqual({ mapId: first, after: null });
    await runAndExpect(page, '"name": "Lighthouses"');

    await giveToken(page, other, 'another: read and write. The examples use the map Second.');
    expect(JSON.parse(await editorText(page, 'Variables'))).toEqual({ mapId: second, after: null });
    await openTab(page, 'Details');
    expect(JSON.parse(await editorText(page, 'Variables'))).toEqual({ mapId: second, locationId });
    await runAndExpect(page, '"placeId"');
    // Trying the examples deletes nothing.
    await openTab(page, 'DeleteLocation');
    expect(await editorText(page, 'Variables')).toContain('put-the-id-to-delete-here');

    await giveToken(page, 'mlt_wrong', /The token is not valid/);
    await close();
  });

  it('keeps the token for the tab on request, and nowhere else', async () => {
    const { page, close } = await open();
    const stored = () =>
      page.evaluate<[string, string]>(
        '[JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage })]',
      );
    await giveToken(page, token, OWNER);
    expect((await stored()).join('')).not.toContain(token);
    await page.getByLabel('Keep for this tab').check();
    await page.reload();
    await page.getByRole('status').filter({ hasText: OWNER }).waitFor();
    expect(await page.getByLabel('Token').inputValue()).toBe(token);
    await page.waitForSelector('.graphiql-container');
    await runAndExpect(page, OWNER);
    const [session, local] = await stored();
    expect([session.includes(token), local.includes(token)]).toEqual([true, false]);
    await page.getByLabel('Keep for this tab').uncheck();
    expect((await stored()).join('')).not.toContain(token);
    await page.reload();
    expect(await page.getByLabel('Token').inputValue()).toBe('');
    await close();
  });

  it('shows the events of a subscription until it is stopped', async () => {
    const { page, record, close } = await open();
    await giveToken(page, token, OWNER);
    await openTab(page, 'Changes');
    const { mapId } = JSON.parse(await editorText(page, 'Variables'));
    const create = (name: string) =>
      site.server.graphql(
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
        { input: { mapId, fields: { Name: name, Address: 'A' }, position: { latitude: 1, longitude: 2 } } },
        token,
      );
    await runAndExpect(page, '"resync"');
    for (const name of ['First', 'Second']) {
      await create(name);
      await page.locator('.result-window', { hasText: `"${name}"` }).waitFor();
    }
    const ended = page.waitForEvent('requestfailed');
    await page.locator('.graphiql-execute-button').click();
    await ended;
    await runAndExpect(page, '"resync"');
    site.expectClean(record);
    await close();
  });

  it('sends a header from the headers editor instead', async () => {
    const { page, close } = await open();
    await giveToken(page, token, OWNER);
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('[aria-label="Headers"] .CodeMirror:visible').click();
    await page.keyboard.insertText('{"Authorization": "Bearer mlt_other"}');
    await runAndExpect(page, 'UNAUTHENTICATED');
    await close();
  });

  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    it(`fits its window, with all controls visible: ${name}`, async () => {
      const { page, record, close } = await open({ viewport });
      await giveToken(page, token, OWNER);
      await runAndExpect(page, OWNER);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      for (const selector of [
        '#token',
        '.graphiql-query-editor .CodeMirror',
        '.graphiql-execute-button',
        '.result-window .CodeMirror',
        '.graphiql-sidebar',
      ]) {
        const box = await page.locator(selector).first().boundingBox();
        expect([selector, box]).toEqual([selector, expect.objectContaining({ x: expect.any(Number) })]);
        const { x, y, width, height } = box!;
        expect([
          selector,
          x >= 0,
          x + width <= viewport.width,
          y >= 0,
          y + height <= viewport.height,
        ]).toEqual([selector, true, true, true, true]);
        if (name === 'phone' && selector.includes('CodeMirror'))
          expect([selector, width > 250, height > 80]).toEqual([selector, true, true]);
      }
      await expectAccessibleInBothSchemes(page, `graphiql-${name}`, GRAPHIQL_VIOLATIONS);
      site.expectClean(record);
      await close();
    });
  }

  it('says if JavaScript is off, or the script fails to load', async () => {
    const withoutScript = await site.open('/graphiql', { javaScriptEnabled: false });
    expect(await withoutScript.page.innerText('body')).toMatch(/^\s*GraphiQL needs JavaScript/);
    await withoutScript.close();

    const broken = await site.open('/');
    await broken.page.route('**/graphiql.*.js', (route) => route.abort());
    await broken.page.goto(`${site.baseUrl}/graphiql`);
    await broken.page.getByText('GraphiQL could not be loaded').waitFor();
    await broken.close();
  });
});
