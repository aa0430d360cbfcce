/** Compiles the test files and the sources once for all processes of a run (docs/decisions/0001). */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';

export interface Compiled {
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
    absWorkingDir: rootDir,
    entryPoints: [...sources],
    outbase: rootDir,
    outdir: folder,
    bundle: true,
    // A module is one, whoever imports it.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [ownUrls],
    logLevel: 'warning',
  };
  try {
    await build(options);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    pathOf: (source) => join(folder, relative(rootDir, source).replace(/\.ts$/, '.js')),
    remove,
  };
}

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
