/**
 * Makes stack traces of the bundle name the TypeScript sources. Node's own `--enable-source-maps` reads every source
 * map at the start, which takes a tenth of the start. Here a map is read when a trace first needs it.
 */

import { readFileSync } from 'node:fs';
import type { SourceMapPayload } from 'node:module';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

import { ServiceError } from '../errors.ts';
import { runsFromSource } from './package-files.ts';

/** The runner of the tests imports a file with a query. */
const SCRIPT_LOCATION = /(file:\/\/[^\s()?]+\.js)(?:\?[0-9]+)?:([0-9]+):([0-9]+)/;

const maps = new Map<string, SourceMap | null>();

/** Takes effect for the whole process. */
export function nameSources(): void {
  // The tool that runs the sources names them already.
  if (runsFromSource) return;
  Error.prepareStackTrace = (error, frames) => {
    if (isNeverShown(error)) return error.message;
    return traceOf(error, frames);
  };
}

/** A stack trace that names the sources, where there are source maps. */
export function traceOf(error: Error, frames: readonly NodeJS.CallSite[]): string {
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- V8 writes a frame as it stands in a trace
  const lines = frames.map((frame) => `\n    at ${frame.toString().replace(SCRIPT_LOCATION, nameSource)}`);
  return Error.prototype.toString.call(error) + lines.join('');
}

/**
 * graphql-js reads the trace of everything that a resolver throws. That of an expected failure is never shown, and that
 * of a wrapping error is replaced by that of what it wraps.
 */
function isNeverShown(error: Error): boolean {
  if (error instanceof ServiceError) return error.cause === undefined;
  return 'originalError' in error && error.originalError !== undefined;
}

function nameSource(location: string, url: string, line: string, column: string): string {
  // The map says nothing about this location.
  const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !('fileName' in origin)) return location;
  return `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** @returns null when no map can be read: the trace is then shown without sources */
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
