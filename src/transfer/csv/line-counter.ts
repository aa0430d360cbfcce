/** Tells which line of a file a record begins in. */

import { Buffer } from 'node:buffer';

const LF = 10;
const CR = 13;

/**
 * Counts lines from the raw bytes, beside the parser. The parser's own count takes a CRLF within quotes for two lines,
 * and gives the line that a record ends in instead of the line that it begins in.
 */
export class LineCounter {
  /** Bytes that were added and are still needed. Some of them may have been passed already. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset of `#bytes` in the file. */
  #start = 0;
  /** How many of `#bytes` were already passed. */
  #passed = 0;
  #line = 1;
  #previous = 0;

  /** @returns the block's offset in the file, in bytes */
  add(block: Buffer): number {
    const rest = this.#bytes.subarray(this.#passed);
    this.#bytes = Buffer.concat([rest, block]);
    this.#start += this.#passed;
    this.#passed = 0;
    return this.#start + rest.length;
  }

  lineOfNextRecord(): number {
    // Empty lines before it belong to no record.
    while (this.#isAtLineEnd()) this.#step();
    return this.#line;
  }

  /**
   * Passes the next record.
   *
   * @param end the record's end as an offset in the file, in bytes
   * @returns the line that it begins in
   */
  passRecord(end: number): number {
    const line = this.lineOfNextRecord();
    while (this.#start + this.#passed < end) this.#step();
    return line;
  }

  /** The line after everything that was added. */
  lineAtEnd(): number {
    while (this.#passed < this.#bytes.length) this.#step();
    return this.#line;
  }

  #isAtLineEnd(): boolean {
    const byte = this.#bytes[this.#passed];
    return byte === LF || byte === CR;
  }

  #step(): void {
    const byte = this.#bytes[this.#passed] ?? 0;
    if (byte === CR || (byte === LF && this.#previous !== CR)) this.#line += 1;
    this.#previous = byte;
    this.#passed += 1;
  }
}
