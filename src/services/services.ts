/** All services over one store and one geocoder. */

import type { FieldLimits } from '../domain/fields.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { JwtVerifier } from '../jwt/jwt.ts';
import type { Storage } from '../storage/storage.ts';
import type { DemoMapService } from './maps/demo-map.ts';
import { createDemoMapService } from './maps/demo-map.ts';
import type { Access } from './authorization.ts';
import { authorize } from './authorization.ts';
import type { Audit } from './audit/audit.ts';
import { auditWrites } from './audit/audit-writes.ts';
import type { ChangeService } from './changes/change-service.ts';
import { createChangeService } from './changes/change-service.ts';
import { createCreationClock } from './locations/creation-clock.ts';
import type { SearchService } from './search/search-service.ts';
import { createSearchService } from './search/search-service.ts';
import type { ExportService } from '../transfer/export/exports.ts';
import { createExportService } from '../transfer/export/exports.ts';
import type { GeocodingService } from './locations/geocoding-service.ts';
import { createGeocodingService } from './locations/geocoding-service.ts';
import type { LocationService } from './locations/location-service.ts';
import { createLocationService } from './locations/location-service.ts';
import type { MapService } from './maps/map-service.ts';
import { createMapService } from './maps/map-service.ts';
import type { PublicMapService } from './maps/public-maps.ts';
import { createPublicMapService } from './maps/public-maps.ts';
import type { OwnTokenService } from './tokens/own-tokens.ts';
import { createOwnTokenService } from './tokens/own-tokens.ts';
import type { Scope } from './scope.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { TokenService } from './tokens/token-service.ts';
import { createTokenService } from './tokens/token-service.ts';
import type { WebhookService, WebhookServiceOptions } from './webhooks/webhook-service.ts';
import { createWebhookService } from './webhooks/webhook-service.ts';

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
  readonly authorize: (scope: Scope, mapId: string, access: Access) => Promise<unknown>;
  /**
   * For a write that is wrong in its form: what every verb about one map checks comes before that.
   *
   * @param operation name of the mutation
   * @throws `reason`, or what {@link admit} throws
   */
  readonly refuseWrite: (scope: Scope, operation: string, mapId: string, reason: unknown) => Promise<never>;
  readonly maps: MapService;
  readonly publicMaps: PublicMapService;
  readonly locations: LocationService;
  readonly search: SearchService;
  readonly changes: ChangeService;
  readonly exports: ExportService;
  readonly geocoding: GeocodingService;
  readonly tokens: TokenService;
  readonly ownTokens: OwnTokenService;
  readonly webhooks: WebhookService;
  readonly demoMap: DemoMapService;
}

export interface ServiceDependencies {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly limits: ServiceLimits;
  readonly webhooks: Omit<WebhookServiceOptions, 'storage' | 'secrets' | 'clock'>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Null, as by default, where a JWT is no token. */
  readonly jwtVerifier?: JwtVerifier | null;
  /** Null, as by default, where writes leave no lines. */
  readonly audit?: Audit | null;
  /** Told where the last use of tokens could not be stored. */
  readonly onTokenUseFailure?: (error: unknown) => void;
  /** Told each time that the store fails while changes are followed; it is asked again. */
  readonly onChangesFailure?: (error: unknown) => void;
}

export function createServices({
  storage,
  geocoder,
  secrets,
  limits,
  webhooks,
  clock = Date.now,
  jwtVerifier = null,
  audit = null,
  onTokenUseFailure = () => {},
  onChangesFailure = () => {},
}: ServiceDependencies): Services {
  const tokens = createTokenService({
    storage,
    jwtVerifier,
    clock,
    onUseFailure: onTokenUseFailure,
  });
  const services: Services = {
    authorize: (scope, mapId, access) => authorize(storage, scope, mapId, access),
    refuseWrite: async (scope, _operation, mapId, reason) => {
      await authorize(storage, scope, mapId, { scope: 'write' });
      throw reason;
    },
    maps: createMapService({
      storage,
      secrets,
      creationClock: createCreationClock(clock),
      clock,
      maxFields: limits.mapFields,
    }),
    publicMaps: createPublicMapService(storage),
    locations: createLocationService({
      storage,
      geocoder,
      secrets,
      clock,
      fieldLimits: limits.fields,
      maxBulk: limits.bulk,
    }),
    search: createSearchService({ storage }),
    changes: createChangeService({ storage, onFailure: onChangesFailure }),
    exports: createExportService(storage),
    geocoding: createGeocodingService({ storage, geocoder, secrets, maxBytes: limits.fields.maxBytes }),
    tokens,
    ownTokens: createOwnTokenService({ storage, tokens, clock }),
    webhooks: createWebhookService({ ...webhooks, storage, secrets, clock }),
    demoMap: createDemoMapService(storage),
  };
  if (audit !== null) auditWrites(services, audit);
  return services;
}
