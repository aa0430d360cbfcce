/** All services over one store and one geocoder. */

import type { FieldLimits } from '../domain/fields.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { Storage } from '../storage/storage.ts';
import type { CreationClock } from './creation-clock.ts';
import { createCreationClock } from './creation-clock.ts';
import type { LocationService } from './locations.ts';
import { createLocationService } from './locations.ts';
import type { MapService } from './maps.ts';
import { createMapService } from './maps.ts';
import type { Secrets } from './secrets.ts';
import type { TokenService } from './tokens.ts';
import { createTokenService } from './tokens.ts';

export interface ServiceLimits {
  readonly fields: FieldLimits;
  /** Field definitions a map may have. */
  readonly mapFields: number;
  /** Locations that one `createLocations` may create. */
  readonly bulk: number;
}

export interface Services {
  readonly maps: MapService;
  readonly locations: LocationService;
  readonly tokens: TokenService;
}

export interface ServiceDependencies {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly limits: ServiceLimits;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** One for all services of a process, where they are made more than once. */
  readonly creationClock?: CreationClock;
}

export function createServices(dependencies: ServiceDependencies): Services {
  return new LazyServices(dependencies);
}

/** Each is made when it is first asked for: a request has services of its own, and needs few of them. */
class LazyServices implements Services {
  readonly #dependencies: ServiceDependencies;
  #maps: MapService | null = null;
  #locations: LocationService | null = null;
  #tokens: TokenService | null = null;

  constructor(dependencies: ServiceDependencies) {
    this.#dependencies = dependencies;
  }

  get maps(): MapService {
    const { storage, secrets, limits, clock = Date.now, creationClock } = this.#dependencies;
    this.#maps ??= createMapService({
      storage,
      secrets,
      creationClock: creationClock ?? createCreationClock(clock),
      maxFields: limits.mapFields,
    });
    return this.#maps;
  }

  get locations(): LocationService {
    const { storage, geocoder, secrets, limits, clock = Date.now } = this.#dependencies;
    this.#locations ??= createLocationService({
      storage,
      geocoder,
      secrets,
      clock,
      fieldLimits: limits.fields,
      maxBulk: limits.bulk,
    });
    return this.#locations;
  }

  get tokens(): TokenService {
    const { storage, clock = Date.now } = this.#dependencies;
    this.#tokens ??= createTokenService(storage, clock);
    return this.#tokens;
  }
}
