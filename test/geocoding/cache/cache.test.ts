/** Equality of addresses, and the in-memory cache. */

import fc from 'fast-check';

import { normaliseAddress } from '../../../src/geocoding/address.ts';
import type { StoredGeocode } from '../../../src/domain/geocode.ts';
import { MemoryGeocodeCache } from '../../../src/geocoding/cache/cache.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { propertyRuns } from '../../support/scope.ts';

describe('normaliseAddress', () => {
  it('equates other cases, spacings and Unicode forms', () => {
    const same = [
      ['Straße 1,  Berlin', 'STRASSE 1, BERLIN '],
      ['\tLaugavegur\u00a01\nReykjavi\u0301k', 'laugavegur 1 reykjavík'],
      ['１２３ Main', '123 main'],
      ['ΟΔΟΣ ΕΡΜΟΥ', 'οδός ερμού'.normalize('NFD').replaceAll('\u0301', '')],
    ] as const;
    for (const [a, b] of same) expect(normaliseAddress(a)).toBe(normaliseAddress(b));
    expect(normaliseAddress('Main St 1')).not.toBe(normaliseAddress('Main St 11'));
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const once = normaliseAddress(text);
        expect(normaliseAddress(once)).toBe(once);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

describe('MemoryGeocodeCache', () => {
  it('returns the latest entry, unless expired, and evicts the least recently used', async () => {
    const cache = new MemoryGeocodeCache(2);
    const entry = (key: string, expiresAt: number | null): StoredGeocode => ({
      key,
      provider: 'google',
      mapId: null,
      place: null,
      storedAt: 0,
      expiresAt,
    });
    await cache.put(entry('a', 10));
    await cache.put(entry('a', 20));
    await cache.put(entry('b', null));
    expect(await cache.get('a', 19)).toMatchObject({ expiresAt: 20 });
    await cache.put(entry('c', null));
    expect(await cache.get('b', 0)).toBeNull();
    expect(await cache.get('a', 20)).toBeNull();
    expect(cache.size).toBe(1);
  });
});
