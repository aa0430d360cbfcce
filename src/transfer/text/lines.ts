/** Checks that a file is UTF-8 text, and cuts it at line ends. */

import { Buffer, isUtf8 } from 'node:buffer';

import type { Message } from '../message.ts';
import { message, untranslated } from '../message.ts';

/** Damaged bytes, in the line after those yielded so far. */
export class TextDamage extends Error {
  /** False if the bytes could not be read at all. */
  readonly isEncoding: boolean;

  readonly detail: Message;

  /** @param reason a text is in English only */
  constructor(reason: string | Message, { isEncoding }: { isEncoding: boolean }) {
    const detail = typeof reason === 'string' ? untranslated(reason) : reason;
    super(detail.text);
    this.detail = detail;
    this.isEncoding = isEncoding;
  }
}

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const NUL = 0;

/**
 * Yields blocks of whole lines, without a byte order mark. Only the last block may lack a line end. As lines are whole,
 * damage after a block costs no record before it.
 *
 * @param maxLineBytes a longer line counts as damage, which bounds the memory
 * @throws TextDamage after all lines before the damaged one
 */
export async function* readWholeLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let isStart = true;

  function* check(lines: Buffer): Generator<Buffer, void, undefined> {
    const hasMark = isStart && lines.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const text = hasMark ? lines.subarray(BYTE_ORDER_MARK.length) : lines;
    if (isText(text)) {
      isStart = false;
      yield text;
      return;
    }
    const intact = text.subarray(0, startOfDamagedLine(text));
    if (intact.length > 0) yield intact;
    throw new TextDamage(describeEncoding(isStart ? lines : text.subarray(intact.length)), {
      isEncoding: true,
    });
  }

  for await (const chunk of readable(chunks)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = endOfLastLine(bytes);
    if (end > 0) yield* check(bytes.subarray(0, end));
    rest = bytes.subarray(end);
    if (rest.length > maxLineBytes) {
      if (!isText(rest.subarray(0, lastWholeCharacter(rest)))) yield* check(rest);
      throw new TextDamage(tooLong('line', maxLineBytes), { isEncoding: false });
    }
  }
  if (rest.length > 0) yield* check(rest);
}

/** Reports a source that fails as damage, because the bytes before the failure are valid. */
export async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        if (error instanceof TextDamage) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new TextDamage(`the file cannot be read further (${reason})`, { isEncoding: false });
      });
      if (next.done) return;
      const { buffer, byteOffset, byteLength } = next.value;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  } finally {
    await iterator.return?.();
  }
}

/** May split a CRLF, which the parser and the line counter accept. */
function endOfLastLine(bytes: Buffer): number {
  return Math.max(bytes.lastIndexOf(CR), bytes.lastIndexOf(LF)) + 1;
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(NUL);
}

/** Checks line by line, which is slow, but happens once per file. */
function startOfDamagedLine(bytes: Buffer): number {
  let start = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== LF && bytes[index] !== CR) continue;
    if (!isText(bytes.subarray(start, index))) return start;
    start = index + 1;
  }
  return start;
}

/** The end of the last complete character, so that a cut within a character does not count as damage. */
function lastWholeCharacter(bytes: Buffer): number {
  let end = bytes.length;
  for (let back = 1; back <= 3 && end > 0; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte >= 0xc0) end = bytes.length - back;
    break;
  }
  return end;
}

/** @param unit completes `the … is over 5 bytes` */
export function tooLong(unit: 'line' | 'row', bytes: number): Message {
  const key = unit === 'line' ? 'lineTooLong' : 'rowTooLong';
  return message(key, `the ${unit} is over ${bytes} bytes, or a quote is not closed`, { bytes });
}

function describeEncoding(bytes: Buffer): Message {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return message('utf16', 'it is UTF-16; save it as UTF-8');
  if (!isUtf8(bytes)) return notEncoding('UTF-8');
  return message('nulByte', 'it contains a NUL byte');
}

export function notEncoding(encoding: string): Message {
  return message('notEncoding', `it is not ${encoding}`, { encoding });
}
