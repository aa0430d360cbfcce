/** Geocodes an address without creating a location. */

import { isBlank, assertStorable } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';
import type { Geocoder, GeocodingCandidate } from '../../geocoding/geocoder.ts';
import { candidatesOf } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import { geocodingQuery } from './locate.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface GeocodingService {
  /**
   * The candidates for an address, the best first. Costs as much as creating a location, and so needs a token that may
   * write.
   *
   * @throws ServiceError as createLocation does
   */
  geocode(scope: Scope, mapId: string, address: string): Promise<readonly GeocodingCandidate[]>;
}

export interface GeocodingServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  /** Of an address, as JSON in UTF-8. */
  readonly maxBytes: number;
}

export function createGeocodingService(options: GeocodingServiceOptions): GeocodingService {
  const { storage, geocoder, secrets, maxBytes } = options;
  return {
    async geocode(scope, mapId, address) {
      const authorization = await authorize(storage, scope, mapId, { scope: 'write' });
      if (Buffer.byteLength(JSON.stringify(address)) > maxBytes) {
        throw badUserInput(`address is over the ${maxBytes} bytes allowed, as JSON.`);
      }
      assertStorable(address, 'address');
      if (isBlank(address)) throw badUserInput('address must not be blank.');
      return candidatesOf(geocoder, geocodingQuery({ ...authorization, scope }, address, secrets));
    },
  };
}
