/** One run of `map-locations import`: opens the file and the map, then imports or prints the result of a dry run. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

import type { Config } from '../app/config.ts';
import type { StoreApplication } from '../app/composition/store.ts';
import type { ImportOptions } from '../transfer/import/import-rows.ts';
import type { ImportSummary } from '../transfer/import/report.ts';
import { importRows } from '../transfer/import/import-rows.ts';
import type { ResumedRun } from '../transfer/import/runs.ts';
import { findOwnedMap, operatorFor } from '../services/operator.ts';
import { UnreadableFileError } from '../transfer/text/damage.ts';
import type { ImportFileOptions, ImportSource } from '../transfer/open-import.ts';
import { openImport } from '../transfer/open-import.ts';
import type { ByteSource } from '../transfer/reader.ts';
import { reportColumns, reportOutcome, sayResumed } from './import-report.ts';
import { countOf, isJson, printable, say, streamResult } from './output.ts';
import { createImportProgress } from './progress.ts';
import { rejectedPathOf } from '../transfer/rejected-rows.ts';
import { RejectedRows } from './rejected-rows.ts';
import {
  assertNotDeleted,
  CommandError,
  FAILED,
  listenForInterruption,
  NOT_STARTED,
  reportFailure,
  withApplication,
} from './run.ts';

export interface ImportCommand {
  readonly mapId: string;
  readonly path: string;
  /** How to read the file and map its columns. */
  readonly options: ImportFileOptions;
  readonly isDryRun: boolean;
  /** Starts with the first row, even if an earlier import of the file was interrupted. */
  readonly restart: boolean;
}

export async function importFile(command: ImportCommand): Promise<void> {
  const state = { isStarted: false };
  try {
    const input = await openInput(command.path);
    try {
      await withApplication(
        (application, config) =>
          importInput(command, input, application, config, () => (state.isStarted = true)),
        { adapt: withLargeBatches, hasLongCalls: true },
      );
    } finally {
      await input.handle.close();
    }
  } catch (error) {
    reportFailure(describeUnreadable(error, command.path), state.isStarted ? FAILED : NOT_STARTED);
    if (!state.isStarted) say('Nothing was imported.');
  }
}

/** A process without other clients may write more at once than a request. */
function withLargeBatches(config: Config): Config {
  return { ...config, limits: { ...config.limits, bulk: 3 * config.limits.bulk } };
}

function describeUnreadable(error: unknown, path: string): unknown {
  if (!(error instanceof UnreadableFileError)) return error;
  const hint = error.isEncoding ? ' If it is text in another encoding, name that with --encoding.' : '';
  return new CommandError(`${path}: ${error.message}${hint}`);
}

/** A pipe can be read only once, and only from its start. */
function byteSourceOf(
  { handle, size, checksum }: Input,
  path: string,
  counter: { bytes: number },
): ByteSource {
  const isFile = checksum !== null;
  return {
    name: path,
    size: isFile ? size : null,
    async *stream() {
      // A file was already read once, for its checksum.
      const content: AsyncIterable<Buffer> = handle.createReadStream({
        autoClose: false,
        ...(isFile && { start: 0 }),
      });
      for await (const chunk of content) {
        counter.bytes += chunk.length;
        yield chunk;
      }
    },
    read: isFile
      ? async (offset, length) => {
          const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
          const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
          counter.bytes += bytesRead;
          return bytes.subarray(0, bytesRead);
        }
      : null,
  };
}

interface Input {
  readonly handle: FileHandle;
  /** Bytes; 0 for a pipe. */
  readonly size: number;
  /** SHA-256 of the content; null for a pipe, which can be read only once. */
  readonly checksum: string | null;
}

/** @throws CommandError */
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
  throw new CommandError(`${path} is a directory; give the path of a file.`);
}

async function checksumOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunks: AsyncIterable<Buffer> = handle.createReadStream({ start: 0, autoClose: false });
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

async function importInput(
  command: ImportCommand,
  { handle, size, checksum }: Input,
  application: StoreApplication,
  config: Config,
  onBegin: () => void,
): Promise<void> {
  const { mapId, path, restart, options: fileOptions } = command;
  const isUpsert = fileOptions.isUpsert ?? false;
  const { owner, map } = await findOwnedMap(application.storage, mapId);
  assertNotDeleted(map);
  const read = { bytes: 0 };
  const file = await openImport(byteSourceOf({ handle, size, checksum }, path, read), map.fields, {
    ...fileOptions,
    maxExpandedBytes: config.importMaxExpanded,
  });
  const run = (options: ImportOptions) =>
    importRows(application, { caller: operatorFor(owner) }, map, file, {
      ...options,
      isUpsert,
      maxBatchSize: config.limits.bulk,
    });
  if (command.isDryRun) return dryRun(path, file, run, onBegin);
  const checksumOfRun = checksum === null ? null : runNameOf(checksum, command, file);
  const progress = createImportProgress(size);
  await runReported({ path, file, isUpsert, restart, progress, read }, checksumOfRun, run, onBegin);
}

interface ReportedRun {
  readonly path: string;
  readonly file: ImportSource;
  readonly isUpsert: boolean;
  readonly restart: boolean;
  readonly progress: ReturnType<typeof createImportProgress>;
  /** Bytes read from the file so far. */
  readonly read: { readonly bytes: number };
}

/** @param checksum names the import so that it can be resumed; null when it cannot be */
async function runReported(
  { path, file, isUpsert, restart, progress, read }: ReportedRun,
  checksum: string | null,
  run: (options: ImportOptions) => Promise<ImportSummary>,
  onBegin: () => void,
): Promise<void> {
  const interruption = listenForInterruption(() =>
    say('', 'Stopping after the current batch; interrupt again to stop at once.'),
  );
  const rejected = new RejectedRows(rejectedPathOf(path, file.rejections.extension), progress.clear);
  const outcomes = { created: 0, updated: 0, unchanged: 0, 'stored-before': 0 };
  const startedAt = performance.now();
  let resumed: ResumedRun | null = null;
  try {
    const summary = await run({
      checksum,
      restart,
      stop: interruption.signal,
      onBegin: async (earlier) => {
        resumed = earlier;
        await rejected.begin(file.rejections, earlier?.note ?? null);
        onBegin();
        if (earlier !== null && earlier.rows > 0) sayResumed(earlier, path);
      },
      onRejected: (row) => rejected.add(row),
      onStored: (_line, outcome) => void (outcomes[outcome] += 1),
      // Decoded or unpacked content is longer than the file.
      onProgress: (done) => progress.update({ ...done, bytes: Math.min(done.bytes, read.bytes) }),
      checkpointNote: () => rejected.checkpointNote(),
    });
    progress.clear();
    reportOutcome({
      path,
      unit: file.unit,
      summary,
      report: file.report(),
      outcomes: isUpsert ? outcomes : null,
      resumed,
      isResumable: checksum !== null,
      seconds: (performance.now() - startedAt) / 1000,
      rejectedPath: rejected.isWritten ? rejected.path : null,
    });
    if (summary.end.kind === 'stopped') process.exitCode = interruption.exitCode;
  } finally {
    progress.clear();
    interruption.end();
    await rejected.close();
  }
}

/** Reading the same file with other options is another import. */
function runNameOf(checksum: string, { options }: ImportCommand, { format }: ImportSource): string {
  const { encoding = null, isUpsert = false, delimiter, sheet, uses, address, fillsAddress } = options;
  const columns = { delimiter, sheet, uses: uses && [...uses], address, fillsAddress };
  const chosen = JSON.stringify(columns);
  const ways = [
    ...(format === 'csv' ? [] : [format]),
    ...(encoding === null ? [] : [encoding]),
    ...(isUpsert ? ['upsert'] : []),
    ...(chosen === '{}' ? [] : [chosen]),
  ];
  return [checksum, ...ways].join(' ');
}

/** Characters that are printed at once. */
const CHUNK_LENGTH = 16_384;

/** Prints a line for each row on stdout, for programs and for `grep`. */
async function dryRun(
  path: string,
  { unit, report }: Pick<ImportSource, 'unit' | 'report'>,
  run: (options: ImportOptions) => Promise<ImportSummary>,
  onBegin: () => void,
): Promise<void> {
  const closed = new AbortController();
  let lines = '';
  const print = async (): Promise<void> => {
    const text = lines;
    lines = '';
    if (text !== '' && !(await streamResult(text))) closed.abort();
  };
  const add = (line: number, outcome: string, reason: string): void | Promise<void> => {
    lines += isJson
      ? `${JSON.stringify({ [unit.toLowerCase()]: line, outcome, reason: reason || null })}\n`
      : `${line}\t${outcome}\t${printable(reason)}\n`;
    if (lines.length > CHUNK_LENGTH) return print();
  };
  const { stored, rejected, end } = await run({
    isDryRun: true,
    stop: closed.signal,
    onBegin,
    onStored: (line, outcome) => add(line, outcome, ''),
    onRejected: ({ line, code, reason }) => add(line, code, reason),
  });
  await print();
  reportColumns(path, report());
  if (end.kind === 'damaged') say(`${path} is damaged from ${unit} ${end.line} on: ${end.reason}.`);
  if (end.kind === 'failed') throw end.error;
  if (rejected > 0 || end.kind === 'damaged') process.exitCode = FAILED;
  say(`${countOf(stored, 'row')} of ${path} would be stored and ${rejected} rejected. Nothing was stored.`);
}
