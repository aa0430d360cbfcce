/**
 * Which folder may import which, for `npm run check` (the part `imports`). Imports point downwards, and there are no cycles. Type
 * and dynamic imports count, too.
 */

const BASE = ['src/errors.ts', 'src/lib/', 'src/domain/'];
/** The storage port: the files directly in storage/, except the one that opens an adapter. */
const STORAGE_PORT = 'src/storage/(?!open\\.ts)[^/]+\\.ts';
const IDENTITY_PROVIDER_PORT = 'src/oidc/identity-provider.ts';
const GEOCODER_PORT = 'src/geocoding/geocoder.ts';
/** These run in browsers too, so they know no store. */
const FORMATS = ['src/transfer/formats.ts', 'src/transfer/format.ts'];
/** Readers, writers and columns, without imports and exports of whole maps. */
const TRANSFER_CORE = 'src/transfer/(?!import/|export/).+';

/**
 * Each folder, and what it may import besides itself. The first row that matches a file applies. A folder ends in a
 * slash; a file may be a regular expression.
 *
 * @type {readonly (readonly [string, readonly string[]])[]}
 */
export const LAYERS = [
  ['src/errors.ts', []],
  ['src/domain/', ['src/errors.ts']],
  ['src/lib/', ['src/errors.ts', 'src/domain/']],
  // The typed client runs elsewhere, and knows only the schema of the API.
  ['src/client/', []],
  // An adapter knows the port, and no other adapter.
  ['src/storage/sqlite/', [...BASE, STORAGE_PORT, TRANSFER_CORE]],
  ['src/storage/mongodb/', [...BASE, STORAGE_PORT, TRANSFER_CORE]],
  ['src/storage/open.ts', [...BASE, 'src/storage/']],
  ['src/storage/', [...BASE, ...FORMATS]],
  ['src/geocoding/', BASE],
  ['src/jwt/', [...BASE, STORAGE_PORT, 'src/geocoding/providers/http.ts']],
  ['src/oidc/', BASE],
  [
    'src/tracing/',
    [
      ...[...BASE, STORAGE_PORT, 'src/services/scope.ts', 'src/geocoding/providers/http.ts'],
      'src/graphql/execution/execution.ts',
    ],
  ],
  ['src/transfer/import/', [...BASE, STORAGE_PORT, TRANSFER_CORE, 'src/services/']],
  ['src/transfer/export/', [...BASE, STORAGE_PORT, TRANSFER_CORE, 'src/services/']],
  ['src/transfer/', BASE],
  // Exports are composed into the services.
  [
    'src/services/',
    [
      ...BASE,
      STORAGE_PORT,
      GEOCODER_PORT,
      'src/jwt/jwt.ts',
      IDENTITY_PROVIDER_PORT,
      'src/transfer/export/exports.ts',
    ],
  ],
  ['src/graphql/', [...BASE, 'src/services/']],
  ['src/rest/', [...BASE, 'src/graphql/', 'src/services/']],
  ['src/mcp/', [...BASE, 'src/graphql/', 'src/services/', 'src/transfer/']],
  [
    'src/upstream/',
    [...[...BASE, STORAGE_PORT, GEOCODER_PORT], ...['src/services/', 'src/graphql/', 'src/rest/']],
  ],
  ['src/web/', [...BASE, ...FORMATS, 'src/rest/openapi/openapi.ts']],
  ['src/ogc/', [...BASE, TRANSFER_CORE, 'src/services/', 'src/rest/query.ts', 'src/web/']],
  [
    'src/http/',
    [
      ...[...BASE, STORAGE_PORT, GEOCODER_PORT, 'src/services/', 'src/graphql/', 'src/rest/', 'src/web/'],
      ...['src/mcp/', 'src/ogc/', 'src/transfer/', 'src/tracing/tracing.ts', IDENTITY_PROVIDER_PORT],
      // Their types only; see the rule below.
      ...['src/app/config.ts', 'src/app/observability/metrics.ts'],
    ],
  ],
  // Knows every layer below it.
  [
    'src/app/',
    [
      'errors.ts',
      'lib/',
      'domain/',
      'storage/',
      'geocoding/',
      'jwt/',
      'oidc/',
      'tracing/',
      'transfer/',
      'services/',
    ]
      .concat(['graphql/', 'rest/', 'mcp/', 'upstream/', 'web/', 'http/'])
      .map((name) => `src/${name}`),
  ],
  ['src/cli/', [...BASE, GEOCODER_PORT, 'src/transfer/', 'src/services/', 'src/upstream/', 'src/app/']],

  // The pages run in browsers. What they import of src/ is pure.
  [
    'web/shared/',
    [
      ...['src/web/', 'src/domain/accent.ts', 'src/domain/attribution.ts', 'src/domain/categories.ts'],
      ...['src/domain/category-style.ts', 'src/domain/filter/search-limits.ts'],
      'src/domain/page-languages.ts',
    ],
  ],
  [
    'web/map/',
    [
      ...['web/shared/', 'src/web/', 'src/domain/attribution.ts', 'src/domain/categories.ts'],
      ...['src/domain/opening-hours.ts', 'src/domain/time-zone.ts'],
    ],
  ],
  ['web/docs/', ['web/shared/', 'src/web/']],
  [
    'web/console/',
    ['web/shared/', 'src/web/', 'src/domain/', 'src/errors.ts', 'src/transfer/', 'src/client/'],
  ],
  ['web/', []],

  // A subject is a server of its own: it shares nothing with ours.
  ['bench/subjects/', []],
  ['bench/harness/', ['bench/subjects/']],
  ['bench/workloads/', ['bench/harness/', 'bench/subjects/', 'src/transfer/', 'test/']],
  ['bench/', ['bench/harness/', 'bench/workloads/']],
  ['scripts/', ['src/', 'test/']],
];

/** Packages that only these folders or files import. */
const PACKAGES = {
  fastify: ['src/http/', 'src/app/composition/server.ts'],
  mongodb: ['src/storage/mongodb/'],
  '@photostructure/sqlite': ['src/storage/sqlite/engine/driver.ts'],
  '@apollo/server': ['src/graphql/'],
  '@opentelemetry/api': ['src/tracing/'],
  commander: ['src/cli/'],
  got: ['src/lib/http-client.ts'],
  '@modelcontextprotocol/server': ['src/mcp/'],
  jose: ['src/jwt/'],
  'openid-client': ['src/oidc/'],
};

const within = (place) => `^${place}${place.endsWith('/') ? '' : '$'}`;
const OURS = '^(src|web|bench|scripts|test)/';

const layers = LAYERS.map(([folder, allowed], index) => ({
  name: `from ${folder}`,
  comment: `${folder} may import only: ${allowed.join(', ') || 'nothing'}`,
  severity: 'error',
  from: {
    path: within(folder),
    // Earlier rows that are part of this folder.
    pathNot: LAYERS.slice(0, index)
      .filter(([earlier]) => earlier.startsWith(folder))
      .map(([earlier]) => within(earlier)),
  },
  to: { path: OURS, pathNot: [folder, ...allowed].map(within) },
}));

const packages = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `package ${name}`,
  comment: `Only ${allowed.join(' and ')} may import ${name}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: allowed.map(within) },
  to: { path: `(^|node_modules/)${name}(/|$)`, dependencyTypesNot: ['local'] },
}));

export default {
  forbidden: [
    {
      name: 'no cycles',
      comment: 'Files that import each other cannot be understood one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no file outside the table',
      comment: 'Add the folder to LAYERS.',
      severity: 'error',
      from: { path: '^(src|web|bench|scripts)/', pathNot: LAYERS.map(([folder]) => within(folder)) },
      to: {},
    },
    ...layers,
    ...packages,
    {
      name: 'http takes only types of app',
      comment: 'app/ composes http/. The types of the configuration and the metrics are declared there.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/app/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain is pure',
      comment: 'No I/O in domain/.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^(node:)?(fs|http|https|dns|child_process|worker_threads|timers)(/|$)' },
    },
    {
      name: 'only dependencies',
      comment: 'Users do not install development packages.',
      severity: 'error',
      // Only used where the sources run.
      from: { path: '^src/', pathNot: '^src/lib/thread-from-source\\.mjs$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
    {
      name: 'no missing file',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, path: '^\\.' },
    },
  ],
  options: {
    // Type imports count.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^test/'] },
    exclude: { path: '^bench/(dist|node_modules)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.svelte', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
