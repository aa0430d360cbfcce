/** Decodes an XML file in the encoding that it declares. */

import { message } from '../message.ts';
import { UnreadableFileError } from '../text/damage.ts';
import { decodeText, encodingNamed, readStrings } from '../text/decode.ts';
import { readable } from '../text/lines.ts';
import { peek } from '../text/peek.ts';

/** A piece of the text, with its byte offsets. */
export interface XmlText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Enough bytes for the XML declaration. */
const HEAD_BYTES = 1024;
const DECLARED = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]{0,80})["']/;
/** `<?` in UTF-16. */
const UTF_16: readonly (readonly [encoding: string, start: readonly number[]])[] = [
  ['utf-16le', [0x3c, 0, 0x3f, 0]],
  ['utf-16be', [0, 0x3c, 0, 0x3f]],
];
/** Splits a file in memory, which is one chunk, so that its records are streamed too. */
const PIECE_BYTES = 65_536;

/**
 * @param named the caller's encoding, which takes precedence over the declaration; null for none
 * @throws UnreadableFileError for an unknown declared encoding; TextDamage after all text before the damage
 */
export async function* readXmlText(
  chunks: AsyncIterable<Uint8Array>,
  named: string | null,
): AsyncGenerator<XmlText, void, undefined> {
  const peeked = await peek(chunks, HEAD_BYTES);
  const bytes = decodeText(peeked.chunks, named ?? encodingOf(peeked.head));
  let end = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of readable(bytes)) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        end += piece.length;
        yield piece;
      }
    }
  }
  try {
    let start = 0;
    for await (const text of readStrings(counted(), 'utf-8')) {
      yield { text, start, end };
      start = end;
    }
  } finally {
    await peeked.chunks.return();
  }
}

/** @throws UnreadableFileError */
function encodingOf(head: Buffer): string | null {
  const wide = UTF_16.find(([, start]) => start.every((byte, index) => head[index] === byte));
  if (wide !== undefined) return wide[0];
  // Names of encodings are ASCII, and so is the declaration before them.
  const declared = DECLARED.exec(head.toString('latin1'))?.[1];
  if (declared === undefined) return null;
  const encoding = encodingNamed(declared);
  if (encoding === null) {
    const text = `The file declares the unknown encoding ${JSON.stringify(declared)}; save it as UTF-8.`;
    throw new UnreadableFileError([message('unknownEncoding', text, { encoding: declared })]);
  }
  // A declaration that is readable byte by byte is not UTF-16, whatever it says.
  return encoding.startsWith('utf-16') ? null : encoding;
}
