/** One run of `map-locations import`: opens the file and the map, and imports. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

import type { Config } from '../config.ts';
import { CsvHeaderError } from '../csv/table.ts';
import type { Gateway } from '../gateway.ts';
import { importCsv } from '../services/imports/import-csv.ts';
import type { ResumedRun } from '../services/imports/runs.ts';
import { findOwnedMap, operatorFor } from '../services/operator.ts';
import { createProgress, reportOutcome, sayResumed } from './import-messages.ts';
import { listenForInterruption } from './interruption.ts';
import { say } from './output.ts';
import { countAddedColumns, RejectedRows, rejectedPathOf } from './rejected-rows.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, withGateway } from './run.ts';

interface ImportCommand {
  readonly mapId: string;
  readonly path: string;
  /** Starts again from the first row, also when an earlier import of the file was interrupted. */
  readonly restart: boolean;
}

export async function importFile(command: ImportCommand): Promise<void> {
  const state = { isBegun: false };
  try {
    const input = await openInput(command.path);
    try {
      await withGateway((gateway, config) =>
        importInput(command, input, gateway, config, () => (state.isBegun = true)),
      );
    } finally {
      await input.handle.close();
    }
  } catch (error) {
    const expected =
      error instanceof CsvHeaderError ? new CommandError(`${command.path}: ${error.message}`) : error;
    reportFailure(expected, state.isBegun ? FAILED : NOT_BEGUN);
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
  throw new CommandError(`${path} is a directory; a CSV file is wanted.`);
}

async function checksumOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunks: AsyncIterable<Buffer> = handle.createReadStream({ start: 0, autoClose: false });
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

async function importInput(
  { mapId, path, restart }: ImportCommand,
  { handle, size, checksum }: Input,
  gateway: Gateway,
  config: Config,
  onBegin: () => void,
): Promise<void> {
  const { owner, map } = await findOwnedMap(gateway.storage, mapId);
  if (map.isDeleted) {
    throw new CommandError(
      `The map ${mapId} is deleted; \`map-locations map restore ${mapId}\` brings it back.`,
    );
  }
  const interruption = listenForInterruption(() =>
    say('', 'Stopping after the batch under way; once more stops at once.'),
  );
  const progress = createProgress(process.stderr, size);
  const rejected = new RejectedRows(rejectedPathOf(path), progress.clear);
  const begun = performance.now();
  let resumed: ResumedRun | null = null;
  try {
    // A file was read once already, for its checksum. A pipe cannot go back to its start.
    const content = handle.createReadStream(checksum === null ? {} : { start: 0 });
    const summary = await importCsv(gateway, { caller: operatorFor(owner) }, map, content, {
      maxBatchSize: config.limits.bulk,
      checksum,
      restart,
      stop: interruption.signal,
      ignoredColumns: (columns) => countAddedColumns(path, columns),
      onBegin: async (table, earlier) => {
        resumed = earlier;
        await rejected.begin(table, earlier?.note ?? null);
        onBegin();
        if (earlier !== null && earlier.rows > 0) sayResumed(earlier, path);
      },
      onRejected: (row) => rejected.add(row),
      onProgress: progress.update,
      checkpointNote: () => rejected.checkpointNote(),
    });
    progress.clear();
    reportOutcome({
      path,
      summary,
      resumed,
      isResumable: checksum !== null,
      seconds: (performance.now() - begun) / 1000,
      rejectedPath: rejected.isWritten ? rejected.path : null,
    });
    if (summary.end.kind === 'stopped') process.exitCode = interruption.exitCode;
  } finally {
    progress.clear();
    interruption.end();
    await rejected.close();
  }
}
