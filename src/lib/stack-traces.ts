/**
 * Maps stack traces of the bundle to the TypeScript sources. Node's `--enable-source-maps` reads every source map at startup,
 * which takes a tenth of the start; here a map is read when a trace first needs it.
 */

import { readFileSync } from 'node:fs';
import type { SourceMapPayload } from 'node:module';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

import { ServiceError } from '../errors.ts';
import { runsFromSource } from './package-files.ts';

/** The test runner imports files with a query. */
const SCRIPT_LOCATION = /(file:\/\/[^\s()?]+\.js)(?:\?[0-9]+)?:([0-9]+):([0-9]+)/;

const maps = new Map<string, SourceMap | null>();

/** Takes effect for the whole process. */
export function nameSources(): void {
  // tsx already maps them.
  if (runsFromSource) return;
  Error.prepareStackTrace = (error, frames) => {
    if (isNeverShown(error)) return error.message;
    return traceOf(error, frames);
  };
}

/** A stack trace that names the sources for which there are source maps. */
export function traceOf(error: Error, frames: readonly NodeJS.CallSite[]): string {
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- V8 writes a frame as it stands in a trace
  const lines = frames.map((frame) => `\n    at ${frame.toString().replace(SCRIPT_LOCATION, nameSource)}`);
  return Error.prototype.toString.call(error) + lines.join('');
}

/**
 * graphql-js reads the trace of everything that a resolver throws. The trace of an expected failure is never shown, and a
 * wrapping error gets the trace of the error it wraps.
 */
function isNeverShown(error: Error): boolean {
  if (error instanceof ServiceError) return error.cause === undefined;
  return 'originalError' in error && error.originalError !== undefined;
}

function nameSource(location: string, url: string, line: string, column: string): string {
  const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !('fileName' in origin)) return location;
  return `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** @returns null when the map cannot be read; the trace then keeps its locations */
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
