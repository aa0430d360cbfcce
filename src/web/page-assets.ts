/** Files that the build makes from web/: scripts, styles, data, and the GraphQL documents of the pages. */

import { readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';

import { fileOfPackage } from '../lib/package-files.ts';

/** Names of the entry points in scripts/bundle-web.mjs. */
export type PageName = 'docs' | 'map' | 'console';

/** Names of the files that a page loads. */
export interface PageAssets {
  readonly script: string;
  /** Modules that the script imports. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  /** Data that the script loads. */
  readonly data: readonly string[];
}

/** A chunk in Vite's manifest (https://vite.dev/guide/backend-integration). */
interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

type Manifest = Readonly<Record<string, ManifestChunk>>;

const FOLDER = 'dist/web/pages/';
const MANIFEST = '.manifest.json';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

const known = new Map<PageName, PageAssets>();

/** @throws Error if the pages have not been built */
export function assetsOf(page: PageName): PageAssets {
  const assets = known.get(page) ?? readAssets(page);
  known.set(page, assets);
  return assets;
}

function readAssets(page: PageName): PageAssets {
  const chunks = JSON.parse(readFileSync(fileOfPackage(FOLDER + page + MANIFEST), 'utf8')) as Manifest;
  const entry = Object.values(chunks).find(({ isEntry }) => isEntry === true);
  if (entry === undefined) throw new Error(`The build has no page ${page}.`);
  const imported = new Set<ManifestChunk>();
  const visit = (chunk: ManifestChunk): void => {
    for (const key of chunk.imports ?? []) {
      const next = chunks[key];
      if (next === undefined || imported.has(next)) continue;
      imported.add(next);
      visit(next);
    }
  };
  visit(entry);
  // Styles of imported modules come first, so that the importing module can override them.
  const all = [...[...imported].reverse(), entry];
  return {
    script: entry.file,
    modules: [...imported].map(({ file }) => file),
    styles: [...new Set(all.flatMap(({ css = [] }) => css))],
    data: [...new Set(all.flatMap(({ assets = [] }) => assets))],
  };
}

export interface PageFile {
  /** Includes a hash of the content. */
  readonly name: string;
  readonly type: string;
  read(): Buffer;
}

/** All files that browsers may load. */
export function pageFiles(): readonly PageFile[] {
  return readdirSync(fileOfPackage(FOLDER)).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined || name.endsWith(MANIFEST)) return [];
    return [{ name, type, read: () => readFileSync(fileOfPackage(FOLDER + name)) }];
  });
}

/**
 * @param baseName name of the file without its hash and extension
 * @throws Error if there is no such file
 */
export function readPageFile(baseName: string): string {
  const file = pageFiles().find(({ name }) => name.startsWith(`${baseName}-`));
  if (file === undefined) throw new Error(`The build has no file ${baseName}.`);
  return file.read().toString();
}

/** Pages that send GraphQL operations. */
const GRAPHQL_PAGES = ['map', 'console'] as const;

/** Id of the document with all operations of a page. Pages use it on servers that accept only trusted documents. */
export function documentIdOf(page: (typeof GRAPHQL_PAGES)[number]): string {
  return `map-locations:${page}`;
}

/** The documents of all pages, by id. */
export function readPageDocuments(): Map<string, string> {
  return new Map(
    GRAPHQL_PAGES.map((page) => [
      documentIdOf(page),
      readFileSync(fileOfPackage(`${FOLDER}${page}.graphql`), 'utf8'),
    ]),
  );
}
