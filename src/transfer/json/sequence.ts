/** Reads JSON records that may span lines: a sequence (RFC 8142), or a file of one value. */

import { Buffer, isUtf8 } from 'node:buffer';

import { FileDamage } from '../text/damage.ts';
import { notEncoding, readable, TextDamage } from '../text/lines.ts';
import type { JsonRecord } from './json-lines.ts';
import { MAX_JSON_BYTES } from './json-lines.ts';

/** Precedes each record of a sequence. */
const SEPARATOR_BYTE = 0x1e;
const LF = 0x0a;

/** @throws FileDamage after all records before the damage */
export function readSequence(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRecord, void, undefined> {
  return split(chunks, SEPARATOR_BYTE);
}

/** Yields the whole file as one record. @throws FileDamage */
export function readSingle(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRecord, void, undefined> {
  return split(chunks, null);
}

async function* split(
  chunks: AsyncIterable<Uint8Array>,
  separator: number | null,
): AsyncGenerator<JsonRecord, void, undefined> {
  const record = new PendingRecord();
  try {
    for await (const chunk of readable(chunks)) {
      let start = 0;
      for (;;) {
        const index = separator === null ? -1 : chunk.indexOf(separator, start);
        record.add(chunk.subarray(start, index === -1 ? chunk.length : index));
        if (index === -1) break;
        yield* record.take();
        record.skip(1);
        start = index + 1;
      }
    }
    yield* record.take();
  } catch (error) {
    if (error instanceof TextDamage) throw new FileDamage(record.line, error.detail, error);
    throw error;
  }
}

/** The record being read. Discarded if it is too long. */
class PendingRecord {
  #pieces: Buffer[] = [];
  #size = 0;
  #end = 0;
  #line = 1;
  #lineEnds = 0;

  get line(): number {
    return this.#line;
  }

  add(piece: Buffer): void {
    this.#size += piece.length;
    this.#end += piece.length;
    for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, at + 1)) this.#lineEnds += 1;
    if (this.#size > MAX_JSON_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  skip(bytes: number): void {
    this.#end += bytes;
  }

  /** Yields the record, unless it is blank, and starts the next one. */
  *take(): Generator<JsonRecord, void, undefined> {
    const bytes = this.#size > MAX_JSON_BYTES ? null : Buffer.concat(this.#pieces);
    if (bytes !== null && !isUtf8(bytes)) throw new TextDamage(notEncoding('UTF-8'), { isEncoding: true });
    const text = bytes?.toString().replace(/^\ufeff/, '') ?? null;
    const line = this.#line;
    this.#line += this.#lineEnds;
    this.#pieces = [];
    this.#size = 0;
    this.#lineEnds = 0;
    if (text?.trim() !== '') yield { line, text, end: this.#end };
  }
}
