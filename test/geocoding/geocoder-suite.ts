/**
 * The contract of every geocoder. The test of an adapter supplies a subject; broken-geocoders.test.ts tests the suite
 * itself.
 */

import { inspect } from 'node:util';

import { ServiceError } from '../../src/errors.ts';
import type { Geocoder, GeocodingResult } from '../../src/geocoding/geocoder.ts';
import { candidatesOf, MAX_CANDIDATES } from '../../src/geocoding/geocoder.ts';

export interface Subject {
  readonly geocoder: Geocoder;
  /** Known addresses, with their results. */
  readonly known: readonly { readonly address: string; readonly result: GeocodingResult }[];
  readonly unknown: string;
  close?(): Promise<void>;
}

export interface Check {
  readonly name: string;
  run(subject: Subject): Promise<void>;
}

const KEY = 'a-key-that/must+not=appear';
const PRECISIONS = ['rooftop', 'interpolated', 'street', 'locality', 'region'];
const CODES = ['ADDRESS_NOT_FOUND', 'BAD_USER_INPUT'];
const ODD_ADDRESSES = [
  'Main Street 1; Springfield',
  'a&key=b#c?d=%zz',
  '東京都千代田区丸の内1丁目',
  'Straße 1\n10115 Berlin\tGermany',
  '🏠'.repeat(200),
  'x'.repeat(10_000),
];

const geocode = (geocoder: Geocoder, address: string) =>
  geocoder.geocode({ address, apiKey: KEY, mapId: 'map', tokenId: 'token' });

const askAll = (geocoder: Geocoder, address: string) =>
  candidatesOf(geocoder, { address, apiKey: KEY, mapId: 'map', tokenId: 'token' });

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
};

export const CHECKS: readonly Check[] = [
  {
    name: 'returns the provider’s point and place id, unrounded',
    async run({ geocoder, known }) {
      for (const { address, result } of known) expect(await geocode(geocoder, address)).toEqual(result);
    },
  },
  {
    name: 'returns a point on Earth, a place id, a provider and a precision',
    async run({ geocoder, known }) {
      for (const { address } of known) {
        const result = await geocode(geocoder, address);
        const { placeId, latitude, longitude, provider, precision, label, isAmbiguous } = result;
        expect(label?.trim()).not.toBe('');
        expect([true, false]).toContain(isAmbiguous);
        expect(placeId.trim()).not.toBe('');
        expect(provider).toMatch(/^[a-z]+$/);
        expect(PRECISIONS).toContain(precision);
        for (const [degrees, limit] of [[latitude, 90] as const, [longitude, 180] as const]) {
          expect(Math.abs(degrees)).toBeLessThanOrEqual(limit);
          expect(Object.is(degrees, -0)).toBe(false);
        }
      }
    },
  },
  {
    name: 'returns the same result again, also for a frozen query',
    async run({ geocoder, known: [first] }) {
      const query = Object.freeze({ address: first!.address, apiKey: KEY });
      expect(await geocoder.geocode(query)).toEqual(await geocoder.geocode(query));
    },
  },
  {
    name: 'returns at most five candidates, of which the first is its result',
    async run({ geocoder, known }) {
      for (const { address, result } of known) {
        // The second result may be cached.
        for (let time = 0; time < 2; time += 1) {
          const candidates = await askAll(geocoder, address);
          const [{ formattedAddress, ...first } = { formattedAddress: null }] = candidates;
          const { label: _, isAmbiguous: __, ...point } = result;
          expect([candidates.length <= MAX_CANDIDATES, first]).toEqual([true, point]);
          expect(formattedAddress?.trim()).not.toBe('');
        }
        expect(await geocode(geocoder, address)).toEqual(result);
      }
    },
  },
  {
    name: 'returns no candidates for an unknown address or after the caller left, and reveals no key in them',
    async run({ geocoder, known: [first], unknown }) {
      const error = await failureOf(() => askAll(geocoder, unknown));
      expect(error).toMatchObject({ code: 'ADDRESS_NOT_FOUND' });
      const told = [await askAll(geocoder, first!.address), error];
      expect(inspect(told, { depth: Infinity, showHidden: true })).not.toContain(KEY);
      const reason = new Error('gone');
      const query = { address: first!.address, apiKey: KEY, signal: AbortSignal.abort(reason) };
      expect(await failureOf(() => candidatesOf(geocoder, query))).toBe(reason);
    },
  },
  {
    name: 'keeps concurrent queries apart',
    async run({ geocoder, known }) {
      const many = Array.from({ length: 30 }, (_, index) => known[index % known.length]!);
      const responses = await Promise.all(many.map(({ address }) => geocode(geocoder, address)));
      expect(responses).toEqual(many.map(({ result }) => result));
    },
  },
  {
    name: 'throws ADDRESS_NOT_FOUND for an unknown address, without repeating it',
    async run({ geocoder, unknown }) {
      for (let time = 0; time < 2; time += 1) {
        const error = await failureOf(() => geocode(geocoder, unknown));
        expect(error).toBeInstanceOf(ServiceError);
        expect(error).toMatchObject({ code: 'ADDRESS_NOT_FOUND' });
        expect((error as Error).message).not.toContain(unknown);
      }
    },
  },
  {
    name: 'reveals no key',
    async run({ geocoder, known: [first], unknown }) {
      const told = [
        await geocode(geocoder, first!.address),
        await failureOf(() => geocode(geocoder, unknown)),
      ];
      expect(inspect(told, { depth: Infinity, showHidden: true })).not.toContain(KEY);
    },
  },
  {
    name: 'throws the signal’s reason after the caller left',
    async run({ geocoder, known: [first] }) {
      const reason = new Error('gone');
      const signal = AbortSignal.abort(reason);
      expect(await failureOf(() => geocoder.geocode({ address: first!.address, apiKey: KEY, signal }))).toBe(
        reason,
      );
    },
  },
  {
    name: 'accepts any address that a map may have, or says why not',
    async run({ geocoder }) {
      for (const address of ODD_ADDRESSES) {
        const response = await geocode(geocoder, address).catch((error: unknown) => error);
        if (response instanceof Error) expect(CODES).toContain((response as ServiceError).code);
        else expect((response as GeocodingResult).placeId).not.toBe('');
      }
    },
  },
];

export function describeGeocoder(name: string, open: () => Promise<Subject>): void {
  describe(`the geocoder contract: ${name}`, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close?.());
    for (const check of CHECKS) it(check.name, () => check.run(subject));
  });
}
