/** Reads zip archives with random access, in Node and in browsers. Nothing is unpacked that nobody asks for. */

import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import { configure, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';

import type { ByteSource } from '../reader.ts';
import { UnreadableFileError } from '../text/damage.ts';
import type { SeekableSource } from './seekable.ts';
import { seekable } from './seekable.ts';

export interface ZipLimits {
  /** Bytes that all files of the archive together may have when they are unpacked. */
  readonly maxExpandedBytes: number;
}

export interface ZipArchive {
  /** Of the files, as they stand in the archive. */
  readonly names: readonly string[];
  /**
   * Unpacks a file. Leaving the iteration early ends the reading.
   *
   * @param name one of `names`
   * @throws UnreadableFileError before the first byte, where the file cannot be unpacked at all; ArchiveDamage later
   */
  readonly open: (name: string) => AsyncGenerator<Uint8Array, void, undefined>;
  readonly close: () => Promise<void>;
}

/** A file of an archive cannot be read any further. The message is the end of a sentence. */
export class ArchiveDamage extends Error {}

/** IMPORT_MAX_EXPANDED where nothing else is set: 1 GiB. */
export const MAX_EXPANDED_BYTES = 1024 * 1024 * 1024;
/** An archive that grows more than so many times its size is a bomb. Spreadsheets grow about ten times. */
const MAX_GROWTH = 200;
const MAX_FILES = 10_000;
/** Of one read: the directory is read at once. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Bytes that are unpacked at once. Deflate makes a thousand times as many of them at most. */
const CHUNK_BYTES = 65_536;

configure({
  useWebWorkers: false,
  chunkSize: CHUNK_BYTES,
  // Without workers these are turns: with few of them, readers that pause would hold up all others.
  maxWorkers: 1_000_000,
});

/** @throws UnreadableFileError */
export async function openZip(given: ByteSource, limits: ZipLimits): Promise<ZipArchive> {
  const source = await seekable(given);
  await assertArchive(source);
  const zip = new ZipReader(new SourceReader(source), {
    // Nothing is written to a disk, so that names are names alone.
    filenameValidation: 'tolerant',
  });
  const files = await readDirectory(zip);
  const budget = new Budget(source.size, limits);
  return {
    names: [...files.keys()],
    open: (name) => {
      const file = files.get(name);
      if (file === undefined) throw new Error(`The archive has no file ${name}.`);
      return unpack(file, budget);
    },
    close: async () => {
      await zip.close();
    },
  };
}

/** What old Excel files and encrypted workbooks begin with. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

/** @throws UnreadableFileError for a file that does not begin as an archive does */
async function assertArchive({ read }: SeekableSource): Promise<void> {
  const head = await read(0, OLE.length).catch((error: unknown) => {
    throw new UnreadableFileError(`The file cannot be read (${messageOf(error)}).`);
  });
  if (head[0] === 0x50 && head[1] === 0x4b) return;
  throw new UnreadableFileError(
    OLE.every((byte, index) => head[index] === byte)
      ? 'The file is an old Excel file (.xls), or encrypted; save it as .xlsx, without a password.'
      : 'The file is no zip archive, which .xlsx and .kmz files are.',
  );
}

/** @throws UnreadableFileError */
async function readDirectory(zip: ZipReader<unknown>): Promise<ReadonlyMap<string, FileEntry>> {
  const files = new Map<string, FileEntry>();
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory) continue;
      if (files.size === MAX_FILES) {
        throw new UnreadableFileError(`The archive holds over ${MAX_FILES} files.`);
      }
      files.set(entry.filename, entry);
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw new UnreadableFileError(`The archive is damaged, or cut off (${messageOf(error)}).`);
  }
  return files;
}

async function* unpack(file: FileEntry, budget: Budget): AsyncGenerator<Uint8Array, void, undefined> {
  if (file.encrypted) {
    throw new UnreadableFileError('The archive is encrypted; save it without a password.');
  }
  budget.assert(file.uncompressedSize);
  const abort = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      fail = (error) => controller.error(error);
    },
  });
  const end = file.getData(writable, { signal: abort.signal, checkSignature: true });
  // What fails before the first byte leaves the stream open, and its reader would wait for ever.
  end.catch(fail);
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await damaging(reader.read());
      if (done) break;
      budget.spend(value.byteLength);
      yield value;
    }
    await damaging(end);
  } finally {
    abort.abort();
    await reader.cancel().catch(() => undefined);
  }
}

async function damaging<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new ArchiveDamage(`the archive is damaged (${messageOf(error)})`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How many bytes an archive may still grow by. */
class Budget {
  readonly #limit: string;
  #left: number;

  constructor(size: number, { maxExpandedBytes }: ZipLimits) {
    const byGrowth = size * MAX_GROWTH;
    this.#left = Math.min(maxExpandedBytes, byGrowth);
    this.#limit =
      byGrowth < maxExpandedBytes
        ? `${byGrowth} bytes, which is ${MAX_GROWTH} times its size`
        : `${maxExpandedBytes} bytes (IMPORT_MAX_EXPANDED)`;
  }

  /** Of a file whose size is said. @throws UnreadableFileError */
  assert(bytes: number): void {
    if (bytes > this.#left) throw new UnreadableFileError(`Unpacked, the archive is over ${this.#limit}.`);
  }

  /** @throws ArchiveDamage */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new ArchiveDamage(`unpacked, the archive is over ${this.#limit}`);
  }
}

class SourceReader extends Reader<ByteSource> {
  readonly #read: NonNullable<ByteSource['read']>;

  constructor(source: ByteSource) {
    super(source);
    if (source.read === null || source.size === null)
      throw new Error('An archive is read with random access.');
    this.#read = source.read;
    this.size = source.size;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > MAX_READ_BYTES) throw new Error(`its directory is over ${MAX_READ_BYTES} bytes`);
    return this.#read(index, length);
  }
}
