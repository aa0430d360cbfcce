/** Converts text in any encoding to UTF-8. */

import { Buffer } from 'node:buffer';

import { notEncoding, TextDamage } from './lines.ts';

/** Byte order marks. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const LONGEST_MARK = 3;
const UTF_8 = 'utf-8';

/** The canonical name of the encoding; null if TextDecoder does not know the label (https://encoding.spec.whatwg.org/). */
export function encodingNamed(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * Passes UTF-8 through. A byte order mark takes precedence over `named`.
 *
 * @param named from {@link encodingNamed}; null for UTF-8
 * @throws TextDamage for bytes that are not in the encoding, after all text before them
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  named: string | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    const marked = MARKS.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
    const encoding = marked?.[0] ?? named ?? UTF_8;
    const all = following(head, iterator);
    if (encoding === UTF_8) yield* all;
    else yield* transcode(all, encoding);
  } finally {
    await iterator.return?.();
  }
}

/** Enough bytes to detect a byte order mark, if there are as many. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < LONGEST_MARK) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* following(
  head: Buffer,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.length > 0) yield head;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}

/** Every call streams: in a single call, Node decodes windows-1252 as ISO 8859-1. */
const MORE = { stream: true };

async function* transcode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const text of readStrings(chunks, encoding)) yield Buffer.from(text);
}

/**
 * Decodes to strings, without a byte order mark.
 *
 * @throws TextDamage for bytes that are not in the encoding, after all text before them
 */
export async function* readStrings(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string, void, undefined> {
  const strict = new TextDecoder(encoding, { fatal: true });
  // Decodes the text before the damage, which the strict decoder drops.
  const lenient = new TextDecoder(encoding);
  const decode = (chunk: Uint8Array, options?: { stream: boolean }) => {
    const text = lenient.decode(chunk, options);
    try {
      strict.decode(chunk, options);
      return { text, isDamaged: false };
    } catch {
      return { text: text.slice(0, Math.max(0, text.indexOf('\ufffd'))), isDamaged: true };
    }
  };
  function* check({ text, isDamaged }: ReturnType<typeof decode>) {
    if (text !== '') yield text;
    if (isDamaged) throw new TextDamage(notEncoding(encoding), { isEncoding: true });
  }
  for await (const chunk of chunks) yield* check(decode(chunk, MORE));
  yield* check(decode(new Uint8Array()));
}
