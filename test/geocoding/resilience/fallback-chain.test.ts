/** The providers that `GEOCODER` selects, their keys, and combined failures. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../../src/errors.ts';
import type { Point } from '../../../src/domain/filter/distance.ts';
import type { GeocoderParts, GeocoderSettings } from '../../../src/geocoding/create-geocoder.ts';
import { createGeocoder } from '../../../src/geocoding/create-geocoder.ts';
import type { Geocoder, GeocodingQuery } from '../../../src/geocoding/geocoder.ts';
import type { RemoteName } from '../../../src/geocoding/providers/providers.ts';
import { googleFound, googleStatus, nominatimFound, photonFound } from '../../support/geocoding-fixtures.ts';
import type { GeocodingServer, Scene } from '../../support/geocoding-server.ts';
import {
  found,
  json,
  neverResponds,
  nothingFound,
  startGeocodingServer,
} from '../../support/geocoding-server.ts';
import { createSkippingTime } from '../../support/geocoding-time.ts';
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

describe('the fallback chain', () => {
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

  /** The responses of providers; the others find the address. */
  const play = (scenes: Partial<Record<RemoteName, Scene>>) =>
    server.play((exchange) => (scenes[exchange.received.provider] ?? found)(exchange));

  const geocode = (
    settings: Partial<GeocoderSettings>,
    query: Partial<GeocodingQuery> = {},
    offline: Geocoder = townGeocoder,
    parts: Partial<GeocoderParts> = {},
  ) =>
    createGeocoder(settingsFor(server.url, settings), { offline, random: () => 0, ...parts }).geocode({
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

  it('is Google under auto if there is a key, else offline', async () => {
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

  it('does not fall back to offline under auto if Google fails', async () => {
    play({ google: json(500, {}) });
    expect(await failure({ geocoder: ['auto'] })).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
  });

  it('uses the map’s key only for the first listed provider that takes keys', async () => {
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

  it('skips a provider without its key, and names the keys to set if none is left', async () => {
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

  it('falls back if a provider is unavailable, rate-limited or has no result', async () => {
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

  it('does not fall back if the key or the address is refused', async () => {
    play({ google: json(200, googleStatus('REQUEST_DENIED')) });
    expect(await failure({ geocoder: ['google', 'offline'] })).toMatchObject({ code: 'GEOCODER_REFUSED' });
    play({ google: json(200, googleStatus('INVALID_REQUEST')) });
    expect(await failure({ geocoder: ['google', 'offline'] })).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(server.received.every(({ provider }) => provider === 'google')).toBe(true);
  });

  it('throws ADDRESS_NOT_FOUND only if no provider found the address', async () => {
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

  it('throws RATE_LIMITED if that was the only reason, with the shortest wait', async () => {
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

  it('shares the time among providers', async () => {
    play({ google: neverResponds });
    const skipping = createSkippingTime();
    const started = skipping.time.now();
    const settings = { geocoder: ['google', 'nominatim', 'offline'], timeoutMs: 60_000 } as const;
    expect(await geocode(settings, {}, townGeocoder, skipping)).toMatchObject({ provider: 'nominatim' });
    expect(skipping.time.now() - started).toBeLessThan(60_000);
  });

  it('respects the caller’s timeout, and still tries offline, which needs no time', async () => {
    play({ google: neverResponds, nominatim: neverResponds });
    const skipping = createSkippingTime();
    const started = skipping.time.now();
    const timeoutMs = 600_000;
    const settings = { geocoder: ['google', 'nominatim', 'offline'], timeoutMs } as const;
    const found = await geocode(settings, { timeoutMs: 200 }, townGeocoder, skipping);
    expect(found).toMatchObject({ provider: 'offline' });
    for (const ownMs of [100, 0]) {
      const alone = { geocoder: ['google'], timeoutMs } as const;
      expect(await failure(alone, { timeoutMs: ownMs }, townGeocoder, skipping)).toMatchObject({
        code: 'GEOCODER_UNAVAILABLE',
      });
    }
    expect(skipping.time.now() - started).toBeLessThan(timeoutMs / 3);
  });

  it('stops, and closes its connection, when the caller leaves', async () => {
    play({ google: neverResponds });
    const gone = new AbortController();
    const asking = failure({ geocoder: ['google', 'offline'] }, { signal: gone.signal, mapId: 'm' });
    while (server.received.length === 0) await delay(5);
    const reason = new Error('The client disconnected.');
    gone.abort(reason);
    expect(await asking).toBe(reason);
    while (server.open() > 0) await delay(5);
    expect(server.received).toHaveLength(1);
  });

  it('converts a timeout signal to a service error', async () => {
    play({ google: neverResponds });
    for (const mapId of ['m', undefined]) {
      const error = await failure({ geocoder: ['google'] }, { signal: AbortSignal.timeout(50), mapId });
      expect(error).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
    }
  });

  it('rethrows unexpected errors', async () => {
    const bug = new TypeError('a bug');
    const offline = { geocode: () => Promise.reject(bug) };
    expect(await failure({ geocoder: ['offline', 'google'] }, {}, offline)).toBe(bug);
  });

  it('limits the concurrency of a request to what the public Nominatim can serve in time', () => {
    const settings = {
      geocoder: ['nominatim'],
      providers: providersAt(server.url, { nominatim: { url: null } }),
      timeoutMs: 10_000,
    } as const;
    const polite = createGeocoder(settingsFor(server.url, settings), { offline: townGeocoder });
    expect(polite.concurrency).toBe(5);
  });

  it('calls the public Nominatim once per second, however many geocoders a process has', async () => {
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
    // Measured from the start, because a busy machine may delay single calls.
    expect(asked[1]! - begun).toBeGreaterThan(990);
    expect(asked[2]! - begun).toBeGreaterThan(1_990);
  });

  const open = (settings: Partial<GeocoderSettings>, offline: Geocoder = townGeocoder) =>
    createGeocoder(settingsFor(server.url, settings), { offline, random: () => 0 });
  const reverse = (settings: Partial<GeocoderSettings>, point: Point, offline?: Geocoder) =>
    open(settings, offline).reverse!({ point, apiKey: null });
  const suggest = (settings: Partial<GeocoderSettings>, offline?: Geocoder) =>
    open(settings, offline).suggest!({ text: 'Mai', near: null, apiKey: null });

  it('finds the address of a point, with its distance', async () => {
    server.play(json(200, { ...nominatimFound({ latitude: 48, longitude: 2 })[0] }));
    const found = await reverse({ geocoder: ['nominatim'] }, { latitude: 48.001, longitude: 2 });
    expect(found).toEqual({
      label: expect.stringContaining('137, Pilkington Avenue') as unknown,
      houseNumber: '137',
      street: 'Pilkington Avenue',
      postcode: 'B72 1LH',
      city: 'Sutton Coldfield',
      state: 'England',
      country: 'United Kingdom',
      countryCode: 'GB',
      distance: 111.195,
      provider: 'nominatim',
    });
  });

  it('finds no address of a point that has none within a kilometre', async () => {
    server.play(json(200, nominatimFound({ latitude: 48, longitude: 2 })[0]));
    expect(await reverse({ geocoder: ['nominatim'] }, { latitude: 48.01, longitude: 2 })).toBeNull();
    server.play(json(200, { error: 'Unable to geocode' }));
    expect(await reverse({ geocoder: ['nominatim'] }, { latitude: 0, longitude: 0 })).toBeNull();
    expect(await reverse({ geocoder: ['offline'] }, { latitude: 0, longitude: 0 })).toBeNull();
  });

  it('asks the next provider for the address of a point, but not after a refused key', async () => {
    const point = { latitude: 48, longitude: 2 };
    const photon = json(200, photonFound(point));
    for (const google of [nothingFound, json(200, googleFound({ latitude: 48.1, longitude: 2 }))]) {
      play({ google, photon });
      expect(await reverse({ geocoder: ['google', 'photon'] }, point)).toMatchObject({ provider: 'photon' });
    }
    play({ google: json(200, googleStatus('REQUEST_DENIED')) });
    await expect(reverse({ geocoder: ['google', 'photon'] }, point)).rejects.toMatchObject({
      code: 'GEOCODER_REFUSED',
    });
  });

  it('suggests addresses, of the first provider that may', async () => {
    play({ photon: json(200, photonFound({ latitude: 48, longitude: 2 })) });
    expect(await suggest({ geocoder: ['google', 'opencage', 'photon'] })).toEqual([
      { label: '2 Unter den Linden', description: '10117 Berlin, Deutschland', latitude: 48, longitude: 2 },
    ]);
    expect(server.received.map(({ provider }) => provider)).toEqual(['photon']);
    play({ photon: nothingFound });
    expect(await suggest({ geocoder: ['photon'] })).toEqual([]);
  });

  it('suggests nothing if no provider may, such as the public Nominatim', async () => {
    const publicServer = providersAt('https://nominatim.openstreetmap.org');
    for (const [settings, message] of [
      [{ geocoder: ['google', 'opencage'] as const }, /^None of the geocoders/],
      [
        { geocoder: ['nominatim'] as const, providers: publicServer },
        /public Nominatim server .* NOMINATIM_URL/,
      ],
    ] as const) {
      await expect(suggest(settings)).rejects.toMatchObject({
        code: 'SUGGESTIONS_UNAVAILABLE',
        message: expect.stringMatching(message) as unknown,
      });
    }
    expect(server.received).toEqual([]);
  });
});
