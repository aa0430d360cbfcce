/** Files of the package that are no code: the same from the sources in src/ and from the bundle in dist/. */

import { existsSync } from 'node:fs';

const ROOT = findRoot(new URL('.', import.meta.url));

/** The code that runs is as it was written, and not the bundle. */
export const runsFromSource = import.meta.url.endsWith('.ts');

/** @param path below the package's root, such as `schema/` */
export function fileOfPackage(path: string): URL {
  return new URL(path, ROOT);
}

/** A module that is started as a program: @param name its path below src/, without extension */
export function programFile(name: string): URL {
  return fileOfPackage(runsFromSource ? `src/${name}.ts` : `dist/${name}.js`);
}

/** The bundler puts this module into files of other names and in other folders. */
function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href)
    throw new Error('The program is not in its package: there is no package.json.');
  return findRoot(parent);
}
