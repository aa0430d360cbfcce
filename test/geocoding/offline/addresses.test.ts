import { fileURLToPath } from 'node:url';

import fc from 'fast-check';
import { ServiceError } from '../../../src/errors.ts';
import type { GeocodingResult } from '../../../src/geocoding/geocoder.ts';
import type { Point } from '../../../src/domain/filter/distance.ts';
import { distanceBetween } from '../../../src/domain/filter/distance.ts';
import { Gazetteer } from '../../../src/geocoding/offline/gazetteer.ts';
import { fold } from '../../../src/geocoding/offline/normalise.ts';
import { fileOfPackage } from '../../../src/lib/package-files.ts';
import { createOfflineGeocoder } from '../../../src/geocoding/offline/offline-geocoder.ts';
import { processorMs } from '../../support/processor-time.ts';
import { addressCases, readTable } from './tables.ts';
import type { AddressCase } from './tables.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { propertyRuns } from '../../support/scope.ts';

const geocoder = createOfflineGeocoder();

async function resolve(address: string): Promise<GeocodingResult | null> {
  try {
    return await geocoder.geocode({ address, apiKey: null });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'ADDRESS_NOT_FOUND') return null;
    throw error;
  }
}

const placeIdOf = async (address: string): Promise<string | null> =>
  (await resolve(address))?.placeId ?? null;

async function misses(cases: readonly AddressCase[], write: (address: string) => string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { address, country, town, ids } of cases) {
    const placeId = await placeIdOf(write(address));
    if (placeId !== null && ids.includes(placeId.replace('geonames:', ''))) continue;
    wrong.push(`${address} -> ${placeId ?? 'not found'}, not ${town}, ${country} (${ids.join(' or ')})`);
  }
  return wrong;
}

const cases = addressCases();

describe('real addresses', () => {
  it('are at least 220, of at least 45 countries', () => {
    expect(cases.length).toBeGreaterThanOrEqual(220);
    expect(new Set(cases.map(({ country }) => country)).size).toBeGreaterThanOrEqual(45);
  });

  it('resolve to their town, at least 95 of 100', async () => {
    const wrong = await misses(cases, (address) => address);
    console.log(`${cases.length - wrong.length} of ${cases.length} right; wrong:\n${wrong.join('\n')}`);
    expect(1 - wrong.length / cases.length).toBeGreaterThanOrEqual(0.95);
  });

  it('resolve to the same town in capitals and without accents', async () => {
    const plain = (address: string): string =>
      /[^\p{sc=Latin}\p{P}\p{N}\p{S}\p{Z}\p{M}]/u.test(address)
        ? address
        : address.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
    const different: string[] = [];
    for (const { address } of cases) {
      const expected = await placeIdOf(address);
      for (const written of [
        address.toUpperCase(),
        address.toLowerCase(),
        plain(address),
        address.normalize('NFD'),
      ]) {
        if ((await placeIdOf(written)) !== expected) different.push(written);
      }
    }
    console.log(`different: ${different.join('\n')}`);
    expect(different).toEqual([]);
  });
});

describe('a text without a town', () => {
  for (const { kind = '', address = '' } of readTable('./not-found.tsv')) {
    it(`is not found: ${kind} ${JSON.stringify(address)}`, async () => {
      expect(await placeIdOf(address)).toBeNull();
    });
  }

  it('is refused with advice, without repeating the address', async () => {
    const refusal = (address: string): Promise<unknown> =>
      geocoder.geocode({ address, apiKey: null }).catch((error: unknown) => error);
    const error = await refusal('asdf qwer');
    expect(error).toMatchObject({ code: 'ADDRESS_NOT_FOUND' });
    expect((error as Error).message).toMatch(/name the town/);
    expect((error as Error).message).not.toContain('asdf');
    const long = (await refusal('😀'.repeat(5000))) as Error;
    expect(long.message.length).toBeLessThan(400);
    expect(long.message.isWellFormed()).toBe(true);
  });
});

describe('an ambiguous town', () => {
  const towns: readonly (readonly [string, string])[] = [
    ['Paris', '2988507'],
    ['Paris, TX', '4717560'],
    ['Cambridge, UK', '2653941'],
    ['Cambridge, MA', '4931972'],
    ['London, ON', '6058560'],
    ['Lebanon, TN', '4636045'],
    ['Mexico, MO', '4398103'],
    ['Rome, GA', '4219762'],
    ['Tbilisi, Georgia', '611717'],
    ['Albany, New York', '5106834'],
    ['Wilmington, DE', '4145381'],
    ['Köln, DE', '2886242'],
    ['Casablanca, MA', '2553604'],
    ['St. Petersburg, FL', '4171563'],
    ['Saint Petersburg', '498817'],
    ['Santiago de Cuba', '3536729'],
    ['Frankfurt (Oder)', '2925535'],
    ['Frankfurt/Oder', '2925535'],
    ['Sant Cugat del Vallès, Barcelona', '3110718'],
    ['Hachioji, Tokyo', '1863440'],
    ['Wembley, London', '2643743'],
    ['Miraflores, Lima, Peru', '3936456'],
    ['Bath, Somerset', '2656173'],
    ['Salt Lake City, UT 84101', '5780993'],
    ['Largo, FL', '4161580'],
    ['上海浦东新区世纪大道1号', '1796236'],
    ['東京都八王子市元本郷町三丁目24番1号', '1863440'],
    ['경기도 광주시', '1841810'],
    ['광주광역시 북구', '1841811'],
    ['г. Киров, Калужская область', '548410'],
  ];
  for (const [address, id] of towns) {
    it(`is identified by the country or region: ${address}`, async () => {
      expect(await placeIdOf(address)).toBe(`geonames:${id}`);
    });
  }

  it('is not the one in the name of a street', async () => {
    expect(await placeIdOf('12 Paris Street, Manchester')).toBe('geonames:2643123');
    expect(await placeIdOf('Londonstraat 5, Utrecht')).toBe('geonames:2745912');
    expect(await placeIdOf('Berliner Straße 5, Hamburg')).toBe('geonames:2911298');
  });
});

describe('a country with the name of its town', () => {
  it('is that town if the country is a city state', async () => {
    expect(await placeIdOf('Singapore')).toBe('geonames:1880252');
    expect(await placeIdOf('Monaco')).toBe('geonames:2993458');
  });

  it('is no town alone, and the capital after a street or with the country', async () => {
    expect(await placeIdOf('Luxembourg')).toBeNull();
    expect(await placeIdOf('43 Boulevard Royal, Luxembourg')).toBe('geonames:2960316');
    expect(await placeIdOf('Luxembourg, Luxembourg')).toBe('geonames:2960316');
  });
});

describe('a result', () => {
  it('has the id, the coordinates of the data, the provider and the precision', async () => {
    expect(await resolve('Rua Augusta 25, 1100-053 Lisboa, Portugal')).toEqual({
      placeId: 'geonames:2267057',
      latitude: 38.71667,
      longitude: -9.13333,
      provider: 'offline',
      precision: 'locality',
      label: 'Lisbon, Portugal',
      isAmbiguous: false,
    });
  });

  it('is in the countries of the map', async () => {
    const within = (address: string, ...countries: string[]) =>
      geocoder
        .geocode({ address, apiKey: null, area: { countries, bounds: null, language: null } })
        .then(({ placeId }) => placeId)
        .catch((error: unknown) => (error as ServiceError).code);
    expect(await within('12 High Street, Birmingham')).toBe('geonames:2655603');
    expect(await within('12 High Street, Birmingham', 'US')).toBe('geonames:4049979');
    expect(await within('12 High Street, Birmingham', 'CA', 'GB')).toBe('geonames:2655603');
    expect(await within('12 High Street, Birmingham', 'FR')).toBe('ADDRESS_NOT_FOUND');
    expect(await within('Birmingham, Alabama', 'GB')).toBe('ADDRESS_NOT_FOUND');
  });

  it('is in the bounds of the map if one of the candidates is', async () => {
    const near = (address: string, south: number, west: number) =>
      geocoder.geocode({
        address,
        apiKey: null,
        area: { countries: [], bounds: { south, west, north: south + 2, east: west + 2 }, language: null },
      });
    const first = await near('Springfield', 0, 0);
    for (const { latitude, longitude, placeId } of await geocoder.candidates!({
      address: 'Springfield',
      apiKey: null,
    })) {
      expect(await near('Springfield', latitude - 1, longitude - 1)).toMatchObject({ placeId });
    }
    expect(await near('Paris, France', first.latitude - 1, first.longitude - 1)).toMatchObject({
      placeId: 'geonames:2988507',
    });
  });

  it('is ambiguous if the address may mean another town', async () => {
    expect(await resolve('Springfield')).toMatchObject({ isAmbiguous: true });
    expect(await resolve('Springfield, Illinois')).toMatchObject({ isAmbiguous: false });
  });

  it('is not returned after the caller left', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(geocoder.geocode({ address: 'Paris', apiKey: null, signal })).rejects.toThrow('gone');
  });
});

describe('any text', () => {
  it('resolves or is not found', async () => {
    const words = fc.constantFrom(
      'San José',
      'de',
      'Rua',
      ',',
      '12',
      '東京都',
      'St',
      '(',
      '/',
      'ไทย',
      'UK',
      '-',
      "'",
      '10115',
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')),
      fc.constantFrom(...cases).map(({ address }) => address.slice(0, address.length / 2)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (address) => {
        const result = await resolve(address);
        if (result === null) return;
        expect(result.placeId).toMatch(/^geonames:\d+$/);
        expect(Math.abs(result.latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(result.longitude)).toBeLessThanOrEqual(180);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('of 64 KiB does not take much longer than a short one', async () => {
    for (const piece of [
      'San José, ',
      'Santa Cruz, San Juan, Lima, ',
      '1 ',
      'a-',
      '京都府京都市',
      '(a)/',
      "'",
      'de, ',
      'a.',
    ]) {
      const address = piece.repeat(65536 / piece.length);
      const before = process.cpuUsage();
      await resolve(address);
      expect(processorMs(before)).toBeLessThan(500);
    }
  });
});

describe('the address of a point', () => {
  const reverse = (latitude: number, longitude: number, language: string | null = null) =>
    geocoder.reverse!({
      point: { latitude, longitude },
      apiKey: null,
      area: { countries: ['FR'], bounds: null, language },
    });

  it('is the nearest town within 50 km, with its country, in the language of the map', async () => {
    expect(await reverse(38.72, -9.14)).toEqual({
      label: 'Lisbon, Portugal',
      houseNumber: null,
      street: null,
      postcode: null,
      city: 'Lisbon',
      state: null,
      country: 'Portugal',
      countryCode: 'PT',
      distance: expect.any(Number),
      provider: 'offline',
    });
    expect(await reverse(48.58, 7.75, 'de')).toMatchObject({ country: 'Frankreich' });
    expect(await reverse(0, -30)).toBeNull();
  });

  it('is the same as by comparing all towns, also at the poles and across the antimeridian', () => {
    const gazetteer = Gazetteer.openFile(
      fileURLToPath(fileOfPackage('dist/geocoding/offline/gazetteer.bin')),
      null,
    )!;
    const towns = Array.from({ length: gazetteer.size }, (_, rank) => gazetteer.town(rank));
    const anywhere = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    const nearTown = fc
      .tuple(
        fc.nat(towns.length - 1),
        fc.double({ min: -0.6, max: 0.6, noNaN: true }),
        fc.double({ min: -0.6, max: 0.6, noNaN: true }),
      )
      .map(([rank, north, east]) => ({
        latitude: Math.max(-90, Math.min(90, towns[rank]!.latitude + north)),
        longitude: Math.max(-180, Math.min(180, towns[rank]!.longitude + east)),
      }));
    const edges = fc.constantFrom(
      { latitude: -16.8, longitude: 179.99 },
      { latitude: -16.8, longitude: -180 },
      { latitude: 90, longitude: 0 },
      { latitude: -90, longitude: 180 },
      { latitude: 78.22, longitude: 15.64 },
    );
    const METRES = 50_000;
    fc.assert(
      fc.property(fc.oneof(anywhere, nearTown, edges), (point) => {
        let best = Infinity;
        for (const town of towns) {
          if (Math.abs(town.latitude - point.latitude) < 0.6)
            best = Math.min(best, distanceBetween(point, town));
        }
        const found = gazetteer.nearest(point, METRES);
        // Points in the grid are two metres off.
        if (found === null) expect(best).toBeGreaterThan(METRES - 5);
        else expect(Math.abs(found.distance - best)).toBeLessThan(5);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});

describe('suggestions', () => {
  const suggest = async (text: string, countries: string[] = [], near: Point | null = null) =>
    (
      await geocoder.suggest!({ text, near, apiKey: null, area: { countries, bounds: null, language: null } })
    ).map(({ label, description }) => `${label} (${description})`);

  it('are the largest towns that begin with the last part of the text', async () => {
    expect(await suggest('Strasb')).toEqual(expect.arrayContaining(['Strasbourg (France)']));
    expect((await suggest('12 Main Street, Muni'))[0]).toBe('12 Main Street, Munich (Germany)');
    expect(await suggest('qqqxyz')).toEqual([]);
    expect(await suggest('Main Street,')).toEqual([]);
    expect(await suggest('a')).toHaveLength(5);
  });

  it('are in the countries of the map, and the near ones come first', async () => {
    expect((await suggest('birming', ['US'])).every((text) => text.endsWith('(United States)'))).toBe(true);
    expect((await suggest('birmingham', ['US', 'GB']))[0]).toBe('Birmingham (United Kingdom)');
    expect((await suggest('birmingham', [], { latitude: 33.5, longitude: -86.8 }))[0]).toBe(
      'Birmingham (United States)',
    );
  });

  it('are found by their names in other languages, and have the one that was typed', async () => {
    expect((await suggest('Marienplatz 1, Münche'))[0]).toBe('Marienplatz 1, Munich (Germany)');
    expect((await suggest('Marienplatz 1, münchen'))[0]).toBe('Marienplatz 1, München (Germany)');
    for (const name of [
      'Köln (Germany)',
      'Roma (Italy)',
      'Róma (Italy)',
      'Wien (Austria)',
      'Москва (Russia)',
    ]) {
      expect((await suggest(name.split(' ')[0]!))[0]).toBe(name);
    }
  });

  it('come last if they have only the beginning of a name in another language', async () => {
    // Sicilian: Muntividèu, Lisàndria.
    expect((await suggest('mun'))[0]).toBe('Munich (Germany)');
    expect((await suggest('lis'))[0]).toBe('Lisbon (Portugal)');
  });

  it('are the same as by comparing all main names, apart from other names', () => {
    const gazetteer = Gazetteer.openFile(
      fileURLToPath(fileOfPackage('dist/geocoding/offline/gazetteer.bin')),
      null,
    )!;
    const names = Array.from({ length: gazetteer.size }, (_, rank) =>
      fold(gazetteer.nameOf(gazetteer.town(rank))),
    );
    const prefix = fc
      .tuple(fc.nat(names.length - 1), fc.integer({ min: 3, max: 8 }))
      .map(([rank, length]) => names[rank]!.slice(0, length));
    fc.assert(
      fc.property(fc.oneof(prefix, fc.string({ minLength: 1 })), (text) => {
        const folded = fold(text);
        const expected = names.flatMap((name, rank) => (name.startsWith(folded) ? [rank] : []));
        const found = [...gazetteer.startingWith(text)].map(({ town }) => town.rank);
        expect(new Set(found).size).toBe(found.length);
        expect(found.filter((rank) => names[rank]!.startsWith(folded))).toEqual(expected);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
