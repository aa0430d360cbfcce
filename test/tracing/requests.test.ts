/** The spans of a request, their attributes and their parents. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';

import { storageUnavailable } from '../../src/errors.ts';
import { openStorage } from '../../src/storage/open.ts';
import { findCanaries, makeCanary } from '../support/canaries.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, hangsUp, json, startGeocodingServer } from '../support/geocoding-server.ts';
import { makeLocations, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import type { TestTracing } from '../support/tracing.ts';
import { saidOf, startTracing, treesOf } from '../support/tracing.ts';
import { createMap, fieldsOf } from '../support/v0.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const CREATE =
  'mutation Make($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';

let provider: GeocodingServer;
let traced: TestTracing;
let server: TestServer;
let map: string;
/** The `traceparent` of each address' provider call. */
const sent = new Map<string, string | undefined>();

beforeAll(async () => {
  provider = await startGeocodingServer();
  traced = await startTracing();
  server = await createTestServer(
    {
      GEOCODER: 'google',
      GOOGLE_API_KEY: 'k',
      GOOGLE_GEOCODING_URL: provider.url,
      // Makes most of them wait for others.
      GEOCODER_CONCURRENCY: '1',
    },
    { geocoder: undefined, tracing: traced.tracing },
  );
  map = await createMap(server);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});
beforeEach(() => {
  provider.play((exchange) => {
    sent.set(exchange.received.address, exchange.request.headers['traceparent'] as string | undefined);
    return found(exchange);
  });
  sent.clear();
  traced.forget();
});

/** Spans of the test's own: a timer stores token uses, and each /v0 response is checked against the document. */
const IGNORED_SPANS = ['saveTokenUses', 'GET /v0/openapi.json'];
const UNKNOWN_MAP = 'abcdefghjkmnpqrs';

const spans = () => traced.spans().filter(({ name }) => !IGNORED_SPANS.includes(name));

function spanOf(name: string): ReadableSpan {
  const [span, ...others] = spans().filter((each) => each.name === name);
  if (span === undefined || others.length > 0) {
    throw new Error(
      `One span named ${name} is wanted of ${spans()
        .map((each) => each.name)
        .join(', ')}`,
    );
  }
  return span;
}

const linesOf = ({ log }: TestServer, message: string) =>
  log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);

const traceOf = (span: ReadableSpan) => span.spanContext().traceId;

const create = (address: string, headers: Record<string, string> = {}, of = server) =>
  of.request('POST', `/v0/map/${map}/location`, { body: { fields: fieldsOf('N', address) }, headers });

describe('a request of /v0', () => {
  it('is a span with its operation, whose children are the store calls', async () => {
    await makeLocations(server, map, [null]);
    traced.forget();
    const headers = { 'x-request-id': 'mine' };
    expect((await server.request('GET', `/v0/map/${map}/locations?limit=5`, { headers })).status).toBe(200);
    expect(treesOf(spans())).toEqual([
      {
        name: 'GET /v0/map/:mapId/locations',
        children: [
          { name: 'findTokenByHash' },
          { name: 'query', children: [{ name: 'getMaps' }, { name: 'listLocationsJson' }] },
        ],
      },
    ]);
    expect(saidOf(spanOf('GET /v0/map/:mapId/locations'))).toEqual({
      name: 'GET /v0/map/:mapId/locations',
      kind: 'server',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v0/map/:mapId/locations',
        'http.response.status_code': 200,
        'http.response.header.x-request-id': ['mine'],
        'url.path': `/v0/map/${map}/locations`,
        'url.scheme': 'http',
        'network.protocol.version': '1.1',
      },
      isError: false,
    });
    expect(saidOf(spanOf('query'))).toEqual({
      name: 'query',
      kind: 'internal',
      attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'V0Locations' },
      isError: false,
    });
    expect(saidOf(spanOf('getMaps'))).toEqual({
      name: 'getMaps',
      kind: 'client',
      attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'getMaps' },
      isError: false,
    });
    expect(spanOf('query').instrumentationScope.name).toBe('map-locations');
  });

  it('continues the trace of its traceparent, and passes it to the provider', async () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    expect((await create('First Street', headers)).status).toBe(200);
    expect(spanOf('POST /v0/map/:mapId/location').parentSpanContext).toMatchObject({
      traceId: TRACE,
      spanId: PARENT,
      isRemote: true,
    });
    expect(new Set(spans().map(traceOf))).toEqual(new Set([TRACE]));
    expect(sent.get('First Street')).toBe(`00-${TRACE}-${spanOf('GET').spanContext().spanId}-01`);
    const { port } = new URL(provider.url);
    expect(saidOf(spanOf('GET'))).toEqual({
      name: 'GET',
      kind: 'client',
      attributes: {
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
        'server.port': Number(port),
        'url.full': `${provider.url.replace(/\/$/, '')}/maps/api/geocode/json`,
      },
      isError: false,
    });
    expect(treesOf(spans())).toEqual([
      {
        name: 'POST /v0/map/:mapId/location',
        children: [
          { name: 'findTokenByHash' },
          {
            name: 'mutation',
            children: [
              { name: 'getMaps' },
              { name: 'getGeocode' },
              { name: 'GET' },
              { name: 'putGeocode' },
              { name: 'insertLocations' },
            ],
          },
        ],
      },
    ]);
  });

  it('starts a new trace without a valid traceparent', async () => {
    await server.request('GET', `/v0/map/${map}`);
    const headers = { traceparent: `ff-${TRACE}-${PARENT}-01` };
    await server.request('GET', `/v0/map/${map}`, { headers });
    const roots = spans().filter(({ name }) => name === 'GET /v0/map/:mapId');
    expect(roots.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
    expect(new Set([...roots.map(traceOf), TRACE]).size).toBe(3);
  });

  it('has a span for each provider attempt, with its failure', async () => {
    provider.play(json(500, {}), hangsUp, found);
    expect((await create('Second Street')).status).toBe(200);
    const attempts = spans().filter(({ name }) => name === 'GET');
    expect(attempts.map((span) => [span.attributes['error.type'], saidOf(span).isError])).toEqual([
      ['500', true],
      ['ECONNRESET', true],
      [undefined, false],
    ]);
  });
});

describe('a GraphQL operation', () => {
  it('is a span on every execution path, with one store call for a loader batch', async () => {
    const ids = [map, (await makeMap(server)).id, (await makeMap(server)).id];
    const query = 'query Several($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    for (const _time of ['unknown', 'known']) {
      traced.forget();
      await server.graphql(query, { ids });
      expect(treesOf(spans())).toEqual([
        {
          name: 'POST /graphql',
          children: [{ name: 'findTokenByHash' }, { name: 'query', children: [{ name: 'getMaps' }] }],
        },
      ]);
      expect(spanOf('query').attributes).toEqual({
        'graphql.operation.type': 'query',
        'graphql.operation.name': 'Several',
      });
    }
  });

  it('has the code of its failure, and error status unless the client is to blame', async () => {
    const failures = [
      ['{ map(id: "unknown") { id } }', 'MAP_NOT_FOUND'],
      ['query ($n: Int) { map(id: "unknown") { locations(first: $n) { totalCount } } }', 'BAD_USER_INPUT'],
    ];
    for (const [query = '', code] of failures) {
      traced.forget();
      await server.graphql(query, { n: 'x' });
      expect(saidOf(spanOf('query'))).toMatchObject({ attributes: { 'error.type': code }, isError: false });
      expect(saidOf(spanOf('POST /graphql'))).toMatchObject({ isError: false });
    }
    provider.play(json(403, {}));
    traced.forget();
    await server.graphql(CREATE, { input: { mapId: map, fields: fieldsOf('N', 'Third Street') } });
    expect(spanOf('mutation').attributes['error.type']).toBe('GEOCODER_REFUSED');
  });
});

describe('concurrent requests', () => {
  it('each have their own trace, also for shared work and work that waits', async () => {
    const traces = Array.from({ length: 20 }, (_, index) => TRACE.slice(2) + String(index + 10));
    await Promise.all(
      traces.map(async (trace) => {
        const headers = { traceparent: `00-${trace}-${PARENT}-01` };
        expect((await create(`${trace} Street`, headers)).status).toBe(200);
      }),
    );
    for (const trace of traces) {
      const own = spans().filter((span) => traceOf(span) === trace);
      expect(own.map(({ name }) => name).sort()).toEqual(
        [
          ...['POST /v0/map/:mapId/location', 'findTokenByHash', 'mutation', 'getMaps', 'getGeocode', 'GET'],
          ...['putGeocode', 'insertLocations'],
        ].sort(),
      );
      expect(treesOf(own)).toHaveLength(1);
      expect(sent.get(`${trace} Street`)).toMatch(new RegExp(`^00-${trace}-`));
    }
  });
});

describe('a response', () => {
  it('to no route has a span without one', async () => {
    await server.request('GET', '/none/at/all');
    await server.app.inject({ method: 'PATCH', url: `/v0/map/${map}` });
    expect(spans().map((span) => [span.name, span.attributes['http.response.status_code']])).toEqual([
      ['GET', 404],
      ['PATCH', 405],
    ]);
    expect(spans().map((span) => [saidOf(span).isError, 'http.route' in span.attributes])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('to a method outside the conventions has the method _OTHER', async () => {
    await server.app.inject({ method: 'PROPFIND', url: '/' });
    expect(saidOf(spanOf('HTTP'))).toMatchObject({
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND' },
    });
  });

  it('to a probe has no span', async () => {
    expect((await server.request('GET', '/healthz')).status).toBe(200);
    expect((await server.request('GET', '/readyz')).status).toBe(200);
    expect(spans()).toEqual([]);
  });
});

describe('over connections', () => {
  let port: number;
  beforeAll(async () => {
    port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });

  const head = (length: number, more: Record<string, string> = {}) =>
    [
      'POST /graphql HTTP/1.1',
      ...Object.entries({
        host: 'a',
        'content-type': 'application/json',
        'content-length': length,
        ...more,
      }).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n');
  const untilEnded = async (count: number) => {
    while (spans().filter(({ name }) => name === 'POST /graphql').length < count) {
      await turn();
    }
  };

  it('work after the body belongs to the request', async () => {
    const token = await server.createToken();
    const body = JSON.stringify({ query: `{ map(id: "${map}") { id } }` });
    const socket = connect(port, '127.0.0.1').resume();
    const traces = [TRACE, TRACE.replaceAll('4', '5')];
    for (const [index, trace] of traces.entries()) {
      const traceparent = `00-${trace}-${PARENT}-01`;
      socket.write(head(body.length, { traceparent, authorization: `Bearer ${token}` }));
      const [request] = (await once(server.app.server, 'request')) as [IncomingMessage];
      while (request.listenerCount('data') === 0) await turn();
      socket.write(body);
      await untilEnded(index + 1);
    }
    socket.destroy();
    for (const trace of traces) {
      expect(treesOf(spans().filter((span) => traceOf(span) === trace))).toMatchObject([
        {
          name: 'POST /graphql',
          children: expect.arrayContaining([{ name: 'query', children: [{ name: 'getMaps' }] }]),
        },
      ]);
    }
  });

  it('the end of a pipelined response belongs to its own request', async () => {
    server.log.length = 0;
    let response = () => {};
    const held = new Promise<void>((resolve) => {
      response = resolve;
    });
    provider.play((exchange) => {
      void held.then(() => exchange.response.end(JSON.stringify(found(exchange))));
    });
    const traces = [TRACE, TRACE.replaceAll('4', '5')];
    const authorization = `Bearer ${await server.createToken()}`;
    const query = encodeURIComponent(`{ geocode(mapId: "${map}", address: "Held Street") { placeId } }`);
    const paths = [`/graphql?query=${query}`, `/v0/map/${map}`];
    const socket = connect(port, '127.0.0.1').resume();
    for (const [index, path] of paths.entries()) {
      const headers = [`traceparent: 00-${traces[index]}-${PARENT}-01`, `authorization: ${authorization}`];
      socket.write([`GET ${path} HTTP/1.1`, 'host: a', ...headers, '\r\n'].join('\r\n'));
    }
    const names = () =>
      spans()
        .filter((span) => traceOf(span) === traces[1])
        .map(({ name }) => name);
    while (!names().includes('query')) await turn();
    response();
    while (!names().includes('GET /v0/map/:mapId')) await turn();
    socket.destroy();
    const lines = linesOf(server, 'Request completed').map((line) => [line['path'], line['trace_id']]);
    expect(lines).toEqual([
      ['/graphql', traces[0]],
      [`/v0/map/${map}`, traces[1]],
    ]);
  });

  it('an aborted request is marked as such', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head(9)}{`);
    await once(server.app.server, 'request');
    socket.destroy();
    await untilEnded(1);
    expect(saidOf(spanOf('POST /graphql'))).toMatchObject({
      attributes: { 'error.type': 'aborted' },
      isError: false,
    });
  });
});

describe('when the store fails', () => {
  let store: StorageProxy;
  let failing: TestServer;
  beforeAll(async () => {
    store = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }));
    failing = await createTestServer({}, { storage: store.storage, tracing: traced.tracing });
  });
  afterAll(() => failing.close());

  const failuresOf = () =>
    spans()
      .filter((span) => saidOf(span).isError)
      .map((span) => [span.name, span.attributes['error.type']]);

  it('the call and all its parents are errors', async () => {
    store.fail('getMaps', storageUnavailable());
    expect((await failing.request('GET', `/v0/map/${UNKNOWN_MAP}`)).status).toBe(503);
    expect(failuresOf()).toEqual([
      ['getMaps', 'STORAGE_UNAVAILABLE'],
      ['query', 'STORAGE_UNAVAILABLE'],
      ['GET /v0/map/:mapId', 'STORAGE_UNAVAILABLE'],
    ]);
  });

  it('an unexpected error has only its class, and the log line has the trace', async () => {
    store.fail('getMaps', new RangeError('inside'));
    failing.log.length = 0;
    expect((await failing.graphql(`{ map(id: "${UNKNOWN_MAP}") { id } }`)).status).toBe(200);
    expect(failuresOf()).toEqual([
      ['getMaps', 'RangeError'],
      ['query', 'RangeError'],
    ]);
    expect(JSON.stringify(spans().map(saidOf))).not.toContain('inside');
    const { traceId, spanId } = spanOf('POST /graphql').spanContext();
    expect(linesOf(failing, 'An operation failed')).toMatchObject([{ trace_id: traceId, span_id: spanId }]);
  });
});

describe('a download', () => {
  it('has all its store calls, however slowly it is read', async () => {
    const { id } = await makeMap(server, { isPublished: true });
    for (let times = 0; times < 4; times += 1) await makeLocations(server, id, Array<null>(500).fill(null));
    traced.forget();
    const { text } = await server.request('GET', `/maps/${id}/locations.ndjson`);
    expect(text.trim().split('\n')).toHaveLength(2_000);
    const [tree] = treesOf(spans());
    expect(tree?.name).toBe('GET /maps/:mapId/locations.ndjson');
    expect(tree?.children?.filter(({ name }) => name === 'exportLocations').length).toBeGreaterThan(3);
    expect(treesOf(spans())).toHaveLength(1);
  });
});

describe('log lines', () => {
  it('name the active span', async () => {
    server.log.length = 0;
    await server.request('GET', `/v0/map/${map}`);
    const { traceId, spanId } = spanOf('GET /v0/map/:mapId').spanContext();
    const [line] = linesOf(server, 'Request completed').filter(({ path }) => path === `/v0/map/${map}`);
    expect(line).toMatchObject({ trace_id: traceId, span_id: spanId });
  });

  it('outside a request name none', async () => {
    server.log.length = 0;
    server.app.log.info('outside a request');
    expect(linesOf(server, 'outside a request')).toEqual([
      expect.not.objectContaining({ trace_id: expect.anything() }),
    ]);
  });
});

describe('secrets and values', () => {
  it('are in no span, wherever a client puts them', async () => {
    const canaries = {
      token: makeCanary('mlt_'),
      key: makeCanary('AIza'),
      address: makeCanary('1 '),
      value: makeCanary(),
      literal: makeCanary(),
      variable: makeCanary(),
      query: makeCanary(),
      header: makeCanary(),
    };
    const own = await createTestServer(
      { GEOCODER: 'google', GOOGLE_API_KEY: canaries.key, GOOGLE_GEOCODING_URL: provider.url },
      { geocoder: undefined, tracing: traced.tracing },
    );
    try {
      const mapId = await createMap(own, { geocodingApiKey: canaries.key });
      const fields = { Name: canaries.value, Address: canaries.address };
      const headers = {
        'user-agent': canaries.header,
        cookie: canaries.header,
        'idempotency-key': canaries.value,
      };
      const body = { fields };
      for (const scene of [found, json(500, canaries.key), hangsUp]) {
        provider.play(scene);
        await own.request('POST', `/v0/map/${mapId}/location?key=${canaries.query}`, { body, headers });
        await own.graphql(CREATE, { input: { mapId, fields: { ...fields, more: canaries.variable } } });
      }
      await own.graphql(`{ map(id: "${canaries.literal}") { id } }`);
      await own.graphql(`{ map(id: "${canaries.literal}") { none } }`);
      await own.graphql(CREATE, { input: canaries.variable });
      await own.request('GET', `/v0/map/${mapId}?access_token=${canaries.query}`, { token: canaries.token });
      await own.request(
        'GET',
        `/graphql?query=${encodeURIComponent(`{ map(id: "${canaries.query}") { id } }`)}`,
      );
    } finally {
      await own.close();
    }
    const texts = traced
      .spans()
      .map(({ name, attributes, events, links, status }) =>
        JSON.stringify({ name, attributes, events, links, status }),
      );
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((span) => findCanaries(canaries, span).length > 0)).toEqual([]);
  });
});
