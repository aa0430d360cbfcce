/**
 * All settings. The only module that reads the environment. It checks every setting and reports all mistakes at once.
 */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';

import * as z from 'zod';

import type { GeocoderName } from './domain/geocoder-name.ts';
import { GEOCODER_NAMES } from './domain/geocoder-name.ts';
import { OperatorError } from './errors.ts';
import { isOneLetterAway } from './domain/nearest-name.ts';
import { isIssuerUrl } from './jwt/issuer-url.ts';
import type { JwtSettings } from './jwt/verifier.ts';
import { fileSettingOf, readSecretFiles, SECRET_SETTINGS } from './secret-files.ts';
import { CHECKS, SERVING_CHECKS, WARNINGS } from './settings-checks.ts';
import { MOST_CHANGES } from './storage/changes.ts';
import { isStorageUrl, STORAGE_SCHEMES } from './storage/open.ts';
import type { MapPageSettings } from './web/map-page.ts';
import { isTileUrl, tilesOf } from './web/tiles.ts';

export class ConfigError extends OperatorError {}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const wholeNumber = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z
    .string()
    .default(String(fallback))
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${max}`}`,
    })
    .transform(Number);

const flagText = () =>
  z.string().refine((text) => ['0', '1', 'true', 'false'].includes(text), { error: 'must be 0 or 1' });

const isOn = (text: string) => text === '1' || text === 'true';

const flag = (fallback: boolean) =>
  flagText()
    .default(fallback ? '1' : '0')
    .transform(isOn);

/** One whose default depends on more. */
const optionalFlag = () => flagText().transform(isOn).optional();

const list = (isItem: (item: string) => boolean, allowed: string) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine((items) => items.every(isItem), { error: `must be ${allowed}, separated by commas` });

/** Origin and path prefix of a server that replaces a provider's own. */
function baseUrl() {
  return z
    .string()
    .refine(isHttpAddress, { error: 'must be an http or https address without a query or credentials' })
    .optional();
}

const secretKey = () => z.string().min(32, { error: 'must be 32 characters or more' }).optional();

/** Keys that let callers in must not be changed on their way. */
const ISSUER_URL =
  'must be an https address, or an http one of this machine, without credentials or a fragment';

const SCHEMA = z.object({
  DATABASE_URL: z
    .string()
    .default('sqlite:data/map-locations.db')
    .refine(isStorageUrl, { error: `must begin with ${STORAGE_SCHEMES.join(' or ')}` }),
  DATABASE_TIMEOUT_MS: wholeNumber(2_000, { min: 1 }),
  SEARCH_TIMEOUT_MS: wholeNumber(10_000, { min: 1 }),
  DATABASE_POOL_SIZE: wholeNumber(100, { min: 1, max: 10_000 }),
  PAGE_CACHE_BYTES: wholeNumber(16 * 1024 * 1024),
  SQLITE_CACHE_BYTES: wholeNumber(8 * 1024 * 1024),
  SQLITE_READERS: wholeNumber(2, { min: 1, max: 64 }),
  CHANGE_LOG_MAX: wholeNumber(MOST_CHANGES, { min: 1 }),
  HOST: z
    .string()
    .refine(isHost, { error: 'must be an IP address, or the name of a host, such as localhost' })
    .default('127.0.0.1'),
  PORT: wholeNumber(4000, { max: 65_535 }),
  METRICS_PORT: wholeNumber(0, { max: 65_535 }),
  WORKERS: wholeNumber(1, { min: 1, max: 64 }),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  GEOCODER: list(isGeocoder, `one or more of ${GEOCODER_NAMES.join(', ')}`)
    .refine((names) => new Set(names).size === names.length, {
      error: 'must be a list that names each geocoder once',
    })
    .transform((names): readonly GeocoderName[] =>
      names.length === 0 ? ['auto'] : names.filter(isGeocoder),
    ),
  GOOGLE_API_KEY: z.string().optional(),
  GOOGLE_GEOCODING_URL: baseUrl(),
  MAPBOX_ACCESS_TOKEN: z.string().optional(),
  MAPBOX_URL: baseUrl(),
  NOMINATIM_URL: baseUrl(),
  NOMINATIM_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, { error: 'must be an email address' })
    .optional(),
  GEOCODER_TIMEOUT_MS: wholeNumber(10_000, { min: 1 }),
  GEOCODER_REQUEST_TIMEOUT_MS: wholeNumber(60_000, { min: 1 }),
  GEOCODER_CONCURRENCY: wholeNumber(10, { min: 1, max: 1_000 }),
  GEOCODER_QUEUE: wholeNumber(1_000),
  GEOCODER_TOKEN_QUOTA: wholeNumber(0),
  GEOCODER_MAP_QUOTA: wholeNumber(0),
  DEMO: flag(true),
  SECRET_KEY: secretKey(),
  SECRET_KEY_FALLBACK: secretKey(),
  JWT_ISSUER: z
    .string()
    .refine((text) => isIssuerUrl(text) && !text.includes('?'), { error: `${ISSUER_URL}; it has no query` })
    .optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_JWKS_URL: z.string().refine(isIssuerUrl, { error: ISSUER_URL }).optional(),
  JWT_OWNER_CLAIM: z.string().default('sub'),
  JWT_SCOPE_CLAIM: z.string().default('scope'),
  RATE_LIMIT: wholeNumber(6_000),
  PUBLIC_RATE_LIMIT: wholeNumber(600),
  CORS_ORIGINS: list(isOrigin, 'origins such as https://example.org, or *'),
  PUBLIC_URL: z
    .string()
    .refine(isHttpAddress, {
      error:
        'must be an http or https address without a query or credentials, such as https://maps.example.org',
    })
    // In the form that a header can carry: other scripts in a host name become ASCII, spaces are encoded.
    .transform((url) => new URL(url).href.replace(/\/+$/, ''))
    .optional(),
  TILE_URL: z
    .string()
    .refine(isTileUrl, {
      error:
        'must be an http or https address with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png',
    })
    .optional(),
  TILE_ATTRIBUTION: z.string().default(''),
  MEDIA_ORIGINS: list((item) => item !== '*' && isOrigin(item), 'origins such as https://example.org'),
  EMBED_ORIGINS: list(isOrigin, 'origins such as https://example.org, or *').transform((origins) =>
    origins.length === 0 ? ['*'] : origins,
  ),
  TRUST_PROXY: list(
    isProxy,
    'IP addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
  ),
  V0_SINGLE_LOCATION: z.enum(['array', 'object'], { error: 'must be array or object' }).default('array'),
  V0_MAP_PROVIDER: z
    .string()
    .regex(/^[A-Za-z0-9]+$/, { error: 'must be a word of letters and digits, such as google' })
    .default('provider'),
  V0_ERROR_STATUS: z.enum(['400'], { error: 'must be 400, or left out' }).optional(),
  BODY_LIMIT: wholeNumber(1_048_576, { min: 1 }),
  ANSWER_LIMIT: wholeNumber(32 * 1024 * 1024, { min: 1 }),
  UNREAD_LIMIT: wholeNumber(256 * 1024 * 1024, { min: 1 }),
  UNREAD_TIMEOUT_MS: wholeNumber(30_000, { min: 1 }),
  OVERLOAD_MS: wholeNumber(1_000),
  AUDIT_LOG: z.string().optional(),
  TRUSTED_DOCUMENTS: z.string().optional(),
  GRAPHQL_TRUSTED_ONLY: flag(false),
  INTROSPECTION: optionalFlag(),
  FEDERATION: flag(false),
  GRAPHIQL: optionalFlag(),
  GRAPHQL_MAX_CHARACTERS: wholeNumber(131_072, { min: 1 }),
  GRAPHQL_MAX_TOKENS: wholeNumber(8_000, { min: 1 }),
  GRAPHQL_MAX_DEPTH: wholeNumber(12, { min: 1 }),
  GRAPHQL_MAX_ROOT_FIELDS: wholeNumber(50, { min: 1 }),
  GRAPHQL_MAX_ALIASES: wholeNumber(50),
  GRAPHQL_MAX_VALUES: wholeNumber(20_000, { min: 1 }),
  GRAPHQL_MAX_ROWS: wholeNumber(20_000, { min: 1 }),
  GRAPHQL_MAX_INTROSPECTION: wholeNumber(20_000),
  OPERATIONS_MEMORY: wholeNumber(64 * 1024 * 1024),
  FIELDS_MAX_KEYS: wholeNumber(200, { min: 2 }),
  FIELDS_MAX_BYTES: wholeNumber(65_536, { min: 1 }),
  FIELDS_MAX_DEPTH: wholeNumber(8, { min: 1, max: 64 }),
  MAP_MAX_FIELDS: wholeNumber(100, { min: 2 }),
  BULK_MAX_LOCATIONS: wholeNumber(1_000, { min: 1 }),
  LIVE_MAX_CONNECTIONS: wholeNumber(10_000),
  LIVE_MAX_CONNECTIONS_OF_CLIENT: wholeNumber(2_000),
  LIVE_MAX_OPERATIONS: wholeNumber(100, { min: 1 }),
  LIVE_INIT_TIMEOUT_MS: wholeNumber(3_000, { min: 1 }),
  WEBHOOK_RETRY_MS: wholeNumber(5_000, { min: 1, max: 3_600_000 }),
  WEBHOOK_RETRY_FOR_MS: wholeNumber(86_400_000),
  WEBHOOK_TIMEOUT_MS: wholeNumber(15_000, { min: 1, max: 600_000 }),
  WEBHOOK_ALLOW_HTTP: flag(false),
  WEBHOOK_ALLOW_PRIVATE: flag(false),
  WEBHOOK_CONCURRENCY: wholeNumber(1_000, { min: 2, max: 10_000 }),
  WEBHOOKS_PER_MAP: wholeNumber(10, { max: 1_000 }),
  REQUEST_TIMEOUT_MS: wholeNumber(60_000, { min: 1 }),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(12_000, { max: 14_000 }),
  UPSTREAM_URL: baseUrl(),
  UPSTREAM_TIMEOUT_MS: wholeNumber(10_000, { min: 1 }),
  UPSTREAM_ANSWER_LIMIT: wholeNumber(8 * 1024 * 1024, { min: 1 }),
});

export type Settings = z.infer<typeof SCHEMA>;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Config {
  readonly databaseUrl: string;
  /** How long one request may wait for the database, all its calls together. */
  readonly databaseTimeoutMs: number;
  readonly searchTimeoutMs: number;
  readonly databasePoolSize: number;
  /** Memory for pages that are asked for again, in bytes; 0 keeps none. */
  readonly pageCacheBytes: number;
  readonly sqliteCacheBytes: number;
  /** Threads for searches that take long, and as many for exports; SQLite alone. */
  readonly sqliteReaders: number;
  /** Changes that the log of each map keeps. */
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
    readonly googleApiKey: string | null;
    readonly googleUrl: string | null;
    readonly mapboxAccessToken: string | null;
    readonly mapboxUrl: string | null;
    readonly nominatimUrl: string | null;
    readonly nominatimEmail: string | null;
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
  readonly answerLimit: number;
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
    readonly answerLimit: number;
  };
  /** What is not wrong, but perhaps not meant. A line each, without any value. */
  readonly warnings: readonly string[];
}

/** Names of all settings. A test compares the table of docs/settings.md with them. */
export const SETTING_NAMES = Object.keys(SCHEMA.shape) as readonly (keyof Settings)[];
/** Names of settings that name a file with the value of another. */
export const FILE_SETTING_NAMES = SECRET_SETTINGS.map(fileSettingOf);

/** The process's environment. `.env` of the current directory gives the settings that it lacks. */
export function readEnvironment(): Environment {
  return { ...readEnvFile('.env'), ...process.env };
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new ConfigError(`${path} cannot be read: ${String(error)}`);
  }
}

/**
 * Reads and checks the settings. An empty value counts as absent.
 *
 * @throws ConfigError that lists every mistake, one per line. It repeats no value, since one may be a secret
 */
export function readConfig(environment: Environment = readEnvironment()): Config {
  const { settings, mistakes } = readSettings(environment);
  return configOf(settings, mistakes, environment);
}

/** As {@link readConfig}, and also looks for mistakes that only matter to a server. */
export async function readServingConfig(environment: Environment = readEnvironment()): Promise<Config> {
  const { settings, mistakes, isRight } = readSettings(environment);
  const checks = SERVING_CHECKS.filter(({ of }) => of.every(isRight));
  const found = await Promise.all(checks.map(({ find }) => find(settings)));
  return configOf(settings, [...mistakes, ...found.filter(isPresent)], environment);
}

/**
 * The settings that were read, and all mistakes, one line each. A setting with a mistake of its own has its default.
 */
function readSettings(environment: Environment) {
  const files = readSecretFiles(environment);
  const given: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(
      SETTING_NAMES.map((name) => [name, environment[name]] as const).filter(([, value]) => value !== ''),
    ),
    ...Object.fromEntries(files.values),
  };
  // To compile the schema for the one time that it is asked takes longer than to ask it.
  const result = SCHEMA.safeParse(given, { jitless: true });
  const issues = result.error?.issues ?? [];
  const wrong = new Set<unknown>([...files.mistakes.keys(), ...issues.map(({ path }) => path[0])]);
  const isRight = (name: keyof Settings) => !wrong.has(name);
  const right = Object.fromEntries(SETTING_NAMES.filter(isRight).map((name) => [name, given[name]]));
  const settings = result.data ?? SCHEMA.parse(right);
  const checks = CHECKS.filter(({ of }) => of.every(isRight));
  const mistakes = [
    ...files.mistakes.values(),
    ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    ...checks.map(({ find }) => find(settings)).filter(isPresent),
  ];
  return { settings, mistakes, isRight };
}

function configOf(settings: Settings, mistakes: readonly string[], environment: Environment): Config {
  const warnings = [
    ...findMisspelt(environment),
    ...WARNINGS.map(({ find }) => find(settings)).filter(isPresent),
  ];
  if (mistakes.length === 0) return toConfig(settings, warnings, environment['NODE_ENV'] === 'production');
  throw new ConfigError(['These settings are wrong:', ...mistakes.map((line) => `  ${line}`)].join('\n'));
}

function isPresent<T>(value: T | null): value is T {
  return value !== null;
}

/** Names that are no setting's, and one letter away from one. */
function findMisspelt(environment: Environment): readonly string[] {
  const names: readonly string[] = [...SETTING_NAMES, ...FILE_SETTING_NAMES];
  return Object.keys(environment).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((setting) => isOneLetterAway(name, setting));
    return meant === undefined ? [] : [`${name} is no setting and was ignored; did you mean ${meant}?`];
  });
}

/** @param isProduction whether what helps developers alone is off by default */
function toConfig(settings: Settings, warnings: readonly string[], isProduction: boolean): Config {
  return Object.freeze({
    databaseUrl: settings.DATABASE_URL,
    databaseTimeoutMs: settings.DATABASE_TIMEOUT_MS,
    searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    pageCacheBytes: settings.PAGE_CACHE_BYTES,
    sqliteCacheBytes: settings.SQLITE_CACHE_BYTES,
    sqliteReaders: settings.SQLITE_READERS,
    changeLogMax: settings.CHANGE_LOG_MAX,
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    workers: settings.WORKERS,
    logLevel: settings.LOG_LEVEL,
    geocoding: Object.freeze({
      geocoder: Object.freeze([...settings.GEOCODER]),
      googleApiKey: settings.GOOGLE_API_KEY ?? null,
      googleUrl: settings.GOOGLE_GEOCODING_URL ?? null,
      mapboxAccessToken: settings.MAPBOX_ACCESS_TOKEN ?? null,
      mapboxUrl: settings.MAPBOX_URL ?? null,
      nominatimUrl: settings.NOMINATIM_URL ?? null,
      nominatimEmail: settings.NOMINATIM_EMAIL ?? null,
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
      asksByIds: settings.GRAPHQL_TRUSTED_ONLY,
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
    answerLimit: settings.ANSWER_LIMIT,
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
      answerLimit: settings.UPSTREAM_ANSWER_LIMIT,
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

function isGeocoder(text: string): text is GeocoderName {
  return (GEOCODER_NAMES as readonly string[]).includes(text);
}

/** Checks the form only. Whether the name can be looked up is checked when a server starts. */
function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  return text.length <= 253 && /^(?:[\p{L}\p{N}_][\p{L}\p{N}_-]{0,62}(?:\.(?!$)|\.?$))+$/u.test(text);
}

function isOrigin(text: string): boolean {
  if (text === '*') return true;
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}

/** Whether it is an address that paths can be put behind, and that holds no secret. */
export function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isBare = [username, password, search, hash].every((part) => part === '');
  return (protocol === 'http:' || protocol === 'https:') && isBare;
}

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits] = text.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
