/** Creates zip archives, valid and malformed ones, without the library that reads them. */

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

import type { ByteSource } from '../../src/transfer/reader.ts';

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** By default the content is deflated. */
  readonly isStored?: boolean;
  /** A false size for the central directory. */
  readonly saidSize?: number;
  readonly isEncrypted?: boolean;
}

const UTF8_NAMES = 0x0800;
const ENCRYPTED = 0x0001;

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, saidSize, isEncrypted = false } of entries) {
    const bytes = Buffer.from(content as Uint8Array);
    const data = isStored ? bytes : deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8_NAMES | (isEncrypted ? ENCRYPTED : 0), 2);
    common.writeUInt16LE(isStored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(saidSize ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), made, common, tail, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

export interface CountedSource extends ByteSource {
  /** Bytes read so far. */
  readonly countRead: () => number;
}

/** A file with random access. */
export function fileOf(bytes: Uint8Array, name = 'file'): CountedSource {
  let count = 0;
  return {
    name,
    size: bytes.length,
    async *stream() {
      yield bytes;
    },
    read: async (offset, length) => {
      const read = bytes.subarray(offset, offset + length);
      count += read.length;
      return read;
    },
    countRead: () => count,
  };
}

/** A stream of bytes of unknown length. */
export function pipeOf(chunks: Iterable<Uint8Array>, name = '-'): ByteSource {
  return {
    name,
    size: null,
    async *stream() {
      yield* chunks;
    },
    read: null,
  };
}

/** The files of an archive as text, read without the library that reads them elsewhere. */
export function unzipped(archive: Uint8Array): ReadonlyMap<string, string> {
  const bytes = Buffer.from(archive);
  const files = new Map<string, string>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const data = bytes.subarray(start, start + packed);
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    files.set(name, (method === 0 ? data : inflateRawSync(data)).toString());
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** The text of an export; of a workbook, the XML of its sheet. */
export function textOfExport(file: Uint8Array | undefined): string {
  const bytes = Buffer.from(file ?? []);
  if (bytes.toString('latin1', 0, 2) !== 'PK') return bytes.toString();
  return unzipped(bytes).get('xl/worksheets/sheet1.xml') ?? '';
}
