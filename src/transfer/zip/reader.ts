/** Reads zip archives with random access, in Node.js and in browsers. Unpacks files on demand. */

import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import { configure, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';

import type { ByteSource } from '../reader.ts';
import { UnreadableFileError } from '../text/damage.ts';
import type { SeekableSource } from './seekable.ts';
import { seekable } from './seekable.ts';

export interface ZipLimits {
  /** Maximum total bytes of the unpacked files. */
  readonly maxExpandedBytes: number;
}

export interface ZipArchive {
  /** Names of the files. */
  readonly names: readonly string[];
  /**
   * Unpacks a file. Ending the iteration early stops reading.
   *
   * @param name one of `names`
   * @throws UnreadableFileError before the first byte; ArchiveDamage later
   */
  readonly open: (name: string) => AsyncGenerator<Uint8Array, void, undefined>;
  readonly close: () => Promise<void>;
}

/** A file of the archive cannot be read further. The message completes a sentence. */
export class ArchiveDamage extends Error {}

/** The default of IMPORT_MAX_EXPANDED: 1 GiB. */
export const MAX_EXPANDED_BYTES = 1024 * 1024 * 1024;
/** Maximum expansion ratio, against zip bombs. Spreadsheets expand about ten times. */
const MAX_GROWTH = 200;
const MAX_FILES = 10_000;
/** Maximum bytes per read, which bounds the directory. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Packed bytes per step. Deflate expands them a thousand times at most. */
const CHUNK_BYTES = 65_536;

configure({
  useWebWorkers: false,
  chunkSize: CHUNK_BYTES,
  // Without workers, this limits concurrent readers, of which paused ones would block the others.
  maxWorkers: 1_000_000,
});

/** @throws UnreadableFileError */
export async function openZip(given: ByteSource, limits: ZipLimits): Promise<ZipArchive> {
  const source = await seekable(given);
  await assertArchive(source);
  const zip = new ZipReader(new SourceReader(source), {
    // Files are not written to disk, so any name is safe.
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

/** The signature of old Excel files and encrypted workbooks. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

/** @throws UnreadableFileError for a file without the signature of an archive */
async function assertArchive({ read }: SeekableSource): Promise<void> {
  const head = await read(0, OLE.length).catch((error: unknown) => {
    throw new UnreadableFileError(`The file cannot be read (${messageOf(error)}).`);
  });
  if (head[0] === 0x50 && head[1] === 0x4b) return;
  throw new UnreadableFileError(
    OLE.every((byte, index) => head[index] === byte)
      ? 'The file is an old Excel file (.xls) or encrypted; save it as .xlsx without a password.'
      : 'The file is not a zip archive, as .xlsx and .kmz files are.',
  );
}

/** @throws UnreadableFileError */
async function readDirectory(zip: ZipReader<unknown>): Promise<ReadonlyMap<string, FileEntry>> {
  const files = new Map<string, FileEntry>();
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory) continue;
      if (files.size === MAX_FILES) {
        throw new UnreadableFileError(`The archive contains over ${MAX_FILES} files.`);
      }
      files.set(entry.filename, entry);
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw new UnreadableFileError(`The archive is damaged or truncated (${messageOf(error)}).`);
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
  // A failure before the first byte leaves the stream open, and its reader would wait forever.
  end.catch(fail);
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await asDamage(reader.read());
      if (done) break;
      budget.spend(value.byteLength);
      yield value;
    }
    await asDamage(end);
  } finally {
    abort.abort();
    await reader.cancel().catch(() => undefined);
  }
}

/** Converts errors to ArchiveDamage. */
async function asDamage<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new ArchiveDamage(`the archive is damaged (${messageOf(error)})`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The remaining bytes that an archive may expand to. */
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

  /** Checks a declared size. @throws UnreadableFileError */
  assert(bytes: number): void {
    if (bytes > this.#left) throw new UnreadableFileError(`The unpacked archive is over ${this.#limit}.`);
  }

  /** @throws ArchiveDamage */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new ArchiveDamage(`the unpacked archive is over ${this.#limit}`);
  }
}

class SourceReader extends Reader<ByteSource> {
  readonly #read: NonNullable<ByteSource['read']>;

  constructor(source: ByteSource) {
    super(source);
    if (source.read === null || source.size === null)
      throw new Error('Reading an archive requires random access.');
    this.#read = source.read;
    this.size = source.size;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > MAX_READ_BYTES) throw new Error(`its directory is over ${MAX_READ_BYTES} bytes`);
    return this.#read(index, length);
  }
}
