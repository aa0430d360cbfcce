/**
 * Whether the open files are still the ones at their paths. A file that was deleted or replaced goes on taking writes
 * as long as it is open. Nobody will ever see those writes.
 */

import type { BigIntStats } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

import { storageUnavailable } from '../../../errors.ts';
import type { StorageNotice } from '../../storage.ts';

/** Milliseconds. Reads fail at the latest so long after a file has gone. */
const LOOK_EVERY_MS = 1_000;

/**
 * The log holds what was committed and is not in the database file yet. The index of the log is shared by all processes:
 * those that do not share it overwrite each other's part of the log.
 */
const COMPANIONS = ['-wal', '-shm'];

/** A file by what stays the same when it is renamed. */
interface WatchedFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** What a look at a path gives. */
type Found = BigIntStats | NodeJS.ErrnoException;

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
    this.#timer = setInterval(() => void this.#lookAside(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * @param opened the database file as it was before it was opened
   * @throws ServiceError STORAGE_UNAVAILABLE when another file has taken its place since; the error of a look that fails
   */
  static begin(opened: WatchedFile, onNotice: (notice: StorageNotice) => void): FileWatch {
    // SQLite keeps them beside the file that a link leads to, as long as anybody has the database open.
    const target = realpathSync(opened.path);
    const companions = COMPANIONS.flatMap((suffix) => identify(target + suffix) ?? []);
    const watch = new FileWatch([opened, ...companions], onNotice);
    if (watch.look()) return watch;
    watch.stop();
    throw storageUnavailable();
  }

  /** The result of the last look. */
  get isInPlace(): boolean {
    return this.#problem === null;
  }

  /** Looks now, which takes some microseconds. */
  look(): boolean {
    this.#note(this.#files.map((file) => problemOf(file, lookAt(file.path))));
    return this.isInPlace;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks without holding up anybody. */
  async #lookAside(): Promise<void> {
    this.#note(
      await Promise.all(this.#files.map(async (file) => problemOf(file, await lookAsideAt(file.path)))),
    );
  }

  #note(problems: readonly (string | null)[]): void {
    const problem = problems.find((each) => each !== null) ?? null;
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#onNotice(
      problem === null
        ? { level: 'info', message: `The database file is in its place again: ${this.#files[0].path}` }
        : { level: 'error', message: problem },
    );
  }
}

/**
 * @returns null when there is no such file
 * @throws the error of a look that fails
 */
export function identify(path: string): WatchedFile | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : { path, device: stats.dev, inode: stats.ino };
}

function lookAt(path: string): Found {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function lookAsideAt(path: string): Promise<Found> {
  return stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => error);
}

/** What is wrong with a file, in whole sentences; null when it is in place. */
function problemOf({ path, device, inode }: WatchedFile, found: Found): string | null {
  if (found instanceof Error) {
    if (isAbsent(found)) return gone(path);
    return `The database file cannot be looked at: ${found.message}. Every call fails as long as that lasts.`;
  }
  return found.ino === inode && found.dev === device ? null : gone(path);
}

function gone(path: string): string {
  return (
    `The database file was deleted or replaced: ${path}. Every call fails until it is back, or the program is ` +
    'started again on the files that are there now.'
  );
}

/** The file is not there, or a part of its path is no folder any more. */
function isAbsent({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
