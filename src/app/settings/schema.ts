/** All settings: names, types and defaults. */

import * as z from 'zod';

import type {
  AttributionSetting,
  ContactSetting,
  GeocoderName,
  KeySetting,
  NameSetting,
  UrlSetting,
} from '../../geocoding/providers/providers.ts';
import { GEOCODER_NAMES, PROVIDERS } from '../../geocoding/providers/providers.ts';
import { isPlainText } from '../../domain/text.ts';
import { isIssuerUrl } from '../../jwt/issuer-url.ts';
import { DEFAULT_RETENTION } from '../../services/history/retention.ts';
import { MOST_CHANGES } from '../../storage/changes.ts';
import { isStorageUrl, STORAGE_SCHEMES } from '../../storage/open.ts';
import { isTileUrl } from '../../web/tiles.ts';
import {
  baseUrl,
  flag,
  isHost,
  isHttpAddress,
  isOrigin,
  isProxy,
  list,
  optionalFlag,
  secretKey,
  wholeNumber,
} from './kinds.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** https, because nobody must be able to replace the keys that authenticate callers. */
const ISSUER_URL =
  'must be an https address, or an http one of this machine, without credentials or a fragment';

const ISSUER = z
  .string()
  .refine((text) => isIssuerUrl(text) && !text.includes('?'), { error: `${ISSUER_URL}; it has no query` });

/** Where people of every tenant of Entra ID sign in. */
const ENTRA_OF_ALL = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/i;

const MAX_LABEL_LENGTH = 64;
/** RFC 6749, 3.3. */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

const OPTIONAL_EMAIL = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+$/, { error: 'must be an email address' })
  .optional();

const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...PROVIDERS.filter(({ nameSetting }) => nameSetting === null).map(({ name }) => name),
  ...['auto', 'offline', 'manual'],
]);

/** Stored with each location, so it must not be another provider's. */
const PROVIDER_NAME = z
  .string()
  .refine((name) => /^[a-z][a-z0-9-]{0,31}$/.test(name) && !RESERVED_NAMES.has(name), {
    error:
      'must be 1 to 32 lower-case letters, digits and hyphens, begin with a letter, and not be another geocoder or "manual"',
  })
  .optional();

/** Some readers of KML and GPX take texts for HTML. */
const ATTRIBUTION = z
  .string()
  .refine((text) => !/[<>\p{Cc}]/u.test(text), {
    error: 'must be text without <, > and control characters; [words](https://…) is a link',
  })
  .optional();

/** The settings of the geocoding providers, by their descriptors. */
const PROVIDER_SETTINGS = Object.fromEntries(
  PROVIDERS.flatMap(({ keySetting, urlSetting, contactSetting, nameSetting, attributionSetting }) => [
    ...(keySetting === null ? [] : [[keySetting, z.string().optional()] as const]),
    [urlSetting, baseUrl()] as const,
    ...(contactSetting === null ? [] : [[contactSetting, OPTIONAL_EMAIL] as const]),
    ...(nameSetting === null ? [] : [[nameSetting, PROVIDER_NAME] as const]),
    ...(attributionSetting === null ? [] : [[attributionSetting, ATTRIBUTION] as const]),
  ]),
) as Readonly<
  Record<
    KeySetting | UrlSetting | ContactSetting | NameSetting | AttributionSetting,
    ReturnType<typeof baseUrl>
  >
>;

/** A hundred years. */
const MAX_DAYS = 36_500;

export const SCHEMA = z.object({
  DATABASE_URL: z
    .string()
    .default('sqlite:data/map-locations.db')
    .refine(isStorageUrl, { error: `must begin with ${STORAGE_SCHEMES.join(' or ')}` }),
  DATABASE_TIMEOUT_MS: wholeNumber(2_000, { min: 1 }),
  SEARCH_TIMEOUT_MS: wholeNumber(10_000, { min: 1 }),
  DATABASE_POOL_SIZE: wholeNumber(100, { min: 1, max: 10_000 }),
  PAGE_CACHE_BYTES: wholeNumber(16 * 1024 * 1024),
  TILE_CACHE_BYTES: wholeNumber(32 * 1024 * 1024),
  SQLITE_CACHE_BYTES: wholeNumber(8 * 1024 * 1024),
  SQLITE_MMAP_BYTES: wholeNumber(0),
  SQLITE_READERS: wholeNumber(2, { min: 1, max: 64 }),
  IMPORT_MAX_EXPANDED: wholeNumber(1024 * 1024 * 1024, { min: 1 }),
  CHANGE_LOG_MAX: wholeNumber(MOST_CHANGES, { min: 1 }),
  HISTORY_DAYS: wholeNumber(DEFAULT_RETENTION.days, { max: MAX_DAYS }),
  HISTORY_MAX_VERSIONS: wholeNumber(DEFAULT_RETENTION.maxVersions, { max: 10_000 }),
  TRASH_DAYS: wholeNumber(DEFAULT_RETENTION.trashDays, { max: MAX_DAYS }),
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
  ...PROVIDER_SETTINGS,
  GEOCODER_TIMEOUT_MS: wholeNumber(10_000, { min: 1 }),
  GEOCODER_REQUEST_TIMEOUT_MS: wholeNumber(60_000, { min: 1 }),
  GEOCODER_CONCURRENCY: wholeNumber(10, { min: 1, max: 1_000 }),
  GEOCODER_QUEUE: wholeNumber(1_000),
  GEOCODER_TOKEN_QUOTA: wholeNumber(0),
  GEOCODER_MAP_QUOTA: wholeNumber(0),
  DEMO: flag(true),
  SECRET_KEY: secretKey(),
  SECRET_KEY_FALLBACK: secretKey(),
  JWT_ISSUER: ISSUER.optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_JWKS_URL: z.string().refine(isIssuerUrl, { error: ISSUER_URL }).optional(),
  JWT_OWNER_CLAIM: z.string().default('sub'),
  JWT_SCOPE_CLAIM: z.string().default('scope'),
  PASSWORD_SIGN_IN: flag(true),
  OIDC_ISSUER: ISSUER.refine((text) => !ENTRA_OF_ALL.test(text), {
    error: 'must be the issuer of one tenant of Entra ID, not of common, organizations or consumers',
  }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z
    .string()
    .refine((text) => isPlainText(text, MAX_LABEL_LENGTH), {
      error: `must be at most ${MAX_LABEL_LENGTH} characters without control characters`,
    })
    .optional(),
  OIDC_SCOPES: z
    .string()
    .refine((text) => SCOPES.test(text) && text.split(' ').includes('openid'), {
      error: 'must be scopes separated by single spaces, and contain openid',
    })
    .default('openid profile'),
  OIDC_ALLOW_SIGN_UP: flag(true),
  RATE_LIMIT: wholeNumber(6_000),
  PUBLIC_RATE_LIMIT: wholeNumber(600),
  CORS_ORIGINS: list(isOrigin, 'origins such as https://example.org, or *'),
  PUBLIC_URL: z
    .string()
    .refine(isHttpAddress, {
      error:
        'must be an http or https address without a query or credentials, such as https://maps.example.org',
    })
    // Normalized for use in headers: punycode host, encoded spaces.
    .transform((url) => new URL(url).href.replace(/\/+$/, ''))
    .optional(),
  TILE_URL: z
    .string()
    .refine(isTileUrl, {
      error:
        'must be an http or https address with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png',
    })
    .optional(),
  BASEMAP_FILE: z.string().optional(),
  TILE_ATTRIBUTION: z.string().default(''),
  MEDIA_ORIGINS: list((item) => item !== '*' && isOrigin(item), 'origins such as https://example.org'),
  SITEMAP: flag(true),
  MCP: flag(true),
  MCP_WRITE: flag(false),
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

function isGeocoder(text: string): text is GeocoderName {
  return (GEOCODER_NAMES as readonly string[]).includes(text);
}
