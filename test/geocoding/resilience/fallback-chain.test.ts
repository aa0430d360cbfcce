/** Whom `GEOCODER` means, with whose key, and what comes of several failures. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../../src/errors.ts';
import type { GeocoderSettings } from '../../../src/geocoding/create-geocoder.ts';
import { createGeocoder } from '../../../src/geocoding/create-geocoder.ts';
import type { Geocoder, GeocodingQuery } from '../../../src/geocoding/geocoder.ts';
import type { RemoteName } from '../../../src/geocoding/providers/providers.ts';
import { googleStatus, nominatimFound } from '../../support/geocoding-fixtures.ts';
import type { GeocodingServer, Scene } from '../../support/geocoding-server.ts';
import {
  found,
  json,
  neverAnswers,
  nothingFound,
  startGeocodingServer,
} from '../../support/geocoding-server.ts';
import {
  GOOGLE_KEY,
  keylessProvidersAt,
  MAP_KEY,
  MAPBOX_TOKEN,
  providersAt,
  settingsFor,
  townGeocoder,
} from '../../support/geocoding-settings.ts';

const nowhere: Geocoder = {
  geocode: () =>
    Promise.reject(new ServiceError('ADDRESS_NOT_FOUND', 'The offline gazetteer does not know it.')),
};

describe('the chain of geocoders', () => {
  let server: GeocodingServer;
  beforeAll(async () => {
    server = await startGeocodingServer();
  });
  afterAll(() => server.close());
  afterEach(() => {
    server.received.length = 0;
    server.play(found);
  });

  const keyless = () => ({ providers: keylessProvidersAt(server.url) });

  /** What each provider answers; others are found. */
  const play = (scenes: Partial<Record<RemoteName, Scene>>) =>
    server.play((exchange) => (scenes[exchange.received.provider] ?? found)(exchange));

  const geocode = (
    settings: Partial<GeocoderSettings>,
    query: Partial<GeocodingQuery> = {},
    offline: Geocoder = townGeocoder,
  ) =>
    createGeocoder(settingsFor(server.url, settings), { offline, random: () => 0 }).geocode({
      address: 'Main Street 1',
      apiKey: null,
      ...query,
    });
  const failure = (...args: Parameters<typeof geocode>) =>
    geocode(...args).then(
      ({ provider }) => {
        throw new Error(`${provider} answered.`);
      },
      (error: unknown) => error as ServiceError,
    );
  const askedWith = () =>
    server.received.map(({ provider, query }) => [provider, query.key ?? query.access_token ?? null]);

  it('under auto is Google where there is a key, else offline', async () => {
    expect(await geocode({ geocoder: ['auto'], ...keyless() })).toMatchObject({ provider: 'offline' });
    expect(server.received).toEqual([]);
    expect(await geocode({ geocoder: ['auto'] })).toMatchObject({ provider: 'google' });
    expect(await geocode({ geocoder: ['auto'], ...keyless() }, { apiKey: MAP_KEY })).toMatchObject({
      provider: 'google',
    });
    expect(askedWith()).toEqual([
      ['google', GOOGLE_KEY],
      ['google', MAP_KEY],
    ]);
  });

  it('under auto does not turn to offline when Google fails', async () => {
    play({ google: json(500, {}) });
    expect(await failure({ geocoder: ['auto'] })).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
  });

  it('gives the map’s key to the first keyed provider named, and to no other', async () => {
    play({ google: nothingFound, mapbox: nothingFound, nominatim: nothingFound });
    const cases = [
      [
        ['google', 'mapbox'],
        [
          ['google', MAP_KEY],
          ['mapbox', MAPBOX_TOKEN],
        ],
      ],
      [
        ['mapbox', 'google'],
        [
          ['mapbox', MAP_KEY],
          ['google', GOOGLE_KEY],
        ],
      ],
      [
        ['nominatim', 'mapbox', 'auto'],
        [
          ['nominatim', null],
          ['mapbox', MAP_KEY],
          ['google', GOOGLE_KEY],
        ],
      ],
      [
        ['auto', 'mapbox'],
        [
          ['google', MAP_KEY],
          ['mapbox', MAPBOX_TOKEN],
        ],
      ],
      [['google', 'google'], [['google', MAP_KEY]]],
      [['nominatim'], [['nominatim', null]]],
    ] as const;
    for (const [geocoder, expected] of cases) {
      server.received.length = 0;
      const error = await failure({ geocoder }, { apiKey: MAP_KEY }, nowhere);
      expect(error.code).toBe('ADDRESS_NOT_FOUND');
      expect(askedWith()).toEqual(expected);
    }
  });

  it('passes over a keyed provider without a key, and says which key to set when nobody is left', async () => {
    const chain = { geocoder: ['google', 'mapbox', 'offline'], ...keyless() } as const;
    expect(await geocode(chain)).toMatchObject({ provider: 'offline' });
    expect(
      await geocode({
        geocoder: ['mapbox', 'google'],
        providers: providersAt(server.url, { mapbox: { key: null } }),
      }),
    ).toMatchObject({
      provider: 'google',
    });
    const google = await failure({ geocoder: ['google'], ...keyless() });
    expect(google.code).toBe('GEOCODER_REFUSED');
    expect(google.message).toMatch(/geocodingApiKey.*GOOGLE_API_KEY/);
    const mapbox = await failure({ geocoder: ['mapbox'], ...keyless() });
    expect(mapbox.message).toMatch(/geocodingApiKey.*MAPBOX_ACCESS_TOKEN/);
    const both = await failure({ geocoder: ['mapbox', 'google'], ...keyless() });
    expect(both.message).toMatch(/Mapbox and Google.*MAPBOX_ACCESS_TOKEN or GOOGLE_API_KEY/);
    expect(askedWith()).toEqual([['google', GOOGLE_KEY]]);
  });

  it('turns to the next where one is unavailable, rate-limited or has no result', async () => {
    for (const scene of [
      json(500, {}),
      json(429, {}, { 'retry-after': '60' }),
      nothingFound,
      json(200, []),
    ]) {
      play({ google: scene });
      expect(await geocode({ geocoder: ['google', 'nominatim', 'offline'] })).toMatchObject({
        provider: 'nominatim',
      });
    }
    play({ google: json(500, {}), nominatim: json(500, {}) });
    expect(await geocode({ geocoder: ['google', 'nominatim', 'offline'] })).toMatchObject({
      provider: 'offline',
      precision: 'locality',
    });
  });

  it('does not turn to the next where the key is refused, or the address', async () => {
    play({ google: json(200, googleStatus('REQUEST_DENIED')) });
    expect(await failure({ geocoder: ['google', 'offline'] })).toMatchObject({ code: 'GEOCODER_REFUSED' });
    play({ google: json(200, googleStatus('INVALID_REQUEST')) });
    expect(await failure({ geocoder: ['google', 'offline'] })).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(server.received.every(({ provider }) => provider === 'google')).toBe(true);
  });

  it('says ADDRESS_NOT_FOUND only where all have said so', async () => {
    const geocoder = ['google', 'nominatim', 'offline'] as const;
    play({ google: nothingFound, nominatim: nothingFound });
    const error = await failure({ geocoder }, {}, nowhere);
    expect(error.code).toBe('ADDRESS_NOT_FOUND');
    expect(error.message).toContain('found this address');

    play({ google: json(503, {}, { 'retry-after': '9' }), nominatim: nothingFound });
    expect(await failure({ geocoder }, {}, nowhere)).toMatchObject({
      code: 'GEOCODER_UNAVAILABLE',
      retryAfterSeconds: 9,
    });
  });

  it('says RATE_LIMITED where that was the only reason, with the shortest wait', async () => {
    const limited = (seconds: string) => json(429, {}, { 'retry-after': seconds });
    const geocoder = ['google', 'nominatim', 'offline'] as const;
    play({ google: limited('60'), nominatim: limited('20') });
    expect(await failure({ geocoder }, {}, nowhere)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 20,
    });
    play({ google: limited('60'), nominatim: json(500, {}) });
    const mixed = await failure({ geocoder }, {}, nowhere);
    expect(mixed.code).toBe('GEOCODER_UNAVAILABLE');
    expect(mixed.message).toMatch(/Google.*Nominatim/);
  });

  it('leaves each provider a share of the time', async () => {
    play({ google: neverAnswers });
    const started = performance.now();
    const settings = { geocoder: ['google', 'nominatim', 'offline'], timeoutMs: 1_000 } as const;
    expect(await geocode(settings)).toMatchObject({ provider: 'nominatim' });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('keeps to the caller’s own time, and still asks offline, which needs none', async () => {
    play({ google: neverAnswers, nominatim: neverAnswers });
    const started = performance.now();
    const settings = { geocoder: ['google', 'nominatim', 'offline'] } as const;
    expect(await geocode(settings, { timeoutMs: 200 })).toMatchObject({ provider: 'offline' });
    expect(await failure({ geocoder: ['google'] }, { timeoutMs: 100 })).toMatchObject({
      code: 'GEOCODER_UNAVAILABLE',
    });
    expect(await failure({ geocoder: ['google'] }, { timeoutMs: 0 })).toMatchObject({
      code: 'GEOCODER_UNAVAILABLE',
    });
    // Less than the settings' time.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('stops, and closes its connection, when the caller goes away', async () => {
    play({ google: neverAnswers });
    const gone = new AbortController();
    const asking = failure({ geocoder: ['google', 'offline'] }, { signal: gone.signal, mapId: 'm' });
    while (server.received.length === 0) await delay(5);
    const reason = new Error('The client has gone.');
    gone.abort(reason);
    expect(await asking).toBe(reason);
    while (server.open() > 0) await delay(5);
    expect(server.received).toHaveLength(1);
  });

  it('turns a signal that timed out into an error that clients know', async () => {
    play({ google: neverAnswers });
    for (const mapId of ['m', undefined]) {
      const error = await failure({ geocoder: ['google'] }, { signal: AbortSignal.timeout(50), mapId });
      expect(error).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
    }
  });

  it('passes on unexpected errors', async () => {
    const bug = new TypeError('a bug');
    const offline = { geocode: () => Promise.reject(bug) };
    expect(await failure({ geocoder: ['offline', 'google'] }, {}, offline)).toBe(bug);
  });

  it('lets a request have no more asked of the public Nominatim at once than can be answered in time', () => {
    const settings = {
      geocoder: ['nominatim'],
      providers: providersAt(server.url, { nominatim: { url: null } }),
      timeoutMs: 10_000,
    } as const;
    const polite = createGeocoder(settingsFor(server.url, settings), { offline: townGeocoder });
    expect(polite.concurrency).toBe(5);
  });

  it('asks the public Nominatim once a second, however many geocoders a process has', async () => {
    const asked: number[] = [];
    const get = () => {
      asked.push(performance.now());
      const body = nominatimFound({ latitude: 1, longitude: 2 });
      return Promise.resolve({ status: 200, body, isTooLarge: false, retryAfterSeconds: undefined });
    };
    const settings = {
      geocoder: ['nominatim'],
      providers: providersAt(server.url, { nominatim: { url: null, contact: 'ops@example.org' } }),
    } as const;
    const open = () => createGeocoder(settingsFor(server.url, settings), { offline: townGeocoder, get });
    const [one, other] = [open(), open()];
    const begun = performance.now();
    await Promise.all(
      [one, other, one].map((geocoder, index) =>
        geocoder.geocode({ address: `Main Street ${index}`, apiKey: null }),
      ),
    );
    expect(asked).toHaveLength(3);
    // From the beginning, since a busy machine may be late with one of them and not with the next.
    expect(asked[1]! - begun).toBeGreaterThan(990);
    expect(asked[2]! - begun).toBeGreaterThan(1_990);
  });
});
