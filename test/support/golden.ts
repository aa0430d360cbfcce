/** Golden files: output must equal the stored text, byte for byte. `UPDATE_GOLDEN=1` rewrites them. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../golden/', import.meta.url));

const held = new Set<string>();

/** @param derive computes the expected text from the file, which is then not rewritten */
export function expectGolden(path: string, text: string, derive?: (golden: string) => string): void {
  held.add(path);
  const file = join(ROOT, path);
  if (process.env.UPDATE_GOLDEN === '1' && derive === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  if (!existsSync(file)) throw new Error(`${path} does not exist; UPDATE_GOLDEN=1 writes it.`);
  const golden = readFileSync(file, 'utf8');
  expect(text).toBe(derive === undefined ? golden : derive(golden));
}

export function readGolden(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Golden files of a folder, so that a test can find unused ones. */
export function goldenFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}

/** The files of a folder that this process has compared. */
export function comparedFiles(folder: string): string[] {
  return [...held].filter((path) => path.startsWith(`${folder}/`)).sort();
}
