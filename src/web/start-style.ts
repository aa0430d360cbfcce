/** The style sheet of the start page. It is small, and stands in the page: one request shows it all. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fileOfPackage, runsFromSource } from '../lib/package-files.ts';

const NAME = 'start.css';
/** The look of all pages comes first. */
const SOURCES = ['web/shared/theme.css', 'src/web/start/page.css'];
const BUILT = `dist/web/${NAME}`;

export function readStartStyle(): string {
  return runsFromSource ? joinSources() : readFileSync(fileOfPackage(BUILT), 'utf8');
}

/**
 * For scripts/build.mjs.
 *
 * @param folder to write to; it is made
 */
export function writeStartStyle(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, NAME), joinSources());
}

function joinSources(): string {
  return SOURCES.map((path) => readFileSync(fileOfPackage(path), 'utf8')).join('');
}
