/** Bundles the test files, the sources and most packages once for all processes of a run (docs/decisions/0001-jest.md). */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';

import { PACKAGE_OPTIONS } from '../../../scripts/bundle.mjs';
import { lazyMatchers } from './lazy-matchers.ts';

/** Packages used only by tests that are loaded from node_modules. */
const PACKAGES_OUTSIDE = [
  // These look for files next to themselves.
  'axe-core',
  'esbuild',
  'mongodb-memory-server',
  'playwright-core',
  'prettier',
  'relay-compiler',
  'typescript',
  'vite',
  // Jest's compiler, which these tests do not use.
  '@babel/*',
  'babel-plugin-istanbul',
];
/** The entry points of processes and threads that tests start, relative to the root. */
const PROGRAMS = [
  'src/storage/sqlite/threads/thread-main.ts',
  'src/web/picture/picture-thread.ts',
  'src/services/tiles/tile-thread.ts',
  'test/storage/sqlite/threads/program.ts',
  'test/storage/sqlite/threads/slow-program.ts',
  'test/support/append-process.ts',
  'test/support/mongodb-process.ts',
  'test/support/move-process.ts',
  'test/support/watch-process.ts',
];
const LATE_IMPORT = 'import(filename)';

export interface Compiled {
  /** The folder of the bundle, with the layout of the root. */
  readonly folder: string;
  /** The compiled path of a source. */
  readonly pathOf: (source: string) => string;
  readonly remove: () => void;
}

/**
 * @param sources absolute paths below `rootDir`
 * @throws Error if one of them cannot be compiled; esbuild has printed the reason
 */
export async function compile(rootDir: string, sources: readonly string[]): Promise<Compiled> {
  // Packages resolve from here; a later build removes what a killed run leaves behind.
  const folder = mkdtempSync(join(rootDir, '.dist-tests-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const options: BuildOptions = {
    ...PACKAGE_OPTIONS,
    absWorkingDir: rootDir,
    entryPoints: [...sources, ...PROGRAMS.map((name) => join(rootDir, name))],
    outbase: rootDir,
    outdir: folder,
    sourcemap: 'linked',
    sourcesContent: false,
    external: [...PACKAGE_OPTIONS.external, ...PACKAGES_OUTSIDE],
    // Some of Jest's packages name it for features that no test uses.
    define: { __dirname: JSON.stringify(rootDir), __filename: JSON.stringify(join(rootDir, 'jest')) },
    plugins: [...PACKAGE_OPTIONS.plugins, ownUrls, oneRunner, lazyMatchers],
    logLevel: 'warning',
  };
  try {
    await build(options);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    pathOf: (source) => join(folder, relative(rootDir, source).replace(/\.ts$/, '.js')),
    remove,
  };
}

/** jest-light-runner imports its own module by a URL that it computes at run time. */
const oneRunner: Plugin = {
  name: 'one-runner',
  setup(compilation) {
    compilation.onLoad({ filter: /jest-light-runner\/src\/index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(LATE_IMPORT)) throw new Error(`${path} has no ${LATE_IMPORT}`);
      return { contents: text.replace(LATE_IMPORT, "import('./worker-runner.js')") };
    });
  },
};

/** Lets a module find the files next to its source. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup(compilation) {
    compilation.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
};
