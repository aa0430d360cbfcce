/** Import rules that depend on the kind of import. The rules per folder are in .dependency-cruiser.mjs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importsOf, readGraph } from './imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');
const graph = readGraph(src);

describe('the sources', () => {
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

  it("load OpenTelemetry's API only with an SDK", () => {
    const isLoadedBy = (file: string, pattern: RegExp) => pattern.test(withoutComments(read(file)));
    const files = [...graph.keys()];
    const api = files.filter((file) => isLoadedBy(file, /^import (?!type\b)[^;]*'@opentelemetry\/api'/m));
    expect(api).toEqual(['tracing/tracing.ts']);
    // Inside the folder, paths do not name it.
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
    expect(namers).toEqual(['storage/sqlite/engine/driver.ts']);
  });
});

it('the imports of a file are its static, dynamic, type and side-effect imports, and re-exports', () => {
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

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
}
