/** A browser's file as a source for the file readers. */

import type { ByteSource } from '../../../src/transfer/reader.ts';

export function blobSource({ name, blob }: { readonly name: string; readonly blob: Blob }): ByteSource {
  return {
    name,
    size: blob.size,
    stream: () => chunksOf(blob),
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Not every browser supports async iteration of streams. */
async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = blob.stream().getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
