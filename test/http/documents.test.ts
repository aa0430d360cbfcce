/** /schema.graphql and /docs, as tools and browsers receive them. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';

import { partsOfPage } from '../support/docs-page.ts';
import { listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createLocation, createMap, fieldsOf, withServer } from '../support/v0.ts';

const run = promisify(execFile);

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ RATE_LIMIT: '10' });
});
afterAll(() => server.close());

describe('GET /schema.graphql', () => {
  it('is the schema of introspection, with all descriptions, and nothing private', async () => {
    const { status, headers, text } = await server.request('GET', '/schema.graphql', { token: null });
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const { json } = await server.graphql(
      getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }),
      {},
      null,
    );
    const introspected = printSchema(lexicographicSortSchema(buildClientSchema(json.data)));
    expect(printSchema(lexicographicSortSchema(buildSchema(text)))).toBe(introspected);
    expect(text).toContain('"""');
    expect(text).not.toMatch(/\b_\w+[:(]|scalar _/);
  });
});

describe.each(['/schema.graphql', '/docs'])('GET %s', (path) => {
  it('needs no token, has an ETag, is compressed, and handles HEAD, OPTIONS and other methods', async () => {
    const get = await server.request('GET', path, { token: null });
    expect(get).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-cache', etag: expect.any(String) },
    });
    const head = await server.request('HEAD', path, { token: null });
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: get.headers.etag } });
    const headers = { 'if-none-match': String(get.headers.etag) };
    expect(await server.request('GET', path, { token: null, headers })).toMatchObject({
      status: 304,
      text: '',
    });
    const brotli = await server.request('GET', path, { token: null, headers: { 'accept-encoding': 'br' } });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(Number(brotli.headers['content-length'])).toBeLessThan(Number(get.headers['content-length']) / 3);
    const options = await server.request('OPTIONS', path, { token: null });
    expect(options).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await server.request('DELETE', path, { token: null })).toMatchObject({ status: 405 });
  });
});

describe('the page at /docs', () => {
  it('allows only files of this server, and holds nothing inline', async () => {
    const { text, headers } = await server.request('GET', '/docs', { token: null });
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src data:',
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(text.match(/<style|\sstyle=|\son\w+=|<script(?! type="module" src="\.\/assets\/)/g)).toBeNull();
    expect(text.match(/(?:src|href)="(?!\.\/|#|data:)[^"]*"/g)).toBeNull();
  });

  it('shows every operation, status, parameter, property and error of the OpenAPI document', async () => {
    const { text } = await server.request('GET', '/docs', { token: null });
    const page = partsOfPage(text);
    const { json: document } = await server.request('GET', '/v0/openapi.json', { token: null });
    const names = new Set(page.codes);
    for (const [path, item] of Object.entries<Record<string, never>>(document.paths)) {
      expect(names).toContain(path);
      for (const operation of Object.values<{ operationId: string; parameters: { name: string }[] }>(item)) {
        expect(page.ids).toContain(operation.operationId);
        for (const { name } of operation.parameters) expect(names).toContain(name);
      }
    }
    for (const [name, schema] of Object.entries<{ properties: object }>(document.components.schemas)) {
      expect(page.ids).toContain(`schema-${name}`);
      for (const property of Object.keys(schema.properties)) expect(names).toContain(property);
    }
    for (const { const: number } of document.components.schemas.Error.properties.error.oneOf)
      expect(names).toContain(String(number));
    expect(text).toContain('Body: <a href="#schema-Error">Error</a>');
    expect(text).not.toContain('Body: any');
    expect(page.links.filter((link) => link.startsWith('#')).map((link) => link.slice(1))).toEqual(
      page.links
        .filter((link) => link.startsWith('#') && page.ids.has(link.slice(1)))
        .map((link) => link.slice(1)),
    );
  });

  it('finds its files below a trailing slash and any proxy prefix', async () => {
    const { text } = await server.request('GET', '/docs/', { token: null });
    expect(text).toMatch(/src="\.\.\/assets\/docs-[\w-]+\.js"/);
    expect(text).toContain('href="../v0/openapi.json"');
  });

  it('does not repeat an invalid host', async () => {
    const { text } = await server.request('GET', '/docs', { token: null, headers: { host: '"><script>' } });
    expect(text).not.toContain('"><script>');
    await withServer({ PUBLIC_URL: "https://maps.example.org/it's" }, async (other) => {
      const { text: page } = await other.request('GET', '/docs', { token: null });
      expect(page).toContain('https://maps.example.org/it&#39;\\&#39;&#39;s/v0/map/');
    });
  });

  it('has commands that work unchanged', () =>
    withServer({}, async (live) => {
      const port = await listen(live);
      const map = await createMap(live);
      const location = await createLocation(live, map, 'Louvre');
      const page = await (await fetch(`http://127.0.0.1:${port}/docs`)).text();
      const commands = partsOfPage(page).blocks.filter((block) => block.startsWith('curl '));
      expect(commands).toHaveLength(6);
      const responses: unknown[] = [];
      for (const command of commands) {
        const own = command
          .replace(/\b4k8ce1gq0tv2x9zr_\w+/g, location)
          .replaceAll('4k8ce1gq0tv2x9zr', map)
          .replace('curl ', 'curl --silent --show-error --fail --max-time 20 ');
        const { stdout } = await run('sh', ['-c', own], {
          env: { ...process.env, TOKEN: await live.createToken() },
        });
        responses.push(JSON.parse(stdout));
      }
      expect(responses).toEqual([
        { data: { viewer: { maps: { nodes: [{ id: map, name: 'A map' }] } } } },
        { data: expect.objectContaining({ id: map }) },
        { data: expect.objectContaining({ name: 'A Brasileira' }) },
        [expect.objectContaining({ properties: fieldsOf('Louvre') }), expect.anything()],
        [expect.objectContaining({ id: location })],
        [expect.objectContaining({ id: location })],
      ]);
    }));
});
