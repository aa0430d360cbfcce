/** The records of a CSV file, each with the line it begins in. */

import { Buffer } from 'node:buffer';

import type { CsvError } from 'csv-parse';
import { Parser } from 'csv-parse';

import { FileDamage, UnreadableFileError } from '../text/damage.ts';
import { readWholeLines, TextDamage } from '../text/lines.ts';
import type { Delimiter } from './delimiter.ts';
import { chooseDelimiter, DELIMITER_NAMES, DELIMITERS, readSeparatorLine } from './delimiter.ts';
import { LineCounter } from './line-counter.ts';

export interface CsvRecord {
  /** The line of the file that the record begins in, from 1. The header counts. */
  readonly line: number;
  /** As they are in the file, without their quotes. */
  readonly cells: readonly string[];
  /** Bytes of the file up to the end of this record, without a byte order mark. */
  readonly end: number;
}

/** A longer record counts as damage. Nearly always the cause is a quote that is not closed. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * Reads records strictly: quotes stand around a whole cell, and a quote within a cell is doubled. Lines end with LF,
 * CRLF or CR. Empty lines are skipped. Memory is bounded by one chunk and one record.
 *
 * When csv-parse meets damage, it drops the records that wait in its stream. So no record waits there: each is taken at
 * once, in `on_record`. This way all records before the damage are given before FileDamage is thrown.
 *
 * @param given the delimiter; null where the file tells, by a first line `sep=X` or by its first records
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
          // Spreadsheets write this line above the header. It is no record.
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
      // Damage to the text is reported first: an open quote after it is only a consequence.
      if (block instanceof TextDamage) throw new FileDamage(lines.lineAtEnd(), block.message, block);
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
  const delimiter = DELIMITERS.find((one) => one === separator);
  if (delimiter !== undefined) return delimiter;
  throw new UnreadableFileError(
    `The first line names the separator ${JSON.stringify(separator)}; it can be one of ${DELIMITER_NAMES}.`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  // When a quote is never closed, the parser takes the file's next quote for its end.
  CSV_INVALID_CLOSING_QUOTE: 'a quote is not closed, or stands within a quoted cell without being doubled',
  INVALID_OPENING_QUOTE: 'a quote stands within a cell that does not begin with one',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_MAX_RECORD_SIZE: `the row is over ${MAX_RECORD_BYTES} bytes, or a quote is not closed`,
};

function describe(error: Error): string {
  return REASONS[(error as Partial<CsvError>).code ?? ''] ?? error.message;
}

/** @returns the next block, null at the end of the file, or the damage that ended it early */
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
    // The callbacks below get every error. But an error without a listener would also end the process.
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
