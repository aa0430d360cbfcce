/** Other programs that read and write KML and GPX. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function isThere(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const NO_GDAL = !isThere('ogr2ogr') && 'needs ogr2ogr and ogrinfo of GDAL on the PATH';
export const NO_XMLLINT = !isThere('xmllint') && 'needs xmllint on the PATH';

function within<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws if it is not well-formed XML */
export function assertWellFormed(text: string): void {
  within((folder) => {
    const path = join(folder, 'a.xml');
    writeFileSync(path, text);
    execFileSync('xmllint', ['--noout', path], { encoding: 'utf8' });
  });
}

/** The output of ogrinfo for all features of a file. */
export function describeFile(text: string, extension: string): string {
  return within((folder) => {
    const path = join(folder, `a.${extension}`);
    writeFileSync(path, text);
    return execFileSync('ogrinfo', ['-al', path], { encoding: 'utf8' });
  });
}

/** Converts a GeoJSON file. */
export function convert(
  geojson: unknown,
  driver: string,
  extension: string,
  options: readonly string[] = [],
): Buffer {
  return within((folder) => {
    const [from, to] = [join(folder, 'a.geojson'), join(folder, `b.${extension}`)];
    writeFileSync(from, JSON.stringify(geojson));
    execFileSync('ogr2ogr', ['-f', driver, ...options, to, from], { stdio: 'pipe' });
    return readFileSync(to);
  });
}
