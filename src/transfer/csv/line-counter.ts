/** Finds the line of a file in which a record begins. */

import { Buffer } from 'node:buffer';

const LF = 10;
const CR = 13;

/**
 * Counts lines in the raw bytes. The parser's own count takes a CRLF within quotes for two lines, and gives the line in
 * which a record ends.
 */
export class LineCounter {
  /** Added bytes that are still needed. The first ones may already be passed. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset of `#bytes` in the file. */
  #start = 0;
  /** Passed bytes of `#bytes`. */
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
    // Empty lines belong to no record.
    while (this.#isAtLineEnd()) this.#step();
    return this.#line;
  }

  /**
   * Passes the next record.
   *
   * @param end the end of the record, a byte offset in the file
   * @returns the line in which it begins
   */
  passRecord(end: number): number {
    const line = this.lineOfNextRecord();
    while (this.#start + this.#passed < end) this.#step();
    return line;
  }

  /** The line after all added bytes. */
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
