/**
 * GraphiQL's files. They come from development packages, so that users of the server need not install those: the build
 * copies the files into dist/. From source, they are read in the packages.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { fileOfPackage, runsFromSource } from '../lib/package-files.ts';

interface GraphiqlAsset {
  /** Its file name in dist/web/graphiql/, and the first part of its name in the URL. */
  readonly name: string;
  readonly type: string;
  /** The npm package with the file; without one it is our own file, in src/web/graphiql/. */
  readonly from?: { readonly package: string; readonly path: string };
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** In the order in which the page loads them. */
export const GRAPHIQL_ASSETS = [
  { name: 'graphiql.css', type: STYLE, from: { package: 'graphiql', path: 'graphiql.min.css' } },
  { name: 'page.css', type: STYLE },
  { name: 'react.js', type: SCRIPT, from: { package: 'react', path: 'umd/react.production.min.js' } },
  {
    name: 'react-dom.js',
    type: SCRIPT,
    from: { package: 'react-dom', path: 'umd/react-dom.production.min.js' },
  },
  { name: 'graphiql.js', type: SCRIPT, from: { package: 'graphiql', path: 'graphiql.min.js' } },
  { name: 'page.js', type: SCRIPT },
] as const satisfies readonly GraphiqlAsset[];

export type GraphiqlAssetName = (typeof GRAPHIQL_ASSETS)[number]['name'];

const OWN_FILES = fileURLToPath(fileOfPackage('src/web/graphiql'));
const BUILT_FILES = fileURLToPath(fileOfPackage('dist/web/graphiql'));

/** The content of a file, from source as well as from dist/. */
export function readGraphiqlAsset(asset: GraphiqlAsset): Buffer {
  return runsFromSource ? readOriginal(asset) : readFileSync(join(BUILT_FILES, asset.name));
}

/**
 * For scripts/build.mjs: writes every file, and the licences that have to go with them.
 *
 * @param target the folder to write to; it is made
 */
export function copyGraphiqlAssets(target: string): void {
  mkdirSync(target, { recursive: true });
  const packages = new Set<string>();
  for (const asset of GRAPHIQL_ASSETS as readonly GraphiqlAsset[]) {
    writeFileSync(join(target, asset.name), readOriginal(asset));
    if (asset.from) packages.add(asset.from.package);
  }
  for (const name of packages) {
    copyFileSync(join(packageFolder(name), 'LICENSE'), join(target, `LICENSE.${basename(name)}.txt`));
  }
}

function readOriginal(asset: GraphiqlAsset): Buffer {
  if (asset.from === undefined) return readFileSync(join(OWN_FILES, asset.name));
  const text = readFileSync(join(packageFolder(asset.from.package), asset.from.path), 'utf8');
  // The source map is four times as large as the program. It is not served, so the browser must not ask for it.
  return Buffer.from(text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
}

/** The folder of an installed package. Resolving the file itself fails, since no package exports it. */
function packageFolder(name: string): string {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
}
