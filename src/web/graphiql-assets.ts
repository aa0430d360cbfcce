/**
 * GraphiQL's files. The build copies them from development packages to dist/, so that users need not install those. When
 * the server runs from source, they are read from the packages.
 */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { fileOfPackage, runsFromSource } from '../lib/package-files.ts';

interface GraphiqlAsset {
  /** File name in dist/web/graphiql/ and start of the name in the URL. */
  readonly name: string;
  readonly type: string;
  /** The npm package with the file; by default the file is in src/web/graphiql/. */
  readonly from?: { readonly package: string; readonly path: string };
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** In loading order. */
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

export function readGraphiqlAsset(asset: GraphiqlAsset): Buffer {
  return runsFromSource ? readOriginal(asset) : readFileSync(join(BUILT_FILES, asset.name));
}

/**
 * For scripts/build.mjs: writes all files and the licences of their packages.
 *
 * @param target folder, created if it does not exist
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
  // The source map is not served, because it is four times as large as the script.
  return Buffer.from(text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
}

/** The folder of an installed package. The packages do not export the files themselves. */
function packageFolder(name: string): string {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
}
