/** The start page: only for browsers, without internals, and without dead links. */

import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { servedPages } from '../../src/web/pages.ts';
import { renderStartPage, STORE_TEXTS } from '../../src/web/start-page.ts';
import { VERSION } from '../../src/lib/version.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let server: TestServer;
beforeAll(async () => void (server = await createTestServer({ PUBLIC_URL: 'https://maps.example.org/x' })));
afterAll(() => server.close());

const get = (headers: Record<string, string> = BROWSER, token: string | null = null) =>
  server.request('GET', '/', { token, headers });

describe('the start page', () => {
  it('is for browsers, without a token; to other clients the path does not exist', async () => {
    const page = await get();
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.vary).toMatch(/Accept/);
    for (const accept of ['*/*', 'application/json', 'text/html;q=0']) {
      const response = await get({ accept });
      expect([accept, response.status, response.json]).toEqual([
        accept,
        404,
        { error: 404, message: expect.any(String) },
      ]);
    }
    const head = await server.request('HEAD', '/', { token: null, headers: BROWSER });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const method of ['POST', 'OPTIONS', 'DELETE']) {
      const response = await server.request(method, '/', { token: null, headers: BROWSER });
      expect([method, response.status, response.headers.allow]).toEqual([method, 404, undefined]);
    }
  });

  it('has a strict policy that fits its one style and its one script', async () => {
    const { headers, text } = await get();
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy.map((part) => part.replace(/sha256-[\w+/=]{44}/, 'sha256-…'))).toEqual([
      "default-src 'none'",
      "style-src 'sha256-…'",
      "script-src 'sha256-…'",
      'img-src data:',
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(text).not.toMatch(/\son\w+=|\sstyle=/);
    for (const [at, name] of ['style', 'script'].entries()) {
      const [[, content = ''] = [], ...others] = text.matchAll(
        new RegExp(`<${name}[^>]*>([^]*?)</${name}>`, 'g'),
      );
      expect(others).toEqual([]);
      const digest = await crypto.subtle.digest('SHA-256', Buffer.from(content));
      expect(policy[at + 1]).toContain(Buffer.from(digest).toString('base64'));
    }
  });

  it('links to existing pages, and to no other host', async () => {
    const { text } = await get();
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => String(href));
    const pages = links.filter((href) => !href.startsWith('data:'));
    expect(pages).toContain('./graphiql');
    for (const href of pages) {
      expect(href).toMatch(/^\.\//);
      const { status } = await server.request('GET', href.slice(1), { token: null, headers: BROWSER });
      expect([href, status]).toEqual([href, 200]);
    }
  });

  it('shows the URL of each endpoint, and neither version nor store', async () => {
    const { text } = await get();
    expect(text).toContain('<code>https://maps.example.org/x/graphql</code>');
    expect(text).toContain('<code>https://maps.example.org/x/v0</code>');
    expect(text).toContain('<code>https://maps.example.org/x/maps/MAP/tiles.json</code>');
    expect(text).toContain('<code>https://maps.example.org/x/mcp</code>');
    for (const secret of [VERSION, 'sqlite', 'SQLite', 'offline', 'tester'])
      expect(text).not.toContain(secret);
  });

  it('counts towards the rate limit of its address', async () => {
    const limited = await createTestServer({ RATE_LIMIT: '2' });
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await limited.request('GET', '/', { token: null, headers: BROWSER })).status);
    await limited.close();
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('the links of the start page', () => {
  it('match the enabled pages', () => {
    expect(servedPages(() => false)).toEqual({ pages: [], hasMapPages: false });
    const { pages, hasMapPages } = servedPages((path) => path === '/docs' || path.startsWith('/maps/'));
    expect([pages.map(({ path }) => path), hasMapPages]).toEqual([['/docs'], true]);
  });

  it('may have any name, which is escaped', () => {
    const html = renderStartPage({
      demo: { path: '/maps/a"b', name: '<script>"&', text: '</p>' },
      pages: [],
      baseUrl: 'http://h',
      graphqlPath: '/graphql',
      tilesPath: null,
      mcpPath: null,
      ogcPath: null,
      texts: STORE_TEXTS,
    });
    expect(html).toContain('<a href="./maps/a&quot;b">&lt;script>"&amp;</a><p>&lt;/p></p>');
  });
});

describe('the demo map', () => {
  it('is shown while it is published and not deleted', async () => {
    const { gateway } = server;
    const { demoMap, maps } = gateway.services;
    expect(await demoMap.findPublished()).toBeNull();
    const { data } = (await server.graphql('mutation { createMap(input: { name: "M" }) { map { id } } }'))
      .json;
    const { id } = data.createMap.map;
    await demoMap.remember(id);
    expect(await demoMap.findPublished()).toBeNull();
    const owner = await gateway.storage.findOwnerByName('tester');
    const caller = {
      kind: 'token',
      ownerId: owner!.id,
      ownerName: 'tester',
      scope: 'write',
      mapId: null,
      tokenId: 't',
      expiresAt: null,
      isOwnerStored: true,
      sessionId: null,
    } as const;
    await maps.updateMap({ caller }, id, { isPublished: true });
    expect(await demoMap.findPublished()).toEqual({ id, name: 'M' });
    await maps.deleteMap({ caller }, id);
    expect(await demoMap.findPublished()).toBeNull();
  });
});
