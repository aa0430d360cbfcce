import type { Config, Settings } from '../../src/app/config.ts';
import { ConfigError, readConfig, readServingConfig, SETTING_NAMES } from '../../src/app/config.ts';

type Name = keyof Settings;

function messageOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`was taken: ${JSON.stringify(environment)}`);
}

const secret = 'k'.repeat(32);

/** How each setting is read, and what it accepts and refuses. */
interface Row {
  readonly read: (config: Config) => unknown;
  readonly fallback: unknown;
  readonly good: readonly (readonly [string, unknown])[];
  readonly bad: readonly string[];
  /** Settings that it requires. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** Whole numbers from `least` to `most`, if given. */
function wholeNumber(read: Row['read'], fallback: number, least: number, most?: number): Row {
  return {
    read,
    fallback,
    good: [
      [String(least), least],
      ['007', Math.max(7, least)],
      [String(most ?? 1_000_000), most ?? 1_000_000],
    ].filter(([, value]) => most === undefined || Number(value) <= most) as [string, number][],
    bad: [
      '-1',
      '1.5',
      '1e3',
      '0x10',
      ' 5',
      '5 ',
      'many',
      '٣',
      '9'.repeat(16),
      ...(least > 0 ? [String(least - 1)] : []),
      ...(most === undefined ? [] : [String(most + 1)]),
    ],
  };
}

function flag(read: Row['read'], fallback: boolean): Row {
  const good = [
    ['0', false],
    ['false', false],
    ['1', true],
    ['true', true],
  ] as const;
  return { read, fallback, good, bad: ['yes', 'no', 'TRUE', '2', ' 1'] };
}

function text(read: Row['read']): Row {
  return { read, fallback: null, good: [['any text: 1', 'any text: 1']], bad: [] };
}

function address(read: Row['read']): Row {
  return {
    read,
    fallback: null,
    good: [['http://127.0.0.1:8080/prefix', 'http://127.0.0.1:8080/prefix']],
    bad: ['geocoder.example', 'ftp://a.example', 'https://a.example?key=x', 'https://user:pw@a.example'],
  };
}

const PROVIDER = {
  OIDC_ISSUER: 'https://id.example.org:8443',
  OIDC_CLIENT_ID: 'maps',
  PUBLIC_URL: 'https://maps.example.org',
};

const TABLE: Partial<Record<Name, Row>> = {
  DATABASE_URL: {
    read: ({ databaseUrl }) => databaseUrl,
    fallback: 'sqlite:data/map-locations.db',
    good: [
      ['sqlite::memory:', 'sqlite::memory:'],
      ['sqlite:/tmp/x.db', 'sqlite:/tmp/x.db'],
      ['mongodb://host-1,host-2/maps', 'mongodb://host-1,host-2/maps'],
    ],
    bad: ['postgres://h/d', 'data.db', 'SQLITE:x', ' sqlite:x', 'mysql:x'],
  },
  DATABASE_TIMEOUT_MS: wholeNumber(({ databaseTimeoutMs }) => databaseTimeoutMs, 2_000, 1),
  SEARCH_TIMEOUT_MS: wholeNumber(({ searchTimeoutMs }) => searchTimeoutMs, 10_000, 1),
  DATABASE_POOL_SIZE: wholeNumber(({ databasePoolSize }) => databasePoolSize, 100, 1, 10_000),
  PAGE_CACHE_BYTES: wholeNumber(({ pageCacheBytes }) => pageCacheBytes, 16_777_216, 0),
  TILE_CACHE_BYTES: wholeNumber(({ tileCacheBytes }) => tileCacheBytes, 33_554_432, 0),
  SQLITE_CACHE_BYTES: wholeNumber(({ sqliteCacheBytes }) => sqliteCacheBytes, 8_388_608, 0),
  SQLITE_MMAP_BYTES: wholeNumber(({ sqliteMmapBytes }) => sqliteMmapBytes, 0, 0),
  SQLITE_READERS: wholeNumber(({ sqliteReaders }) => sqliteReaders, 2, 1, 64),
  IMPORT_MAX_EXPANDED: wholeNumber(({ importMaxExpanded }) => importMaxExpanded, 1_073_741_824, 1),
  CHANGE_LOG_MAX: wholeNumber(({ changeLogMax }) => changeLogMax, 100_000, 1),
  HISTORY_DAYS: wholeNumber(({ history }) => history.days, 90, 0, 36_500),
  HISTORY_MAX_VERSIONS: wholeNumber(({ history }) => history.maxVersions, 100, 0, 10_000),
  TRASH_DAYS: wholeNumber(({ history }) => history.trashDays, 30, 0, 36_500),
  HOST: {
    read: ({ host }) => host,
    fallback: '127.0.0.1',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      ['maps.local', 'maps.local'],
      ['fe80::1%eth0', 'fe80::1%eth0'],
      ['maps_1.example.', 'maps_1.example.'],
      ['münchen.example', 'münchen.example'],
    ],
    bad: ['http://maps.local', 'maps.local:80', 'a b', '-maps', 'maps..local', '.', '[::1]', 'a'.repeat(254)],
  },
  PORT: wholeNumber(({ port }) => port, 4000, 0, 65_535),
  METRICS_PORT: wholeNumber(({ metricsPort }) => metricsPort, 0, 0, 65_535),
  WORKERS: wholeNumber(({ workers }) => workers, 1, 1, 64),
  LOG_LEVEL: {
    read: ({ logLevel }) => logLevel,
    fallback: 'info',
    good: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map(
      (level) => [level, level] as const,
    ),
    bad: ['INFO', 'verbose', '30'],
  },
  GEOCODER: {
    read: ({ geocoding }) => geocoding.geocoder,
    fallback: ['auto'],
    good: [
      ['auto', ['auto']],
      ['offline', ['offline']],
      ['google, nominatim ,mapbox,offline', ['google', 'nominatim', 'mapbox', 'offline']],
      ['geoapify,locationiq,opencage', ['geoapify', 'locationiq', 'opencage']],
    ],
    bad: ['bing', 'AUTO', 'offline;auto', 'google,google'],
  },
  GOOGLE_API_KEY: text(({ geocoding }) => geocoding.providers.google.key),
  GOOGLE_GEOCODING_URL: address(({ geocoding }) => geocoding.providers.google.url),
  NOMINATIM_URL: address(({ geocoding }) => geocoding.providers.nominatim.url),
  NOMINATIM_EMAIL: {
    read: ({ geocoding }) => geocoding.providers.nominatim.contact,
    fallback: null,
    good: [['maps@example.org', 'maps@example.org']],
    bad: ['maps', 'a b@example.org', '@example.org'],
  },
  MAPBOX_ACCESS_TOKEN: text(({ geocoding }) => geocoding.providers.mapbox.key),
  MAPBOX_URL: address(({ geocoding }) => geocoding.providers.mapbox.url),
  PHOTON_URL: address(({ geocoding }) => geocoding.providers.photon.url),
  GEOCODEJSON_URL: address(({ geocoding }) => geocoding.providers.geocodejson.url),
  GEOCODEJSON_NAME: {
    read: ({ geocoding }) => geocoding.providers.geocodejson.shownName,
    fallback: null,
    good: [
      ['ban', 'ban'],
      ['geocodejson', 'geocodejson'],
      ['adresse-2026', 'adresse-2026'],
    ],
    bad: ['BAN', '1a', 'a b', 'manual', 'google', 'offline', 'a'.repeat(33)],
  },
  GEOCODEJSON_ATTRIBUTION: {
    read: ({ geocoding }) => geocoding.providers.geocodejson.attribution,
    fallback: null,
    good: [
      ['City of X & Y', { text: 'City of X & Y', url: null }],
      ['© [BAN](https://example.org/a) et al.', { text: '© BAN et al.', url: 'https://example.org/a' }],
      ['[A](javascript:alert(1))', { text: '[A](javascript:alert(1))', url: null }],
    ],
    bad: ['<b>BAN</b>', 'a\u0001b'],
  },
  GEOAPIFY_API_KEY: text(({ geocoding }) => geocoding.providers.geoapify.key),
  GEOAPIFY_URL: address(({ geocoding }) => geocoding.providers.geoapify.url),
  LOCATIONIQ_API_KEY: text(({ geocoding }) => geocoding.providers.locationiq.key),
  LOCATIONIQ_URL: address(({ geocoding }) => geocoding.providers.locationiq.url),
  OPENCAGE_API_KEY: text(({ geocoding }) => geocoding.providers.opencage.key),
  OPENCAGE_URL: address(({ geocoding }) => geocoding.providers.opencage.url),
  GEOCODER_TIMEOUT_MS: wholeNumber(({ geocoding }) => geocoding.timeoutMs, 10_000, 1),
  GEOCODER_REQUEST_TIMEOUT_MS: wholeNumber(({ geocoding }) => geocoding.requestTimeoutMs, 60_000, 1),
  GEOCODER_CONCURRENCY: wholeNumber(({ geocoding }) => geocoding.concurrency, 10, 1, 1_000),
  GEOCODER_QUEUE: wholeNumber(({ geocoding }) => geocoding.queueLength, 1_000, 0),
  GEOCODER_TOKEN_QUOTA: wholeNumber(({ geocoding }) => geocoding.tokenQuota, 0, 0),
  GEOCODER_MAP_QUOTA: wholeNumber(({ geocoding }) => geocoding.mapQuota, 0, 0),
  DEMO: flag(({ demo }) => demo, true),
  SECRET_KEY: {
    read: ({ secretKey }) => secretKey,
    fallback: null,
    good: [
      [secret, secret],
      [` ${secret}`, ` ${secret}`],
    ],
    bad: ['k', 'k'.repeat(31)],
  },
  SECRET_KEY_FALLBACK: {
    read: ({ secretKeyFallback }) => secretKeyFallback,
    fallback: null,
    good: [[secret, secret]],
    bad: ['k', 'k'.repeat(31)],
    beside: { SECRET_KEY: secret },
  },
  JWT_ISSUER: {
    read: ({ jwt }) => jwt?.issuer ?? null,
    fallback: null,
    good: [
      'https://id.example.org',
      'https://id.example.org/',
      'https://id.example.org/realms/maps',
      'http://localhost:8080',
      'http://127.0.0.9',
      'http://[::1]:80',
    ].map((text) => [text, text] as const),
    bad: [
      'id.example.org',
      'http://id.example.org',
      'http://127.0.0.1.example.org',
      'http://localhost.example.org',
      'http://10.0.0.1',
      'ftp://id.example.org',
      'https://user:password@id.example.org',
      'https://id.example.org?a=b',
      'https://id.example.org#a',
    ],
    beside: { JWT_AUDIENCE: 'maps' },
  },
  JWT_AUDIENCE: {
    read: ({ jwt }) => jwt?.audience ?? null,
    fallback: null,
    good: [['maps, and more', 'maps, and more']],
    bad: [],
    beside: { JWT_ISSUER: 'https://id.example.org' },
  },
  JWT_JWKS_URL: {
    read: ({ jwt }) => jwt?.jwksUrl ?? null,
    fallback: null,
    good: [['https://keys.example.org/jwks?v=1', 'https://keys.example.org/jwks?v=1']],
    bad: ['http://keys.example.org', 'jwks.json'],
    beside: { JWT_ISSUER: 'https://id.example.org', JWT_AUDIENCE: 'maps' },
  },
  JWT_OWNER_CLAIM: {
    read: ({ jwt }) => jwt?.ownerClaim ?? 'sub',
    fallback: 'sub',
    good: [['https://example.org/tenant', 'https://example.org/tenant']],
    bad: [],
    beside: { JWT_ISSUER: 'https://id.example.org', JWT_AUDIENCE: 'maps' },
  },
  JWT_SCOPE_CLAIM: {
    read: ({ jwt }) => jwt?.scopeClaim ?? 'scope',
    fallback: 'scope',
    good: [['permissions', 'permissions']],
    bad: [],
    beside: { JWT_ISSUER: 'https://id.example.org', JWT_AUDIENCE: 'maps' },
  },
  PASSWORD_SIGN_IN: flag(({ passwordSignIn }) => passwordSignIn, true),
  OIDC_ISSUER: {
    read: ({ oidc }) => oidc?.issuer ?? null,
    fallback: null,
    good: [
      'https://id.example.org/realms/maps',
      'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
      'http://localhost:8080',
    ].map((text) => [text, text] as const),
    bad: [
      'id.example.org',
      'http://id.example.org',
      'https://id.example.org?a=b',
      ...['common', 'Organizations', 'consumers'].map(
        (tenant) => `https://login.microsoftonline.com/${tenant}/v2.0`,
      ),
    ],
    beside: { OIDC_CLIENT_ID: 'maps', PUBLIC_URL: 'https://maps.example.org' },
  },
  OIDC_CLIENT_ID: { ...text(({ oidc }) => oidc?.clientId ?? null), beside: PROVIDER },
  OIDC_CLIENT_SECRET: { ...text(({ oidc }) => oidc?.clientSecret ?? null), beside: PROVIDER },
  OIDC_LABEL: {
    read: ({ oidc }) => oidc?.label ?? null,
    fallback: null,
    good: [['Museum’s account', 'Museum’s account']],
    bad: ['a\u0007b', 'x'.repeat(65)],
    beside: PROVIDER,
  },
  OIDC_SCOPES: {
    read: ({ oidc }) => oidc?.scopes ?? null,
    fallback: null,
    good: [
      ['openid', 'openid'],
      ['profile openid https://example.org/a', 'profile openid https://example.org/a'],
    ],
    bad: ['profile', 'openid  profile', ' openid', 'openid,profile', 'openid "x"'],
    beside: PROVIDER,
  },
  OIDC_ALLOW_SIGN_UP: { ...flag(({ oidc }) => oidc?.allowsSignUp ?? true, true), beside: PROVIDER },
  RATE_LIMIT: wholeNumber(({ rateLimit }) => rateLimit, 6_000, 0),
  PUBLIC_RATE_LIMIT: wholeNumber(({ publicRateLimit }) => publicRateLimit, 600, 0),
  CORS_ORIGINS: {
    read: ({ corsOrigins }) => corsOrigins,
    fallback: [],
    good: [
      ['*', ['*']],
      ['https://a.example', ['https://a.example']],
      [
        ' https://a.example:8443 , http://localhost:5173,',
        ['https://a.example:8443', 'http://localhost:5173'],
      ],
      [',', []],
    ],
    bad: [
      'https://*.example',
      'a.example',
      'https://a.example/',
      'https://a.example/path',
      'https://a.example:443',
      'HTTPS://a.example',
      'https://a.example,nonsense',
      'null',
    ],
  },
  PUBLIC_URL: {
    read: ({ publicUrl }) => publicUrl,
    fallback: null,
    good: [
      ['https://maps.example.org', 'https://maps.example.org'],
      ['http://localhost:4000/', 'http://localhost:4000'],
      ['https://maps.example.org/a/b//', 'https://maps.example.org/a/b'],
      ['https://例え.jp/a b', 'https://xn--r8jz45g.jp/a%20b'],
    ],
    bad: [
      'maps.example.org',
      'ftp://maps.example.org',
      'https://maps.example.org?x=1',
      'https://maps.example.org#x',
      'https://user:password@maps.example.org',
      '/maps',
      'https://',
    ],
  },
  TILE_URL: {
    read: ({ mapPage }) => mapPage.tiles?.url ?? null,
    fallback: null,
    good: [
      ['https://t.example/{z}/{x}/{y}.png', 'https://t.example/{z}/{x}/{y}.png'],
      ['http://127.0.0.1:8080/t/{z}/{y}/{x}{r}?key=1', 'http://127.0.0.1:8080/t/{z}/{y}/{x}{r}?key=1'],
    ],
    bad: [
      'https://t.example/',
      'https://t.example/{z}/{x}.png',
      'https://{s}.t.example/{z}/{x}/{y}.png',
      'https://{x}.example/{z}/{x}/{y}',
      '/{z}/{x}/{y}.png',
      'ftp://t.example/{z}/{x}/{y}',
      'https://user:pw@t.example/{z}/{x}/{y}',
      "https://t.example; script-src 'unsafe-inline'/{z}/{x}/{y}",
    ],
  },
  BASEMAP_FILE: {
    read: ({ mapPage }) => mapPage.basemapFile?.path ?? null,
    fallback: null,
    good: [['/srv/streets.pmtiles', '/srv/streets.pmtiles']],
    bad: [],
  },
  TILE_ATTRIBUTION: {
    // It is shown only with tiles.
    read: () => '',
    fallback: '',
    good: [['', '']],
    bad: [],
  },
  MEDIA_ORIGINS: {
    read: ({ mapPage }) => mapPage.mediaOrigins,
    fallback: [],
    good: [['https://a.example, https://b.example:8443', ['https://a.example', 'https://b.example:8443']]],
    bad: ['*', 'a.example', 'https://a.example/x', 'https://*.example'],
  },
  SITEMAP: flag(({ sitemap }) => sitemap, true),
  MCP: flag(({ mcp }) => mcp.isServed, true),
  MCP_WRITE: flag(({ mcp }) => mcp.allowsWrites, false),
  EMBED_ORIGINS: {
    read: ({ mapPage }) => mapPage.embedOrigins,
    fallback: ['*'],
    good: [
      ['*', ['*']],
      ['https://a.example, https://b.example:8443', ['https://a.example', 'https://b.example:8443']],
    ],
    bad: ['a.example', 'https://a.example/x', "'self'"],
  },
  TRUST_PROXY: {
    read: ({ trustProxy }) => trustProxy,
    fallback: [],
    good: [
      ['loopback', ['loopback']],
      ['10.0.0.1, 10.0.0.0/8,::1,fe80::/10', ['10.0.0.1', '10.0.0.0/8', '::1', 'fe80::/10']],
      ['linklocal,uniquelocal', ['linklocal', 'uniquelocal']],
    ],
    bad: ['true', '1', '*', 'proxy.local', '10.0.0.0/33', '::/129', '10.0.0.1/', '10.0.0.1/x', '300.0.0.1'],
  },
  V0_SINGLE_LOCATION: {
    read: ({ v0 }) => v0.singleLocation,
    fallback: 'array',
    good: [
      ['array', 'array'],
      ['object', 'object'],
    ],
    bad: ['Array', 'list'],
  },
  V0_MAP_PROVIDER: {
    read: ({ v0 }) => v0.mapProvider,
    fallback: 'provider',
    good: [
      ['google', 'google'],
      ['mapbox2', 'mapbox2'],
      ['openStreetMap', 'openStreetMap'],
      ['Google', 'Google'],
      ['2gis', '2gis'],
    ],
    bad: ['open street', 'google-maps', 'über', 'a{b}', 'a: id b'],
  },
  V0_ERROR_STATUS: {
    read: ({ v0 }) => v0.errorStatus,
    fallback: null,
    good: [['400', 400]],
    bad: ['200', '0400', '500', 'own'],
  },
  BODY_LIMIT: wholeNumber(({ bodyLimit }) => bodyLimit, 1_048_576, 1),
  ANSWER_LIMIT: wholeNumber(({ responseLimit }) => responseLimit, 33_554_432, 1),
  UNREAD_LIMIT: wholeNumber(({ unreadLimit }) => unreadLimit, 268_435_456, 1),
  UNREAD_TIMEOUT_MS: wholeNumber(({ unreadTimeoutMs }) => unreadTimeoutMs, 30_000, 1),
  OVERLOAD_MS: wholeNumber(({ overloadMs }) => overloadMs, 1_000, 0),
  AUDIT_LOG: {
    read: ({ auditLog }) => auditLog,
    fallback: null,
    good: [['audit.log', 'audit.log']],
    bad: [],
  },
  TRUSTED_DOCUMENTS: {
    read: ({ graphql }) => graphql.trustedDocuments,
    fallback: null,
    good: [['documents.json', 'documents.json']],
    bad: [],
  },
  GRAPHQL_TRUSTED_ONLY: {
    ...flag(({ graphql }) => graphql.trustedOnly, false),
    beside: { TRUSTED_DOCUMENTS: 'documents.json' },
  },
  INTROSPECTION: flag(({ graphql }) => graphql.introspection, true),
  FEDERATION: flag(({ graphql }) => graphql.federation, false),
  GRAPHIQL: flag(({ graphiql }) => graphiql, true),
  GRAPHQL_MAX_CHARACTERS: wholeNumber(({ graphql }) => graphql.maxCharacters, 131_072, 1),
  GRAPHQL_MAX_TOKENS: wholeNumber(({ graphql }) => graphql.maxTokens, 8_000, 1),
  GRAPHQL_MAX_DEPTH: wholeNumber(({ graphql }) => graphql.maxDepth, 12, 1),
  GRAPHQL_MAX_ROOT_FIELDS: wholeNumber(({ graphql }) => graphql.maxRootFields, 50, 1),
  GRAPHQL_MAX_ALIASES: wholeNumber(({ graphql }) => graphql.maxAliases, 50, 0),
  GRAPHQL_MAX_VALUES: wholeNumber(({ graphql }) => graphql.maxValues, 20_000, 1),
  GRAPHQL_MAX_ROWS: wholeNumber(({ graphql }) => graphql.maxRows, 20_000, 1),
  GRAPHQL_MAX_INTROSPECTION: wholeNumber(({ graphql }) => graphql.maxIntrospection, 20_000, 0),
  OPERATIONS_MEMORY: wholeNumber(({ graphql }) => graphql.operationsBytes, 67_108_864, 0),
  FIELDS_MAX_KEYS: wholeNumber(({ limits }) => limits.fields.maxKeys, 200, 2),
  FIELDS_MAX_BYTES: wholeNumber(({ limits }) => limits.fields.maxBytes, 65_536, 1),
  FIELDS_MAX_DEPTH: wholeNumber(({ limits }) => limits.fields.maxDepth, 8, 1, 64),
  MAP_MAX_FIELDS: wholeNumber(({ limits }) => limits.mapFields, 100, 2),
  BULK_MAX_LOCATIONS: wholeNumber(({ limits }) => limits.bulk, 1_000, 1),
  LIVE_MAX_CONNECTIONS: wholeNumber(({ live }) => live.connections, 10_000, 0),
  LIVE_MAX_CONNECTIONS_OF_CLIENT: wholeNumber(({ live }) => live.connectionsOfClient, 2_000, 0),
  LIVE_MAX_OPERATIONS: wholeNumber(({ live }) => live.operationsOfConnection, 100, 1),
  LIVE_INIT_TIMEOUT_MS: wholeNumber(({ live }) => live.initTimeoutMs, 3_000, 1),
  WEBHOOK_RETRY_MS: wholeNumber(({ webhooks }) => webhooks.retryMs, 5_000, 1, 3_600_000),
  WEBHOOK_RETRY_FOR_MS: wholeNumber(({ webhooks }) => webhooks.retryForMs, 86_400_000, 0),
  WEBHOOK_TIMEOUT_MS: wholeNumber(({ webhooks }) => webhooks.timeoutMs, 15_000, 1, 600_000),
  WEBHOOK_ALLOW_HTTP: flag(({ webhooks }) => webhooks.allowsHttp, false),
  WEBHOOK_ALLOW_PRIVATE: flag(({ webhooks }) => webhooks.allowsPrivate, false),
  WEBHOOK_CONCURRENCY: wholeNumber(({ webhooks }) => webhooks.concurrency, 1_000, 2, 10_000),
  WEBHOOKS_PER_MAP: wholeNumber(({ webhooks }) => webhooks.maxOfMap, 10, 0, 1_000),
  REQUEST_TIMEOUT_MS: wholeNumber(({ requestTimeoutMs }) => requestTimeoutMs, 60_000, 1),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(({ shutdownTimeoutMs }) => shutdownTimeoutMs, 12_000, 0, 14_000),
  UPSTREAM_URL: address(({ upstream }) => upstream.url),
  UPSTREAM_TIMEOUT_MS: wholeNumber(({ upstream }) => upstream.timeoutMs, 10_000, 1),
  UPSTREAM_ANSWER_LIMIT: wholeNumber(({ upstream }) => upstream.responseLimit, 8_388_608, 1),
};

describe('the table of this test', () => {
  it('has every setting', () => {
    expect(SETTING_NAMES.filter((name) => TABLE[name] === undefined)).toEqual([]);
    expect(Object.keys(TABLE).filter((name) => !SETTING_NAMES.includes(name as Name))).toEqual([]);
  });
});

describe('the settings of a provider', () => {
  it('have defaults', () => {
    expect(readConfig(PROVIDER).oidc).toEqual({
      issuer: 'https://id.example.org:8443',
      clientId: 'maps',
      clientSecret: null,
      scopes: 'openid profile',
      redirectUri: 'https://maps.example.org/auth/callback',
      signedOutUri: 'https://maps.example.org/console',
      label: 'id.example.org:8443',
      allowsSignUp: true,
    });
  });
});

for (const [name, { read, fallback, good, bad, beside }] of Object.entries(TABLE)) {
  describe(name, () => {
    it(`is ${JSON.stringify(fallback)} by default, and if empty`, () => {
      expect(read(readConfig({}))).toEqual(fallback);
      expect(read(readConfig({ [name]: '' }))).toEqual(fallback);
      expect(read(readConfig({ [name]: undefined }))).toEqual(fallback);
    });

    for (const [text, value] of good) {
      it(`accepts ${JSON.stringify(text)}`, () => {
        // The public Nominatim requires it.
        const environment = { NOMINATIM_EMAIL: 'ops@example.org', ...beside, [name]: text };
        expect(read(readConfig(environment))).toEqual(value);
      });
    }

    for (const text of bad) {
      it(`refuses ${JSON.stringify(text)}, says what is allowed, and does not repeat it`, () => {
        const [head, ...lines] = messageOf({ [name]: text }).split('\n');
        expect(head).toBe('Invalid settings:');
        expect(lines.length).toBe(1);
        expect(lines[0]).toMatch(new RegExp(`^  ${name} must (be|begin with) .{5,}$`));
      });
    }
  });
}

describe('several errors', () => {
  it('are reported together, one line each, in the order of the settings', () => {
    const wrong = Object.entries(TABLE)
      .filter(([, { bad }]) => bad.length > 0)
      .map(([name, { bad }]) => [name, bad[0]!] as const);
    const lines = messageOf(Object.fromEntries([...wrong].reverse()))
      .split('\n')
      .slice(1);
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(wrong.map(([name]) => name));
  });

  it('are reported without values, which may be secret', () => {
    const values = {
      SECRET_KEY: 'too-short-secret',
      DATABASE_URL: 'mysql://user:password@host/db',
      PUBLIC_URL: 'https://user:password@host?token=secret',
      PORT: 'secret-port',
      CORS_ORIGINS: 'secret-origin',
    };
    const message = messageOf({ ...values, TRUST_PROXY: 'secret-proxy' });
    expect(message).not.toMatch(/secret-|password|too-short/);
    expect(message.split('\n').length).toBe(7);
  });
});

describe('conflicting settings', () => {
  const NOMINATIM = { GEOCODER: 'google,nominatim' };
  const EMAIL = { NOMINATIM_EMAIL: 'ops@example.org' };
  const OWN = { NOMINATIM_URL: 'http://127.0.0.1:8080' };
  const servingMistakes = (environment: Record<string, string>) =>
    readServingConfig(environment).then(
      () => [],
      (error: unknown) => (error as Error).message.split('\n').slice(1),
    );

  it('are the public Nominatim without a contact address', () => {
    expect(messageOf(NOMINATIM)).toMatch(/^ {2}NOMINATIM_EMAIL must be set .*NOMINATIM_URL/m);
    expect(messageOf({ ...NOMINATIM, NOMINATIM_URL: 'http://NOMINATIM.openstreetmap.org./x' })).toMatch(
      /NOMINATIM_EMAIL must be set/,
    );
    for (const more of [EMAIL, OWN, { GEOCODER: 'google' }])
      expect(() => readConfig({ ...NOMINATIM, ...more })).not.toThrow();
  });

  it('are a geocoder without a default server and no URL', () => {
    for (const [name, setting] of [
      ['photon', 'PHOTON_URL'],
      ['geocodejson', 'GEOCODEJSON_URL'],
    ] as const) {
      const message = new RegExp(`^ {2}${setting} must be set, because GEOCODER lists ${name}`, 'm');
      expect(messageOf({ GEOCODER: `offline,${name}` })).toMatch(message);
      expect(() => readConfig({ GEOCODER: name, [setting]: 'https://geo.example.org' })).not.toThrow();
    }
  });

  it('are an issuer without an audience, and vice versa', () => {
    const of = (environment: Record<string, string>) => messageOf(environment).split('\n').slice(1);
    const url = 'https://id.example.org';
    expect(of({ JWT_ISSUER: url })).toEqual([
      expect.stringMatching(/^ {2}JWT_AUDIENCE must be set with JWT_ISSUER/),
    ]);
    for (const [name, value] of Object.entries({ JWT_AUDIENCE: 'maps', JWT_JWKS_URL: url })) {
      expect(of({ [name]: value })).toEqual([expect.stringMatching(/^ {2}JWT_ISSUER must be set with/)]);
    }
  });

  it('are parts of the settings of a provider', () => {
    const of = (environment: Record<string, string>) => messageOf(environment).split('\n').slice(1);
    expect(of({ OIDC_ISSUER: 'https://id.example.org' })).toEqual([
      expect.stringMatching(/^ {2}OIDC_CLIENT_ID must be set with OIDC_ISSUER/),
      expect.stringMatching(/^ {2}PUBLIC_URL must be set with OIDC_ISSUER/),
    ]);
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_LABEL']) {
      expect(of({ [name]: 'maps' })).toEqual([expect.stringMatching(/^ {2}OIDC_ISSUER must be set with/)]);
    }
  });

  it('are a fallback key without a secret key', () => {
    expect(messageOf({ SECRET_KEY_FALLBACK: secret }).split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}SECRET_KEY must be set with SECRET_KEY_FALLBACK/),
    ]);
  });

  it('are only trusted documents allowed, without any', () => {
    expect(messageOf({ GRAPHQL_TRUSTED_ONLY: '1' }).split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}TRUSTED_DOCUMENTS must be set with GRAPHQL_TRUSTED_ONLY/),
    ]);
  });

  it('are an upstream and settings that only apply to a store', () => {
    const url = 'https://a.example';
    const others: readonly Record<string, string>[] = [
      { AUDIT_LOG: 'x' },
      { FEDERATION: '1' },
      { JWT_ISSUER: url, JWT_AUDIENCE: 'maps' },
      { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'maps', PUBLIC_URL: url },
    ];
    for (const more of others) {
      const [name = ''] = Object.keys(more);
      expect(
        messageOf({ UPSTREAM_URL: url, ...more })
          .split('\n')
          .slice(1),
      ).toEqual([expect.stringMatching(new RegExp(`^ {2}${name} must not be set with UPSTREAM_URL: `))]);
    }
  });

  it('are the tiles of both a file and a server', () => {
    const both = { BASEMAP_FILE: 'a.pmtiles', TILE_URL: 'https://t.example/{z}/{x}/{y}.png' };
    expect(messageOf(both).split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}BASEMAP_FILE must not be set with TILE_URL: /),
    ]);
  });

  it('are a basemap file that cannot be used, except for a gateway', async () => {
    const of = (path: string) => ({ BASEMAP_FILE: path });
    expect(await servingMistakes(of('/missing/secret'))).toEqual([
      '  BASEMAP_FILE must name a file that the server can read; reading it failed (ENOENT).',
    ]);
    expect(await servingMistakes(of('package.json'))).toEqual([
      '  BASEMAP_FILE must be a PMTiles archive (version 3) of vector tiles: it does not begin with "PMTiles".',
    ]);
    const gateway = { ...of('package.json'), UPSTREAM_URL: 'https://a.example' };
    expect(await servingMistakes(gateway)).toEqual([]);
    expect(readConfig(gateway).mapPage.basemapFile).toBeNull();
    // Other commands serve no pages.
    expect(() => readConfig(of('package.json'))).not.toThrow();
  });

  it('are several serving processes and the public Nominatim', async () => {
    const many = { ...NOMINATIM, ...EMAIL, WORKERS: '2' };
    expect(await servingMistakes(many)).toEqual([
      expect.stringMatching(/^ {2}WORKERS must be 1 to use the pub/),
    ]);
    expect(await servingMistakes({ ...many, ...OWN })).toEqual([]);
    expect(await servingMistakes({ ...many, WORKERS: '1' })).toEqual([]);
    expect(() => readConfig(many)).not.toThrow();
  });

  it('are several serving processes and an in-memory store', async () => {
    const many = { WORKERS: '2', DATABASE_URL: 'sqlite::memory:' };
    expect(await servingMistakes(many)).toEqual([
      expect.stringMatching(/^ {2}WORKERS must be 1 with DATABASE_URL/),
    ]);
    expect(await servingMistakes({ ...many, WORKERS: '1' })).toEqual([]);
    expect(await servingMistakes({ ...many, DATABASE_URL: 'sqlite:x.db' })).toEqual([]);
  });

  it('are reported with other errors, but not if one of the settings is itself invalid', async () => {
    const environment = { ...NOMINATIM, NOMINATIM_EMAIL: 'nobody', WORKERS: '2', PORT: 'many' };
    expect((await servingMistakes(environment)).map((line) => line.trim().split(' ')[0])).toEqual([
      'PORT',
      'NOMINATIM_EMAIL',
      'WORKERS',
    ]);
  });
});

describe('the configuration', () => {
  it('is deeply frozen', () => {
    const look = (value: unknown, path: string): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : [
            ...(Object.isFrozen(value) ? [] : [path]),
            ...Object.entries(value).flatMap(([key, member]) => look(member, `${path}.${key}`)),
          ];
    expect(look(readConfig({ CORS_ORIGINS: '*', TRUST_PROXY: 'loopback' }), 'config')).toEqual([]);
  });

  it('ignores other variables', () => {
    expect(readConfig({ PATH: '/bin', NODE_ENV: 'x', MY_PORT: '1' })).toEqual(readConfig({}));
  });

  it('warns of names one letter away from a setting, without their values', () => {
    const { warnings, ...rest } = readConfig({
      POTR: 'secret',
      port: '1',
      RATELIMIT: '1',
      HOME: '/x',
      HOSTED: '1',
    });
    expect(warnings).toEqual(
      [
        ['POTR', 'PORT'],
        ['port', 'PORT'],
        ['RATELIMIT', 'RATE_LIMIT'],
      ].map(([name, meant]) => `${name} is not a setting and was ignored; did you mean ${meant}?`),
    );
    expect({ ...rest, warnings: [] }).toEqual(readConfig({}));
  });
});
