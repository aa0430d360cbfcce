/** Imports point one way (docs of the house: cli -> main -> serving -> gateway -> doors -> services -> ports -> domain -> errors). */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Graph, Layer } from './imports.ts';
import { findCycle, importsOf, packageOf, readGraph, wrongDirections } from './imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');
const graph = readGraph(src);

const BELOW_SERVICES = ['domain/', 'errors.ts', 'lib/'];
const PORTS = [
  'storage/storage.ts',
  'storage/search.ts',
  'storage/changes.ts',
  'storage/webhooks.ts',
  'storage/examination.ts',
  'geocoding/geocoder.ts',
  'jwt/jwt.ts',
  'upstream/upstream.ts',
  'upstream/failures.ts',
  'lib/outbound/post.ts',
];
/** The port, and for whom it works. */
const STORAGE_PORT = [
  'transfer/',
  'storage/storage.ts',
  'storage/search.ts',
  'storage/changes.ts',
  'storage/webhooks.ts',
  'storage/change-entries.ts',
  'storage/log-id.ts',
  'storage/watched-maps.ts',
  'storage/examination.ts',
  'storage/search-json.ts',
  'storage/read-timestamp.ts',
  'storage/deadline.ts',
  'storage/incompatible.ts',
];

/** A new file or folder in src/ needs a line here. */
const LAYERS: readonly Layer[] = [
  { of: 'errors.ts', may: [] },
  { of: 'package-files.ts', may: [] },
  { of: 'lib/', may: [] },
  { of: 'http-client.ts', may: [] },
  { of: 'lib/outbound/post.ts', may: [] },
  { of: 'outbound/', may: [...BELOW_SERVICES, 'http-client.ts'] },
  { of: 'stack-traces.ts', may: ['errors.ts', 'package-files.ts'] },
  { of: 'version.ts', may: ['package-files.ts'] },
  { of: 'domain/', may: ['errors.ts'] },
  {
    of: 'tracing/',
    may: [
      ...[
        'errors.ts',
        'version.ts',
        'services/scope.ts',
        'storage/storage.ts',
        'geocoding/providers/http.ts',
      ],
      ...['graphql/execution/execution.ts', 'http-client.ts'],
    ],
  },
  // An adapter knows the port, and no other adapter.
  {
    of: 'storage/sqlite/',
    may: [...BELOW_SERVICES, ...STORAGE_PORT, 'package-files.ts', 'stack-traces.ts'],
  },
  { of: 'storage/mongodb/', may: [...BELOW_SERVICES, ...STORAGE_PORT] },
  {
    of: 'storage/storage.ts',
    may: [
      ...[...BELOW_SERVICES, 'transfer/formats.ts'],
      ...[
        'storage/changes.ts',
        'storage/search.ts',
        'storage/map-unavailable.ts',
        'storage/storage-scope.ts',
      ],
      'storage/webhooks.ts',
    ],
  },
  {
    of: 'storage/changes.ts',
    may: [...BELOW_SERVICES, 'storage/map-unavailable.ts', 'storage/storage-scope.ts'],
  },
  {
    of: 'storage/webhooks.ts',
    may: [...BELOW_SERVICES, 'storage/changes.ts', 'storage/map-unavailable.ts', 'storage/storage-scope.ts'],
  },
  { of: 'storage/search.ts', may: [...BELOW_SERVICES, 'storage/storage-scope.ts'] },
  { of: 'storage/storage-scope.ts', may: ['storage/deadline.ts', 'storage/read-timestamp.ts'] },
  { of: 'storage/', may: BELOW_SERVICES },
  { of: 'geocoding/', may: [...BELOW_SERVICES, 'http-client.ts', 'package-files.ts'] },
  {
    of: 'upstream/',
    may: [...BELOW_SERVICES, 'http-client.ts', 'geocoding/geocoder.ts', 'geocoding/child-trace.ts'],
  },
  { of: 'jwt/', may: [...BELOW_SERVICES, 'geocoding/providers/http.ts', 'storage/storage.ts'] },
  // It runs at its users', and knows the service by its schema alone.
  { of: 'client/', may: [] },
  // Whole maps in and out. The formats and columns beside them run in browsers, too, and know no store.
  { of: 'transfer/import/', may: [...BELOW_SERVICES, ...PORTS, 'services/', 'transfer/'] },
  { of: 'transfer/export/', may: [...BELOW_SERVICES, ...PORTS, 'services/', 'transfer/'] },
  { of: 'transfer/', may: BELOW_SERVICES },
  { of: 'services/', may: [...BELOW_SERVICES, ...PORTS, 'transfer/export/exports.ts'] },
  { of: 'graphql/', may: [...BELOW_SERVICES, 'services/', 'package-files.ts'] },
  { of: 'rest/', may: [...BELOW_SERVICES, 'graphql/', 'services/'] },
  {
    of: 'web/',
    may: [...BELOW_SERVICES, 'package-files.ts', 'rest/openapi/openapi.ts', 'transfer/formats.ts'],
  },
  {
    of: 'http/',
    may: [
      ...BELOW_SERVICES,
      ...['graphql/', 'rest/', 'web/', 'services/', 'transfer/', 'config.ts', 'app/observability/metrics.ts'],
      ...['storage/storage.ts', 'storage/deadline.ts', 'storage/read-timestamp.ts', 'geocoding/geocoder.ts'],
      'tracing/tracing.ts',
      'upstream/upstream.ts',
    ],
  },
  // What a URL of a store may be is asked of the one who opens it.
  {
    of: 'settings/',
    may: [
      ...[
        ...BELOW_SERVICES,
        'storage/open.ts',
        'storage/changes.ts',
        'geocoding/providers/public-nominatim.ts',
      ],
      ...['web/map-page.ts', 'web/tiles.ts', 'jwt/issuer-url.ts', 'jwt/verifier.ts'],
    ],
  },
  { of: 'config.ts', may: [...BELOW_SERVICES, 'settings/'] },
  {
    of: 'gateway/',
    may: [
      ...BELOW_SERVICES,
      ...[
        'config.ts',
        'storage/',
        'geocoding/',
        'jwt/',
        'outbound/',
        'services/',
        'upstream/',
        'http-client.ts',
        'graphql/',
        'rest/',
        'http/',
        'web/',
        'app/observability/metrics.ts',
        'app/observability/audit-file.ts',
        'tracing/',
        'version.ts',
      ],
    ],
  },
  { of: 'app/observability/logger.ts', may: ['config.ts', 'tracing/tracing.ts'] },
  { of: 'app/observability/audit-file.ts', may: ['errors.ts', 'services/audit/audit.ts'] },
  { of: 'app/observability/metrics.ts', may: [...BELOW_SERVICES, 'storage/storage.ts', 'version.ts'] },
  { of: 'demo.ts', may: [...BELOW_SERVICES, 'services/', 'transfer/', 'gateway/', 'package-files.ts'] },
  {
    of: 'serving/',
    may: [
      ...BELOW_SERVICES,
      ...['gateway/', 'demo.ts', 'observability/', 'config.ts', 'package-files.ts', 'stack-traces.ts'],
      ...[
        'http/metrics-server.ts',
        'http/limits/rate-limit.ts',
        'http/limits/rate-totals.ts',
        'http/shutdown.ts',
      ],
      ...[
        'web/pages.ts',
        'version.ts',
        'tracing/load.ts',
        'tracing/tracing.ts',
        'services/webhooks/all-webhooks.ts',
      ],
    ],
  },
  {
    of: 'main.ts',
    may: [...BELOW_SERVICES, 'app/observability/logger.ts', 'config.ts', 'serving/', 'tracing/load.ts'],
  },
  {
    of: 'cli/',
    may: [
      ...BELOW_SERVICES,
      'gateway/',
      'main.ts',
      'config.ts',
      'services/',
      'transfer/',
      'stack-traces.ts',
      'version.ts',
    ],
  },
];

describe('the sources', () => {
  it('have no import cycles, not even of types', () => {
    expect(findCycle(graph)?.join(' -> ') ?? null).toBeNull();
  });

  it('import only in the allowed direction', () => {
    expect(wrongDirections(graph, LAYERS)).toEqual([]);
  });

  it('import no file that is missing', () => {
    const missing = [...graph].flatMap(([file, targets]) =>
      targets
        .filter((target) => target.endsWith('.ts') && !graph.has(target))
        .map((target) => `${file}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('read the environment only in config.ts', () => {
    const readers = [...graph.keys()].filter((file) =>
      /\bprocess\s*\.\s*env\b|\benv\b.*'node:process'/.test(read(file)),
    );
    expect(readers).toEqual(['config.ts']);
  });

  it('load jose only with the first JWT', () => {
    const importers = (pattern: RegExp) =>
      [...graph.keys()].filter((file) => pattern.test(withoutComments(read(file))));
    expect(importers(/'jose'/)).toEqual(['jwt/verifier.ts']);
    expect(importers(/^import (?!type\b)[^;]*'jose'/m)).toEqual([]);
    expect(importers(/^(?:import|export) (?!type\b)[^;]*\/jwt\/verifier\.ts'/m)).toEqual([]);
  });

  it("load OpenTelemetry's API only where there is an SDK", () => {
    const isLoadedBy = (file: string, pattern: RegExp) => pattern.test(withoutComments(read(file)));
    const files = [...graph.keys()];
    const api = files.filter((file) => isLoadedBy(file, /^import (?!type\b)[^;]*'@opentelemetry\/api'/m));
    expect(api).toEqual(['tracing/tracing.ts']);
    // Their own folder names them without it.
    const loaders = (file: string) =>
      file.startsWith('tracing/')
        ? /^(?:import|export) (?!type\b)[^;]*'\.\/(?:tracing|operations)\.ts'/m
        : /^(?:import|export) (?!type\b)[^;]*\/tracing\/(?:tracing|operations)\.ts'/m;
    expect(files.filter((file) => isLoadedBy(file, loaders(file)))).toEqual(['tracing/operations.ts']);
  });

  it('name the SQLite package only in driver.ts', () => {
    const namers = [...graph.keys()].filter((file) =>
      /@photostructure\/sqlite|node:sqlite['"]/.test(withoutComments(read(file))),
    );
    expect(namers).toEqual(['storage/sqlite/driver.ts']);
  });

  it('import only dependencies, no development packages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const wrong = [...graph].flatMap(([file, targets]) =>
      targets
        .map(packageOf)
        .filter((name) => name !== null && !Object.hasOwn(dependencies, name))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are all checked', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(graph.size).toBe(files.length);
    expect(graph.get('storage/open.ts')).toContain('storage/sqlite/sqlite-storage.ts');
  });
});

describe('the rules themselves', () => {
  const made = (files: Record<string, readonly string[]>): Graph => new Map(Object.entries(files));

  it('find static, dynamic, type and side-effect imports, and re-exports', () => {
    const text = `
      import a from './a.ts';
      import type { B } from './b.ts';
      import './c.ts';
      export * from './d.ts';
      export { e } from './e.ts';
      const f = () => import('./f.ts');
      type G = import('./g.ts').G;
      // import h from './h.ts';
      const i = "import i from './i.ts'";
    `;
    const expected = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`);
    expect(importsOf(text).toSorted()).toEqual(expected);
  });

  it('find a cycle, and say its path', () => {
    expect(
      findCycle(made({ 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['d.ts', 'b.ts'], 'd.ts': [] })),
    ).toEqual(['b.ts', 'c.ts', 'b.ts']);
    expect(findCycle(made({ 'a.ts': ['a.ts'] }))).toEqual(['a.ts', 'a.ts']);
    expect(findCycle(made({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['c.ts'], 'c.ts': [] }))).toBeNull();
  });

  it('find an import in the wrong direction, and a file of no layer', () => {
    const wrong = made({
      'errors.ts': ['domain/map.ts'],
      'domain/map.ts': ['errors.ts', 'services/maps/map-service.ts'],
      'services/maps/map-service.ts': [
        'domain/map.ts',
        'storage/storage.ts',
        'storage/sqlite/maps.ts',
        'expect',
        'node:fs',
      ],
      'storage/sqlite/maps.ts': ['storage/storage.ts', 'storage/open.ts', 'storage/mongodb/maps.ts'],
      'rest/table.ts': ['graphql/schema.ts', 'http/server.ts'],
      'graphql/schema.ts': ['rest/table.ts', 'services/maps/map-service.ts'],
      'elsewhere/x.ts': [],
    });
    expect(wrongDirections(wrong, LAYERS)).toEqual([
      'errors.ts imports domain/map.ts',
      'domain/map.ts imports services/maps.ts',
      'services/maps.ts imports storage/sqlite/maps.ts',
      'storage/sqlite/maps.ts imports storage/open.ts',
      'storage/sqlite/maps.ts imports storage/mongodb/maps.ts',
      'rest/table.ts imports http/server.ts',
      'graphql/schema.ts imports rest/table.ts',
      'elsewhere/x.ts belongs to no layer',
    ]);
  });

  it('find the package of an import', () => {
    const specifiers = ['@a/b/c.js', '@a/b', 'c/d', 'c', 'node:fs', './x.ts', 'domain/map.ts'];
    expect(specifiers.map(packageOf)).toEqual(['@a/b', '@a/b', 'c', 'c', null, null, null]);
  });
});

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
}
