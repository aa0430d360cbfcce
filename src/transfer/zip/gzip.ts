/** Deflates a stream, with its checksum and size. */

/** Bytes before and after the deflated data in a gzip file without a name (RFC 1952). */
const HEADER = 10;
const TRAILER = 8;
/** Smaller pieces are joined, because each costs the sender a call. */
const PIECE = 65_536;

export interface Checksum {
  readonly crc32: number;
  /** Uncompressed bytes. */
  readonly size: number;
}

/**
 * Yields deflated bytes (RFC 1951). The platform compresses them off the event loop, in the gzip format, which includes
 * the checksum. Reads ahead one chunk at most.
 *
 * @returns the checksum of the uncompressed bytes
 * @throws errors of the chunks
 */
export async function* gzip(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, Checksum, undefined> {
  const { readable, writable } = new CompressionStream('gzip');
  const pump = new Pump(chunks, writable);
  const reader = readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    let rest: Uint8Array = new Uint8Array();
    let skipped = 0;
    for (;;) {
      const next = await reader.read().catch((error: unknown) => ({ error }));
      if ('error' in next) throw pump.failure ?? next.error;
      if (next.done) break;
      const start = Math.min(HEADER - skipped, next.value.length);
      skipped += start;
      rest = concat([rest, next.value.subarray(start)]);
      if (rest.length < PIECE + TRAILER) continue;
      yield rest.subarray(0, -TRAILER);
      rest = rest.slice(-TRAILER);
    }
    await pump.done;
    if (rest.length > TRAILER) yield rest.subarray(0, -TRAILER);
    const view = new DataView(rest.buffer, rest.byteOffset + rest.length - TRAILER, TRAILER);
    return { crc32: view.getUint32(0, true), size: pump.size };
  } finally {
    const stopped = pump.stop();
    // Cancelling ends a write that waits for space.
    await reader.cancel().catch(() => undefined);
    await stopped;
  }
}

/** Writes chunks into a stream with backpressure. */
class Pump {
  readonly done: Promise<void>;
  size = 0;
  /** The error of reading the chunks, if any. */
  failure: unknown;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #isStopped = false;

  constructor(chunks: AsyncIterable<Uint8Array>, writable: WritableStream) {
    this.#writer = writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
    this.done = this.#run(chunks);
    // The reader of the other end reports the error.
    this.done.catch(() => undefined);
  }

  async #run(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        if (this.#isStopped) return;
        this.size += chunk.length;
        await this.#writer.write(chunk);
      }
      await this.#writer.close();
    } catch (error) {
      this.failure = error;
      await this.#writer.abort(error).catch(() => undefined);
      throw error;
    }
  }

  /** Has no effect on a stream that has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writer.abort().catch(() => undefined);
  }
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
