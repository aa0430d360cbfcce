/** All services over one store and one geocoder. */

import type { FieldLimits } from '../domain/fields.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { JwtVerifier } from '../jwt/jwt.ts';
import type { Storage } from '../storage/storage.ts';
import type { DemoMapService } from './maps/demo-map.ts';
import { createDemoMapService } from './maps/demo-map.ts';
import { AccountService } from './accounts/account-service.ts';
import { PasswordService } from './accounts/password-service.ts';
import { Passwords } from './accounts/passwords.ts';
import type { SignInProvider } from './accounts/provider-service.ts';
import { ProviderService } from './accounts/provider-service.ts';
import { SessionService } from './accounts/session-service.ts';
import type { Access } from './authorization.ts';
import { authorize } from './authorization.ts';
import type { Audit } from './audit/audit.ts';
import { NO_AUDIT } from './audit/audit.ts';
import type { ChangeService } from './changes/change-service.ts';
import { createChangeService } from './changes/change-service.ts';
import { SearchService } from './search/search-service.ts';
import { withCalls } from './history/calls.ts';
import { HistoryService } from './history/history-service.ts';
import type { HistoryRetention } from './history/retention.ts';
import { DEFAULT_RETENTION } from './history/retention.ts';
import type { ExportService } from '../transfer/export/exports.ts';
import { createExportService } from '../transfer/export/exports.ts';
import { GeocodingService } from './locations/geocoding-service.ts';
import { KeyedCalls } from './locations/keyed-calls.ts';
import { LocationBatchService } from './locations/location-batch-service.ts';
import { LocationService } from './locations/location-service.ts';
import { MapService } from './maps/map-service.ts';
import type { PublicMapService } from './maps/public-maps.ts';
import { createPublicMapService } from './maps/public-maps.ts';
import { InvitationService } from './sharing/invitation-service.ts';
import { MapLinkService } from './sharing/map-link-service.ts';
import { MemberService } from './sharing/member-service.ts';
import { OwnTokenService } from './tokens/own-tokens.ts';
import type { Scope } from './scope.ts';
import type { Secrets } from './secrets/secrets.ts';
import { TileService } from './tiles/tile-service.ts';
import { TokenService } from './tokens/token-service.ts';
import type { WebhookServiceOptions } from './webhooks/webhook-service.ts';
import { WebhookService } from './webhooks/webhook-service.ts';

export interface ServiceLimits {
  readonly fields: FieldLimits;
  /** Field definitions that a map may have. */
  readonly mapFields: number;
  /** Locations that one call may write. */
  readonly bulk: number;
}

export interface Services {
  /**
   * The checks that every method about a map makes before it looks at its arguments; for malformed requests.
   *
   * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED
   */
  readonly authorize: (scope: Scope, mapId: string, access: Access) => Promise<unknown>;
  /**
   * For a malformed write: makes the checks of {@link authorize}, logs the write and fails.
   *
   * @param operation name of the mutation
   * @throws `reason`, or what {@link authorize} throws
   */
  readonly refuseWrite: (scope: Scope, operation: string, mapId: string, reason: unknown) => Promise<never>;
  readonly maps: MapService;
  readonly publicMaps: PublicMapService;
  readonly locations: LocationService;
  readonly locationBatches: LocationBatchService;
  readonly search: SearchService;
  readonly history: HistoryService;
  readonly changes: ChangeService;
  readonly exports: ExportService;
  readonly tiles: TileService;
  readonly geocoding: GeocodingService;
  readonly accounts: AccountService;
  readonly passwords: PasswordService;
  readonly provider: ProviderService;
  readonly sessions: SessionService;
  readonly tokens: TokenService;
  readonly ownTokens: OwnTokenService;
  readonly webhooks: WebhookService;
  readonly members: MemberService;
  readonly invitations: InvitationService;
  readonly mapLinks: MapLinkService;
  readonly demoMap: DemoMapService;
}

export interface ServiceDependencies {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly limits: ServiceLimits;
  readonly webhooks: Omit<WebhookServiceOptions, 'storage' | 'secrets' | 'audit' | 'clock'>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** By default, {@link DEFAULT_RETENTION}. */
  readonly history?: HistoryRetention;
  /** Bytes of cached vector tiles; 0, the default, for no cache. */
  readonly tileCacheBytes?: number;
  /** Null, the default, if JWTs are not accepted. */
  readonly jwtVerifier?: JwtVerifier | null;
  /** Null, the default, if writes are not logged. */
  readonly audit?: Audit | null;
  /** Whether people may sign in with passwords; true by default. */
  readonly allowsPasswords?: boolean;
  /** By default scrypt; replaceable in tests. */
  readonly passwords?: Passwords;
  /** Null, the default, for none. */
  readonly signInProvider?: SignInProvider | null;
  /** Called when times of use of tokens or sessions could not be stored. */
  readonly onTokenUseFailure?: (error: unknown) => void;
  /** Called each time the store fails while changes are followed; the read is retried. */
  readonly onChangesFailure?: (error: unknown) => void;
}

export function createServices({
  storage,
  geocoder,
  secrets,
  limits,
  webhooks,
  clock = Date.now,
  history: retention = DEFAULT_RETENTION,
  tileCacheBytes = 0,
  jwtVerifier = null,
  audit: auditLog = null,
  allowsPasswords = true,
  passwords = new Passwords(),
  signInProvider = null,
  onTokenUseFailure = () => {},
  onChangesFailure = () => {},
}: ServiceDependencies): Services {
  const audit = withCalls(auditLog ?? NO_AUDIT, retention, clock);
  const tokens = new TokenService({ storage, audit, jwtVerifier, clock, onUseFailure: onTokenUseFailure });
  const sessions = new SessionService({ storage, audit, clock, onUseFailure: onTokenUseFailure });
  const demoMap = createDemoMapService(storage);
  const ofLocations = {
    ...{ storage, geocoder, secrets, audit, clock },
    keyedCalls: new KeyedCalls({ storage, clock }),
    fieldLimits: limits.fields,
    maxBulk: limits.bulk,
  };
  return {
    authorize: (scope, mapId, access) => authorize(storage, scope, mapId, access),
    refuseWrite: (scope, operation, mapId, reason) =>
      audit.run(scope, { operation, subject: { mapId, ids: [] } }, async () => {
        await authorize(storage, scope, mapId, { role: 'editor' });
        throw reason;
      }),
    maps: new MapService({ storage, secrets, audit, clock, maxFields: limits.mapFields }),
    publicMaps: createPublicMapService(storage),
    locations: new LocationService(ofLocations),
    locationBatches: new LocationBatchService(ofLocations),
    search: new SearchService({ storage, audit }),
    history: new HistoryService({ storage, audit, retention, clock, maxBulk: limits.bulk }),
    changes: createChangeService({ storage, onFailure: onChangesFailure }),
    exports: createExportService(storage, geocoder),
    tiles: new TileService({ storage, geocoder, cacheBytes: tileCacheBytes }),
    geocoding: new GeocodingService({ ...ofLocations, maxBytes: limits.fields.maxBytes }),
    accounts: new AccountService({ storage, audit, demoMap, clock }),
    passwords: new PasswordService({
      ...{ storage, audit, sessions, demoMap, passwords, clock },
      isEnabled: allowsPasswords,
    }),
    provider: new ProviderService({ storage, audit, sessions, demoMap, secrets, signInProvider, clock }),
    sessions,
    tokens,
    ownTokens: new OwnTokenService({ storage, tokens, audit, clock }),
    members: new MemberService({ storage, owners: tokens, audit, clock }),
    invitations: new InvitationService({ storage, audit, clock }),
    mapLinks: new MapLinkService({ storage, audit, clock }),
    webhooks: new WebhookService({ ...webhooks, storage, secrets, audit, clock }),
    demoMap,
  };
}
