/** Upstream failures: a gateway reports them in time, retries what is safe to retry, and stays up. */

import { request as httpRequest } from 'node:http';

import type { GatewayEndpoints } from '../support/gateway.ts';
import { openGatewayEndpoints } from '../support/gateway.ts';
import type { Fault, MinimalUpstream } from '../support/minimal-upstream.ts';
import {
  respondWith,
  cutOff,
  drips,
  hangs,
  huge,
  MAP_ID,
  numbered,
  resets,
  startMinimalUpstream,
  TOKEN,
} from '../support/minimal-upstream.ts';
import { PATIENCE_MS } from '../support/until.ts';

/** For faults that never end. */
const SHORT_TIMEOUT_MS = 700;
const LIMIT = 65_536;

let upstream: MinimalUpstream;
let gateway: GatewayEndpoints;
beforeEach(async () => {
  upstream = await startMinimalUpstream();
  upstream.locations.push(...numbered(3));
  gateway = await open(PATIENCE_MS);
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

function open(timeoutMs: number): Promise<GatewayEndpoints> {
  return openGatewayEndpoints(upstream.url, {
    token: TOKEN,
    executesOnce: true,
    environment: {
      UPSTREAM_TIMEOUT_MS: String(timeoutMs),
      DATABASE_TIMEOUT_MS: String(timeoutMs),
      UPSTREAM_ANSWER_LIMIT: String(LIMIT),
    },
  });
}

async function reopen(timeoutMs: number): Promise<void> {
  await gateway.close();
  gateway = await open(timeoutMs);
}

const MAP = `/v0/map/${encodeURIComponent(MAP_ID)}`;

/** Not checked against our OpenAPI document, which lacks the statuses of other services. */
async function send(method: 'GET' | 'POST' | 'DELETE', path: string) {
  const injected = await gateway.app.inject({
    method,
    url: path,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { payload: '{"fields": {"Name": "N", "Address": "A"}}' }),
  });
  return { status: injected.statusCode, headers: injected.headers, json: injected.json<unknown>() };
}

const codeOf = async (query: string) => {
  const { json } = await gateway.graphql(query, { id: MAP_ID });
  return json.errors?.[0]?.extensions.code as string | undefined;
};
const READ = 'query ($id: ID!) { map(id: $id) { name } }';
const WRITE =
  'mutation ($id: ID!) { createLocation(input: {mapId: $id, fields: {Name: "N"}}) { location { id } } }';

/** The causes in the log. */
const causes = () =>
  gateway.log.flatMap((line) => {
    const { err } = JSON.parse(line) as { err?: { message: string; stack: string } };
    return err === undefined ? [] : [`${err.message} ${err.stack}`];
  });

const always = (fault: Fault): readonly Fault[] => Array<Fault>(10).fill(fault);
const UNUSABLE = { error: 503, message: 'The upstream gave no usable response.' };
const UNREACHABLE = { error: 503, message: 'The upstream cannot be reached at the moment.' };

describe('an unusable response is STORAGE_UNAVAILABLE, and is logged', () => {
  const location = {
    id: 'x',
    name: 'X',
    placeId: 'p',
    latLngLiteral: { lat: '1', lng: '2' },
    properties: {},
  };
  for (const [what, fault, path, body, cause] of [
    ['a hanging upstream', hangs, MAP, UNREACHABLE, /getMap: timeout/],
    ['one that drips', drips, MAP, UNREACHABLE, /getMap: timeout/],
    ['one that hangs up', resets, MAP, UNREACHABLE, /getMap: disconnected/],
    ['one that hangs up halfway', cutOff, MAP, UNREACHABLE, /getMap: disconnected/],
    ['a huge answer', huge, MAP, UNUSABLE, /over 65536 bytes/],
    ['an HTML page of a proxy', respondWith(200, '<html>'), MAP, UNUSABLE, /is not JSON/],
    ['another status without an Error', respondWith(500, '<html>'), MAP, UNUSABLE, /status 500/],
    [
      'a redirect',
      respondWith(302, '', { location: '/v0/map/other' }),
      MAP,
      UNUSABLE,
      /redirect \(302\) is not followed/,
    ],
    ['no data', respondWith(200, {}), MAP, UNUSABLE, /data is not an object/],
    [
      'a map without a name',
      respondWith(200, { data: { id: 'x' } }),
      MAP,
      UNUSABLE,
      /data\.name is not a string/,
    ],
    [
      'an unknown field type',
      respondWith(200, { data: { name: 'x', fields: [{ name: 'a', type: 'odd' }] } }),
      MAP,
      UNUSABLE,
      /data\.fields\[0\]\.type/,
    ],
    ['no list', respondWith(200, { data: [] }), `${MAP}/locations`, UNUSABLE, /the body is not a list/],
    [
      'more locations than requested',
      respondWith(200, [location, location]),
      `${MAP}/locations?limit=1`,
      UNUSABLE,
      /at most 1/,
    ],
    [
      'a location without a point',
      respondWith(200, [{ ...location, latLngLiteral: null }]),
      `${MAP}/locations`,
      UNUSABLE,
      /\[0\]\.latLngLiteral/,
    ],
    [
      'a point beyond the pole',
      respondWith(200, [{ ...location, latLngLiteral: { lat: '91', lng: '0' } }]),
      `${MAP}/location/x`,
      UNUSABLE,
      /lat is not a decimal from -90 to 90/,
    ],
    [
      'two locations instead of one',
      respondWith(200, [location, location]),
      `${MAP}/location/x`,
      UNUSABLE,
      /a list of one/,
    ],
    [
      'a link to elsewhere',
      respondWith(200, [location], { link: '</else>; rel=next' }),
      `${MAP}/locations`,
      UNUSABLE,
      /Link is not to a list/,
    ],
    [
      'an empty page with a next link',
      respondWith(200, [], { link: '<?place=1>; rel=next' }),
      `${MAP}/locations`,
      UNUSABLE,
      /empty page/,
    ],
  ] as const) {
    it(what, async () => {
      if (fault === hangs || fault === drips) await reopen(SHORT_TIMEOUT_MS);
      upstream.fail(...always(fault));
      const { status, headers, json } = await send('GET', path);
      expect([status, json, headers['retry-after']]).toEqual([503, body, '1']);
      expect(causes().join('\n')).toMatch(cause);
      expect(causes().join('\n')).not.toContain(TOKEN);
      if (path === MAP) expect(await codeOf(READ)).toBe('STORAGE_UNAVAILABLE');
    });
  }

  it('an unreachable upstream is STORAGE_UNAVAILABLE, and the gateway is not ready', async () => {
    await upstream.close();
    expect(await send('GET', MAP)).toMatchObject({ status: 503, json: UNREACHABLE });
    const ready = await gateway.request('GET', '/readyz', { token: null });
    expect([ready.status, ready.json]).toEqual([
      503,
      { status: 'not ready', reason: 'The upstream cannot be reached at the moment.' },
    ]);
    expect((await gateway.request('GET', '/healthz', { token: null })).status).toBe(200);
  });
});

describe('a retry', () => {
  it('lets a read survive a transient failure', async () => {
    for (const fault of [
      resets,
      cutOff,
      respondWith(503, 'busy'),
      respondWith(502, ''),
      respondWith(504, ''),
    ]) {
      upstream.fail(fault);
      expect((await send('GET', MAP)).status).toBe(200);
    }
  });

  it('happens at most twice', async () => {
    upstream.fail(...always(resets));
    await send('GET', MAP);
    expect(upstream.received).toHaveLength(3);
  });

  it('does not happen for a write, whose outcome is then unknown', async () => {
    for (const [fault, sent] of [
      [resets, 1],
      [respondWith(503, 'busy'), 2],
      [respondWith(200, 'no JSON'), 3],
    ] as const) {
      upstream.fail(fault);
      expect(await send('POST', `${MAP}/location`)).toMatchObject({ status: 503, json: { error: 503 } });
      expect(upstream.received).toHaveLength(sent);
    }
    upstream.fail(resets);
    expect((await send('DELETE', `${MAP}/location/l0`)).status).toBe(503);
    expect(upstream.received).toHaveLength(4);
    upstream.fail(resets);
    expect(await codeOf(WRITE)).toBe('STORAGE_UNAVAILABLE');
    expect(upstream.received).toHaveLength(5);
    await reopen(SHORT_TIMEOUT_MS);
    upstream.fail(hangs);
    expect((await send('POST', `${MAP}/location`)).status).toBe(503);
    expect(upstream.received).toHaveLength(6);
  });

  it('is left to the client if the upstream asks for more time', async () => {
    upstream.fail(...always(respondWith(503, { error: 503, message: 'Later.' }, { 'retry-after': '7' })));
    const { status, headers, json } = await send('GET', MAP);
    expect([status, headers['retry-after'], json]).toEqual([503, '7', { error: 503, message: 'Later.' }]);
    expect(upstream.received).toHaveLength(1);
  });
});

describe('error responses of the upstream', () => {
  for (const [status, error, code] of [
    [404, 404, 'MAP_NOT_FOUND'],
    [400, 404, 'MAP_NOT_FOUND'],
    [400, 400, 'BAD_USER_INPUT'],
    [400, 410, 'MAP_DELETED'],
    [409, 409, 'CONFLICT'],
    [403, 403, 'FORBIDDEN'],
    [403, 9_001, 'FORBIDDEN'],
    [404, -7, 'NOT_FOUND'],
    [418, 3, 'BAD_USER_INPUT'],
    [500, 500, 'INTERNAL_SERVER_ERROR'],
    [501, 77, 'INTERNAL_SERVER_ERROR'],
  ] as const) {
    it(`keep status ${status} and number ${error} at /v0; in GraphQL it is ${code}`, async () => {
      upstream.fail(...Array<Fault>(2).fill(respondWith(status, { error, message: 'So it is.' })));
      expect(await send('GET', MAP)).toMatchObject({ status, json: { error, message: 'So it is.' } });
      expect(await codeOf(READ)).toBe(code);
      // An error of the upstream is not a failure of the gateway.
      expect(causes()).toEqual([]);
    });
  }

  it('keep Retry-After', async () => {
    upstream.fail(respondWith(429, { error: 429, message: 'Slowly.' }, { 'retry-after': '33' }));
    const { status, headers, json } = await send('GET', MAP);
    expect([status, headers['retry-after'], json]).toEqual([429, '33', { error: 429, message: 'Slowly.' }]);
    upstream.fail(respondWith(429, 'slowly', { 'retry-after': '44' }));
    expect(await send('GET', MAP)).toMatchObject({ status: 429, headers: { 'retry-after': '44' } });
  });

  it('do not repeat the token', async () => {
    upstream.fail(respondWith(400, { error: 400, message: `Bad token ${TOKEN}!` }));
    expect((await send('GET', MAP)).json).toEqual({ error: 400, message: 'Bad token …!' });
  });

  it('have the single status of V0_ERROR_STATUS', async () => {
    const plain = await openGatewayEndpoints(upstream.url, {
      token: TOKEN,
      executesOnce: true,
      environment: { V0_ERROR_STATUS: '400' },
    });
    upstream.fail(respondWith(404, { error: 404, message: 'No.' }));
    const injected = await plain.app.inject({ url: MAP, headers: { authorization: `Bearer ${TOKEN}` } });
    expect([injected.statusCode, injected.json()]).toEqual([400, { error: 404, message: 'No.' }]);
    await plain.close();
  });
});

it('forwards the token, the request’s id and the trace, and no other headers of the client', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await gateway.app.inject({
    url: MAP,
    headers: {
      authorization: `bearer ${TOKEN}`,
      'x-request-id': 'abc-1',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      cookie: 'secret=1',
      'x-forwarded-for': '1.2.3.4',
    },
  });
  const headers = upstream.received[0]?.headers ?? {};
  expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-request-id': 'abc-1' });
  expect(headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
  expect(headers['user-agent']).toMatch(/^map-locations\//);
  expect([headers['cookie'], headers['x-forwarded-for']]).toEqual([undefined, undefined]);
});

it('a client that disconnects ends the read made for it', async () => {
  // Nothing else is to end it.
  await reopen(1_000_000_000);
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const asked = new Promise<void>((resolve) => {
    upstream.fail((request) => {
      request.on('close', () => resolve());
      client.destroy();
    });
  });
  const client = httpRequest(`${url}${MAP}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  client.on('error', () => {});
  client.end();
  await asked;
});

it('connections are reused', async () => {
  const ports = new Set<number | undefined>();
  for (let index = 0; index < 5; index += 1) {
    upstream.fail((request) => {
      ports.add(request.socket.remotePort);
      return false;
    });
    await send('GET', MAP);
  }
  expect(ports.size).toBe(1);
});
