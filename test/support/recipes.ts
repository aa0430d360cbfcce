/** The recipes of docs/recipes: written to a folder with the packages that they name, and bundled as a reader would. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { build } from 'vite';

import { blocksOf, readDocument } from './documents.ts';
import { ROOT, runCommand } from './program.ts';

export interface Recipe {
  /** The folder of its files. */
  readonly folder: string;
  /** Values that replace those shown in the recipe. */
  readonly config: Readonly<Record<string, string>>;
  /** GraphQL's schema, for a compiler. */
  readonly sdl: string;
}

const README = 'docs/recipes/README.md';

/**
 * Writes the files of a recipe and bundles them.
 *
 * @param path of its document
 * @returns the folder of the bundle, with its index.html
 */
export async function bundleRecipe(path: string, { folder, config, sdl }: Recipe): Promise<string> {
  const document = readDocument(path);
  const files = new Map([...sharedFiles(document), ...filesIn(document)]);
  files.set('config.js', configured(files.get('config.js'), config));
  mkdirSync(folder, { recursive: true });
  files.set('package.json', '{ "private": true, "type": "module" }');
  for (const [name, code] of files) writeFileSync(join(folder, name), code);
  linkPackages(folder, packagesIn(document));
  if (files.has('relay.config.json')) await compileRelay(folder, sdl);
  await build({
    root: folder,
    // Relative URLs, since several recipes are served together.
    base: './',
    logLevel: 'warn',
    envDir: false,
    // Neither a slow build nor the size of third-party code is a fault.
    build: { outDir: 'dist', minify: false, chunkSizeWarningLimit: 10_000 },
  });
  return join(folder, 'dist');
}

function filesIn(markdown: string): [string, string][] {
  return blocksOf(markdown).flatMap(({ file, code }) => (file === null ? [] : [[file, code]]));
}

/** Files of other documents that the recipe says are in its folder. */
function sharedFiles(recipe: string): [string, string][] {
  return [README, 'docs/client.md']
    .flatMap((path) => filesIn(readDocument(path)))
    .filter(([name]) => recipe.includes(`\`${name}\``));
}

/** @throws Error if the document's file does not export a value to set */
function configured(code: string | undefined, values: Recipe['config']): string {
  let text = code ?? '';
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`(?<=^export const ${name} = ).*(?=;$)`, 'm');
    if (!line.test(text)) throw new Error(`config.js has no ${name}: ${text}`);
    text = text.replace(line, JSON.stringify(value));
  }
  return text;
}

/** The packages that the recipe tells the reader to install. */
function packagesIn(markdown: string): string[] {
  return [...markdown.matchAll(/^npm install (?:--save-dev )?(.+)$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
}

/** Links only these packages, so that a package missing from the recipe is not found. */
function linkPackages(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const target = name === '@map-locations/server' ? ROOT : join(ROOT, 'node_modules', name);
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }
}

async function compileRelay(folder: string, sdl: string): Promise<void> {
  writeFileSync(join(folder, 'schema.graphql'), sdl);
  const { code, stdout, stderr } = await runCommand(
    process.execPath,
    [join(folder, 'node_modules/relay-compiler/cli.js')],
    // Watchman, if installed, would watch the folder that is about to be deleted.
    { cwd: folder, env: { FORCE_NO_WATCHMAN: '1' } },
  );
  if (code !== 0) throw new Error(`The Relay compiler failed: ${stdout}${stderr}`);
}
