import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { buildSchema, graphql } from 'graphql';
import type { Browser } from 'playwright-core';
import { exampleQueries } from '../../src/web/example-queries.ts';
import { graphiqlRoutes, sendGraphiqlPage, wantsGraphiql } from '../../src/web/graphiql.ts';
import { launchChromium, openRecordedPage, skipWithoutChromium } from '../support/browser.ts';
import { visitGraphiql } from '../support/graphiql.ts';

const TOKEN = 'token-of-the-browser-test';

describe('GraphiQL in a browser', { skip: skipWithoutChromium() }, () => {
  let app: FastifyInstance;
  let baseUrl: string;
  let browser: Browser;

  before(async () => {
    app = stubServer();
    baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });

  after(async () => {
    // Undefined where `before` failed, and then that is the failure to read.
    await (browser as Browser | undefined)?.close();
    await app.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`runs queries with a token, and keeps to its own origin and policy (${colorScheme})`, async () => {
      const folder = process.env['SCREENSHOTS'];
      await visitGraphiql(browser, {
        baseUrl,
        token: TOKEN,
        expectedInAnswer: 'owner of the test',
        colorScheme,
        onAnswer: async (page) => {
          if (folder) await page.screenshot({ path: `${folder}/graphiql-${colorScheme}.png` });
        },
      });
    });
  }

  it('works where a browser opens the endpoint itself, and below a trailing slash', async () => {
    for (const path of ['/graphql', '/graphiql/']) {
      await visitGraphiql(browser, { baseUrl, token: TOKEN, expectedInAnswer: 'owner of the test', path });
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

/** The shape of the service as far as the first two tabs need it. */
function stubServer(): FastifyInstance {
  const schema = buildSchema(`
    type Query { viewer: Viewer! }
    type Viewer { owner: String! scope: String! maps(first: Int): Maps! }
    type Maps { nodes: [Map!]! }
    type Map { id: ID! name: String! locations(first: Int): Locations! }
    type Locations { totalCount: Int! nodes: [Location!]! pageInfo: PageInfo! }
    type Location { id: ID! name: String! order: String! latitude: Float! longitude: Float! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
  `);
  const viewer = {
    owner: 'owner of the test',
    scope: 'read',
    maps: {
      nodes: [
        {
          id: 'm1',
          name: 'Lighthouses',
          locations: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } },
        },
      ],
    },
  };
  const options = { graphqlPath: '/graphql', examples: exampleQueries };
  const app = fastify();
  graphiqlRoutes(app, options);
  app.get('/graphql', (request, reply) =>
    wantsGraphiql(request) ? sendGraphiqlPage(request, reply, options) : reply.code(400).send({}),
  );
  app.post<{ Body: { query: string; variables?: Record<string, unknown>; operationName?: string } }>(
    '/graphql',
    async (request, reply) => {
      const { authorization } = request.headers;
      // As the service does: a token that is not valid is refused before anything else is looked at.
      if (authorization !== undefined && authorization !== `Bearer ${TOKEN}`) {
        return reply
          .code(401)
          .send({ errors: [{ message: 'unknown token', extensions: { code: 'UNAUTHENTICATED' } }] });
      }
      const { query: source, variables: variableValues, operationName } = request.body;
      const getViewer = () => {
        if (authorization === undefined) throw new Error('UNAUTHENTICATED');
        return viewer;
      };
      return await graphql({
        schema,
        source,
        variableValues,
        operationName,
        rootValue: { viewer: getViewer },
      });
    },
  );
  return app;
}
