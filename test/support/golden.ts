/** Golden files: what was said once is said again, byte for byte. `UPDATE_GOLDEN=1` writes them anew. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../golden/', import.meta.url));

const held = new Set<string>();

export function expectGolden(path: string, text: string): void {
  held.add(path);
  const file = join(ROOT, path);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  if (!existsSync(file)) throw new Error(`${path} is not there; UPDATE_GOLDEN=1 writes it.`);
  expect(text).toBe(readFileSync(file, 'utf8'));
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
