import type { Browser } from 'playwright-core';
import { exampleQueries } from '../../src/web/example-queries.ts';
import { launchChromium, openRecordedPage, skipWithoutChromium } from '../support/browser.ts';
import { visitGraphiql } from '../support/graphiql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

const OWNER = 'owner of the test';

describeUnless(skipWithoutChromium(), 'GraphiQL in a browser', () => {
  let server: TestServer;
  let token: string;
  let baseUrl: string;
  let browser: Browser;

  beforeAll(async () => {
    server = await createTestServer();
    token = await server.createToken({ owner: OWNER });
    await server.graphql('mutation { createMap(input: { name: "Lighthouses" }) { map { id } } }', {}, token);
    baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });

  afterAll(async () => {
    // Undefined where `beforeAll` failed, and then that is the failure to read.
    await (browser as Browser | undefined)?.close();
    await server.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`runs queries with a token, and keeps to its own origin and policy (${colorScheme})`, async () => {
      const folder = process.env['SCREENSHOTS'];
      await visitGraphiql(browser, {
        baseUrl,
        token,
        expectedInAnswer: OWNER,
        colorScheme,
        onAnswer: async (page) => {
          if (folder) await page.screenshot({ path: `${folder}/graphiql-${colorScheme}.png` });
        },
      });
    });
  }

  it('works where a browser opens the endpoint itself, and below a trailing slash', async () => {
    for (const path of ['/graphql', '/graphiql/']) {
      await visitGraphiql(browser, { baseUrl, token, expectedInAnswer: OWNER, path });
    }
  });

  it('has a tab for every example, named after its operation', async () => {
    const { page, close } = await openRecordedPage(browser);
    await page.goto(`${baseUrl}/graphiql`);
    await page.waitForSelector('.graphiql-container');
    const tabs = await page.locator('.graphiql-tab-button').allInnerTexts();
    expect(tabs).toEqual(exampleQueries.map(({ query }) => /(?:query|mutation) (\w+)/.exec(query)?.[1]));
    await close();
  });

  it('says so where JavaScript is off, and where the script does not arrive', async () => {
    const withoutScript = await openRecordedPage(browser, { javaScriptEnabled: false });
    await withoutScript.page.goto(`${baseUrl}/graphiql`);
    expect(await withoutScript.page.innerText('body')).toMatch(/^\s*GraphiQL needs JavaScript/);
    await withoutScript.close();

    const broken = await openRecordedPage(browser);
    await broken.page.route('**/graphiql.*.js', (route) => route.abort());
    await broken.page.goto(`${baseUrl}/graphiql`);
    await broken.page.getByText('GraphiQL could not be loaded').waitFor();
    await broken.close();
  });
});
