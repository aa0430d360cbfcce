/** Files of the package other than code. They are the same for the sources in src/ and for the bundle in dist/. */

import { existsSync } from 'node:fs';

const ROOT = findRoot(new URL('.', import.meta.url));

/** True when the sources run, false when the bundle runs. */
export const runsFromSource = import.meta.url.endsWith('.ts');

/** @param path from the package's root, such as `schema/` */
export function fileOfPackage(path: string): URL {
  return new URL(path, ROOT);
}

/**
 * A module that is started as a program.
 *
 * @param name its path in src/, without extension
 */
export function programFile(name: string): URL {
  return fileOfPackage(runsFromSource ? `src/${name}.ts` : `dist/${name}.js`);
}

/**
 * The file that a thread begins with.
 *
 * @param program of {@link programFile}; the thread needs its address as `workerData.program`
 */
export function fileOfThread(program: URL): URL {
  return program.pathname.endsWith('.ts') ? fileOfPackage('src/lib/thread-from-source.mjs') : program;
}

/** Searches upwards, since the bundler puts this module into files of other names and in other folders. */
function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href)
    throw new Error('The program is not in its package: there is no package.json.');
  return findRoot(parent);
}
