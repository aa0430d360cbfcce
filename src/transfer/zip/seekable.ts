/** Adds the random access that archives need to a stream, in memory. */

import type { ByteSource } from '../reader.ts';
import { UnreadableFileError } from '../text/damage.ts';

/** Maximum bytes of a pipe in memory. */
const MAX_PIPED_BYTES = 64 * 1024 * 1024;

export interface SeekableSource extends ByteSource {
  readonly size: number;
  readonly read: NonNullable<ByteSource['read']>;
}

/** @throws UnreadableFileError for a pipe that is too long */
export async function seekable(source: ByteSource): Promise<SeekableSource> {
  const { size, read } = source;
  if (size !== null && read !== null) return { ...source, size, read };
  const bytes = await readAll(source);
  return {
    name: source.name,
    size: bytes.length,
    async *stream() {
      yield bytes;
    },
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

async function readAll(source: ByteSource): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.stream()) {
    size += chunk.length;
    if (size > MAX_PIPED_BYTES) {
      throw new UnreadableFileError(
        `The archive comes from a pipe and is over ${MAX_PIPED_BYTES} bytes; save it as a file and import the file.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
