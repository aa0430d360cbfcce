/** Reads the start of a stream, and keeps it readable from its first byte. */

import { Buffer } from 'node:buffer';

export interface Peeked {
  readonly head: Buffer;
  /** The whole stream, including the head. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** @param length maximum bytes of the head */
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
      // Thrown to the reader of the stream, after the bytes before it.
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

/** Continues a generator after its first result, or the error of it. */
export async function* startingWith<T>(
  first: IteratorResult<T, void> | Error,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T, void, undefined> {
  try {
    if (first instanceof Error) throw first;
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}
