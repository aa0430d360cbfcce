/** Bundles the test files, the sources and most packages once for all processes of a run (docs/decisions/0001-jest.md). */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';

import { PACKAGE_OPTIONS } from '../../../scripts/bundle.mjs';
import { lazyMatchers } from './lazy-matchers.ts';

/** Packages of the tests alone that are loaded from node_modules, where a test imports them. */
const PACKAGES_OUTSIDE = [
  // These look for files beside themselves.
  'axe-core',
  'esbuild',
  'mongodb-memory-server',
  'playwright-core',
  'prettier',
  'relay-compiler',
  'typescript',
  'vite',
  // Jest would compile with it, which this does not ask of it.
  '@babel/*',
  'babel-plugin-istanbul',
];
/** What the tests start as processes and threads of their own, from the root. */
const PROGRAMS = [
  'src/storage/sqlite/threads/thread-main.ts',
  'src/web/picture/picture-thread.ts',
  'test/storage/sqlite/threads/program.ts',
  'test/storage/sqlite/threads/slow-program.ts',
  'test/support/append-process.ts',
  'test/support/mongodb-process.ts',
  'test/support/move-process.ts',
  'test/support/watch-process.ts',
];
const LATE_IMPORT = 'import(filename)';

export interface Compiled {
  /** Where all is; laid out as below the root. */
  readonly folder: string;
  /** Where a source that was given is to be loaded from. */
  readonly pathOf: (source: string) => string;
  readonly remove: () => void;
}

/**
 * @param sources absolute paths below `rootDir`
 * @throws Error where one of them cannot be compiled; esbuild has printed why
 */
export async function compile(rootDir: string, sources: readonly string[]): Promise<Compiled> {
  // Here the packages are found; what a run that was killed leaves behind is removed by a later build.
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
    // Some of Jest's packages name it, for what no test asks of them.
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

/** jest-light-runner imports its own module by an address that it makes when it runs. */
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

/** A module finds the files beside its source. */
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
