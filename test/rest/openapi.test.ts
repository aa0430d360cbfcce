/** The OpenAPI document of /v0: valid, complete, and matching the server's configuration. */

import { readFileSync } from 'node:fs';

import type { ErrorCode } from '../../src/errors.ts';
import { ERRORS } from '../../src/errors.ts';
import { MESSAGES } from '../../src/rest/openapi/examples.ts';
import type { OpenApiDocument, OpenApiOperation } from '../../src/rest/openapi/openapi.ts';
import { createAjv, createResponseCheck, schemasIn } from '../support/openapi/response-check.ts';
import { goldenFiles, readGolden } from '../support/golden.ts';
import { createTestServer } from '../support/server.ts';
import { withServer } from '../support/v0.ts';

const PATH = '/v0/openapi.json';
const OFFICIAL = JSON.parse(
  readFileSync(new URL('../support/openapi/openapi-3.1.schema.json', import.meta.url), 'utf8'),
) as object;

async function documentOf(environment: Record<string, string> = {}): Promise<OpenApiDocument> {
  const server = await createTestServer(environment);
  const { json } = await server.request('GET', PATH, { token: null });
  await server.close();
  return json as OpenApiDocument;
}

function operationsOf({ paths }: OpenApiDocument): Map<string, OpenApiOperation> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ),
  );
}

const SETTINGS: readonly Record<string, string>[] = [
  {},
  {
    V0_SINGLE_LOCATION: 'object',
    V0_MAP_PROVIDER: 'google',
    V0_ERROR_STATUS: '400',
    PUBLIC_URL: 'https://maps.example.org/here/',
    CORS_ORIGINS: '*',
  },
];

describe.each(SETTINGS)('the document with %j', (environment) => {
  let document: OpenApiDocument;
  beforeAll(async () => {
    document = await documentOf(environment);
  });

  it('is valid against the OpenAPI schema, and its schemas against JSON Schema', () => {
    const ajv = createAjv();
    const validate = ajv.compile(OFFICIAL);
    expect([validate(document), validate.errors]).toEqual([true, null]);
    ajv.addSchema(document, 'openapi');
    for (const { schema } of schemasIn(document)) {
      expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
    }
  });

  it('has no dangling references', () => {
    const references = JSON.stringify(document).match(/"#\/components\/\w+\/\w+"/g) ?? [];
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      const [, part = '', name = ''] = /components\/(\w+)\/(\w+)/.exec(reference) ?? [];
      expect(document.components).toHaveProperty([part, name]);
    }
  });

  it('has examples that match its schemas', () => {
    const ajv = createAjv();
    ajv.addSchema(document, 'openapi');
    let count = 0;
    for (const { schema, example } of schemasIn(document)) {
      if (example === undefined) continue;
      count += 1;
      const validate = ajv.compile(absolute(schema));
      expect([example, validate(example), validate.errors]).toEqual([example, true, null]);
    }
    expect(count).toBeGreaterThan(40);
  });
});

/** References from outside lead into the document, too. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
}

describe('the responses of an operation', () => {
  const ALL = ['200', '400', '401', '429', '503'];

  it('are all statuses that it can return', async () => {
    const statuses = [...operationsOf(await documentOf())].map(([name, { responses }]) => [
      name,
      Object.keys(responses).sort(),
    ]);
    expect(Object.fromEntries(statuses)).toEqual({
      'get /v0/map/{mapId}': [...ALL, '304'].sort(),
      'post /v0/map/{mapId}/location': [...ALL, '403', '413', '415', '500'].sort(),
      'get /v0/map/{mapId}/locations': [...ALL, '304', '500'].sort(),
      'get /v0/map/{mapId}/location/{locationId}': [...ALL, '304', '500'].sort(),
      'delete /v0/map/{mapId}/location/{locationId}': [...ALL, '403', '500'].sort(),
    });
  });

  it('are 200, 304 and 400 if every error is 400', async () => {
    for (const [name, { responses }] of operationsOf(await documentOf({ V0_ERROR_STATUS: '400' }))) {
      const expected = name.startsWith('get') ? ['200', '304', '400'] : ['200', '400'];
      expect([name, Object.keys(responses).sort()]).toEqual([name, expected]);
    }
  });

  it('have the headers of each status', async () => {
    const operations = operationsOf(await documentOf());
    const headersOf = (name: string, status: number) =>
      Object.keys(operations.get(name)?.responses[String(status)]?.headers ?? {});
    const COMMON = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'];
    const list = 'get /v0/map/{mapId}/locations';
    const create = 'post /v0/map/{mapId}/location';
    expect(headersOf(list, 200)).toEqual(['Cache-Control', 'Vary', 'ETag', 'Link', ...COMMON]);
    expect(headersOf(list, 304)).toEqual(['Cache-Control', 'Vary', 'ETag', 'Link', ...COMMON]);
    expect(headersOf(create, 200)).toEqual(['Cache-Control', 'Vary', ...COMMON]);
    expect(headersOf(list, 401)).toEqual(['Cache-Control', 'Vary', 'WWW-Authenticate', ...COMMON]);
    for (const status of [429, 503])
      expect(headersOf(create, status)).toEqual(['Cache-Control', 'Vary', 'Retry-After', ...COMMON]);
  });

  it('are described in the words of the registry, each number once', async () => {
    const { components } = await documentOf();
    const numbers = components.schemas['Error']?.properties?.['error']?.oneOf ?? [];
    const codes = numbers.flatMap(({ const: number, title = '', description = '' }) =>
      title.split(', ').map((code) => {
        expect(description).toContain(ERRORS[code as ErrorCode].when);
        return [code, number];
      }),
    );
    expect(Object.fromEntries(codes)).toEqual(
      Object.fromEntries(Object.entries(ERRORS).map(([code, { error }]) => [code, error])),
    );
    expect(codes).toHaveLength(Object.keys(ERRORS).length);
  });
});

describe('the settings', () => {
  it('rename the provider’s key, and set the form of a single location', async () => {
    const named = await documentOf({ V0_MAP_PROVIDER: 'google', V0_SINGLE_LOCATION: 'object' });
    expect(Object.keys(named.components.schemas['Map']?.properties ?? {})).toEqual([
      ...[
        'id',
        'name',
        'isDeleted',
        'createdAt',
        'isPublished',
        'googleMapApiKey',
        'geocodingApiKey',
        'fields',
      ],
    ]);
    const plain = await documentOf();
    expect(Object.keys(plain.components.schemas['Map']?.properties ?? {})).toContain('providerMapApiKey');
    const single = (document: OpenApiDocument) =>
      operationsOf(document).get('get /v0/map/{mapId}/location/{locationId}')?.responses[200]?.content?.[
        'application/json'
      ].schema;
    expect(single(named)).toEqual({ $ref: '#/components/schemas/Location' });
    expect(single(plain)).toMatchObject({ type: 'array', minItems: 1, maxItems: 1 });
  });

  it('set the server URL and the body limit', async () => {
    expect((await documentOf()).servers).toEqual([{ url: '/' }]);
    const set = await documentOf({
      PUBLIC_URL: 'https://maps.example.org/here/',
      FIELDS_MAX_KEYS: '7',
      BODY_LIMIT: '4321',
    });
    expect(set.servers).toEqual([{ url: 'https://maps.example.org/here' }]);
    expect(set.components.schemas['NewLocation']?.properties?.['fields']?.maxProperties).toBe(7);
    expect(operationsOf(set).get('post /v0/map/{mapId}/location')?.requestBody?.description).toContain(
      '4,321',
    );
  });
});

describe('GET /v0/openapi.json', () => {
  it('needs no token, has an ETag, and handles HEAD, OPTIONS and other methods like every path', () =>
    withServer({ RATE_LIMIT: '1' }, async (server) => {
      const get = await server.request('GET', PATH, { token: null });
      expect(get).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          etag: expect.any(String),
        },
      });
      const head = await server.request('HEAD', `${PATH}/`, { token: null });
      expect(head).toMatchObject({ status: 200, text: '', headers: { etag: get.headers.etag } });
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'if-none-match': String(get.headers.etag) };
        expect(await server.request(method, PATH, { token: null, headers })).toMatchObject({
          status: 304,
          text: '',
        });
      }
      const options = await server.request('OPTIONS', PATH, { token: null });
      expect(options).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
      const post = await server.request('POST', PATH, { token: null });
      expect(post).toMatchObject({
        status: 405,
        json: { error: 405 },
        headers: { allow: 'GET, HEAD, OPTIONS' },
      });
    }));

  it('is readable by listed origins, and caches separate their responses', () =>
    withServer({ CORS_ORIGINS: 'https://a.example' }, async (server) => {
      const { headers } = await server.request('GET', PATH, {
        token: null,
        headers: { origin: 'https://a.example' },
      });
      expect(headers).toMatchObject({
        'access-control-allow-origin': 'https://a.example',
        vary: 'Origin, Accept-Encoding',
      });
    }));
});

describe('the examples of errors', () => {
  /** As in golden files. */
  const withoutId = (message: string) => message.replace(/\(request [0-9a-f-]{36}\)/, '(request <request>)');

  it('have messages of the server', () => {
    // These messages come from a geocoder, and tests use another.
    const ofGeocoder = ['ADDRESS_NOT_FOUND', 'GEOCODER_REFUSED', 'GEOCODER_UNAVAILABLE', 'RATE_LIMITED'];
    const said = goldenFiles('v0/errors').map((file) => [
      file.split('/').at(-1)?.split('.')[0] ?? '',
      (JSON.parse(readGolden(file).trimEnd().split('\n').at(-1) ?? '') as { message: string }).message,
    ]);
    for (const [code, message] of Object.entries(MESSAGES)) {
      const messages = said.filter(([of]) => of === code).map(([, text]) => text);
      expect(messages.length).toBeGreaterThan(0);
      if (!ofGeocoder.includes(code))
        expect([code, messages]).toEqual([code, expect.arrayContaining([withoutId(message)])]);
    }
  });
});

describe('the response check', () => {
  it('finds undescribed statuses, headers, bodies and numbers', async () => {
    const find = createResponseCheck(JSON.stringify(await documentOf()));
    const headers = {
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'a',
    };
    const failure = (error: number) => JSON.stringify({ error, message: 'x' });
    const response = { status: 400, headers, text: failure(404) };
    const url = '/v0/map/x/location/y?a=b';
    expect(find('DELETE', url, response)).toEqual([]);
    expect(find('DELETE', url, { ...response, status: 409 })).toEqual(['the status 409']);
    expect(find('DELETE', url, { ...response, headers: { ...headers, 'x-new': '1' } })).toEqual([
      'the header x-new',
    ]);
    expect(find('DELETE', url, { ...response, headers: { ...headers, vary: 'Accept' } })).toHaveLength(1);
    expect(find('DELETE', url, { ...response, text: failure(409) })).toHaveLength(1);
    expect(find('DELETE', url, { ...response, text: '{"error":404}' })).toHaveLength(1);
    expect(find('GET', url, { status: 200, headers, text: '[]' })).toHaveLength(2);
    expect(find('PATCH', url, { ...response, status: 200 })).toEqual(['the operation']);
    expect(find('PATCH', url, { ...response, status: 405 })).toEqual([]);
  });
});
