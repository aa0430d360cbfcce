/** One run of `map-locations import`: opens the file and the map, imports, and says what became of it. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

import type { Config } from '../config.ts';
import { ServiceError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { CsvHeaderError } from '../csv/table.ts';
import type { ImportRun } from '../services/imports/runs.ts';
import { openImportRun } from '../services/imports/runs.ts';
import type { ImportEnd, ImportSummary } from '../services/imports/imports.ts';
import { IMPORT_BATCH_SIZE, importCsv } from '../services/imports/imports.ts';
import { findOwnedMap, operatorFor } from '../services/operator.ts';
import { listenForInterruption } from './interruption.ts';
import { complain, formatTime, printResult, say } from './output.ts';
import { createProgress, rowsPerSecond } from './progress.ts';
import { countAddedColumns, RejectedFile, rejectedPathOf } from './rejected-file.ts';
import { Rejections } from './rejections.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, withGateway } from './run.ts';

export interface ImportFileOptions {
  /** Begins anew where an earlier import of the file was interrupted. */
  readonly restart: boolean;
}

export async function importFile(mapId: string, path: string, options: ImportFileOptions): Promise<void> {
  const state = { isBegun: false };
  try {
    const input = await openInput(path);
    try {
      await withGateway((gateway, config) =>
        importInput({
          ...options,
          gateway,
          config,
          mapId,
          path,
          ...input,
          onBegin: () => (state.isBegun = true),
        }),
      );
    } finally {
      await input.handle.close();
    }
  } catch (error) {
    const expected = error instanceof CsvHeaderError ? new CommandError(`${path}: ${error.message}`) : error;
    await reportFailure(expected, state.isBegun ? FAILED : NOT_BEGUN);
    if (!state.isBegun) say('Nothing was imported.');
  }
}

interface Input {
  readonly handle: FileHandle;
  /** Bytes; 0 for a pipe. */
  readonly size: number;
  /** SHA-256 of the content; null for a pipe, which can be read only once. */
  readonly checksum: string | null;
}

async function openInput(path: string): Promise<Input> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be opened: ${error.message}`,
    );
  });
  const stats = await handle.stat();
  if (!stats.isDirectory()) {
    return { handle, size: stats.size, checksum: stats.isFile() ? await checksumOf(handle) : null };
  }
  await handle.close();
  throw new CommandError(`${path} is a directory; a CSV file is wanted.`);
}

async function checksumOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({
    start: 0,
    autoClose: false,
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}

interface Run extends Input, ImportFileOptions {
  readonly gateway: Gateway;
  readonly config: Config;
  readonly mapId: string;
  readonly path: string;
  readonly onBegin: () => void;
}

async function importInput(run: Run): Promise<void> {
  const { gateway, config, mapId, path, handle, size, checksum, restart, onBegin } = run;
  const { owner, map } = await findOwnedMap(gateway.storage, mapId);
  if (map.isDeleted) {
    throw new CommandError(
      `The map ${mapId} is deleted; \`map-locations map restore ${mapId}\` brings it back.`,
    );
  }
  const interruption = listenForInterruption();
  const progress = createProgress(process.stderr, size);
  const file = new RejectedFile(rejectedPathOf(path));
  const rejections = new Rejections(file, () => progress.clear());
  const begun = performance.now();
  let resumed: ImportRun['resumed'] = null;
  try {
    const content = handle.createReadStream(checksum === null ? {} : { start: 0 });
    const summary = await importCsv(gateway.services, operatorFor(owner), map, content, {
      batchSize: Math.min(IMPORT_BATCH_SIZE, config.limits.bulk),
      signal: interruption.signal,
      ignoredColumns: (columns) => countAddedColumns(path, columns),
      openRun:
        checksum === null
          ? undefined
          : () => openImportRun({ storage: gateway.storage, mapId, checksum, restart }),
      noteOf: () => rejections.checkpoint(),
      onTable: async (table, importRun) => {
        resumed = importRun?.resumed ?? null;
        await file.begin(table, resumed?.note).catch((error: unknown) => {
          throw new CommandError(`${file.path} from an earlier import is in the way: ${String(error)}`);
        });
        onBegin();
        if (resumed !== null && resumed.rows > 0) sayResumed(resumed, path);
      },
      onProgress: progress.update,
      onRejected: (row) => rejections.add(row),
    });
    progress.clear();
    const seconds = (performance.now() - begun) / 1000;
    await summarize(summary, { path, file, seconds, resumed, canResume: checksum !== null });
    if (interruption.exitCode !== null && summary.end.kind === 'stopped') {
      process.exitCode = interruption.exitCode;
    }
  } finally {
    progress.clear();
    interruption.stop();
    await file.close();
  }
}

function sayResumed({ rows, stored, rejected, savedAt }: NonNullable<ImportRun['resumed']>, path: string) {
  say(
    `Going on with the import of ${path} that ended early, ${formatTime(savedAt)}: the first ${rows} rows are done ` +
      `(${stored} stored, ${rejected} rejected). With --restart all rows are imported anew.`,
  );
}

interface Context {
  readonly path: string;
  readonly file: RejectedFile;
  readonly seconds: number;
  readonly resumed: ImportRun['resumed'];
  readonly canResume: boolean;
}

async function summarize({ stored, rejected, end }: ImportSummary, context: Context) {
  const { path, file, seconds, resumed, canResume } = context;
  const all = { stored: stored + (resumed?.stored ?? 0), rejected: rejected + (resumed?.rejected ?? 0) };
  if (end.kind !== 'complete' || all.rejected > 0) process.exitCode = FAILED;
  printResult(`stored ${all.stored}, rejected ${all.rejected}`);
  say(
    `Stored ${stored} and rejected ${rejected} of ${path} in ${seconds.toFixed(1)} s ` +
      `(${rowsPerSecond(stored + rejected, seconds)} rows a second).`,
  );
  if (file.isWritten) {
    say(
      `The rejected rows are in ${file.path}, with the reason for each. Correct them there and import that file: ` +
        'its columns line, code and reason are left out.',
    );
  }
  await explainEnd(end, path);
  if (canResume && (end.kind === 'stopped' || end.kind === 'failed')) {
    say('The same command goes on from there; no row is stored twice.');
  }
}

async function explainEnd(end: ImportEnd, path: string): Promise<void> {
  switch (end.kind) {
    case 'complete':
      return;
    case 'damaged':
      return complain(
        `${path} is damaged from line ${end.line} on: ${end.reason}. The rows before it were imported, none after.`,
      );
    case 'stopped':
      return complain(`Stopped before line ${end.line} of ${path}: it and what follows were not imported.`);
    case 'failed':
      await reportFailure(end.error, FAILED);
      return say(
        isOutcomeUnknown(end.error)
          ? `The rows before line ${end.line} of ${path} were imported; whether lines ${end.line} to ${end.lastLine} ` +
              'were is not known; none after were.'
          : `The rows before line ${end.line} of ${path} were imported, none after.`,
      );
    default:
      end satisfies never;
  }
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}
