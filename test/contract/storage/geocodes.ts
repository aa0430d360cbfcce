/** Stored geocodes and quotas. */

import type { StoredGeocode } from '../../../src/storage/storage.ts';
import { collect, DAY, NOW } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

function aGeocode(overrides: Partial<StoredGeocode> = {}): StoredGeocode {
  return {
    key: 'key-1',
    provider: 'google',
    mapId: null,
    place: { placeId: 'p', latitude: 5e-324, longitude: -0.9999999999999999, precision: 'rooftop' },
    storedAt: NOW,
    expiresAt: null,
    ...overrides,
  };
}

export const geocodes: StorageTopic = {
  name: 'geocodes',
  cases: [
    {
      name: 'a geocode is returned as stored, to the last bit',
      async run({ storage }) {
        expect(await storage.getGeocode('key-1', NOW)).toBeNull();
        const stored = [
          aGeocode(),
          aGeocode({ key: 'key-2', mapId: 'map', place: null, expiresAt: NOW + 1 }),
          aGeocode({ key: 'KEY-1', provider: 'mapbox', expiresAt: NOW + DAY }),
        ];
        for (const geocode of stored) await storage.putGeocode(geocode);
        for (const geocode of stored) expect(await storage.getGeocode(geocode.key, NOW)).toEqual(geocode);
        expect(await storage.getGeocode('key-', NOW)).toBeNull();
      },
    },
    {
      name: 'the newest geocode of a key replaces the previous one',
      async run({ storage }) {
        await storage.putGeocode(aGeocode({ mapId: 'map', expiresAt: NOW + 1 }));
        const newest = aGeocode({ place: null, storedAt: NOW + 5 });
        await storage.putGeocode(newest);
        expect(await storage.getGeocode('key-1', NOW + DAY)).toEqual(newest);
      },
    },
    {
      name: 'an expired geocode is not returned, and is removed',
      async run({ storage }) {
        await storage.putGeocode(aGeocode({ expiresAt: NOW + 1 }));
        await storage.putGeocode(aGeocode({ key: 'key-2', expiresAt: NOW + 2 }));
        await storage.putGeocode(aGeocode({ key: 'key-3' }));
        expect(await storage.getGeocode('key-1', NOW)).not.toBeNull();
        expect(await storage.getGeocode('key-1', NOW + 1)).toBeNull();
        expect(await storage.removeExpired(NOW + 1)).toBe(1);
        expect(await storage.getGeocode('key-1', NOW)).toBeNull();
        expect(await storage.getGeocode('key-2', NOW)).not.toBeNull();
        expect(await storage.getGeocode('key-3', NOW)).not.toBeNull();
      },
    },
    {
      name: 'a copy of the store has the geocodes that do not expire too soon',
      async run({ storage }) {
        const stored = [
          aGeocode(),
          aGeocode({ key: 'key-2', mapId: 'map', place: null, expiresAt: NOW + DAY }),
        ];
        for (const geocode of [...stored, aGeocode({ key: 'key-3', expiresAt: NOW })]) {
          await storage.putGeocode(geocode);
        }
        const items = await collect(storage.dump(NOW));
        expect(items).toEqual(stored.map((geocode) => ({ kind: 'geocode', geocode })));
        await storage.removeAll([]);
        expect(await storage.getGeocode('key-1', NOW)).toBeNull();
        await storage.load(items);
        expect(await collect(storage.dump(NOW))).toEqual(items);
      },
    },
    {
      name: 'a quota counts only to its limit',
      async run({ storage }) {
        const take = () => storage.takeQuota([{ name: 'a', limit: 2 }], NOW + DAY);
        expect([await take(), await take(), await take(), await take()]).toEqual([null, null, 'a', 'a']);
        expect(await storage.takeQuota([{ name: 'a', limit: 3 }], NOW + DAY)).toBeNull();
        expect(await storage.takeQuota([{ name: 'b', limit: 0 }], NOW + DAY)).toBe('b');
        expect(await storage.takeQuota([], NOW + DAY)).toBeNull();
      },
    },
    {
      name: 'several quotas are counted together or not at all',
      async run({ storage }) {
        const small = { name: 'small', limit: 1 };
        const large = { name: 'large', limit: 3 };
        expect(await storage.takeQuota([large, small], NOW + DAY)).toBeNull();
        expect(await storage.takeQuota([large, small], NOW + DAY)).toBe('small');
        expect(await storage.takeQuota([large], NOW + DAY)).toBeNull();
        expect(await storage.takeQuota([large], NOW + DAY)).toBeNull();
        expect(await storage.takeQuota([large], NOW + DAY)).toBe('large');
      },
    },
    {
      name: 'concurrent calls do not exceed a quota',
      async run({ storage }) {
        const results = await Promise.all(
          Array.from({ length: 30 }, () => storage.takeQuota([{ name: 'a', limit: 11 }], NOW + DAY)),
        );
        expect(results.filter((result) => result === null)).toHaveLength(11);
      },
    },
    {
      name: 'an expired quota restarts once it is removed',
      async run({ storage }) {
        const take = () => storage.takeQuota([{ name: 'a', limit: 1 }], NOW);
        expect([await take(), await take()]).toEqual([null, 'a']);
        expect(await storage.removeExpired(NOW)).toBe(1);
        expect(await take()).toBeNull();
      },
    },
  ],
};
