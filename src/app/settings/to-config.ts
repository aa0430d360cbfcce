/** The configuration: the settings as the program uses them. */

import { linkedParts, parseAttribution } from '../../domain/attribution.ts';
import type { GeocoderName, ProviderConfigs } from '../../geocoding/providers/providers.ts';
import { configureProviders } from '../../geocoding/providers/providers.ts';
import type { JwtSettings } from '../../jwt/verifier.ts';
import { CALLBACK_PATH } from '../../oidc/identity-provider.ts';
import type { OpenIdConnectOptions } from '../../oidc/openid-connect.ts';
import type { HistoryRetention } from '../../services/history/retention.ts';
import type { MapPageSettings } from '../../web/map-page.ts';
import { CONSOLE_PATH } from '../../web/pages.ts';
import type { BasemapFileSettings } from '../../web/tiles.ts';
import { tilesOf } from '../../web/tiles.ts';
import type { Settings } from './schema.ts';

/** The identity provider that people sign in at. */
export interface OidcConfig extends Omit<OpenIdConnectOptions, 'timeoutMs' | 'now'> {
  /** Its name for people. */
  readonly label: string;
  /** Whether everybody whom the provider knows gets an account. */
  readonly allowsSignUp: boolean;
}

export interface Config {
  readonly databaseUrl: string;
  /** How long one request may wait for the database in total. */
  readonly databaseTimeoutMs: number;
  readonly searchTimeoutMs: number;
  readonly databasePoolSize: number;
  /** Size of the page cache; 0 disables it. */
  readonly pageCacheBytes: number;
  /** Size of the cache of vector tiles; 0 disables it. */
  readonly tileCacheBytes: number;
  readonly sqliteCacheBytes: number;
  /** Bytes of the database file to map into memory. */
  readonly sqliteMmapBytes: number;
  /** Threads for long searches, and as many for exports; SQLite only. */
  readonly sqliteReaders: number;
  /** Maximum bytes of an imported archive after decompression. */
  readonly importMaxExpanded: number;
  /** Changes that the log of each map keeps. */
  readonly changeLogMax: number;
  readonly history: HistoryRetention;
  readonly host: string;
  readonly port: number;
  /** Port of `/metrics`; 0 disables it. */
  readonly metricsPort: number;
  /** Number of serving processes. */
  readonly workers: number;
  readonly logLevel: Settings['LOG_LEVEL'];
  readonly geocoding: {
    /** In the order of attempts. */
    readonly geocoder: readonly GeocoderName[];
    readonly providers: ProviderConfigs;
    /** For one address. */
    readonly timeoutMs: number;
    /** For all addresses of a request. */
    readonly requestTimeoutMs: number;
    readonly concurrency: number;
    readonly queueLength: number;
    /** Geocoded addresses per day; 0 means no limit. */
    readonly tokenQuota: number;
    readonly mapQuota: number;
  };
  readonly demo: boolean;
  readonly secretKey: string | null;
  /** Decrypts what `secretKey` does not; see services/secrets/. */
  readonly secretKeyFallback: string | null;
  /** Null when JWTs are not accepted. */
  readonly jwt: JwtSettings | null;
  /** Whether people may sign in with passwords. */
  readonly passwordSignIn: boolean;
  /** Null for no provider. */
  readonly oidc: OidcConfig | null;
  /** Requests per minute and token or address; 0 means no limit. */
  readonly rateLimit: number;
  /** Public pages and exports per minute and address; 0 means no limit. */
  readonly publicRateLimit: number;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | null;
  readonly mapPage: MapPageSettings;
  readonly trustProxy: readonly string[];
  readonly v0: {
    readonly singleLocation: Settings['V0_SINGLE_LOCATION'];
    readonly mapProvider: string;
    /** The HTTP status of all /v0 errors; null when each error has its own. */
    readonly errorStatus: number | null;
  };
  /** Path of a file; null when writes are not audited. */
  readonly auditLog: string | null;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Whether the sitemap of published maps is served. */
  readonly sitemap: boolean;
  readonly mcp: {
    /** Whether `POST /mcp` is served. */
    readonly isServed: boolean;
    /** Whether its tools may write; over stdio, too. */
    readonly allowsWrites: boolean;
  };
  readonly bodyLimit: number;
  /** Maximum bytes of one GraphQL response. */
  readonly responseLimit: number;
  /** Maximum bytes of all responses in progress, both as read and as serialized, including unread ones. */
  readonly unreadLimit: number;
  /** Milliseconds that a client may read nothing of its response. */
  readonly unreadTimeoutMs: number;
  /** Milliseconds of event-loop delay or queueing after which new requests are refused. */
  readonly overloadMs: number;
  readonly graphql: {
    /** Whether clients may query the schema. */
    readonly introspection: boolean;
    /** Whether the schema is an Apollo Federation subgraph. */
    readonly federation: boolean;
    /** Path of a file; null for none. */
    readonly trustedDocuments: string | null;
    /** Whether only trusted documents are executed. */
    readonly trustedOnly: boolean;
    /** Of a document, including comments and white space. */
    readonly maxCharacters: number;
    readonly maxTokens: number;
    readonly maxDepth: number;
    readonly maxRootFields: number;
    readonly maxAliases: number;
    /** In lists and input objects of an operation's variables. */
    readonly maxValues: number;
    readonly maxRows: number;
    /** Maximum values that the introspection in one operation may return. */
    readonly maxIntrospection: number;
    /** Size of the cache of parsed, validated and compiled operations, per process; 0 disables it. */
    readonly operationsBytes: number;
  };
  /** Limits of long-lived connections: WebSockets and event streams. */
  readonly live: {
    /** Per process. */
    readonly connections: number;
    /** Per process and token, or address without a token. */
    readonly connectionsOfClient: number;
    /** Concurrent, per WebSocket. */
    readonly operationsOfConnection: number;
    /** Milliseconds until a WebSocket client must have authenticated. */
    readonly initTimeoutMs: number;
  };
  readonly webhooks: {
    /** Delay after the first failure of a message; doubled after each further failure. */
    readonly retryMs: number;
    /** How long a message may fail before the webhook is disabled. */
    readonly retryForMs: number;
    /** For one attempt. */
    readonly timeoutMs: number;
    /** Whether to allow http to this machine. */
    readonly allowsHttp: boolean;
    /** Whether to allow addresses that are not globally routable. */
    readonly allowsPrivate: boolean;
    /** Concurrent requests. */
    readonly concurrency: number;
    readonly maxOfMap: number;
  };
  readonly limits: {
    readonly fields: { readonly maxKeys: number; readonly maxBytes: number; readonly maxDepth: number };
    readonly mapFields: number;
    readonly bulk: number;
  };
  readonly requestTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  /** Requests to another service that implements /v0. */
  readonly upstream: {
    /** The service in front of which a gateway runs; null for a server with a store. */
    readonly url: string | null;
    /** For one call with all its retries. */
    readonly timeoutMs: number;
    /** Maximum bytes of one response. */
    readonly responseLimit: number;
  };
  /** Warnings about settings, one line each, without values. */
  readonly warnings: readonly string[];
}

/** @param isProduction whether features for developers are off by default */
export function toConfig(settings: Settings, warnings: readonly string[], isProduction: boolean): Config {
  return Object.freeze({
    databaseUrl: settings.DATABASE_URL,
    databaseTimeoutMs: settings.DATABASE_TIMEOUT_MS,
    searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    pageCacheBytes: settings.PAGE_CACHE_BYTES,
    tileCacheBytes: settings.TILE_CACHE_BYTES,
    sqliteCacheBytes: settings.SQLITE_CACHE_BYTES,
    sqliteMmapBytes: settings.SQLITE_MMAP_BYTES,
    sqliteReaders: settings.SQLITE_READERS,
    importMaxExpanded: settings.IMPORT_MAX_EXPANDED,
    changeLogMax: settings.CHANGE_LOG_MAX,
    history: Object.freeze({
      days: settings.HISTORY_DAYS,
      maxVersions: settings.HISTORY_MAX_VERSIONS,
      trashDays: settings.TRASH_DAYS,
    }),
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    workers: settings.WORKERS,
    logLevel: settings.LOG_LEVEL,
    geocoding: Object.freeze({
      geocoder: Object.freeze([...settings.GEOCODER]),
      providers: providersOf(settings),
      timeoutMs: settings.GEOCODER_TIMEOUT_MS,
      requestTimeoutMs: settings.GEOCODER_REQUEST_TIMEOUT_MS,
      concurrency: settings.GEOCODER_CONCURRENCY,
      queueLength: settings.GEOCODER_QUEUE,
      tokenQuota: settings.GEOCODER_TOKEN_QUOTA,
      mapQuota: settings.GEOCODER_MAP_QUOTA,
    }),
    demo: settings.DEMO,
    secretKey: settings.SECRET_KEY ?? null,
    secretKeyFallback: settings.SECRET_KEY_FALLBACK ?? null,
    jwt: jwtOf(settings),
    passwordSignIn: settings.PASSWORD_SIGN_IN,
    oidc: oidcOf(settings),
    rateLimit: settings.RATE_LIMIT,
    publicRateLimit: settings.PUBLIC_RATE_LIMIT,
    corsOrigins: Object.freeze(settings.CORS_ORIGINS),
    publicUrl: settings.PUBLIC_URL ?? null,
    mapPage: Object.freeze({
      tiles: settings.TILE_URL === undefined ? null : tilesOf(settings.TILE_URL, settings.TILE_ATTRIBUTION),
      basemapFile: basemapFileOf(settings),
      mediaOrigins: Object.freeze(settings.MEDIA_ORIGINS),
      embedOrigins: Object.freeze(settings.EMBED_ORIGINS),
      usesDocumentIds: settings.GRAPHQL_TRUSTED_ONLY,
    }),
    sitemap: settings.SITEMAP,
    mcp: Object.freeze({ isServed: settings.MCP, allowsWrites: settings.MCP_WRITE }),
    trustProxy: Object.freeze(settings.TRUST_PROXY),
    v0: Object.freeze({
      singleLocation: settings.V0_SINGLE_LOCATION,
      mapProvider: settings.V0_MAP_PROVIDER,
      errorStatus: settings.V0_ERROR_STATUS === undefined ? null : Number(settings.V0_ERROR_STATUS),
    }),
    auditLog: settings.AUDIT_LOG ?? null,
    graphiql: settings.GRAPHIQL ?? !isProduction,
    bodyLimit: settings.BODY_LIMIT,
    responseLimit: settings.ANSWER_LIMIT,
    unreadLimit: settings.UNREAD_LIMIT,
    unreadTimeoutMs: settings.UNREAD_TIMEOUT_MS,
    overloadMs: settings.OVERLOAD_MS,
    graphql: Object.freeze({
      introspection: settings.INTROSPECTION ?? !isProduction,
      federation: settings.FEDERATION,
      trustedDocuments: settings.TRUSTED_DOCUMENTS ?? null,
      trustedOnly: settings.GRAPHQL_TRUSTED_ONLY,
      maxCharacters: settings.GRAPHQL_MAX_CHARACTERS,
      maxTokens: settings.GRAPHQL_MAX_TOKENS,
      maxDepth: settings.GRAPHQL_MAX_DEPTH,
      maxRootFields: settings.GRAPHQL_MAX_ROOT_FIELDS,
      maxAliases: settings.GRAPHQL_MAX_ALIASES,
      maxValues: settings.GRAPHQL_MAX_VALUES,
      maxRows: settings.GRAPHQL_MAX_ROWS,
      maxIntrospection: settings.GRAPHQL_MAX_INTROSPECTION,
      operationsBytes: settings.OPERATIONS_MEMORY,
    }),
    live: Object.freeze({
      connections: settings.LIVE_MAX_CONNECTIONS,
      connectionsOfClient: settings.LIVE_MAX_CONNECTIONS_OF_CLIENT,
      operationsOfConnection: settings.LIVE_MAX_OPERATIONS,
      initTimeoutMs: settings.LIVE_INIT_TIMEOUT_MS,
    }),
    webhooks: Object.freeze({
      retryMs: settings.WEBHOOK_RETRY_MS,
      retryForMs: settings.WEBHOOK_RETRY_FOR_MS,
      timeoutMs: settings.WEBHOOK_TIMEOUT_MS,
      allowsHttp: settings.WEBHOOK_ALLOW_HTTP,
      allowsPrivate: settings.WEBHOOK_ALLOW_PRIVATE,
      concurrency: settings.WEBHOOK_CONCURRENCY,
      maxOfMap: settings.WEBHOOKS_PER_MAP,
    }),
    limits: Object.freeze({
      fields: Object.freeze({
        maxKeys: settings.FIELDS_MAX_KEYS,
        maxBytes: settings.FIELDS_MAX_BYTES,
        maxDepth: settings.FIELDS_MAX_DEPTH,
      }),
      mapFields: settings.MAP_MAX_FIELDS,
      bulk: settings.BULK_MAX_LOCATIONS,
    }),
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    upstream: Object.freeze({
      url: settings.UPSTREAM_URL ?? null,
      timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
      responseLimit: settings.UPSTREAM_ANSWER_LIMIT,
    }),
    warnings: Object.freeze(warnings),
  });
}

function providersOf(settings: Settings): ProviderConfigs {
  return configureProviders(({ keySetting, urlSetting, contactSetting, nameSetting, attributionSetting }) => {
    const attribution = attributionSetting && settings[attributionSetting];
    return {
      key: (keySetting && settings[keySetting]) ?? null,
      url: settings[urlSetting] ?? null,
      contact: (contactSetting && settings[contactSetting]) ?? null,
      shownName: (nameSetting && settings[nameSetting]) ?? null,
      attribution: attribution ? parseAttribution(attribution) : null,
    };
  });
}

/** A gateway has no pages of maps. */
function basemapFileOf({
  BASEMAP_FILE: path,
  UPSTREAM_URL,
  TILE_ATTRIBUTION,
}: Settings): BasemapFileSettings | null {
  if (path === undefined || UPSTREAM_URL !== undefined) return null;
  return Object.freeze({ path, attribution: TILE_ATTRIBUTION === '' ? null : linkedParts(TILE_ATTRIBUTION) });
}

function jwtOf(settings: Settings): JwtSettings | null {
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  if (issuer === undefined || audience === undefined) return null;
  return Object.freeze({
    issuer,
    audience,
    jwksUrl: settings.JWT_JWKS_URL ?? null,
    ownerClaim: settings.JWT_OWNER_CLAIM,
    scopeClaim: settings.JWT_SCOPE_CLAIM,
  });
}

function oidcOf(settings: Settings): OidcConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL: publicUrl } = settings;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return null;
  return Object.freeze({
    issuer,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET ?? null,
    scopes: settings.OIDC_SCOPES,
    redirectUri: publicUrl + CALLBACK_PATH,
    signedOutUri: publicUrl + CONSOLE_PATH,
    label: settings.OIDC_LABEL ?? new URL(issuer).host,
    allowsSignUp: settings.OIDC_ALLOW_SIGN_UP,
  });
}
