/** Streams zip archives, in constant memory and off the event loop, in Node.js and in browsers. */

import { concat, gzip } from './gzip.ts';

export interface ZipContent {
  readonly name: string;
  readonly content: string | AsyncIterable<Uint8Array>;
}

/**
 * Reads on demand. Ending the iteration early stops reading.
 *
 * @param files in the order of the archive
 * @throws errors of the contents; Error for a size of 4 GiB or more
 */
export async function* writeZip(files: Iterable<ZipContent>): AsyncGenerator<Uint8Array, void, undefined> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const start = offset;
    const parts = typeof content === 'string' ? writeText(name, content) : writeStream(name, content);
    for (;;) {
      const next = await parts.next();
      if (next.done === true) {
        written.push({ ...next.value, offset: start });
        break;
      }
      offset = assertSize(offset + next.value.length);
      let isTaken = false;
      try {
        yield next.value;
        isTaken = true;
      } finally {
        if (!isTaken) await parts.return(NOTHING);
      }
    }
  }
  yield directoryOf(written, offset);
}

interface Sizes {
  readonly crc32: number;
  readonly packed: number;
  readonly size: number;
}

interface File extends Sizes {
  readonly name: string;
  readonly flags: number;
}

interface Written extends File {
  /** Offset of its header. */
  readonly offset: number;
}

const UTF8_NAME = 0x0800;
/** The sizes follow the content. */
const DATA_DESCRIPTOR = 0x0008;
const NOTHING: File = { name: '', flags: 0, crc32: 0, packed: 0, size: 0 };

async function* writeText(name: string, text: string): AsyncGenerator<Uint8Array, File, undefined> {
  const packing = gzip(one(text));
  const chunks: Uint8Array[] = [];
  let next = await packing.next();
  for (; next.done !== true; next = await packing.next()) chunks.push(next.value);
  const data = concat(chunks);
  const file = { name, flags: UTF8_NAME, ...next.value, packed: data.length };
  yield localHeader(file);
  yield data;
  return file;
}

async function* writeStream(
  name: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, File, undefined> {
  const flags = UTF8_NAME | DATA_DESCRIPTOR;
  const packing = gzip(content);
  let packed = 0;
  try {
    yield localHeader({ ...NOTHING, name, flags });
    let next = await packing.next();
    for (; next.done !== true; next = await packing.next()) {
      packed += next.value.length;
      yield next.value;
    }
    const file = { name, flags, ...next.value, packed };
    yield concat([bytesOf([SIGNATURE.sizes, 4]), ...sizeFields(file)]);
    return file;
  } finally {
    await packing.return({ crc32: 0, size: 0 });
  }
}

async function* one(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(text);
}

/** The limit of archives without ZIP64, which Excel does not open. */
const MAX_SIZE = 2 ** 32 - 1;

function assertSize(size: number): number {
  if (size > MAX_SIZE) throw new Error(`The archive would exceed ${MAX_SIZE} bytes.`);
  return size;
}

const SIGNATURE = { local: 0x04034b50, sizes: 0x08074b50, central: 0x02014b50, end: 0x06054b50 };
/** The version that supports deflate. */
const VERSION = 20;
const DEFLATE = 8;
/** 1 January 1980, so that the same content gives the same archive. */
const DATE = 0x0021;

function localHeader(file: File): Uint8Array {
  const name = new TextEncoder().encode(file.name);
  return concat([bytesOf([SIGNATURE.local, 4]), ...commonFields(file, name), bytesOf([0, 2]), name]);
}

function directoryOf(files: readonly Written[], offset: number): Uint8Array {
  const entries = files.map((file) => {
    const name = new TextEncoder().encode(file.name);
    const rest = bytesOf([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [file.offset, 4]);
    return concat([bytesOf([SIGNATURE.central, 4], [VERSION, 2]), ...commonFields(file, name), rest, name]);
  });
  const directory = concat(entries);
  const counts = bytesOf([0, 2], [0, 2], [files.length, 2], [files.length, 2]);
  const place = bytesOf([directory.length, 4], [offset, 4], [0, 2]);
  return concat([directory, bytesOf([SIGNATURE.end, 4]), counts, place]);
}

/** From the required version to the length of the name. */
function commonFields(file: File, name: Uint8Array): readonly Uint8Array[] {
  const start = bytesOf([VERSION, 2], [file.flags, 2], [DEFLATE, 2], [0, 2], [DATE, 2]);
  return [start, ...sizeFields(file), bytesOf([name.length, 2])];
}

function sizeFields({ crc32, packed, size }: Sizes): readonly Uint8Array[] {
  return [bytesOf([crc32, 4], [assertSize(packed), 4], [assertSize(size), 4])];
}

/** Encodes numbers in little-endian order. */
function bytesOf(...numbers: readonly (readonly [value: number, bytes: number])[]): Uint8Array {
  const bytes: number[] = [];
  for (const [value, count] of numbers) {
    for (let index = 0; index < count; index += 1) bytes.push(Math.floor(value / 2 ** (8 * index)) & 0xff);
  }
  return Uint8Array.from(bytes);
}
