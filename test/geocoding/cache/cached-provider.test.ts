/** Cache, single flight and quota, with a scripted server. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../../src/errors.ts';
import type { StoredGeocode } from '../../../src/domain/geocode.ts';
import type { GeocodeCache } from '../../../src/geocoding/cache/cache.ts';
import { MemoryGeocodeCache } from '../../../src/geocoding/cache/cache.ts';
import type { GeocoderParts, GeocoderSettings } from '../../../src/geocoding/create-geocoder.ts';
import { createGeocoder } from '../../../src/geocoding/create-geocoder.ts';
import type { GeocodeEvent } from '../../../src/geocoding/events.ts';
import type { GeocodingQuery } from '../../../src/geocoding/geocoder.ts';
import { candidatesOf } from '../../../src/geocoding/geocoder.ts';
import { MemoryGeocodeQuota } from '../../../src/geocoding/resilience/quota.ts';
import { SYSTEM_TIME } from '../../../src/geocoding/resilience/time.ts';
import { nominatimFound } from '../../support/geocoding-fixtures.ts';
import type { GeocodingServer } from '../../support/geocoding-server.ts';
import {
  found,
  json,
  neverResponds,
  nothingFound,
  placeOf,
  startGeocodingServer,
} from '../../support/geocoding-server.ts';
import { settingsFor, townGeocoder } from '../../support/geocoding-settings.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 5, 1, 18);

class RecordingCache extends MemoryGeocodeCache {
  readonly entries: StoredGeocode[] = [];

  override put(entry: StoredGeocode): Promise<void> {
    this.entries.push(entry);
    return super.put(entry);
  }
}

describe('a cached provider', () => {
  let server: GeocodingServer;
  beforeAll(async () => {
    server = await startGeocodingServer();
  });
  afterAll(() => server.close());
  afterEach(() => {
    server.received.length = 0;
    server.play(found);
  });

  const open = (settings: Partial<GeocoderSettings> = {}, parts: Partial<GeocoderParts> = {}) => {
    let now = NOW;
    const events: GeocodeEvent[] = [];
    const cache = new RecordingCache();
    const geocoder = createGeocoder(settingsFor(server.url, settings), {
      offline: townGeocoder,
      cache,
      clock: () => now,
      onCall: (event) => events.push(event),
      random: () => 0,
      ...parts,
    });
    return {
      cache,
      events,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      askAll: (address: string, query: Partial<GeocodingQuery> = {}) =>
        candidatesOf(geocoder, { address, apiKey: null, mapId: 'map-1', tokenId: 'token-1', ...query }),
      geocode: (address: string, query: Partial<GeocodingQuery> = {}) =>
        geocoder.geocode({ address, apiKey: null, mapId: 'map-1', tokenId: 'token-1', ...query }),
    };
  };
  const calls = () => server.received.length;
  const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error as ServiceError);

  it('makes 100 calls for 1,000 requests for 100 addresses, 50 at once', async () => {
    for (const geocoder of ['google', 'nominatim', 'mapbox'] as const) {
      server.received.length = 0;
      server.play((exchange) => void setTimeout(() => json(200, found(exchange))(exchange), 2));
      const { geocode, events } = open({ geocoder: [geocoder] });
      const addresses = Array.from({ length: 1000 }, (_, index) => `Main Street ${(index * 37) % 100}`);
      const results = new Map<number, unknown>();
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < addresses.length) {
          const index = next;
          next += 1;
          results.set(index, await geocode(addresses[index]!));
        }
      };
      await Promise.all(Array.from({ length: 50 }, worker));
      expect(calls()).toBe(100);
      expect(new Set(server.received.map(({ address }) => address)).size).toBe(100);
      expect(server.peak()).toBeGreaterThan(1);
      expect(server.peak()).toBeLessThanOrEqual(10);
      for (const [index, address] of addresses.entries())
        expect(results.get(index)).toMatchObject(placeOf(address));
      expect(events.filter(({ isCacheHit }) => !isCacheHit)).toHaveLength(100);
      console.log(
        `${geocoder}: 1,000 requests, 100 addresses, 50 at once: ${calls()} calls, at most ${server.peak()} at once`,
      );
    }
  });

  it('caches Google’s results for 30 days, per map', async () => {
    const { geocode, cache, events, pass } = open({ geocoder: ['google'] });
    const first = await geocode('Main Street 1');
    pass(30 * DAY_MS - 1);
    expect(await geocode(' MAIN street  1')).toEqual(first);
    expect(events.map(({ outcome, isCacheHit }) => [outcome, isCacheHit])).toEqual([
      ['found', false],
      ['found', true],
    ]);
    expect(calls()).toBe(1);
    await geocode('Main Street 1', { mapId: 'map-2' });
    expect(calls()).toBe(2);
    pass(1);
    await geocode('Main Street 1');
    expect(calls()).toBe(3);
    expect(cache.entries[0]).toEqual({
      key: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      provider: 'google',
      mapId: 'map-1',
      place: {
        placeId: first.placeId,
        latitude: first.latitude,
        longitude: first.longitude,
        precision: 'rooftop',
        label: null,
        isAmbiguous: false,
      },
      storedAt: NOW,
      expiresAt: NOW + 30 * DAY_MS,
    });
  });

  it('says whether another candidate of the same precision is more than a kilometre away, also from the cache', async () => {
    const best = { latitude: 48, longitude: 2, houseNumber: '1' };
    const at = (latitude: number, rank = 30) => nominatimFound({ ...best, latitude }, { rank })[0];
    const cases: readonly (readonly [isAmbiguous: boolean, results: readonly unknown[]])[] = [
      [false, [at(48)]],
      [false, [at(48), at(48.008)]],
      [true, [at(48), at(48.0005), at(48.0095)]],
      [false, [at(48), at(49, 16)]],
      [true, [at(48, 16), at(49, 18)]],
    ];
    for (const [index, [isAmbiguous, results]] of cases.entries()) {
      const { geocode } = open({ geocoder: ['nominatim'] });
      server.play(json(200, results));
      expect([index, (await geocode('Main Street 1')).isAmbiguous]).toEqual([index, isAmbiguous]);
      expect([index, (await geocode('Main Street 1')).isAmbiguous]).toEqual([index, isAmbiguous]);
    }
    expect(calls()).toBe(cases.length);
  });

  it('keeps the label, unless the terms forbid it', async () => {
    for (const geocoder of ['google', 'nominatim', 'mapbox', 'photon', 'geocodejson'] as const) {
      const { geocode } = open({ geocoder: [geocoder] });
      const [fresh, cached] = [await geocode('Main Street 1'), await geocode('Main Street 1')];
      expect(cached).toEqual(fresh);
      expect([geocoder, fresh.label === null]).toEqual([geocoder, geocoder === 'google']);
    }
  });

  it('caches by the area of the map', async () => {
    const { geocode } = open({ geocoder: ['nominatim'] });
    const area = { countries: ['GB'], bounds: null, language: null };
    const areas = [
      null,
      area,
      { ...area, language: 'de' },
      { ...area, bounds: { south: 1, west: 2, north: 3, east: 4 } },
    ];
    for (const each of [...areas, ...areas]) await geocode('Main Street 1', { area: each });
    expect(calls()).toBe(areas.length);
    const elsewhere = geocode('Main Street 1', { area: { ...area, countries: ['FR'] } });
    expect(await caught(elsewhere)).toMatchObject({ code: 'ADDRESS_NOT_FOUND' });
  });

  it('makes one call for the candidates of an address, and none for the chosen one', async () => {
    for (const geocoder of ['google', 'nominatim', 'mapbox'] as const) {
      server.received.length = 0;
      const { geocode, askAll, events, pass, cache } = open({ geocoder: [geocoder] });
      const [all, same] = await Promise.all([askAll('Main Street 1'), askAll(' MAIN street  1')]);
      expect(same).toEqual(all);
      expect(await geocode('Main Street 1')).toMatchObject({
        placeId: all[0]?.placeId,
        ...placeOf('Main Street 1'),
      });
      const again = await askAll('Main Street 1');
      expect(again.map(({ placeId }) => placeId)).toEqual(all.map(({ placeId }) => placeId));
      expect([calls(), events.map(({ isCacheHit }) => isCacheHit)]).toEqual([1, [false, true, true]]);
      // Google's terms allow caching points and place ids, but no text.
      expect([all[0]?.formattedAddress === null, again[0]?.formattedAddress === null]).toEqual([
        false,
        geocoder === 'google',
      ]);
      expect(JSON.stringify(cache.entries)).not.toContain('formatted');
      pass(60 * 60 * 1000);
      await askAll('Main Street 1');
      expect(calls()).toBe(2);
    }
  });

  it('makes no call for the candidates of a geocoded address for an hour, and none for a cached "not found"', async () => {
    const { geocode, askAll, pass } = open({ geocoder: ['nominatim'] });
    await geocode('Main Street 1');
    await askAll('Main Street 1');
    expect(calls()).toBe(1);
    pass(60 * 60 * 1000);
    await askAll('Main Street 1');
    expect(calls()).toBe(2);
    await caught(geocode('Nowhere 1'));
    await caught(askAll('Nowhere 1'));
    expect(calls()).toBe(3);
  });

  it('counts a call for candidates once', async () => {
    const { geocode, askAll } = open({ geocoder: ['nominatim'], tokenQuota: 2 });
    await askAll('Main Street 1');
    await geocode('Main Street 1');
    await geocode('Main Street 2');
    expect(await caught(askAll('Main Street 3'))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(calls()).toBe(2);
  });

  it('caches no result of Google for a query without a map', async () => {
    const { geocode, cache } = open({ geocoder: ['google'] });
    await Promise.all([
      geocode('Main Street 1', { mapId: undefined }),
      geocode('Main Street 1', { mapId: undefined }),
    ]);
    expect(calls()).toBe(2);
    expect(cache.entries).toEqual([]);
  });

  it('caches Nominatim’s results without limit, for everybody', async () => {
    const { geocode, cache, pass } = open({ geocoder: ['nominatim'] });
    await geocode('Main Street 1');
    pass(1000 * DAY_MS);
    await geocode('Main Street 1', { mapId: 'map-2', apiKey: 'another' });
    expect(calls()).toBe(1);
    expect(cache.entries).toMatchObject([{ mapId: null, expiresAt: null }]);
  });

  it('caches Mapbox’s results without limit, per account', async () => {
    const { geocode, pass, cache } = open({ geocoder: ['mapbox'] });
    await geocode('Main Street 1', { apiKey: 'pk.a' });
    pass(1000 * DAY_MS);
    await geocode('Main Street 1', { mapId: 'map-2', apiKey: 'pk.a' });
    expect(calls()).toBe(1);
    await geocode('Main Street 1', { apiKey: 'pk.b' });
    expect(calls()).toBe(2);
    expect(JSON.stringify(cache.entries)).not.toContain('pk.');
  });

  it('caches "not found" for an hour', async () => {
    const { geocode, pass } = open({ geocoder: ['google'] });
    server.play(nothingFound);
    for (let time = 0; time < 2; time += 1) {
      expect(await caught(geocode('Main Street 1'))).toMatchObject({
        code: 'ADDRESS_NOT_FOUND',
        message: expect.stringContaining('this address') as unknown,
      });
    }
    expect(calls()).toBe(1);
    pass(60 * 60 * 1000);
    server.play(found);
    await geocode('Main Street 1');
    expect(calls()).toBe(2);
  });

  it('caches no other failure, and no offline result', async () => {
    const { geocode, cache } = open({ geocoder: ['google', 'offline'] });
    server.play(json(404, {}));
    expect(await geocode('Main Street 1')).toMatchObject({ provider: 'offline' });
    expect(cache.entries).toEqual([]);
    server.play(found);
    expect(await geocode('Main Street 1')).toMatchObject({ provider: 'google' });
  });

  it('returns results if the cache fails or hangs', async () => {
    const broken: GeocodeCache = {
      get: () => Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'down')),
      put: () => {
        throw new ServiceError('STORAGE_UNAVAILABLE', 'down');
      },
    };
    const failures: unknown[] = [];
    const onCacheFailure = (error: unknown) => failures.push(error);
    const { geocode } = open({ geocoder: ['google'] }, { cache: broken, onCacheFailure });
    expect(await geocode('Main Street 1')).toMatchObject(placeOf('Main Street 1'));
    expect(failures).toHaveLength(2);
    const never = new Promise<never>(() => {
      // Never.
    });
    const slow = open(
      { geocoder: ['google'] },
      { cache: { get: () => Promise.resolve(null), put: () => never } },
    );
    expect(await slow.geocode('Main Street 1')).toMatchObject(placeOf('Main Street 1'));
  });

  it('makes one call for concurrent callers, which continues if one of them leaves', async () => {
    const { geocode } = open({ geocoder: ['google'] });
    const gone = new AbortController();
    const reason = new Error('gone');
    let response = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      server.play((exchange) => {
        response = () => void json(200, found(exchange))(exchange);
        resolve();
      });
    });
    const first = caught(geocode('Main Street 1', { signal: gone.signal }));
    const hasty = caught(geocode('Main Street 1', { timeoutMs: 20 }));
    const patient = geocode('Main Street 1');
    await isAsked;
    gone.abort(reason);
    expect(await first).toBe(reason);
    expect(await hasty).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
    response();
    expect(await patient).toMatchObject(placeOf('Main Street 1'));
    expect(calls()).toBe(1);
  });

  it('cancels the call when all callers have left, and makes a new one for the next', async () => {
    const { geocode, events } = open({ geocoder: ['google'] });
    server.play(neverResponds);
    const gone = new AbortController();
    const asking = [1, 2].map(() => caught(geocode('Main Street 1', { signal: gone.signal })));
    while (calls() === 0) await delay(5);
    gone.abort(new Error('gone'));
    await Promise.all(asking);
    server.play(found);
    expect(await geocode('Main Street 1')).toMatchObject(placeOf('Main Street 1'));
    expect(calls()).toBe(2);
    expect(events.map(({ outcome }) => outcome).toSorted()).toEqual(['aborted', 'found']);
  });

  it('gives one failure to all concurrent callers', async () => {
    const { geocode } = open({ geocoder: ['google'] });
    server.play(json(403, {}));
    const errors = await Promise.all([1, 2, 3].map(() => caught(geocode('Main Street 1'))));
    expect(errors.map((error) => (error as ServiceError).code)).toEqual(Array(3).fill('GEOCODER_REFUSED'));
    expect(calls()).toBe(1);
  });

  it('stops calling a provider that fails repeatedly', async () => {
    let passed = 0;
    const time = { ...SYSTEM_TIME, now: () => SYSTEM_TIME.now() + passed };
    const breaker = { faults: 2, openMs: 60_000 };
    const { geocode, events } = open({ geocoder: ['google'] }, { breaker, time });
    server.play(json(500, {}));
    await Promise.all([caught(geocode('Main Street 1')), caught(geocode('Main Street 2'))]);
    const before = calls();
    const error = await caught(geocode('Main Street 3'));
    expect(error).toMatchObject({ code: 'GEOCODER_UNAVAILABLE', retryAfterSeconds: 60 });
    expect(calls()).toBe(before);
    // Another key has another breaker.
    server.play(found);
    expect(await geocode('Main Street 3', { apiKey: 'another' })).toMatchObject({
      provider: 'google',
    });
    passed += 60_000;
    expect(await geocode('Main Street 4')).toMatchObject({ provider: 'google' });
    expect(events.at(-1)).toMatchObject({ outcome: 'found', isCacheHit: false });
  });

  describe('the daily quota', () => {
    it('counts calls, not cache hits, per token and per map', async () => {
      const { geocode, events } = open({ geocoder: ['google'], tokenQuota: 2, mapQuota: 3 });
      await Promise.all([geocode('A 1'), geocode('A 1'), geocode('A 2')]);
      await geocode('A 1');
      const error = await caught(geocode('A 3'));
      expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 6 * 60 * 60 });
      expect((error as Error).message).toMatch(/quota of this token, 2/);
      await geocode('A 3', { tokenId: 'token-2' });
      expect(await caught(geocode('A 4', { tokenId: 'token-2' }))).toMatchObject({
        message: expect.stringMatching(/quota of this map, 3/) as unknown,
      });
      expect(calls()).toBe(3);
      expect(events.filter(({ outcome }) => outcome === 'quota')).toHaveLength(2);
      expect(await geocode('A 1')).toMatchObject(placeOf('A 1'));
    });

    it('resets at midnight UTC', async () => {
      const { geocode, pass } = open({ geocoder: ['google'], mapQuota: 1 });
      await geocode('A 1');
      pass(6 * 60 * 60 * 1000 - 1);
      expect(await caught(geocode('A 2'))).toMatchObject({ retryAfterSeconds: 1 });
      pass(1);
      await geocode('A 2');
    });

    it('of one caller does not affect another who waits for the same address', async () => {
      const { geocode } = open({ geocoder: ['google'], tokenQuota: 1 });
      await geocode('A 1');
      const [mine, other] = await Promise.all([
        caught(geocode('A 2')),
        geocode('A 2', { tokenId: 'token-2' }),
      ]);
      expect(mine).toMatchObject({ code: 'RATE_LIMITED' });
      expect(other).toMatchObject(placeOf('A 2'));
    });

    it('does not count calls while the circuit breaker is open, nor offline calls', async () => {
      const quota = new MemoryGeocodeQuota();
      let taken = 0;
      const counting = {
        take: (...args: Parameters<typeof quota.take>) => {
          taken += 1;
          return quota.take(...args);
        },
      };
      const { geocode } = open(
        { geocoder: ['google', 'offline'], mapQuota: 9 },
        { quota: counting, breaker: { faults: 1, openMs: 9_000 } },
      );
      server.play(json(500, {}));
      await geocode('A 1');
      await geocode('A 2');
      expect(taken).toBe(1);
    });

    it('fails with the error of the store, without a call', async () => {
      const error = new ServiceError('STORAGE_UNAVAILABLE', 'down');
      const { geocode } = open(
        { geocoder: ['google', 'offline'], mapQuota: 9 },
        { quota: { take: () => Promise.reject(error) } },
      );
      expect(await caught(geocode('A 1'))).toBe(error);
      expect(calls()).toBe(0);
    });

    it('is never exceeded by concurrent callers', async () => {
      const { geocode } = open({ geocoder: ['google'], mapQuota: 7 });
      await Promise.all(Array.from({ length: 30 }, (_, index) => caught(geocode(`A ${index}`))));
      expect(calls()).toBe(7);
    });
  });
});
