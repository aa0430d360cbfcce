/** Looks at the beginning of a stream, which can then be read from its first byte all the same. */

import { Buffer } from 'node:buffer';

export interface Peeked {
  readonly head: Buffer;
  /** Everything, the head included. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** @param length bytes of the head; fewer where there are no more */
export async function peek(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let size = 0;
  let failure: { readonly error: unknown } | null = null;
  while (size < length) {
    try {
      const next = await iterator.next();
      if (next.done) break;
      read.push(next.value);
      size += next.value.length;
    } catch (error) {
      // Whoever reads the stream gets it, behind what came before it.
      failure = { error };
      break;
    }
  }
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* read.splice(0);
      if (failure !== null) throw failure.error;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(read).subarray(0, length), chunks: all() };
}
