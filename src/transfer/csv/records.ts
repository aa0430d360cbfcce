/** Streams the records of a CSV file, with their lines. */

import { Buffer } from 'node:buffer';

import type { CsvError } from 'csv-parse';
import { Parser } from 'csv-parse';

import type { Message } from '../message.ts';
import { message } from '../message.ts';
import { FileDamage, UnreadableFileError } from '../text/damage.ts';
import { readWholeLines, TextDamage, tooLong } from '../text/lines.ts';
import type { Delimiter } from './delimiter.ts';
import { chooseDelimiter, DELIMITER_NAMES, DELIMITERS, readSeparatorLine } from './delimiter.ts';
import { LineCounter } from './line-counter.ts';

export interface CsvRecord {
  /** The line of the file in which the record begins, from 1, including the header. */
  readonly line: number;
  /** Unquoted. */
  readonly cells: readonly string[];
  /** Byte offset of the end of the record, without a byte order mark. */
  readonly end: number;
}

/** A longer record counts as damage, usually an unclosed quote. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * Reads records strictly: quotes enclose a whole cell, and a quote within a cell is doubled. Lines end with LF, CRLF or
 * CR. Skips empty lines. Memory is bounded by one chunk and one record.
 *
 * On damage, csv-parse drops the records queued in its stream. `on_record` takes each record before it is queued, so all
 * records before the damage are returned.
 *
 * @param given the delimiter; null to detect it from a first line `sep=X` or from the first records
 * @param onDelimiter called before the first record
 * @throws FileDamage, UnreadableFileError
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  given: Delimiter | null,
  onDelimiter: (delimiter: Delimiter) => void,
): AsyncGenerator<CsvRecord, void, undefined> {
  const blocks = readWholeLines(chunks, MAX_RECORD_BYTES);
  const lines = new LineCounter();
  let reader: BlockReader | undefined;
  try {
    for (;;) {
      let block = await nextBlock(blocks);
      if (Buffer.isBuffer(block)) {
        const offset = lines.add(block);
        if (reader === undefined) {
          const text = block.toString();
          // This line precedes the header, and is no record.
          const line = offset === 0 ? readSeparatorLine(text) : null;
          const delimiter = given ?? (line === null ? chooseDelimiter(text) : toDelimiter(line.separator));
          if (delimiter === null) continue;
          onDelimiter(delimiter);
          const start = Buffer.byteLength(text.slice(0, line?.length ?? 0));
          if (start > 0) lines.passRecord(offset + start);
          reader = new BlockReader(delimiter, offset + start);
          block = block.subarray(start);
        }
      }
      const error = Buffer.isBuffer(block) ? await reader?.read(block) : await reader?.end();
      for (const { cells, end } of reader?.take() ?? []) yield { line: lines.passRecord(end), cells, end };
      // Damage to the text is reported first, because it may leave a quote open.
      if (block instanceof TextDamage) throw new FileDamage(lines.lineAtEnd(), block.detail, block);
      if (error) throw new FileDamage(lines.lineOfNextRecord(), describe(error));
      if (block === null) return;
    }
  } finally {
    reader?.destroy();
    await blocks.return();
  }
}

/** @throws UnreadableFileError */
function toDelimiter(separator: string): Delimiter {
  const delimiter = DELIMITERS.find((each) => each === separator);
  if (delimiter !== undefined) return delimiter;
  const text = `The first line names the separator ${JSON.stringify(separator)}; use one of ${DELIMITER_NAMES}.`;
  throw new UnreadableFileError([message('separator', text, { separator, allowed: DELIMITER_NAMES })]);
}

const REASONS: Readonly<Record<string, Message>> = {
  // If a quote is not closed, the parser takes the next quote in the file for its end.
  CSV_INVALID_CLOSING_QUOTE: message(
    'unclosedQuote',
    'a quote is not closed, or a quote within a quoted cell is not doubled',
  ),
  INVALID_OPENING_QUOTE: message('strayQuote', 'a cell contains a quote, but does not begin with one'),
  CSV_QUOTE_NOT_CLOSED: message('openQuote', 'a quote is opened and never closed'),
  CSV_MAX_RECORD_SIZE: tooLong('row', MAX_RECORD_BYTES),
};

function describe(error: Error): Message | string {
  return REASONS[(error as Partial<CsvError>).code ?? ''] ?? error.message;
}

/** @returns the next block; null at the end of the file; the damage that ended it early */
async function nextBlock(blocks: AsyncGenerator<Buffer, void>): Promise<Buffer | TextDamage | null> {
  try {
    const next = await blocks.next();
    return next.done ? null : next.value;
  } catch (error) {
    if (error instanceof TextDamage) return error;
    throw error;
  }
}

/** Feeds csv-parse block by block. */
class BlockReader {
  readonly #parser: Parser;
  #records: { cells: string[]; end: number }[] = [];

  /** @param offset byte offset of the first block in the file */
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
    // The callbacks below get every error; without a listener it would also end the process.
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
