/** The shared strings of a workbook, kept as UTF-8 bytes, because many are never read. */

import { UnreadableFileError } from '../text/damage.ts';
import { RichText } from './rich-text.ts';
import type { XmlHandler } from './xml.ts';

/** Bytes allocated at once. */
const BLOCK = 4 * 1024 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const BYTES_PER_UNIT = 3;
/** Of all strings, including the overhead of each. */
const MAX_BYTES = 192 * 1024 * 1024;
const OVERHEAD_BYTES = 16;

export class SharedStrings {
  readonly #blocks: Uint8Array[] = [];
  /** Start and end of each string, as if the blocks were one. */
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #count = 0;
  /** Start of the next string. */
  #end = 0;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** Undefined if there is no such string. */
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

  /** @throws UnreadableFileError over the memory limit */
  add(text: string): void {
    let room = this.#blocks.length * BLOCK - this.#end;
    // A string does not span blocks.
    if (room < text.length * BYTES_PER_UNIT) {
      this.#end += room;
      this.#blocks.push(new Uint8Array(BLOCK));
      room = BLOCK;
    }
    if (this.#end + this.#count * OVERHEAD_BYTES > MAX_BYTES) {
      throw new UnreadableFileError(`The workbook's shared strings exceed ${MAX_BYTES} bytes.`);
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

/** Reads the part with the shared strings. */
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
