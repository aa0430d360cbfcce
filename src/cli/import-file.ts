/** One run of `map-locations import`: opens the file and the map, imports, and says what became of it. */

import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

import type { Config } from '../config.ts';
import { ServiceError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { CsvHeaderError } from '../services/csv.ts';
import type { ImportEnd, ImportSummary, RejectedRow } from '../services/imports.ts';
import { IMPORT_BATCH_SIZE, importCsv } from '../services/imports.ts';
import { findOwnedMap, operatorFor } from '../services/operator.ts';
import { complain, printResult, say } from './output.ts';
import { createProgress, rowsPerSecond } from './progress.ts';
import { countAddedColumns, RejectedFile, rejectedPathOf } from './rejected-file.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, withGateway } from './run.ts';

export async function importFile(mapId: string, path: string): Promise<void> {
  const state = { isBegun: false };
  try {
    const input = await openInput(path);
    try {
      await withGateway((gateway, config) =>
        importInput({ gateway, config, mapId, path, ...input, onBegin: () => (state.isBegun = true) }),
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
}

async function openInput(path: string): Promise<Input> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be opened: ${error.message}`,
    );
  });
  const stats = await handle.stat();
  if (!stats.isDirectory()) return { handle, size: stats.size };
  await handle.close();
  throw new CommandError(`${path} is a directory; a CSV file is wanted.`);
}

interface Run extends Input {
  readonly gateway: Gateway;
  readonly config: Config;
  readonly mapId: string;
  readonly path: string;
  readonly onBegin: () => void;
}

async function importInput({ gateway, config, mapId, path, handle, size, onBegin }: Run): Promise<void> {
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
  try {
    const summary = await importCsv(gateway.services, operatorFor(owner), map, handle.createReadStream(), {
      batchSize: Math.min(IMPORT_BATCH_SIZE, config.limits.bulk),
      signal: interruption.signal,
      ignoredColumns: (columns) => countAddedColumns(path, columns),
      onTable: async (table) => {
        await file.begin(table).catch((error: unknown) => {
          throw new CommandError(`${file.path} from an earlier import cannot be removed: ${String(error)}`);
        });
        onBegin();
      },
      onProgress: progress.update,
      onRejected: (row) => rejections.add(row),
    });
    progress.clear();
    await summarize(summary, { path, file, seconds: (performance.now() - begun) / 1000 });
    if (interruption.exitCode !== null && summary.end.kind === 'stopped') {
      process.exitCode = interruption.exitCode;
    }
  } finally {
    progress.clear();
    interruption.stop();
    await file.close();
  }
}

/** A file that cannot be written must not end the import half-way: the rows are then told of on stderr. */
class Rejections {
  readonly #file: RejectedFile;
  readonly #beforeSaying: () => void;
  #isFileGood = true;

  constructor(file: RejectedFile, beforeSaying: () => void) {
    this.#file = file;
    this.#beforeSaying = beforeSaying;
  }

  async add(row: RejectedRow): Promise<void> {
    if (this.#isFileGood) {
      try {
        await this.#file.write(row);
        return;
      } catch (error) {
        this.#isFileGood = false;
        this.#beforeSaying();
        complain(`${this.#file.path} cannot be written, so rejected rows are listed here: ${String(error)}`);
      }
    }
    this.#beforeSaying();
    say(`line ${row.line}: ${row.code}: ${row.reason}`);
  }
}

interface Context {
  readonly path: string;
  readonly file: RejectedFile;
  readonly seconds: number;
}

async function summarize({ stored, rejected, end }: ImportSummary, { path, file, seconds }: Context) {
  if (end.kind !== 'complete' || rejected > 0) process.exitCode = FAILED;
  printResult(`stored ${stored}, rejected ${rejected}`);
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

interface Interruption {
  readonly signal: AbortSignal;
  readonly exitCode: number | null;
  stop(): void;
}

/** The first signal ends the import after its batch; the next one ends the process, as it would without us. */
function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    stop();
    exitCode = name === 'SIGINT' ? 130 : 143;
    say('\nStopping after the batch under way; once more stops at once.');
    controller.abort();
  };
  const stop = () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    stop,
  };
}
