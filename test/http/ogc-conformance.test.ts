/**
 * The abstract tests of OGC API - Features, Part 1, 1.0.1 (Annex A), for the classes that /ogc/conformance names. Each test
 * begins with the names of those it covers; `bbox`, `datetime`, `limit` and the numbers are tested with random queries in
 * ogc-items.test.ts, status codes in ogc-errors.test.ts, and schemas in ogc-clients.test.ts.
 */

import SwaggerParser from '@apidevtools/swagger-parser';

import { createPublishedMap, placeAt } from '../support/published-map.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
}

const BASE = 'https://maps.example.org';
const JSON_TYPE = 'application/json';
const GEOJSON_TYPE = 'application/geo+json';
const HTML_TYPE = 'text/html';
const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0';

let server: TestServer;
let items: string;
let ids: readonly string[];

beforeAll(async () => {
  server = await createTestServer({ PUBLIC_URL: BASE });
  const locations = Array.from({ length: 25 }, (_, index) => placeAt(`P${index}`, index, 2 * index));
  const made = await createPublishedMap(server, { locations });
  items = `/collections/${made.mapId}/items`;
  ids = made.ids;
  await createPublishedMap(server);
});
afterAll(() => server.close());

const request = (path: string, accept = '*/*', method = 'GET') =>
  server.request(method, `/ogc${path}`, { token: null, headers: { accept } });
const pathOf = (href: string) => href.slice(`${BASE}/ogc`.length);
const typeOf = ({ headers }: TestResponse) => String(headers['content-type']).replace('; charset=utf-8', '');

async function read(path: string) {
  const response = await request(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json;
}

/** The documents, and the media type of each as JSON. */
const documents = (): readonly (readonly [path: string, type: string])[] => [
  ['', JSON_TYPE],
  ['/conformance', JSON_TYPE],
  ['/api', OPENAPI_TYPE],
  ['/collections', JSON_TYPE],
  [items.replace('/items', ''), JSON_TYPE],
  [items, GEOJSON_TYPE],
  [`${items}/${ids[0]}`, GEOJSON_TYPE],
];

const typesOf = (links: readonly Link[], rel: string) =>
  links.filter((link) => link.rel === rel).map(({ type }) => type);

describe('core', () => {
  it('root-op, root-success: the landing page leads to the other documents', async () => {
    const landing = await read('/');
    expect(await read('')).toEqual(landing);
    expect(typesOf(landing.links, 'service-desc')).toEqual([OPENAPI_TYPE]);
    expect(typesOf(landing.links, 'service-doc')).toEqual([HTML_TYPE]);
    expect(typesOf(landing.links, 'conformance')).toEqual([JSON_TYPE]);
    expect(typesOf(landing.links, 'data')).toEqual([JSON_TYPE]);
  });

  it('api-definition-op, api-definition-success: it is OpenAPI 3.0', async () => {
    const definition = await read('/api');
    const { paths } = (await SwaggerParser.validate(definition)) as { paths: object };
    expect(Object.keys(paths)).toHaveLength(documents().length);
  });

  it('conformance-op, conformance-success: it names the classes', async () => {
    const { conformsTo } = await read('/conformance');
    const class10 = (name: string) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`;
    expect(conformsTo).toEqual(['core', 'oas30', 'html', 'geojson'].map(class10));
  });

  it('fc-md-op, -success, -links, -items, -items-links: each map is described, with typed links', async () => {
    const { links, collections } = await read('/collections');
    expect([typesOf(links, 'self'), typesOf(links, 'alternate')]).toEqual([[JSON_TYPE], [HTML_TYPE]]);
    expect(collections).toHaveLength(2);
    for (const collection of collections) {
      expect(collection).toMatchObject({ id: expect.any(String), itemType: 'feature' });
      expect(typesOf(collection.links, 'items')).toEqual([GEOJSON_TYPE, HTML_TYPE]);
      // An extent is optional.
      expect(collection).not.toHaveProperty('extent');
    }
  });

  it('sfc-md-op, sfc-md-success: a map alone is as in the list', async () => {
    for (const collection of (await read('/collections')).collections) {
      expect(await read(`/collections/${collection.id}`)).toEqual(collection);
    }
  });

  it('fc-op, fc-response, fc-links: locations have typed links to both formats and the next page', async () => {
    for (const { id } of (await read('/collections')).collections) await read(`/collections/${id}/items`);
    const { links } = await read(`${items}?limit=2`);
    expect([typesOf(links, 'self'), typesOf(links, 'alternate'), typesOf(links, 'next')]).toEqual([
      [GEOJSON_TYPE],
      [HTML_TYPE],
      [GEOJSON_TYPE],
    ]);
  });

  it('fc-limit-definition, fc-bbox-definition, fc-time-definition: the parameters are those of the standard', async () => {
    const { paths, components } = await read('/api');
    const names = paths['/collections/{mapId}/items'].get.parameters.map(({ $ref }: { $ref: string }) =>
      $ref.split('/').at(-1),
    );
    const form = { in: 'query', required: false, style: 'form', explode: false };
    const bbox = {
      minItems: 4,
      maxItems: 6,
      oneOf: [4, 6].map((count) => ({ minItems: count, maxItems: count })),
    };
    const fragments = [
      { name: 'limit', ...form, schema: { type: 'integer', minimum: 1, maximum: 10_000, default: 10 } },
      { name: 'bbox', ...form, schema: { type: 'array', ...bbox, items: { type: 'number' } } },
      { name: 'datetime', ...form, schema: { type: 'string' } },
    ];
    for (const { name, ...fragment } of fragments) {
      expect(names).toContain(name);
      expect(components.parameters[name]).toMatchObject({ name, ...fragment });
    }
  });

  it('fc-limit-response: neither the limit nor the maximum is exceeded', async () => {
    expect((await read(`${items}?limit=3`)).features).toHaveLength(3);
    expect((await read(items)).features).toHaveLength(10);
    expect((await read(`${items}?limit=10001`)).features).toHaveLength(25);
  });

  it('f-op, f-success, f-links: each location can be read by its id', async () => {
    for (const { links: _none, ...feature } of (await read(`${items}?limit=100`)).features) {
      const { links, ...own } = await read(`${items}/${feature.id}`);
      expect(own).toEqual(feature);
      expect(links.map(({ rel, type }: Link) => [rel, type])).toEqual([
        ['self', GEOJSON_TYPE],
        ['alternate', HTML_TYPE],
        ['collection', JSON_TYPE],
      ]);
    }
  });

  it('http: HEAD has the headers of GET, OPTIONS names the methods, and others are refused', async () => {
    for (const [path] of documents()) {
      const [get, head] = [await request(path), await request(path, '*/*', 'HEAD')];
      const { date: _get, 'x-request-id': _id, ...headers } = get.headers;
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers).toMatchObject(headers);
      const options = await request(path, '*/*', 'OPTIONS');
      expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect([path, method, (await request(path, '*/*', method)).status]).toEqual([path, method, 405]);
      }
    }
  });

  it('query-param-unknown, query-param-invalid: every document refuses them', async () => {
    for (const [path] of documents()) {
      for (const query of ['unknown=1', 'f=xml', 'f=', 'f=json&f=json', 'F=json']) {
        expect([path, query, (await request(`${path}?${query}`)).status]).toEqual([path, query, 400]);
      }
    }
  });
});

describe('geojson and html', () => {
  it('definition: each document has both media types, as f and Accept say', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const [path, type] of documents()) {
      const accepted = [
        ...[undefined, '*/*', '', JSON_TYPE, GEOJSON_TYPE, 'application/xml', 'image/png'],
        ...['application/geo+json, text/html;q=0.5', 'text/html, application/json', 'text/html;q=0.1, */*'],
        ...[
          'application/*, text/html;q=0.9',
          'text/html;q=0',
          'application/vnd.oai.openapi+json, text/html;q=0.2',
        ],
      ];
      for (const accept of accepted) {
        expect([path, accept, typeOf(await request(path, accept))]).toEqual([path, accept, type]);
      }
      for (const accept of [
        browser,
        HTML_TYPE,
        'TEXT/HTML',
        'text/html, */*',
        'text/html, application/json;q=0.9',
      ]) {
        expect([path, accept, typeOf(await request(path, accept))]).toEqual([path, accept, HTML_TYPE]);
      }
      expect(typeOf(await request(`${path}?f=html`, JSON_TYPE))).toBe(HTML_TYPE);
      expect(typeOf(await request(`${path}?f=json`, browser))).toBe(type);
      expect((await request(path)).headers.vary).toMatch(/\bAccept\b/);
    }
  });

  it('html/content: a page has every link of its document', async () => {
    for (const [path] of documents()) {
      const { links = [] } = await read(`${path}?f=json`);
      const { text } = await request(`${path}?f=html`);
      const anchors = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => withoutFormat(href));
      for (const { href } of links) expect(anchors).toContain(withoutFormat(href));
      // To itself, and to its JSON.
      for (const format of ['html', 'json'])
        expect(text).toContain(`<a href="${BASE}/ogc${path}?f=${format}"`);
    }
  });

  it('geojson/content: the features are those of the GeoJSON export', async () => {
    const mapId = items.split('/')[2];
    const exported = await server.request('GET', `/maps/${mapId}/locations.geojson`, { token: null });
    expect((await read(`${items}?limit=25`)).features).toEqual(exported.json.features);
  });
});

describe('oas30', () => {
  it('oas-impl: each path of the definition responds, in the media types that it names', async () => {
    const { paths, servers } = await read('/api');
    expect(servers).toEqual([{ url: `${BASE}/ogc` }]);
    for (const [template, { get }] of Object.entries<{
      get: { responses: Record<string, { content: object }> };
    }>(paths)) {
      const path = template
        .replace('/collections/{mapId}/items', items)
        .replace('{mapId}', items.split('/')[2]!);
      for (const type of Object.keys(get.responses['200']!.content)) {
        const format = type === HTML_TYPE ? 'html' : 'json';
        const response = await request(`${path.replace('{locationId}', ids[1]!)}?f=${format}`);
        expect([template, response.status, typeOf(response)]).toEqual([template, 200, type]);
      }
    }
  });

  it('completeness, exceptions-codes: each path has the statuses of its errors', async () => {
    const { paths, components } = await read('/api');
    const common = ['200', '304', '400', '401', '403', '429', '500', '503'];
    for (const [path, { get }] of Object.entries<{ get: { responses: Record<string, object> } }>(paths)) {
      const own = path.includes('{mapId}') ? ['404', '410'] : [];
      const { '200': _document, ...errors } = get.responses;
      expect([path, Object.keys(get.responses).sort()]).toEqual([path, [...common, ...own].sort()]);
      for (const status of Object.keys(errors)) {
        expect(errors[status]).toEqual({ $ref: `#/components/responses/${status}` });
        if (status === '304') continue;
        const types = Object.keys(components.responses[status].content);
        expect([status, types]).toEqual([status, [JSON_TYPE, HTML_TYPE]]);
      }
    }
  });

  it('security: the definition has the token as an option', async () => {
    const { security, components } = await read('/api');
    expect(security).toEqual([{}, { bearer: [] }]);
    expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
  });
});

/** The address of a document in any format. */
const withoutFormat = (href: string) =>
  pathOf(href.replaceAll('&amp;', '&')).replace(/\?f=(?:html|json)/, '?');
