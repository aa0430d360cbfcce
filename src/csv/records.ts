/** The records of a CSV file, each with the line it begins in. */

import type { CsvError } from 'csv-parse';
import { Parser } from 'csv-parse';

import { readWholeLines, TextDamage } from './lines.ts';

/** A file that cannot be read further; every record before the damage was given. */
export class CsvDamage extends Error {
  /** Where the damaged record begins, from 1; for bytes that are no text, the line they are in. */
  readonly line: number;
  /** Why, as the end of a sentence: `line 7: …`. */
  readonly reason: string;
  /** True where the bytes are no text at all, rather than text with its quotes astray. */
  readonly isEncoding: boolean;

  constructor(line: number, reason: string, { isEncoding = false } = {}) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
    this.isEncoding = isEncoding;
  }
}

export interface CsvRecord {
  /** The line of the file that the record begins in, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Bytes of the file up to the end of this record, a byte order mark aside. */
  readonly end: number;
}

export type Delimiter = ',' | ';' | '\t';

/** A record over this is damage: nearly always a quote that is not closed. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * Reads records strictly: quotes stand around a whole cell, and a quote within one is doubled. Lines end with LF, CRLF
 * or CR; empty ones are skipped. Memory is bounded by one chunk and one record.
 *
 * csv-parse drops the records that wait in its stream when it meets damage. Here they never wait there: each is taken
 * at once, in `on_record`, so that all records before the damage are given before CsvDamage is thrown.
 *
 * @param onDelimiter told before the first record
 * @throws CsvDamage
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  onDelimiter: (delimiter: Delimiter) => void,
): AsyncGenerator<CsvRecord, void, undefined> {
  const blocks = readWholeLines(chunks, MAX_RECORD_BYTES);
  const lines = new LineCounter();
  let reader: BlockReader | undefined;
  try {
    for (;;) {
      const block = await nextBlock(blocks);
      if (Buffer.isBuffer(block)) {
        const offset = lines.add(block);
        if (reader === undefined) {
          const header = /[^\r\n]+/.exec(block.toString())?.[0];
          if (header === undefined) continue;
          const delimiter = chooseDelimiter(header);
          onDelimiter(delimiter);
          reader = new BlockReader(delimiter, offset);
        }
      }
      const error = Buffer.isBuffer(block) ? await reader?.read(block) : await reader?.end();
      for (const { cells, end } of reader?.take() ?? []) yield { line: lines.pass(end), cells, end };
      // Damage to the text comes first: the quotes that it left open are no news.
      if (block instanceof TextDamage) throw new CsvDamage(lines.last(), block.message, block);
      if (error) throw new CsvDamage(lines.next(), describe(error));
      if (block === null) return;
    }
  } finally {
    reader?.destroy();
    await blocks.return();
  }
}

/** A comma, unless the header has none and holds what some spreadsheets write in its place. */
function chooseDelimiter(header: string): Delimiter {
  const unquoted = header.replaceAll(/"[^"]*"?/g, '');
  if (unquoted.includes(',')) return ',';
  return unquoted.includes(';') ? ';' : unquoted.includes('\t') ? '\t' : ',';
}

const REASONS: Readonly<Record<string, string>> = {
  // Where a quote is never closed, the next one of the file is taken for its end.
  CSV_INVALID_CLOSING_QUOTE: 'a quote is not closed, or stands within a quoted cell without being doubled',
  INVALID_OPENING_QUOTE: 'a quote stands within a cell that does not begin with one',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_MAX_RECORD_SIZE: `the row is over ${MAX_RECORD_BYTES} bytes, or a quote is not closed`,
};

function describe(error: Error): string {
  return REASONS[(error as Partial<CsvError>).code ?? ''] ?? error.message;
}

/** @returns null at the end of the file, or what ended it before */
async function nextBlock(blocks: AsyncGenerator<Buffer, void>): Promise<Buffer | TextDamage | null> {
  try {
    const next = await blocks.next();
    return next.done ? null : next.value;
  } catch (error) {
    if (error instanceof TextDamage) return error;
    throw error;
  }
}

/** csv-parse, a block at a time. */
class BlockReader {
  readonly #parser: Parser;
  #records: { cells: string[]; end: number }[] = [];

  /** @param offset bytes of the file before the first block */
  constructor(delimiter: Delimiter, offset: number) {
    this.#parser = new Parser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_BYTES,
      on_record: (cells: string[], { bytes }) => {
        this.#records.push({ cells, end: offset + bytes });
        return null;
      },
    });
    // The callbacks below hear of every error; without a listener it would end the process, too.
    this.#parser.on('error', () => undefined);
  }

  read(block: Buffer): Promise<Error | null> {
    return new Promise((done) => {
      this.#parser.write(block, (error) => done(error ?? null));
    });
  }

  end(): Promise<Error | null> {
    return new Promise((done) => {
      this.#parser.end((error?: Error) => done(error ?? null));
    });
  }

  take(): { cells: string[]; end: number }[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  destroy(): void {
    this.#parser.destroy();
  }
}

const LF = 10;
const CR = 13;

/**
 * Counts lines beside the parser, from the raw bytes: the parser's own count takes a CRLF within quotes for two lines,
 * and tells where a record ends, not where it begins.
 */
class LineCounter {
  /** What was added since the last record's end. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset of `#bytes` in the file. */
  #offset = 0;
  #position = 0;
  #line = 1;
  #previous = 0;

  /** @returns the block's offset in the file */
  add(block: Buffer): number {
    const rest = this.#bytes.subarray(this.#position);
    this.#bytes = Buffer.concat([rest, block]);
    this.#offset += this.#position;
    this.#position = 0;
    return this.#offset + rest.length;
  }

  /** The line that the next record begins in. */
  next(): number {
    while (this.#isAtLineEnd()) this.#step();
    return this.#line;
  }

  /** Goes to the end of the next record; gives the line that it begins in. */
  pass(end: number): number {
    const line = this.next();
    while (this.#offset + this.#position < end) this.#step();
    return line;
  }

  /** The line after all that was added. */
  last(): number {
    while (this.#position < this.#bytes.length) this.#step();
    return this.#line;
  }

  #isAtLineEnd(): boolean {
    const byte = this.#bytes[this.#position];
    return byte === LF || byte === CR;
  }

  #step(): void {
    const byte = this.#bytes[this.#position] ?? 0;
    if (byte === CR || (byte === LF && this.#previous !== CR)) this.#line += 1;
    this.#previous = byte;
    this.#position += 1;
  }
}
