/** What the pages share: the form of their titles, and headers that link each to the others. */

import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { titleOf } from '../../src/web/pages.ts';

const BROWSER = { accept: 'text/html' };

let server: TestServer;
beforeAll(async () => void (server = await createTestServer()));
afterAll(() => server.close());

const read = async (path: string, from = server) =>
  (await from.request('GET', path, { token: null, headers: BROWSER })).text;

/** Links of the page's header; the console's script builds its header from data in the page. */
function headerLinksOf(html: string): string[] {
  const [, config] = /<script type="application\/json" id="config">([^<]*)</.exec(html) ?? [];
  if (config !== undefined) {
    const { startUrl, pages } = JSON.parse(config) as { startUrl: string; pages: { href: string }[] };
    return [startUrl, ...pages.map(({ href }) => href)];
  }
  const [header = ''] = /<header>[^]*?<\/header>|<div id="access"[^]*?<\/div>/.exec(html) ?? [];
  return [...header.matchAll(/href="([^"]*)"/g)].map(([, href]) => String(href));
}

describe('the pages', () => {
  it('have titles of one form, with the distinctive part first', async () => {
    const titles = await Promise.all(
      ['/', '/console', '/graphiql', '/docs'].map(
        async (path) => /<title>(.*)<\/title>/.exec(await read(path))?.[1],
      ),
    );
    expect(titles).toEqual(['Map Locations', ...['Console', 'GraphiQL', 'API reference'].map(titleOf)]);
    expect(titles[1]).toBe('Console · Map Locations');
  });

  it('link to the start page and all others, below any prefix', async () => {
    const others = {
      '/console': './',
      '/graphiql': './',
      '/graphiql/': '../',
      '/docs': './',
      '/docs/': '../',
    };
    for (const [path, base] of Object.entries(others)) {
      const own = path.replace(/\/$/, '');
      const wanted = ['/', '/console', '/graphiql', '/docs'].filter((one) => one !== own);
      const links = headerLinksOf(await read(path));
      expect([path, links.slice(0, 3)]).toEqual([path, wanted.map((one) => base + one.slice(1))]);
      for (const link of links) {
        const { pathname } = new URL(link, `http://host${path}`);
        const { status } = await server.request('GET', pathname, { token: null, headers: BROWSER });
        expect([path, link, status]).toEqual([path, link, 200]);
      }
    }
  });

  it('do not link to GraphiQL if it is off', async () => {
    const own = await createTestServer({ GRAPHIQL: 'false' });
    for (const path of ['/console', '/docs']) expect(await read(path, own)).not.toContain('graphiql');
    await own.close();
  });
});
