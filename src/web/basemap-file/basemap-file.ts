/** The operator's file of vector tiles (BASEMAP_FILE). It may be replaced, by a rename, while the server runs. */

import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

import type { Archive } from './archive.ts';
import { ArchiveError, readArchive } from './archive.ts';

/** An open file, and the validators of its content. The caller closes the handle. */
export interface OpenBasemap {
  readonly handle: FileHandle;
  readonly size: number;
  /** Strong: a file that replaces this one has another, even of the same size and time. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly archive: Archive;
}

/** Opening a named pipe would wait for a writer. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

export class BasemapFile {
  readonly #path: string;
  readonly #onProblem: (problem: string | null) => void;
  /** What the file with the ETag holds, so that only a new file is read. */
  #checked: { readonly etag: string; readonly archive: Promise<Archive> } | null = null;
  #problem: string | null = null;

  /** @param onProblem called once when the file becomes unusable, with the reason; and with null when it is usable again */
  constructor(path: string, onProblem: (problem: string | null) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
  }

  /** Null if the file is not usable. */
  async open(): Promise<OpenBasemap | null> {
    try {
      const opened = await openBasemap(this.#path, (handle, size, etag) => this.#check(handle, size, etag));
      this.#report(null);
      return opened;
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      this.#report(error.message);
      return null;
    }
  }

  /** What the file holds now; null if it is not usable. */
  async read(): Promise<Archive | null> {
    const opened = await this.open();
    await opened?.handle.close();
    return opened?.archive ?? null;
  }

  #check(handle: FileHandle, size: number, etag: string): Promise<Archive> {
    if (this.#checked?.etag === etag) return this.#checked.archive;
    const checked = { etag, archive: readArchive(handle, size) };
    this.#checked = checked;
    checked.archive.catch(() => {
      if (this.#checked === checked) this.#checked = null;
    });
    return checked.archive;
  }

  #report(problem: string | null): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#onProblem(problem);
  }
}

/** @throws ArchiveError if the file cannot be read, or is no PMTiles archive of vector tiles */
export async function readBasemap(path: string): Promise<Archive> {
  const { handle, archive } = await openBasemap(path, readArchive);
  await handle.close();
  return archive;
}

async function openBasemap(
  path: string,
  check: (handle: FileHandle, size: number, etag: string) => Promise<Archive>,
): Promise<OpenBasemap> {
  const handle = await open(path, FLAGS).catch(rethrow);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new ArchiveError('name a file');
    const etag = etagOf(stats);
    const size = Number(stats.size);
    return { handle, size, etag, lastModified: stats.mtime, archive: await check(handle, size, etag) };
  } catch (error) {
    await handle.close();
    return rethrow(error);
  }
}

function etagOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `"${[size, mtimeNs, ino].map((part) => part.toString(36)).join('-')}"`;
}

function rethrow(error: unknown): never {
  if (error instanceof Error && 'code' in error)
    throw new ArchiveError(`name a file that the server can read; reading it failed (${String(error.code)})`);
  throw error;
}
