/** All services over one store and one geocoder. */

import type { FieldLimits } from '../domain/fields.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { Storage } from '../storage/storage.ts';
import type { Access } from './access.ts';
import { admit } from './access.ts';
import { createCreationClock } from './creation-clock.ts';
import type { FindingService } from './finding.ts';
import { createFindingService } from './finding.ts';
import type { ExportService } from './exports/exports.ts';
import { createExportService } from './exports/exports.ts';
import type { LocationService } from './locations.ts';
import { createLocationService } from './locations.ts';
import type { MapService } from './maps.ts';
import { createMapService } from './maps.ts';
import type { Scope } from './scope.ts';
import type { Secrets } from './secrets.ts';
import type { TokenService } from './tokens.ts';
import { createTokenService } from './tokens.ts';

export interface ServiceLimits {
  readonly fields: FieldLimits;
  /** Field definitions a map may have. */
  readonly mapFields: number;
  /** How many locations one `createLocations` may create. */
  readonly bulk: number;
}

export interface Services {
  /**
   * What every verb about one map checks before its arguments. For a request that is wrong in its form.
   *
   * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED
   */
  admit(scope: Scope, mapId: string, access: Access): Promise<unknown>;
  readonly maps: MapService;
  readonly locations: LocationService;
  readonly finding: FindingService;
  readonly exports: ExportService;
  readonly tokens: TokenService;
}

export interface ServiceDependencies {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly limits: ServiceLimits;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export function createServices({
  storage,
  geocoder,
  secrets,
  limits,
  clock = Date.now,
}: ServiceDependencies): Services {
  return {
    admit: (scope, mapId, access) => admit(storage, scope, mapId, access),
    maps: createMapService({
      storage,
      secrets,
      creationClock: createCreationClock(clock),
      clock,
      maxFields: limits.mapFields,
    }),
    locations: createLocationService({
      storage,
      geocoder,
      secrets,
      clock,
      fieldLimits: limits.fields,
      maxBulk: limits.bulk,
    }),
    finding: createFindingService({ storage }),
    exports: createExportService(storage),
    tokens: createTokenService(storage, clock),
  };
}
