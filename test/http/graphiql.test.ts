import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { Kind, parse } from 'graphql';
import type { ServiceError } from '../../src/errors.ts';
import { exampleQueries } from '../../src/web/example-queries.ts';
import { graphiqlRoutes, sendGraphiqlPage, wantsGraphiql } from '../../src/http/routes/graphiql-routes.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const options = { graphqlPath: '/graphql', examples: exampleQueries };

function serve(settings: { ignoreTrailingSlash?: boolean } = {}): FastifyInstance {
  const app = fastify({ routerOptions: settings });
  graphiqlRoutes(app, options);
  app.get('/graphql', (request, reply) =>
    wantsGraphiql(request) ? sendGraphiqlPage(request, reply, options) : reply.code(400).send('data'),
  );
  app.setErrorHandler((error, _request, reply) => reply.code(404).send((error as ServiceError).code));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('NOT_FOUND'));
  return app;
}

async function assetUrls(app: FastifyInstance): Promise<string[]> {
  const { body } = await app.inject('/graphiql');
  return [...body.matchAll(/(?:src|href)="\.(\/graphiql\/assets\/[^"]+)"/g)].map(([, url]) => String(url));
}

describe('the GraphiQL page', () => {
  it('is HTML, for GET and HEAD, with and without a trailing slash', async () => {
    for (const settings of [{}, { ignoreTrailingSlash: true }]) {
      const app = serve(settings);
      for (const url of ['/graphiql', '/graphiql/']) {
        const get = await app.inject(url);
        expect(get.statusCode).toBe(200);
        expect(get.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(get.body).toContain('<title>GraphiQL · Map Locations</title>');
        expect(get.body).toContain('Loading GraphiQL…');
        expect(get.body).toContain('<noscript>');
        const head = await app.inject({ method: 'HEAD', url });
        expect([head.statusCode, head.body]).toEqual([200, '']);
        expect(head.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    }
  });

  it('has a strict policy: nothing inline but one style with a nonce, no eval, no other origins', async () => {
    const { headers } = await serve().inject('/graphiql');
    const policy = String(headers['content-security-policy']);
    expect(policy.replace(/'nonce-[\w-]{22}'/, "'nonce-…'").split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-…'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('has a new nonce in every response', async () => {
    const app = serve();
    const nonces = await Promise.all(
      [1, 2, 3].map(async () => {
        const { body, headers } = await app.inject('/graphiql');
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
        expect(body).toContain(`"styleNonce":"${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(3);
  });

  it('references no other host, and holds no inline script or style', async () => {
    const { body } = await serve().inject('/graphiql');
    expect(
      body.match(/(?:src|href|action)="(?!\.\/(?:graphiql\/assets\/|console"|")|data:)[^"]*"/g),
    ).toBeNull();
    expect(body.match(/\b(?:https?:)?\/\/[a-z]/gi)).toBeNull();
    expect(body.match(/<style|\sstyle=|\son\w+=/g)).toBeNull();
    expect(body.match(/<script(?![^>]* src=)(?! type="application\/json")/g)).toBeNull();
  });

  it('escapes the examples', async () => {
    const app = fastify();
    const examples = [{ query: '# </script><!-- <script>\n{ a }' }];
    graphiqlRoutes(app, { graphqlPath: '/graphql', examples });
    const { body } = await app.inject('/graphiql');
    const [, json = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(body) ?? [];
    expect(JSON.parse(json)).toMatchObject({ endpoint: './graphql', examples });
  });

  it('finds its files and its endpoint below any proxy prefix', async () => {
    const { body } = await serve().inject('/graphiql/');
    expect(body).toContain('"endpoint":"../graphql"');
    expect(body).toMatch(/src="\.\.\/graphiql\/assets\/page\.\w+\.js"/);
  });

  it('is what browsers, and only browsers, get when they open the endpoint itself', async () => {
    const app = serve();
    const page = await app.inject({ url: '/graphql', headers: { accept: BROWSER } });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.vary).toBe('Accept');
    for (const { url = '/graphql', accept } of [
      { accept: '*/*' },
      { accept: undefined },
      { accept: 'application/json' },
      { accept: 'application/graphql-response+json, application/json;q=0.9, text/html;q=0.1' },
      { accept: 'text/html;q=0' },
      { accept: BROWSER, url: '/graphql?query={__typename}' },
    ]) {
      const response = await app.inject({ url, headers: accept === undefined ? {} : { accept } });
      expect(response.body).toBe('data');
    }
  });
});

describe("GraphiQL's files", () => {
  it('are served under a hashed name, cacheable for ever', async () => {
    const app = serve();
    const urls = await assetUrls(app);
    expect(urls.map((url) => url.replace(/\.[0-9a-f]{12}\./, '.'))).toEqual([
      '/graphiql/assets/graphiql.css',
      '/graphiql/assets/page.css',
      '/graphiql/assets/page.js',
      '/graphiql/assets/react.js',
      '/graphiql/assets/react-dom.js',
      '/graphiql/assets/graphiql.js',
    ]);
    for (const url of urls) {
      const { statusCode, headers, body } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe(
        url.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
      );
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
      const head = await app.inject({ method: 'HEAD', url });
      expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
        200,
        headers['content-length'],
        '',
      ]);
    }
  });

  it('are compressed if the client accepts it, with an ETag for each encoding, and support 304', async () => {
    const app = serve();
    const url =
      (await assetUrls(app)).find((name) => name.includes('/graphiql.') && name.endsWith('.js')) ?? '';
    const get = (headers: Record<string, string>) => app.inject({ url, headers });
    const plain = await get({});
    const brotli = await get({ 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get({ 'accept-encoding': 'br;q=0, gzip' });
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(brotli.rawPayload.length).toBeLessThan(350_000);
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(brotli.headers.vary).toBe('Accept-Encoding');

    const again = await get({
      'accept-encoding': 'br',
      'if-none-match': `"other", W/${String(brotli.headers.etag)}`,
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('are exactly the listed ones', async () => {
    const app = serve();
    for (const name of [
      'graphiql.js',
      'page.000000000000.js',
      'LICENSE.react.txt',
      '..%2f..%2f..%2fpackage.json',
      '%2e%2e/page.js',
      '__proto__',
      '',
    ]) {
      const { statusCode, body } = await app.inject(`/graphiql/assets/${name}`);
      expect([name, statusCode, body]).toEqual([name, 404, 'NOT_FOUND']);
    }
  });

  it('use no eval, and reference no source map or file of another host', async () => {
    const app = serve();
    for (const url of await assetUrls(app)) {
      const { body } = await app.inject(url);
      expect(body.match(/\beval\(|new Function\(|\bimportScripts\(/g)).toBeNull();
      expect(body.match(/sourceMappingURL=/g)).toBeNull();
      if (url.endsWith('.css')) expect(body.match(/@import|url\((?!["']?data:)/g)).toBeNull();
    }
  });
});

describe('the example queries', () => {
  it('are documents of one named operation each, with values for exactly their variables', () => {
    const names = exampleQueries.map(({ query, variables = {} }) => {
      const { definitions } = parse(query);
      const [operation] = definitions;
      expect(definitions).toHaveLength(1);
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation');
      const declared = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
      expect(Object.keys(variables)).toEqual(declared);
      return operation.name?.value;
    });
    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBe(names.length);
  });

  it('begin with one that shows the ids that the others need, and one that runs unchanged', () => {
    expect(exampleQueries.slice(0, 2).map(({ variables }) => variables)).toEqual([undefined, undefined]);
    expect(exampleQueries[0]?.query).toMatch(/maps\(first: 5\) \{\s+nodes \{\s+id\s+name/);
  });

  it('fit the editor, so that their comments are readable without scrolling', () => {
    const comments = exampleQueries.flatMap(({ query }) =>
      query.split('\n').filter((line) => line.startsWith('#')),
    );
    expect(comments.filter((line) => line.length > 54)).toEqual([]);
  });
});

it('the style sheet of the page loads nothing from other hosts', () => {
  const css = readFileSync(new URL('../../src/web/graphiql/page.css', import.meta.url), 'utf8');
  expect(css).not.toContain('//');
});
