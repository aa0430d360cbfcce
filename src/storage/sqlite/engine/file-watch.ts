/**
 * Checks whether the open files are still the ones at their paths. A deleted or replaced file accepts writes that
 * nobody will ever see.
 */

import type { BigIntStats } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

import { storageUnavailable } from '../../../errors.ts';
import type { StorageNotice } from '../../storage.ts';

/** Milliseconds. Reads fail at most this long after a file is gone. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * The log holds commits that are not in the database file yet. Its index is shared by all processes; processes with
 * different indexes overwrite each other's part of the log.
 */
const COMPANIONS = ['-wal', '-shm'];

/** A file by what a rename preserves. */
interface WatchedFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** The result of `stat`. */
type StatResult = BigIntStats | NodeJS.ErrnoException;

export class FileWatch {
  /** The database file comes first. */
  readonly #files: readonly [WatchedFile, ...WatchedFile[]];
  readonly #onNotice: (notice: StorageNotice) => void;
  readonly #timer: NodeJS.Timeout;
  /** Null while all files are in place. */
  #problem: string | null = null;

  private constructor(
    files: readonly [WatchedFile, ...WatchedFile[]],
    onNotice: (notice: StorageNotice) => void,
  ) {
    this.#files = files;
    this.#onNotice = onNotice;
    this.#timer = setInterval(() => void this.#checkAsync(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  /**
   * @param opened the database file, identified before it was opened
   * @throws ServiceError STORAGE_UNAVAILABLE when it has been replaced since; the error of `stat`
   */
  static begin(opened: WatchedFile, onNotice: (notice: StorageNotice) => void): FileWatch {
    // SQLite keeps them beside the target of a symbolic link while the database is open.
    const target = realpathSync(opened.path);
    const companions = COMPANIONS.flatMap((suffix) => identify(target + suffix) ?? []);
    const watch = new FileWatch([opened, ...companions], onNotice);
    if (watch.check()) return watch;
    watch.stop();
    throw storageUnavailable();
  }

  /** The result of the last check. */
  get isInPlace(): boolean {
    return this.#problem === null;
  }

  /** Checks now; takes a few microseconds. */
  check(): boolean {
    this.#setProblem(this.#files.map((file) => problemOf(file, statOf(file.path))));
    return this.isInPlace;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks without blocking the event loop. */
  async #checkAsync(): Promise<void> {
    this.#setProblem(
      await Promise.all(this.#files.map(async (file) => problemOf(file, await statAsync(file.path)))),
    );
  }

  #setProblem(problems: readonly (string | null)[]): void {
    const problem = problems.find((each) => each !== null) ?? null;
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#onNotice(
      problem === null
        ? { level: 'info', message: `The database file is in place again: ${this.#files[0].path}` }
        : { level: 'error', message: problem },
    );
  }
}

/**
 * @returns null for a missing file
 * @throws the error of `stat`
 */
export function identify(path: string): WatchedFile | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : { path, device: stats.dev, inode: stats.ino };
}

function statOf(path: string): StatResult {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function statAsync(path: string): Promise<StatResult> {
  return stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => error);
}

/** In full sentences; null when the file is in place. */
function problemOf({ path, device, inode }: WatchedFile, found: StatResult): string | null {
  if (found instanceof Error) {
    if (isMissing(found)) return missingMessage(path);
    return `The database file cannot be checked: ${found.message}. Every call fails while that lasts.`;
  }
  return found.ino === inode && found.dev === device ? null : missingMessage(path);
}

function missingMessage(path: string): string {
  return (
    `The database file was deleted or replaced: ${path}. Every call fails until it is back, or the program is ` +
    'restarted with the files that are there now.'
  );
}

/** The file or a folder of its path is missing. */
function isMissing({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
