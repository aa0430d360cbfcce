/** Golden files: what was said once is said again, byte for byte. `UPDATE_GOLDEN=1` writes them anew. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../golden/', import.meta.url));

const held = new Set<string>();

/** @param derive makes of the file what is to be said here; such a text writes no file */
export function expectGolden(path: string, text: string, derive?: (golden: string) => string): void {
  held.add(path);
  const file = join(ROOT, path);
  if (process.env.UPDATE_GOLDEN === '1' && derive === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  if (!existsSync(file)) throw new Error(`${path} is not there; UPDATE_GOLDEN=1 writes it.`);
  const golden = readFileSync(file, 'utf8');
  expect(text).toBe(derive === undefined ? golden : derive(golden));
}

export function readGolden(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Golden files of a folder, so that a test can tell that none is left over. */
export function goldenFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}

/** Those that this process has held an answer against. */
export function heldFiles(folder: string): string[] {
  return [...held].filter((path) => path.startsWith(`${folder}/`)).sort();
}
