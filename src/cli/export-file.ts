/** One run of `map-locations export`. */

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Delimiter } from '../transfer/csv/delimiter.ts';
import type { MapFormat } from '../transfer/formats.ts';
import { formatOfPath } from '../transfer/formats.ts';
import type { StoreApplication } from '../app/composition/store.ts';
import { findOwnedMap, operatorFor } from '../services/operator.ts';
import { listenForInterruption } from './interruption.ts';
import { printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, reportFailure, withApplication } from './run.ts';
import { isWriteFailure, notWritable, throwOfFile } from './write-failure.ts';

interface ExportCommand {
  readonly mapId: string;
  /** Null for stdout. */
  readonly path: string | null;
  /** Null where the path says it. */
  readonly format: MapFormat | null;
  /** Of CSV; null for a comma. */
  readonly delimiter: Delimiter | null;
  /** CSV in the form that spreadsheets open. */
  readonly isForSpreadsheet: boolean;
}

export async function exportMap(command: ExportCommand): Promise<void> {
  const interruption = listenForInterruption();
  try {
    await withApplication((application) => writeMap(command, application, interruption.signal), {
      hasLongCalls: true,
    });
  } catch (error) {
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode;
    else reportFailure(error, FAILED);
  } finally {
    interruption.end();
  }
}

async function writeMap(
  { mapId, path, format, delimiter, isForSpreadsheet }: ExportCommand,
  { storage, services }: StoreApplication,
  signal: AbortSignal,
): Promise<void> {
  const { owner } = await findOwnedMap(storage, mapId);
  const exported = await services.exports.openExport(
    { caller: operatorFor(owner), signal },
    {
      mapId,
      format: format ?? formatOfPath(path ?? '') ?? 'geojson',
      isForSpreadsheet,
      ...(delimiter !== null && { delimiter }),
    },
  );
  const progress = createExportProgress(await storage.countLocations(mapId));
  // On one terminal with the export itself a bar would stand in the midst of it.
  const isShown = path !== null || !process.stdout.isTTY;
  let locations = 0;
  const read = exported.read((count) => {
    locations += count;
    if (isShown) progress.update(locations);
  });
  const content = Readable.from(read, { objectMode: false });
  try {
    if (path === null) await toStdout(content, signal);
    else await toFile(content, path, signal);
  } finally {
    progress.clear();
  }
  if (path === null) return;
  say(`Wrote ${locations} locations to ${path}.`);
  printResult({ file: path, locations });
}

function createExportProgress(total: number) {
  return createProgress<number>({
    isTerminalOnly: true,
    shareOf: (locations) => (total === 0 ? null : locations / total),
    describe: (locations) => `${locations} locations`,
  });
}

/** A reader that has gone, as in `export MAP | head`, is not a failure. */
async function toStdout(content: Readable, signal: AbortSignal): Promise<void> {
  await pipeline(content, process.stdout as Writable, { end: false, signal }).catch((error: unknown) => {
    // Told already (output.ts).
    if (isWriteFailure(error)) return;
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED' && code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw error;
  });
}

/** The file is whole, or as it was: what is being written has a name of its own beside it. */
async function toFile(content: Readable, path: string, signal: AbortSignal): Promise<void> {
  const target = await targetOf(path);
  if (target.isDevice) {
    return pipeline(content, createWriteStream(path), { signal }).catch(throwOfFile(path));
  }
  const partial = `${target.path}.${randomBytes(4).toString('hex')}.partial`;
  const handle = await open(partial, 'wx').catch((error: Error) => {
    content.destroy();
    throw notWritable(path, error);
  });
  try {
    await pipeline(content, handle.createWriteStream({ flush: true }), { signal }).catch(throwOfFile(path));
    await rename(partial, target.path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Where a link leads. What is no file, such as a pipe, cannot be replaced. @throws CommandError */
async function targetOf(path: string): Promise<{ readonly path: string; readonly isDevice: boolean }> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory()) throw new CommandError(`${path} is a directory; a file is wanted.`);
  return stats === null
    ? { path, isDevice: false }
    : { path: await realpath(path), isDevice: !stats.isFile() };
}
