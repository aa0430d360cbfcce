/** `traceparent`: parsed as W3C specifies, and passed on to geocoding providers. */

import { setImmediate as turn } from 'node:timers/promises';

import { readTraceparent } from '../../../src/http/request/scope.ts';
import type { GeocodingServer } from '../../support/geocoding-server.ts';
import { found, startGeocodingServer } from '../../support/geocoding-server.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { createMap, fieldsOf } from '../../support/v0.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, '01'],
    [`00-${TRACE}-${SPAN}-00`, '00'],
    [`cc-${TRACE}-${SPAN}-03`, '03'],
    [`cc-${TRACE}-${SPAN}-01-what-comes-later`, '01'],
  ])('is read: %s', (header, flags) => {
    expect(readTraceparent(header)).toEqual({ traceId: TRACE, flags });
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}`,
    // Two headers, joined by Node.
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('is ignored where it is not valid: %s', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

describe('a request that is part of a trace', () => {
  let provider: GeocodingServer;
  let server: TestServer;
  let map: string;
  /** Headers that the provider received, in order. */
  let sent: (string | undefined)[];
  let log: string[];

  beforeAll(async () => {
    provider = await startGeocodingServer();
    const settings = { GEOCODER: 'google', GOOGLE_API_KEY: 'k', GOOGLE_GEOCODING_URL: provider.url };
    log = [];
    server = await createTestServer(settings, {
      geocoder: undefined,
      onGeocode: (event) => log.push(String(event.requestId)),
    });
    map = await createMap(server);
  });
  afterAll(async () => {
    await server.close();
    await provider.close();
  });
  beforeEach(() => {
    sent = [];
    log.length = 0;
    provider.play((exchange) => {
      sent.push(exchange.request.headers['traceparent'] as string | undefined);
      return found(exchange);
    });
  });

  const create = (address: string, headers: Record<string, string>) =>
    server.request('POST', `/v0/map/${map}/location`, { body: { fields: fieldsOf('N', address) }, headers });

  it('passes its trace on to the provider, with a new span', async () => {
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    expect((await create('First Street', { traceparent })).status).toBe(200);
    const headers = { traceparent: `00-${TRACE}-${SPAN}-00` };
    const { json } = await server.request('POST', '/graphql', {
      headers,
      body: {
        query: `mutation { createLocation(input: {mapId: "${map}", fields: {Name: "N", Address: "Second Street"}}) { location { id } } }`,
      },
    });
    expect(json.errors).toBeUndefined();
    expect(sent.map((header) => header?.replace(SPAN, '!'))).toEqual([
      expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`)),
      expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`)),
    ]);
    expect(new Set(sent).size).toBe(2);
  });

  it('passes nothing on if the header is missing or invalid', async () => {
    await create('Third Street', {});
    await create('Fourth Street', { traceparent: `ff-${TRACE}-${SPAN}-01` });
    expect(sent).toEqual([undefined, undefined]);
  });

  it('uses the trace and log id of the first of several requests that share one geocoding', async () => {
    let response = () => {};
    const held = new Promise<void>((resolve) => {
      response = resolve;
    });
    let begun = () => {};
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    provider.play((exchange) => {
      sent.push(exchange.request.headers['traceparent'] as string | undefined);
      begun();
      void held.then(() => exchange.response.end(JSON.stringify(found(exchange))));
    });
    const first = create('Shared Street', { traceparent: `00-${TRACE}-${SPAN}-01`, 'x-request-id': 'first' });
    await asked;
    const other = TRACE.replaceAll('4', '5');
    const second = create('Shared Street', {
      traceparent: `00-${other}-${SPAN}-00`,
      'x-request-id': 'second',
    });
    await turn();
    response();
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    expect(sent).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))]);
    expect(log[0]).toBe('first');
  });
});
