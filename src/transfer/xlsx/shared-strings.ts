/** The texts that the cells of a workbook share, kept as the bytes of their UTF-8: many of them are never looked at. */

import { UnreadableFileError } from '../text/damage.ts';
import { RichText } from './rich-text.ts';
import type { XmlHandler } from './xml.ts';

/** Bytes that are allocated at once. */
const BLOCK = 4 * 1024 * 1024;
/** Each UTF-16 unit has 3 bytes at most. */
const BYTES_PER_UNIT = 3;
/** Of all texts, and what is kept beside each of them. */
const MAX_BYTES = 192 * 1024 * 1024;
const BYTES_BESIDE = 16;

export class SharedStrings {
  readonly #blocks: Uint8Array[] = [];
  /** Where each text begins, as if the blocks were one, and where it ends. */
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #count = 0;
  /** Where the next text begins. */
  #end = 0;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** Undefined where there is no such text. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const start = this.#starts[index] ?? 0;
    const end = this.#ends[index] ?? 0;
    if (start === end) return '';
    const offset = start % BLOCK;
    return this.#decoder.decode(
      this.#blocks[Math.floor(start / BLOCK)]?.subarray(offset, offset + end - start),
    );
  }

  /** @throws UnreadableFileError where there are more texts than memory is given for */
  add(text: string): void {
    let room = this.#blocks.length * BLOCK - this.#end;
    // A text is in one block.
    if (room < text.length * BYTES_PER_UNIT) {
      this.#end += room;
      this.#blocks.push(new Uint8Array(BLOCK));
      room = BLOCK;
    }
    if (this.#end + this.#count * BYTES_BESIDE > MAX_BYTES) {
      throw new UnreadableFileError(`The workbook's shared texts are over ${MAX_BYTES} bytes.`);
    }
    const block = this.#blocks.at(-1)?.subarray(BLOCK - room);
    const { written } = this.#encoder.encodeInto(text, block ?? new Uint8Array());
    this.#keep(this.#end, this.#end + written);
    this.#end += written;
  }

  #keep(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Adds the texts of a part of shared strings. */
export function sharedStringsHandler(strings: SharedStrings): XmlHandler {
  let text: RichText | null = null;
  return {
    open: (name, attributes, depth) => {
      if (depth === 2) text = name === 'si' ? new RichText(depth) : null;
      else text?.open(name, attributes, depth);
    },
    text: (piece) => text?.add(piece),
    close: (_, depth) => {
      text?.close(depth);
      if (depth !== 2 || text === null) return;
      strings.add(text.raw);
      text = null;
    },
  };
}
