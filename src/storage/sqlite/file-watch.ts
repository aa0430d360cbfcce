/**
 * Whether the file that is open is still the one at its path. A file that was deleted or replaced goes on taking writes
 * as long as it is open, and nobody will ever see them.
 */

import type { BigIntStats } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

import { storageUnavailable } from '../../errors.ts';
import type { StorageNotice } from '../storage.ts';

/** Reads fail at the latest so long after the file has gone. */
const LOOK_EVERY_MS = 1_000;

/** A file by what stays the same when it is renamed. */
interface WatchedFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

export class FileWatch {
  readonly #files: readonly WatchedFile[];
  readonly #onNotice: (notice: StorageNotice) => void;
  readonly #timer: NodeJS.Timeout;
  #isInPlace = true;

  private constructor(files: readonly WatchedFile[], onNotice: (notice: StorageNotice) => void) {
    this.#files = files;
    this.#onNotice = onNotice;
    this.#timer = setInterval(() => void this.#lookAside(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * @param opened the file as it was before it was opened
   * @throws ServiceError STORAGE_UNAVAILABLE where another one has taken its place since
   */
  static begin(opened: WatchedFile, onNotice: (notice: StorageNotice) => void): FileWatch {
    // The log too: it holds what was committed and is not in the file yet. SQLite keeps it as long as anybody has the
    // file open, beside the file that a link leads to.
    const log = identify(`${realpathSync(opened.path)}-wal`);
    const watch = new FileWatch(log === null ? [opened] : [opened, log], onNotice);
    if (watch.look()) return watch;
    watch.stop();
    throw storageUnavailable();
  }

  /** As it was when last looked at. */
  get isInPlace(): boolean {
    return this.#isInPlace;
  }

  /** Looks now, which takes some microseconds. */
  look(): boolean {
    this.#note(this.#files.every((file) => isSame(file, statOf(file.path))));
    return this.#isInPlace;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks without holding up anybody. */
  async #lookAside(): Promise<void> {
    const found = await Promise.all(
      this.#files.map(({ path }) => stat(path, { bigint: true }).catch(() => undefined)),
    );
    this.#note(this.#files.every((file, index) => isSame(file, found[index])));
  }

  #note(isInPlace: boolean): void {
    if (isInPlace === this.#isInPlace) return;
    this.#isInPlace = isInPlace;
    const [file] = this.#files;
    this.#onNotice(
      isInPlace
        ? { level: 'info', message: `The database file is back at its path: ${file?.path}` }
        : {
            level: 'error',
            message:
              `The database file was deleted or replaced: ${file?.path}, or its log (-wal). Every call fails until ` +
              'the file is back, or the program is started again on the file that is there now.',
          },
    );
  }
}

/** Null where there is no such file. */
export function identify(path: string): WatchedFile | null {
  const stats = statOf(path);
  return stats === undefined ? null : { path, device: stats.dev, inode: stats.ino };
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder on the way is no folder any more, or may not be entered.
    return undefined;
  }
}

function isSame({ device, inode }: WatchedFile, stats: BigIntStats | undefined): boolean {
  return stats?.ino === inode && stats.dev === device;
}
