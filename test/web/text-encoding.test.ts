/** Detection of a dropped file's text encoding. */

import { likelyEncoding } from '../../web/console/import/text-encoding.ts';

async function* chunksOf(...chunks: readonly (readonly number[])[]) {
  for (const chunk of chunks) yield Uint8Array.from(chunk);
}

describe("a file's encoding", () => {
  it('is detected by a byte order mark', async () => {
    expect(await likelyEncoding(chunksOf([0xff, 0xfe, 0xe9, 0x00]))).toEqual({
      encoding: 'utf-16le',
      isMarked: true,
    });
    expect(await likelyEncoding(chunksOf([0xef, 0xbb, 0xbf, 0x41]))).toEqual({
      encoding: 'utf-8',
      isMarked: true,
    });
  });

  it('is UTF-8 if the bytes are valid, wherever chunks are cut, and otherwise what spreadsheets write', async () => {
    const encodingOf = async (...chunks: readonly (readonly number[])[]) =>
      (await likelyEncoding(chunksOf(...chunks))).encoding;
    expect(await encodingOf([0x43, 0xc3], [0xa9])).toBe('utf-8');
    expect(await encodingOf([0x43, 0xe9])).toBe('windows-1252');
    expect(await encodingOf([0x41], [0x41, 0xe9])).toBe('windows-1252');
    expect(await encodingOf()).toBe('utf-8');
  });
});
