/** Finds the end of a JSON value in chunks of bytes. JSON.parse validates it later. */

import { Buffer } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Collects the bytes of one value. */
export class JsonValueBytes {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;
  /** Open arrays and objects. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** @param maxBytes longer values are discarded */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Null for a value that is too long. */
  get bytes(): Buffer | null {
    return this.#size > this.#maxBytes ? null : Buffer.concat(this.#pieces);
  }

  /**
   * Consumes the bytes of the value.
   *
   * @returns the index after the value; -1 if it continues in the next chunk
   */
  take(chunk: Buffer, start: number): number {
    const end = this.#findEnd(chunk, start);
    this.#keep(chunk.subarray(start, end === -1 ? chunk.length : end));
    return end;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#maxBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #findEnd(chunk: Buffer, start: number): number {
    for (let index = start; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isInString = false;
          if (this.#depth === 0) return index + 1;
        }
      } else if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#depth += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        // Closes what encloses a number, true, false or null.
        if (this.#depth === 0) return index;
        this.#depth -= 1;
        if (this.#depth === 0) return index + 1;
      } else if (this.#depth === 0 && (byte === COMMA || isBlank(byte))) {
        return index;
      }
    }
    return -1;
  }
}
