/** What an address would be geocoded to, without a location that is created. */

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
   * The places that an address may mean, the likeliest first. It costs what creating a location costs, and so needs a
   * token that may.
   *
   * @throws ServiceError as creating a location does
   */
  geocode(scope: Scope, mapId: string, address: string): Promise<readonly GeocodingCandidate[]>;
}

export interface GeocodingServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  /** Of an address, as UTF-8 JSON. */
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
