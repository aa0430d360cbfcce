/** Every failure of every provider: its code, a useful message, no key, and the number of calls. */

import { inspect } from 'node:util';

import type { ErrorCode } from '../../../src/errors.ts';
import { ServiceError } from '../../../src/errors.ts';
import { createGeocoder } from '../../../src/geocoding/create-geocoder.ts';
import type { GeocodeEvent } from '../../../src/geocoding/events.ts';
import type { RemoteName } from '../../../src/geocoding/providers/providers.ts';
import { SYSTEM_TIME } from '../../../src/geocoding/resilience/time.ts';
import { googleStatus, mapboxError } from '../../support/geocoding-fixtures.ts';
import type { GeocodingServer, Scene } from '../../support/geocoding-server.ts';
import * as server from '../../support/geocoding-server.ts';
import { KEYS, MAP_KEY, settingsFor, townGeocoder } from '../../support/geocoding-settings.ts';
import { createSkippingTime } from '../../support/geocoding-time.ts';

const { json } = server;
const PROVIDERS = ['google', 'nominatim', 'mapbox'] as const;
const ALL = (code: ErrorCode) => ({ google: code, nominatim: code, mapbox: code });

interface Failure {
  readonly name: string;
  readonly scene: Scene;
  readonly codes: Partial<Record<RemoteName, ErrorCode>>;
  /** Number of requests; 3 if it is retried. */
  readonly calls?: number;
  /** The provider never completes its response, so that the attempt times out. */
  readonly isEndless?: boolean;
  readonly message?: RegExp;
  readonly retryAfterSeconds?: number;
}

/** Providers may repeat the key in their errors; here in several encodings. */
const echo =
  (status: number): Scene =>
  (exchange) => {
    const { key = '', access_token: token = key } = exchange.received.query;
    const encoded = encodeURIComponent(token);
    const text = [token, encoded, encoded.toLowerCase(), `?key=${token}&x`].join(' ');
    return json(status, { ...mapboxError(text), ...googleStatus('REQUEST_DENIED', text) })(exchange);
  };

const FAILURES: readonly Failure[] = [
  {
    name: 'zero results',
    scene: server.nothingFound,
    codes: ALL('ADDRESS_NOT_FOUND'),
    message: /does not know this address/,
  },
  {
    name: 'OVER_QUERY_LIMIT',
    scene: json(200, googleStatus('OVER_QUERY_LIMIT', 'You have exceeded your rate-limit for this API.')),
    codes: { google: 'RATE_LIMITED' },
    calls: 3,
    retryAfterSeconds: 60,
  },
  {
    name: 'OVER_DAILY_LIMIT',
    scene: json(
      200,
      googleStatus('OVER_DAILY_LIMIT', 'You must enable Billing on the Google Cloud Project.'),
    ),
    codes: { google: 'GEOCODER_REFUSED' },
    message: /map's geocodingApiKey/,
  },
  {
    name: 'REQUEST_DENIED',
    scene: json(200, googleStatus('REQUEST_DENIED', 'The provided API key is invalid.')),
    codes: { google: 'GEOCODER_REFUSED' },
    message: /REQUEST_DENIED/,
  },
  {
    name: 'INVALID_REQUEST',
    scene: json(400, googleStatus('INVALID_REQUEST')),
    codes: { google: 'BAD_USER_INPUT' },
  },
  {
    name: 'UNKNOWN_ERROR',
    scene: json(200, googleStatus('UNKNOWN_ERROR')),
    codes: { google: 'GEOCODER_UNAVAILABLE' },
    calls: 3,
  },
  {
    name: 'an undocumented status',
    scene: json(200, googleStatus('TIRED')),
    codes: { google: 'GEOCODER_UNAVAILABLE' },
  },
  {
    name: 'status 400',
    scene: json(400, { error: { code: 400, message: "Parameter 'q' is empty" } }),
    codes: ALL('BAD_USER_INPUT'),
  },
  {
    name: 'status 401',
    scene: json(401, mapboxError('Not Authorized - Invalid Token')),
    codes: ALL('GEOCODER_REFUSED'),
  },
  { name: 'status 403', scene: json(403, mapboxError('Forbidden')), codes: ALL('GEOCODER_REFUSED') },
  { name: 'status 403, revealing keys', scene: echo(403), codes: ALL('GEOCODER_REFUSED') },
  {
    name: 'status 404',
    scene: json(404, mapboxError('Not Found')),
    codes: ALL('GEOCODER_UNAVAILABLE'),
    message: /check (GOOGLE_GEOCODING_URL|NOMINATIM_URL|MAPBOX_URL)/,
  },
  { name: 'status 413', scene: json(413, {}), codes: ALL('BAD_USER_INPUT'), message: /too long/ },
  { name: 'status 414', scene: json(414, {}), codes: ALL('BAD_USER_INPUT'), message: /too long/ },
  {
    name: 'status 422',
    scene: json(422, mapboxError('Query too long - 30/20 tokens')),
    codes: ALL('BAD_USER_INPUT'),
  },
  { name: 'status 429', scene: json(429, {}), codes: ALL('RATE_LIMITED'), calls: 3, retryAfterSeconds: 60 },
  {
    name: 'status 429, Retry-After: 7',
    scene: json(429, {}, { 'retry-after': '7' }),
    codes: ALL('RATE_LIMITED'),
    retryAfterSeconds: 7,
    message: /try again in 7 seconds/,
  },
  {
    name: 'status 500',
    scene: json(500, {}),
    codes: ALL('GEOCODER_UNAVAILABLE'),
    calls: 3,
    message: /status 500/,
  },
  {
    name: 'status 503, Retry-After: 9',
    scene: json(503, {}, { 'retry-after': '9' }),
    codes: ALL('GEOCODER_UNAVAILABLE'),
    retryAfterSeconds: 9,
  },
  {
    name: 'no response',
    scene: server.neverResponds,
    codes: ALL('GEOCODER_UNAVAILABLE'),
    isEndless: true,
    calls: 3,
    message: /did not respond in time/,
  },
  { name: 'a slow drip', scene: server.drip, codes: ALL('GEOCODER_UNAVAILABLE'), isEndless: true, calls: 3 },
  { name: 'a connection cut at once', scene: server.hangsUp, codes: ALL('GEOCODER_UNAVAILABLE'), calls: 3 },
  { name: 'a truncated response', scene: server.cutOff, codes: ALL('GEOCODER_UNAVAILABLE'), calls: 3 },
  { name: 'truncated JSON', scene: server.halfJson, codes: ALL('GEOCODER_UNAVAILABLE') },
  {
    name: 'an HTML page',
    scene: ({ response }) => void response.end('<html></html>'),
    codes: ALL('GEOCODER_UNAVAILABLE'),
  },
  {
    name: 'JSON of another form',
    scene: json(200, { status: 'OK', type: 'FeatureCollection' }),
    codes: ALL('GEOCODER_UNAVAILABLE'),
  },
  { name: 'null', scene: json(200, null), codes: ALL('GEOCODER_UNAVAILABLE') },
  { name: 'latitude 999', scene: server.found999, codes: ALL('GEOCODER_UNAVAILABLE'), message: /Earth/ },
  {
    name: 'a response of 50 MB, compressed',
    scene: server.bomb,
    codes: ALL('GEOCODER_UNAVAILABLE'),
    message: /1 MiB/,
  },
  { name: 'a response of 50 MB', scene: server.huge, codes: ALL('GEOCODER_UNAVAILABLE'), message: /1 MiB/ },
];

/** Milliseconds per address; less than any Retry-After. */
const TIMEOUT_MS = 6_000;
/** Milliseconds for endless responses, most of which tests skip. */
const ENDLESS_TIMEOUT_MS = 60_000;

const table: Record<string, Partial<Record<RemoteName, string>>> = {};

function expectNoKey(thing: unknown): void {
  const shown = inspect(thing, { depth: Infinity, showHidden: true, maxStringLength: Infinity });
  for (const key of KEYS) {
    for (const spelling of [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)]) {
      expect(shown).not.toContain(spelling);
    }
  }
}

describe('a failure of a provider', () => {
  let scripted: GeocodingServer;
  let elsewhere: GeocodingServer;
  beforeAll(async () => {
    scripted = await server.startGeocodingServer();
    elsewhere = await server.startGeocodingServer();
  });
  afterAll(async () => {
    await Promise.all([scripted.close(), elsewhere.close()]);
    console.table(table);
  });
  afterEach(() => {
    scripted.received.length = 0;
  });

  const failureOf = async (provider: RemoteName, apiKey: string | null, isEndless = false) => {
    const events: GeocodeEvent[] = [];
    const timeoutMs = isEndless ? ENDLESS_TIMEOUT_MS : TIMEOUT_MS;
    const settings = settingsFor(scripted.url, { geocoder: [provider], timeoutMs });
    const skipping = isEndless ? createSkippingTime() : undefined;
    const { time } = skipping ?? { time: SYSTEM_TIME };
    const begun = time.now();
    const geocoder = createGeocoder(settings, {
      ...skipping,
      offline: townGeocoder,
      onCall: (event) => events.push(event),
      random: () => 0,
    });
    const query = { address: 'Main Street 1', apiKey, mapId: 'map-1', tokenId: 'token-1' };
    const error: unknown = await geocoder.geocode(query).then(
      (result) => {
        throw new Error(`It found ${inspect(result)}.`);
      },
      (thrown: unknown) => thrown,
    );
    return { error: error as ServiceError, events, ms: time.now() - begun };
  };

  for (const { name, scene, codes, calls = 1, isEndless = false, message, retryAfterSeconds } of FAILURES) {
    for (const provider of PROVIDERS) {
      const code = codes[provider];
      if (code === undefined) continue;
      it(`${provider}: ${name} is ${code}`, async () => {
        scripted.play(scene);
        const { error, events, ms } = await failureOf(provider, MAP_KEY, isEndless);
        expect(error).toBeInstanceOf(ServiceError);
        expect(error.code).toBe(code);
        (table[name] ??= {})[provider] = code;
        expect(error.message).toMatch(message ?? /^(Google|Nominatim|Mapbox) /);
        expect(error.message.length).toBeGreaterThan(20);
        if (retryAfterSeconds !== undefined) expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
        expect(scripted.received).toHaveLength(calls);
        expect(events).toHaveLength(1);
        if (isEndless) expect(ms).toBeLessThan(1.2 * ENDLESS_TIMEOUT_MS);
        else expect(error.message).not.toMatch(/\btime\b/);
        expectNoKey([error, events]);
        if (scene === server.huge) expect(server.hugeBytesSent).toBeLessThan(server.HUGE_BYTES / 3);
      });
    }
  }

  for (const provider of PROVIDERS) {
    it(`${provider}: redirects, to this host or another, are not followed`, async () => {
      for (const location of [`${elsewhere.url}search`, '/some/prefix/search', '//127.0.0.2/']) {
        scripted.received.length = 0;
        scripted.play(server.redirect(location));
        const { error } = await failureOf(provider, MAP_KEY);
        expect(error.code).toBe('GEOCODER_UNAVAILABLE');
        expect(error.message).toMatch(
          /redirect \(status 302\).*check (GOOGLE_GEOCODING|NOMINATIM|MAPBOX)_URL/,
        );
        expect(scripted.received).toHaveLength(1);
        expectNoKey(error);
      }
      expect(elsewhere.received).toEqual([]);
      (table['a redirect'] ??= {})[provider] = 'GEOCODER_UNAVAILABLE';
    });

    it(`${provider}: a refused connection is GEOCODER_UNAVAILABLE`, async () => {
      const settings = settingsFor('http://127.0.0.1:1', { geocoder: [provider], timeoutMs: 2_000 });
      const geocoder = createGeocoder(settings, { offline: townGeocoder, random: () => 0 });
      const error: unknown = await geocoder
        .geocode({ address: 'Main Street 1', apiKey: MAP_KEY })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
      expect(inspect(error)).toContain('ECONNREFUSED');
      expectNoKey(error);
      (table['nobody listening'] ??= {})[provider] = 'GEOCODER_UNAVAILABLE';
    });
  }

  it('does not count as a fault if the address or a setting cannot be sent', async () => {
    for (const provider of PROVIDERS) {
      const calls: unknown[] = [];
      const open = (userAgent: string) =>
        createGeocoder(settingsFor(scripted.url, { geocoder: [provider], userAgent, timeoutMs: 2_000 }), {
          offline: townGeocoder,
          onCall: (call) => void calls.push(call),
        });
      const long = { address: '🏠'.repeat(5_000), apiKey: MAP_KEY };
      const error: unknown = await open('x')
        .geocode(long)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'BAD_USER_INPUT' });
      expectNoKey(error);
      // Refused before it is normalised, queued or counted.
      expect(calls).toEqual([]);
      const odd: unknown = await open('a\nb')
        .geocode({ address: 'Main Street 1', apiKey: MAP_KEY })
        .catch((thrown: unknown) => thrown);
      expect(odd).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
      expectNoKey(odd);
    }
    expect(scripted.received).toEqual([]);
  });

  it('names the refused key: the map’s or the deployment’s', async () => {
    scripted.play(json(403, {}));
    expect((await failureOf('google', MAP_KEY)).error.message).toContain("the map's geocodingApiKey");
    expect((await failureOf('google', null)).error.message).toContain('GOOGLE_API_KEY');
    expect((await failureOf('mapbox', null)).error.message).toContain('MAPBOX_ACCESS_TOKEN');
  });

  it('logs Google’s text of a refusal, and hides it from clients', async () => {
    scripted.play(json(200, googleStatus('REQUEST_DENIED', `The key ${MAP_KEY} has no billing.`)));
    const { error } = await failureOf('google', MAP_KEY);
    expect(error.message).not.toContain('billing');
    expect((error.cause as Error).message).toBe('Google: REQUEST_DENIED The key [key] has no billing.');
  });
});
