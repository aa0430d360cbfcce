import { ServiceError } from '../../src/errors.ts';
import { V0_ERROR_CODES } from '../../src/rest/status.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { expectGolden, goldenFiles, comparedFiles } from '../support/golden.ts';
import type { RawResponse } from '../support/raw-http.ts';
import { exchange, listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createMap, deleteMap, ID } from '../support/v0.ts';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0, 5);
/** Headers of the connection, not the response. */
const PASSING = new Set(['date', 'connection', 'keep-alive']);
const FIELDS =
  '{"Name":"Louvre","Address":"Rue de Rivoli, Paris","visitors":8.7e6,"open":true,"tags":["art",null]}';

/** A service with some of everything, whose responses differ between runs only in random ids. */
class Scene {
  readonly names = new Map<string, string>();
  server!: TestServer;
  faulty!: StorageProxy;
  port = 0;
  map = '';
  deletedMap = '';
  location = '';
  writer = '';
  reader = '';

  /** @param derive turns a golden file into what this configuration responds */
  constructor(
    readonly environment: Record<string, string>,
    readonly derive?: (golden: string) => string,
  ) {}

  async open(): Promise<void> {
    this.faulty = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }));
    this.server = await createTestServer(this.environment, {
      storage: this.faulty.storage,
      clock: () => NOW,
      geocoder: {
        geocode: (query) =>
          query.address.includes(':')
            ? this.server.geocoder.geocode(query)
            : Promise.resolve({
                placeId: 'place-1',
                latitude: 48.8606,
                longitude: -1e-7,
                provider: 'fixed',
                precision: 'rooftop',
                label: null,
                isAmbiguous: false,
              }),
      },
    });
    this.port = await listen(this.server);
    this.writer = await this.server.createToken();
    this.reader = await this.server.createToken({ scope: 'read' });
    // If every request counts, nothing can be prepared.
    if (this.environment.RATE_LIMIT !== undefined) return;
    this.map = await createMap(this.server, {
      name: 'Museums',
      isPublished: true,
      providerMapApiKey: 'provider-key',
      geocodingApiKey: 'geocoding-key',
    });
    this.deletedMap = await createMap(this.server);
    await deleteMap(this.server, this.deletedMap);
    this.location = await this.post('Louvre', '1');
    await this.post('Prado', '2');
    await this.post('Uffizi', '2');
    expect([this.map, this.deletedMap].every((id) => ID.map.test(id))).toBe(true);
    expect(this.location).toMatch(ID.location);
    this.names.set(this.location, '<location>').set(this.map, '<map>').set(this.deletedMap, '<deleted-map>');
  }

  async post(name: string, order: string): Promise<string> {
    const { json } = await this.server.request('POST', `/v0/map/${this.map}/location`, {
      body: { fields: { ...JSON.parse(FIELDS), Name: name }, order },
      headers: { 'idempotency-key': name },
      token: this.writer,
    });
    this.names.set(json.data.id, `<${name}>`);
    return json.data.id as string;
  }

  /** Sends a request over a socket, and compares the whole response with its golden file. */
  async expect(
    file: string,
    request: string,
    body = '',
    token: string | null = this.writer,
  ): Promise<RawResponse> {
    const [line = '', ...headers] = request.split('\n');
    const type =
      body === '' || headers.some((header) => header.startsWith('Content-Type'))
        ? []
        : ['Content-Type: application/json'];
    const lines = [
      `${line} HTTP/1.1`,
      'Host: maps.example.org',
      ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
      ...headers,
      ...type,
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    const { responses } = await exchange(this.port, `${lines.join('\r\n')}\r\n\r\n${body}`, {
      head: line.startsWith('HEAD'),
    });
    const [response] = responses;
    if (response === undefined) throw new Error('no answer');
    const shownBody = body.length > 200 ? `<${body.length} bytes>` : body;
    const shown = [
      ...lines.filter((text) => !text.startsWith('Content-Length')),
      ...(body === '' ? [] : ['', shownBody]),
    ].map((text) => `> ${text}`.trimEnd());
    const kept = response.headers
      .filter(([name]) => !PASSING.has(name))
      .map(([name, value]) => `${name}: ${value}`);
    const text = [...shown, '', response.statusLine, ...kept, '', response.body, ''].join('\n');
    expectGolden(file, this.mask(text), this.derive);
    return response;
  }

  /** Random parts by name; dates come from the test's clock and need no mask. */
  mask(text: string): string {
    let masked = text;
    for (const [id, name] of this.names) masked = masked.replaceAll(id, name);
    return masked
      .replace(/<map>_[0-9a-hjkmnp-tv-z]{12}/g, '<new-location>')
      .replace(/^(retry-after: )(60|59)$/m, '$1<60>')
      .replace(/^(ratelimit: .*;t=)(60|59)$/m, '$1<60>')
      .replaceAll(this.writer, '<writer>')
      .replaceAll(this.reader, '<reader>')
      .replace(/^(x-request-id: )[0-9a-f-]{36}$/m, '$1<request>')
      .replace(/\(request [0-9a-f-]{36}\)/, '(request <request>)')
      .replace(/^(etag: )"[A-Za-z0-9_-]{27}"$/m, '$1"<etag>"');
  }

  /** Every error of this configuration, except the two that need their own service. */
  async expectErrors(): Promise<void> {
    const folder = 'v0/errors';
    const { map, deletedMap, location } = this;
    const create = `POST /v0/map/${map}/location`;
    const at = (address: string) => JSON.stringify({ fields: { Name: 'X', Address: address } });
    const golden = (name: string) => `${folder}/${name}.http`;

    await this.expect(golden('BAD_USER_INPUT'), create, '{"fields":{"Name":"X","Address":" "}}');
    await this.expect(golden('BAD_USER_INPUT.body'), create, '{"fields"');
    await this.expect(golden('BAD_USER_INPUT.limit'), `GET /v0/map/${map}/locations?limit=101`);
    await this.expect(golden('BAD_USER_INPUT.path'), 'GET /v0/map/%');
    await this.expect(golden('NOT_FOUND'), 'GET /v0/maps');
    await this.expect(golden('METHOD_NOT_ALLOWED'), `PUT /v0/map/${map}/location/${location}`);
    await this.expect(golden('UNSUPPORTED_MEDIA_TYPE'), `${create}\nContent-Type: text/plain`, '{}');
    await this.expect(golden('UNAUTHENTICATED'), `GET /v0/map/${map}`, '', null);
    await this.expect(golden('UNAUTHENTICATED.unknown'), `GET /v0/map/${map}`, '', 'mlt_unknown');
    await this.expect(golden('FORBIDDEN'), create, `{"fields":${FIELDS}}`, this.reader);
    await this.expect(golden('MAP_NOT_FOUND'), 'GET /v0/map/unknown');
    await this.expect(golden('LOCATION_NOT_FOUND'), `GET /v0/map/${map}/location/unknown`);
    await this.expect(golden('MAP_DELETED'), `GET /v0/map/${deletedMap}/locations`);
    await this.expect(golden('CONFLICT'), `${create}\nIdempotency-Key: Louvre`, `{"fields":${FIELDS}}`);
    await this.expect(golden('ADDRESS_NOT_FOUND'), create, at('unknown:'));
    await this.expect(golden('GEOCODER_REFUSED'), create, at('refused:'));
    await this.expect(golden('PAYLOAD_TOO_LARGE'), create, ' '.repeat(1_048_577));
    await this.expect(golden('RATE_LIMITED.provider'), create, at('limited:'));
    await this.expect(golden('GEOCODER_UNAVAILABLE'), create, at('down:'));
    await this.expect(golden('INTERNAL_SERVER_ERROR'), create, at('bug:'));

    const unavailable = new ServiceError(
      'STORAGE_UNAVAILABLE',
      'The database cannot be reached at the moment.',
      {
        cause: new Error('inside'),
      },
    );
    this.faulty.fail('getMaps', unavailable);
    await this.expect(golden('STORAGE_UNAVAILABLE'), `GET /v0/map/${map}`);
    const overloaded = new ServiceError('OVERLOADED', 'The server is overloaded; try again later.');
    this.faulty.fail('getMaps', overloaded);
    await this.expect(golden('OVERLOADED'), `GET /v0/map/${map}`);
    const message = 'The keys of the token issuer cannot be fetched at the moment.';
    this.faulty.fail('findTokenByHash', new ServiceError('ISSUER_UNAVAILABLE', message));
    await this.expect(golden('ISSUER_UNAVAILABLE'), `GET /v0/map/${map}`);
    this.faulty.fail('findTokenByHash', null);
    this.faulty.fail('getMaps', new TypeError('inside'));
    await this.expect(golden('INTERNAL_SERVER_ERROR.get-map'), `GET /v0/map/${map}`);
    this.faulty.fail('getMaps', null);
  }

  async expectRateLimited(): Promise<void> {
    await exchange(this.port, 'GET /v0/map/x HTTP/1.1\r\nHost: x\r\n\r\n');
    await this.expect('v0/errors/RATE_LIMITED.http', 'GET /v0/map/x', '', null);
  }
}

/** For errors: replaces the status. */
function withStatus400(golden: string): string {
  return golden.replace(/^HTTP\/1\.1 [45]\d\d .*$/m, 'HTTP/1.1 400 Bad Request');
}

function scene(environment: Record<string, string>, derive?: (golden: string) => string): Scene {
  const made = new Scene(environment, derive);
  beforeAll(() => made.open());
  afterAll(() => made.server.close());
  return made;
}

describe('every response of /v0, byte for byte', () => {
  describe('successes', () => {
    const endpoint = scene({});

    it('get a map', async () => {
      await endpoint.expect('v0/get-map.http', `GET /v0/map/${endpoint.map}`);
    });
    it('get a map with a token that may only read', async () => {
      await endpoint.expect('v0/get-map.read-token.http', `GET /v0/map/${endpoint.map}`, '', endpoint.reader);
    });
    it('get a deleted map', async () => {
      await endpoint.expect('v0/get-map.deleted.http', `GET /v0/map/${endpoint.deletedMap}`);
    });
    it('create a location', async () => {
      const body = `{"order":"3","fields":${FIELDS},"ignored":1}`;
      const { body: text } = await endpoint.expect(
        'v0/create-location.http',
        `POST /v0/map/${endpoint.map}/location`,
        body,
      );
      expect(JSON.parse(text).data.id).toMatch(ID.location);
    });
    it('list a page that is not the last', async () => {
      await endpoint.expect('v0/list-locations.http', `GET /v0/map/${endpoint.map}/locations?limit=1`);
    });
    it('list a page that ends between equal orders', async () => {
      await endpoint.expect(
        'v0/list-locations.equal-orders.http',
        `GET /v0/map/${endpoint.map}/locations?limit=1&offset=2`,
      );
    });
    it('list the last page', async () => {
      await endpoint.expect(
        'v0/list-locations.last.http',
        `GET /v0/map/${endpoint.map}/locations?offset=zzz`,
      );
    });
    it('get a location', async () => {
      await endpoint.expect(
        'v0/get-location.http',
        `GET /v0/map/${endpoint.map}/location/${endpoint.location}`,
      );
    });
    it('get a response that the client already has', async () => {
      await endpoint.expect('v0/not-modified.http', `GET /v0/map/${endpoint.map}\nIf-None-Match: *`);
    });
    it('HEAD', async () => {
      await endpoint.expect('v0/head.http', `HEAD /v0/map/${endpoint.map}/location/${endpoint.location}`);
    });
    it('OPTIONS', async () => {
      await endpoint.expect('v0/options.http', 'OPTIONS /v0/map/any/location/any', '', null);
    });
    it('delete a location', async () => {
      await endpoint.expect(
        'v0/delete-location.http',
        `DELETE /v0/map/${endpoint.map}/location/${endpoint.location}`,
      );
    });
  });

  describe('failures', () => {
    const endpoint = scene({});
    it('each has its own status', () => endpoint.expectErrors());
  });

  describe('the rate', () => {
    const endpoint = scene({ RATE_LIMIT: '1' });
    it('is 429 above the limit', () => endpoint.expectRateLimited());
  });

  describe('V0_SINGLE_LOCATION=object', () => {
    const endpoint = scene({ V0_SINGLE_LOCATION: 'object' });
    it('returns the location without an array from get and delete', async () => {
      const path = `/v0/map/${endpoint.map}/location/${endpoint.location}`;
      await endpoint.expect('v0/single-location-object/get-location.http', `GET ${path}`);
      await endpoint.expect('v0/single-location-object/delete-location.http', `DELETE ${path}`);
      await endpoint.expect(
        'v0/single-location-object/list-locations.http',
        `GET /v0/map/${endpoint.map}/locations?offset=2`,
      );
    });
  });

  describe('V0_MAP_PROVIDER=google', () => {
    const endpoint = scene({ V0_MAP_PROVIDER: 'google' });
    it("renames the provider's key", async () => {
      await endpoint.expect('v0/map-provider-google/get-map.http', `GET /v0/map/${endpoint.map}`);
      const reader = 'v0/map-provider-google/get-map.read-token.http';
      await endpoint.expect(reader, `GET /v0/map/${endpoint.map}`, '', endpoint.reader);
    });
  });

  describe('V0_ERROR_STATUS=400', () => {
    const endpoint = scene({ V0_ERROR_STATUS: '400' }, withStatus400);
    it('gives every error the status 400, and changes nothing else', async () => {
      await endpoint.expectErrors();
      await endpoint.expect('v0/not-modified.http', `GET /v0/map/${endpoint.map}\nIf-None-Match: *`);
    });
  });

  describe('V0_ERROR_STATUS=400 over the rate', () => {
    const endpoint = scene({ V0_ERROR_STATUS: '400', RATE_LIMIT: '1' }, withStatus400);
    it('is 400 with Retry-After', () => endpoint.expectRateLimited());
  });

  it('has a golden file for every code that /v0 can return', () => {
    const codes = new Set(goldenFiles('v0/errors').map((file) => file.split('/').at(-1)?.split('.')[0]));
    expect(V0_ERROR_CODES.filter((code) => !codes.has(code))).toEqual([]);
  });

  it('has no unused golden file', () => {
    expect(goldenFiles('v0')).toEqual(comparedFiles('v0'));
  });
});
