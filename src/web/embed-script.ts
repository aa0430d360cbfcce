/** The script for pages that embed maps: it sets the height of their frames. docs/embedding.md shows its use. */

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fileOfPackage, runsFromSource } from '../lib/package-files.ts';

/** From the root. The address and what it does stay: other sites have it in their pages. */
export const EMBED_SCRIPT_PATH = '/embed.js';

const NAME = 'embed.js';
const SOURCE = `src/web/embed/${NAME}`;

export function readEmbedScript(): Buffer {
  return readFileSync(fileOfPackage(runsFromSource ? SOURCE : `dist/web/${NAME}`));
}

/** For scripts/build.mjs. @param target folder */
export function copyEmbedScript(target: string): void {
  copyFileSync(fileOfPackage(SOURCE), join(target, NAME));
}
