/** The pages' scripts and styles. The build makes them of web/, and lists them in a manifest. */

import { readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';

import { fileOfPackage } from '../lib/package-files.ts';

/** By the name of its entry in scripts/bundle-web.mjs. */
export type PageName = 'docs' | 'map' | 'console';

/** What a page loads at once, by the names of the files. */
export interface PageAssets {
  readonly script: string;
  /** Those that the script imports. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  /** Data that the script asks for. */
  readonly data: readonly string[];
}

/** As Vite writes it (https://vite.dev/guide/backend-integration). */
interface ManifestChunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

type Manifest = Readonly<Record<string, ManifestChunk>>;

const FOLDER = 'dist/web/pages/';
const MANIFEST = 'manifest.json';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

let manifest: Manifest | undefined;

/** @throws Error where the pages were not built */
export function assetsOf(page: PageName): PageAssets {
  manifest ??= JSON.parse(readFileSync(fileOfPackage(FOLDER + MANIFEST), 'utf8')) as Manifest;
  const chunks = manifest;
  const entry = Object.values(chunks).find(({ name, isEntry }) => isEntry === true && name === page);
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
  // What is imported comes before what imports it, so that its rules are the weaker ones.
  const all = [...[...imported].reverse(), entry];
  return {
    script: entry.file,
    modules: [...imported].map(({ file }) => file),
    styles: [...new Set(all.flatMap(({ css = [] }) => css))],
    data: [...new Set(all.flatMap(({ assets = [] }) => assets))],
  };
}

export interface PageFile {
  /** Holds a hash of the content. */
  readonly name: string;
  readonly type: string;
  read(): Buffer;
}

/** All files that a browser may load. */
export function pageFiles(): readonly PageFile[] {
  return readdirSync(fileOfPackage(FOLDER)).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined || name === MANIFEST) return [];
    return [{ name, type, read: () => readFileSync(fileOfPackage(FOLDER + name)) }];
  });
}

/** @param beginning of the file's name, without its hash. @throws Error where there is none */
export function readPageFile(beginning: string): string {
  const file = pageFiles().find(({ name }) => name.startsWith(`${beginning}-`));
  if (file === undefined) throw new Error(`The build has no file ${beginning}.`);
  return file.read().toString();
}
