/** The settings as the program uses them. */

import type { GeocoderName, ProviderConfigs } from '../../geocoding/providers/providers.ts';
import { configureProviders } from '../../geocoding/providers/providers.ts';
import type { JwtSettings } from '../../jwt/verifier.ts';
import type { MapPageSettings } from '../../web/map-page.ts';
import { tilesOf } from '../../web/tiles.ts';
import type { Settings } from './schema.ts';

export interface Config {
  readonly databaseUrl: string;
  /** How long one request may wait for the database, all its calls together. */
  readonly databaseTimeoutMs: number;
  readonly searchTimeoutMs: number;
  readonly databasePoolSize: number;
  /** Memory for pages that are asked for again, in bytes; 0 keeps none. */
  readonly pageCacheBytes: number;
  readonly sqliteCacheBytes: number;
  /** Bytes of the database's file that are read as mapped memory. */
  readonly sqliteMmapBytes: number;
  /** Threads for searches that take long, and as many for exports; SQLite alone. */
  readonly sqliteReaders: number;
  /** Changes that the log of each map keeps. */
  /** Bytes that an archive to import may hold when it is unpacked. */
  readonly importMaxExpanded: number;
  readonly changeLogMax: number;
  readonly host: string;
  readonly port: number;
  /** Port of `/metrics`; 0 when it is not served. */
  readonly metricsPort: number;
  /** Processes that serve. */
  readonly workers: number;
  readonly logLevel: Settings['LOG_LEVEL'];
  readonly geocoding: {
    /** In the order in which they are tried. */
    readonly geocoder: readonly GeocoderName[];
    readonly providers: ProviderConfigs;
    /** For one address. */
    readonly timeoutMs: number;
    /** For all addresses of a request. */
    readonly requestTimeoutMs: number;
    readonly concurrency: number;
    readonly queueLength: number;
    /** Geocoded addresses a day; 0 is no limit. */
    readonly tokenQuota: number;
    readonly mapQuota: number;
  };
  readonly demo: boolean;
  readonly secretKey: string | null;
  /** Opens what `secretKey` does not; see services/secrets.ts. */
  readonly secretKeyFallback: string | null;
  /** Null where a JWT is no token. */
  readonly jwt: JwtSettings | null;
  /** Requests a minute, for a token or an address; 0 is no limit. */
  readonly rateLimit: number;
  /** Public pages and exports a minute, for an address; 0 is no limit. */
  readonly publicRateLimit: number;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | null;
  readonly mapPage: MapPageSettings;
  readonly trustProxy: readonly string[];
  readonly v0: {
    readonly singleLocation: Settings['V0_SINGLE_LOCATION'];
    readonly mapProvider: string;
    /** The one HTTP status of every error of /v0; null when each error has its own. */
    readonly errorStatus: number | null;
  };
  /** Path of a file; null for none. */
  readonly auditLog: string | null;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  readonly bodyLimit: number;
  /** Bytes of one GraphQL answer. */
  readonly responseLimit: number;
  /** Bytes of all answers in the making, as read and as written, and of those that wait for their readers. */
  readonly unreadLimit: number;
  /** How long a client may read nothing of its answer, in milliseconds. */
  readonly unreadTimeoutMs: number;
  /** How long a request may wait for its handler, and how late the event loop may be, before new ones are refused. */
  readonly overloadMs: number;
  readonly graphql: {
    /** Whether clients may ask for the schema. */
    readonly introspection: boolean;
    /** Whether a router of Apollo Federation may use the schema as a subgraph. */
    readonly federation: boolean;
    /** Path of a file; null for none. */
    readonly trustedDocuments: string | null;
    /** Whether nothing but trusted documents is executed. */
    readonly trustedOnly: boolean;
    /** Of a document, comments and blanks included. */
    readonly maxCharacters: number;
    readonly maxTokens: number;
    readonly maxDepth: number;
    readonly maxRootFields: number;
    readonly maxAliases: number;
    /** In lists and input objects of an operation's variables. */
    readonly maxValues: number;
    readonly maxRows: number;
    /** Values that the introspection of one operation may return. */
    readonly maxIntrospection: number;
    /** Bytes of operations that are kept parsed, validated and compiled, in each process; 0 keeps none. */
    readonly operationsBytes: number;
  };
  /** Of connections that stay open: WebSockets, and streams of events. */
  readonly live: {
    /** Of each process. */
    readonly connections: number;
    /** Of each process, with one token or of one address without a token. */
    readonly connectionsOfClient: number;
    /** At once on one WebSocket. */
    readonly operationsOfConnection: number;
    /** Milliseconds until a WebSocket client has said who it is. */
    readonly initTimeoutMs: number;
  };
  readonly webhooks: {
    /** The wait after a message's first failure; it is doubled after each further one. */
    readonly retryMs: number;
    /** How long one message may fail before the webhook is disabled. */
    readonly retryForMs: number;
    /** For one attempt. */
    readonly timeoutMs: number;
    /** Whether http to this machine is allowed. */
    readonly allowsHttp: boolean;
    /** Whether addresses are allowed that are not globally routable. */
    readonly allowsPrivate: boolean;
    /** Requests under way at once. */
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
  /** What a service is asked with that speaks /v0. */
  readonly upstream: {
    /** The service that is asked in the place of a store; null for a server with a store. */
    readonly url: string | null;
    /** For one call with all its tries. */
    readonly timeoutMs: number;
    /** Bytes of one answer. */
    readonly responseLimit: number;
  };
  /** What is not wrong, but perhaps not meant. A line each, without any value. */
  readonly warnings: readonly string[];
}

/** @param isProduction whether what helps developers alone is off by default */
export function toConfig(settings: Settings, warnings: readonly string[], isProduction: boolean): Config {
  return Object.freeze({
    databaseUrl: settings.DATABASE_URL,
    databaseTimeoutMs: settings.DATABASE_TIMEOUT_MS,
    searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    pageCacheBytes: settings.PAGE_CACHE_BYTES,
    sqliteCacheBytes: settings.SQLITE_CACHE_BYTES,
    sqliteMmapBytes: settings.SQLITE_MMAP_BYTES,
    sqliteReaders: settings.SQLITE_READERS,
    importMaxExpanded: settings.IMPORT_MAX_EXPANDED,
    changeLogMax: settings.CHANGE_LOG_MAX,
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    workers: settings.WORKERS,
    logLevel: settings.LOG_LEVEL,
    geocoding: Object.freeze({
      geocoder: Object.freeze([...settings.GEOCODER]),
      providers: configureProviders(({ keySetting, urlSetting, contactSetting }) => ({
        key: (keySetting && settings[keySetting]) ?? null,
        url: settings[urlSetting] ?? null,
        contact: (contactSetting && settings[contactSetting]) ?? null,
      })),
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
    rateLimit: settings.RATE_LIMIT,
    publicRateLimit: settings.PUBLIC_RATE_LIMIT,
    corsOrigins: Object.freeze(settings.CORS_ORIGINS),
    publicUrl: settings.PUBLIC_URL ?? null,
    mapPage: Object.freeze({
      tiles: settings.TILE_URL === undefined ? null : tilesOf(settings.TILE_URL, settings.TILE_ATTRIBUTION),
      mediaOrigins: Object.freeze(settings.MEDIA_ORIGINS),
      embedOrigins: Object.freeze(settings.EMBED_ORIGINS),
      usesDocumentIds: settings.GRAPHQL_TRUSTED_ONLY,
    }),
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
