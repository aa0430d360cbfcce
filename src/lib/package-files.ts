/** Files of the package, found both from the sources in src/ and from the bundle in dist/. */

import { existsSync } from 'node:fs';

const ROOT = findRoot(new URL('.', import.meta.url));

/** True when the sources run, false when the bundle runs. */
export const runsFromSource = import.meta.url.endsWith('.ts');

/** @param path from the package's root, such as `schema/` */
export function fileOfPackage(path: string): URL {
  return new URL(path, ROOT);
}

/**
 * The file of a module that starts as a process or thread.
 *
 * @param name its path in src/, without extension
 */
export function programFile(name: string): URL {
  return fileOfPackage(runsFromSource ? `src/${name}.ts` : `dist/${name}.js`);
}

/**
 * The entry file of a thread.
 *
 * @param program from {@link programFile}; also pass its URL to the thread as `workerData.program`
 */
export function fileOfThread(program: URL): URL {
  return program.pathname.endsWith('.ts') ? fileOfPackage('src/lib/thread-from-source.mjs') : program;
}

/** Searches upwards because the bundler moves this module into other files and folders. */
function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href)
    throw new Error('The program is not in its package: there is no package.json.');
  return findRoot(parent);
}
