/** Streams the lines of newline-delimited JSON. */

import { FileDamage } from '../text/damage.ts';
import { readWholeLines, TextDamage } from '../text/lines.ts';

/** The text of a record, not yet parsed. */
export interface JsonRecord {
  /** The line in which it begins, or its number among the Features; from 1. */
  readonly line: number;
  /** Null if longer than {@link MAX_JSON_BYTES}. */
  readonly text: string | null;
  /** Byte offset of its end. */
  readonly end: number;
}

export const MAX_JSON_BYTES = 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * Lines end with LF, CRLF or CR. Skips blank lines. Memory is bounded by one chunk and one line.
 *
 * @throws FileDamage after all lines before the damage
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonRecord, void, undefined> {
  let line = 1;
  let offset = 0;
  let previous = 0;
  try {
    for await (const block of readWholeLines(chunks, MAX_JSON_BYTES)) {
      let start = 0;
      for (let index = 0; index <= block.length; index += 1) {
        const byte = block[index];
        if (byte !== LF && byte !== CR && byte !== undefined) continue;
        const text = block.toString('utf8', start, index);
        if (text.trim() !== '') yield { line, text, end: offset + Math.min(index + 1, block.length) };
        if (byte === CR || (byte === LF && (previous !== CR || index > start))) line += 1;
        previous = byte ?? previous;
        start = index + 1;
      }
      offset += block.length;
    }
  } catch (error) {
    if (error instanceof TextDamage) throw new FileDamage(line, error.detail, error);
    throw error;
  }
}
