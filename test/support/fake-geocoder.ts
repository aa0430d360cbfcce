/**
 * A geocoder that finds every address unless a prefix says otherwise, each at its own point. Addresses that begin with
 * `several:` have several candidates and are ambiguous; those that name a precision, such as `street:`, have it.
 */

import { createHash } from 'node:crypto';

import { ServiceError } from '../../src/errors.ts';
import type { Geocoder, GeocodingPrecision } from '../../src/geocoding/geocoder.ts';

export interface FakeGeocoder extends Geocoder {
  /** Requested addresses, in order. */
  readonly asked: string[];
}

/** Failures by address prefix. */
const FAILURES = {
  'unknown:': new ServiceError('ADDRESS_NOT_FOUND', 'No such address.'),
  'refused:': new ServiceError('GEOCODER_REFUSED', 'The provider refused the key.'),
  'limited:': new ServiceError('RATE_LIMITED', 'Over the quota.', { retryAfterSeconds: 7 }),
  'down:': new ServiceError('GEOCODER_UNAVAILABLE', 'The provider does not answer.', {
    retryAfterSeconds: 3,
  }),
  'bug:': new TypeError('secret inside of the provider'),
} as const;
const PRECISIONS: readonly GeocodingPrecision[] = ['interpolated', 'street', 'locality', 'region'];

export function createFakeGeocoder(): FakeGeocoder {
  const asked: string[] = [];
  return {
    asked,
    async candidates(query) {
      const { label: _, isAmbiguous: __, ...point } = await this.geocode(query);
      const best = { ...point, formattedAddress: `Found: ${query.address}` };
      const other = {
        placeId: 'fake:another',
        latitude: 48.5,
        longitude: 9.5,
        formattedAddress: 'Another place',
      };
      return query.address.startsWith('several:') ? [best, { ...best, ...other }] : [best];
    },
    reverse: ({ point: { latitude } }) =>
      Promise.resolve(
        latitude < 0
          ? null
          : {
              label: '1 Main Street, Town',
              houseNumber: '1',
              street: 'Main Street',
              postcode: null,
              city: 'Town',
              state: null,
              country: null,
              countryCode: null,
              distance: 12.5,
              provider: 'fake',
            },
      ),
    suggest: ({ text }) =>
      Promise.resolve([{ label: `${text} 1`, description: 'Town', latitude: 48, longitude: 9 }]),
    geocode: ({ address }) => {
      asked.push(address);
      for (const [prefix, error] of Object.entries(FAILURES)) {
        if (address.startsWith(prefix)) return Promise.reject(error);
      }
      const digest = createHash('sha256').update(address).digest();
      return Promise.resolve({
        placeId: `fake:${digest.toString('hex').slice(0, 12)}`,
        latitude: (digest.readUInt32BE(0) / 0xffff_ffff) * 180 - 90,
        longitude: (digest.readUInt32BE(4) / 0xffff_ffff) * 360 - 180,
        provider: 'fake',
        precision: PRECISIONS.find((precision) => address.includes(`${precision}:`)) ?? 'rooftop',
        label: `Found: ${address}`,
        isAmbiguous: address.startsWith('several:'),
      });
    },
  };
}
