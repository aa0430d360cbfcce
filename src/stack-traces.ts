/**
 * Stack traces of the bundle that name the TypeScript sources. Node's own way (`--enable-source-maps`) reads every map at
 * the start, which takes a tenth of it; here a map is read when the first trace leads into its file.
 */

import { readFileSync } from 'node:fs';
import type { SourceMapPayload } from 'node:module';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

import { runsFromSource } from './package-files.ts';

const PLACE = /(file:\/\/[^\s()]+\.js):([0-9]+):([0-9]+)/;

const maps = new Map<string, SourceMap | null>();

/** For the whole process, from now on. */
export function nameSources(): void {
  // Whoever runs the sources sees to it.
  if (runsFromSource) return;
  Error.prepareStackTrace = (error, frames) => {
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- V8 writes a frame as it stands in a trace
    const lines = frames.map((frame) => `\n    at ${frame.toString().replace(PLACE, nameSource)}`);
    return Error.prototype.toString.call(error) + lines.join('');
  };
}

function nameSource(place: string, url: string, line: string, column: string): string {
  // Of a place that was not mapped nothing is known.
  const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !('fileName' in origin)) return place;
  return `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** @returns null where there is no map that could be read: the trace is still worth having */
function mapOf(url: string): SourceMap | null {
  let map = maps.get(url);
  if (map === undefined) {
    try {
      map = new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as SourceMapPayload);
    } catch {
      map = null;
    }
    maps.set(url, map);
  }
  return map;
}
