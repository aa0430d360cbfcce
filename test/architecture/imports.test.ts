/** Imports point one way: cli -> app -> http -> rest, graphql -> services -> ports -> domain -> errors. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Graph, Layer } from './imports.ts';
import { findCycle, importsOf, packageOf, readGraph, wrongDirections } from './imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');
const graph = readGraph(src);

/** The storage port: the files directly in storage/, without the one that opens adapters. */
const STORAGE_PORT = readdirSync(join(src, 'storage'))
  .filter((name) => name.endsWith('.ts') && name !== 'open.ts')
  .map((name) => `storage/${name}`);
const BASE = ['errors.ts', 'lib/', 'domain/'];
/** What runs in browsers, too, and names no store. */
const FORMATS = ['transfer/formats.ts', 'transfer/format.ts'];

/** Each folder, and what it may import besides itself. The first row that holds a file applies. */
const LAYERS: readonly Layer[] = [
  { of: 'errors.ts', may: [] },
  { of: 'lib/', may: ['errors.ts', 'domain/'] },
  { of: 'domain/', may: ['errors.ts'] },
  // The typed client runs elsewhere, and knows the service by its schema alone.
  { of: 'client/', may: [] },
  // An adapter knows the port, and no other adapter.
  { of: 'storage/sqlite/', may: [...BASE, ...STORAGE_PORT, 'transfer/'] },
  { of: 'storage/mongodb/', may: [...BASE, ...STORAGE_PORT, 'transfer/'] },
  { of: 'storage/', may: [...BASE, ...FORMATS] },
  { of: 'geocoding/', may: BASE },
  { of: 'jwt/', may: [...BASE, ...STORAGE_PORT, 'geocoding/providers/http.ts'] },
  {
    of: 'tracing/',
    may: [...BASE, ...STORAGE_PORT, 'services/scope.ts', 'geocoding/', 'graphql/execution/'],
  },
  {
    of: 'transfer/import/',
    may: [...BASE, ...STORAGE_PORT, 'transfer/', 'services/', 'geocoding/geocoder.ts'],
  },
  { of: 'transfer/export/', may: [...BASE, ...STORAGE_PORT, 'transfer/', 'services/'] },
  { of: 'transfer/', may: BASE },
  {
    of: 'services/',
    may: [
      ...BASE,
      ...STORAGE_PORT,
      'geocoding/geocoder.ts',
      'jwt/jwt.ts',
      'upstream/upstream.ts',
      'transfer/export/',
    ],
  },
  { of: 'graphql/', may: [...BASE, 'services/'] },
  { of: 'upstream/', may: [...BASE, ...STORAGE_PORT, 'geocoding/', 'services/', 'graphql/', 'rest/'] },
  { of: 'rest/', may: [...BASE, 'graphql/', 'services/'] },
  { of: 'web/', may: [...BASE, ...FORMATS, 'rest/openapi/'] },
  {
    of: 'http/',
    may: [
      ...[...BASE, ...STORAGE_PORT, 'graphql/', 'rest/', 'web/', 'services/', 'transfer/'],
      ...['tracing/tracing.ts', 'geocoding/geocoder.ts'],
      ...['app/config.ts', 'app/observability/metrics.ts'],
    ],
  },
  // Knows every layer.
  {
    of: 'app/',
    may: [
      ...[...BASE, 'storage/', 'geocoding/', 'jwt/', 'tracing/', 'transfer/', 'services/', 'graphql/'],
      ...['upstream/', 'rest/', 'web/', 'http/'],
    ],
  },
  { of: 'cli/', may: [...BASE, 'storage/', 'transfer/', 'services/', 'upstream/', 'app/'] },
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

  it('read the environment only in app/config.ts', () => {
    const readers = [...graph.keys()].filter((file) =>
      /\bprocess\s*\.\s*env\b|\benv\b.*'node:process'/.test(read(file)),
    );
    expect(readers).toEqual(['app/config.ts']);
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
      'domain/map.ts imports services/maps/map-service.ts',
      'services/maps/map-service.ts imports storage/sqlite/maps.ts',
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
