/** Measures and writes long JSON in pieces, so that it does not block the event loop. */

import { JsonMeasure } from '../../domain/json/json-size.ts';
import { encodeJson, JsonText } from '../../domain/json/json-text.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';

/** Takes some tenths of a millisecond to measure or write. */
const PIECE_BYTES = 64 * 1024;

/** Text between values, or a value. */
type Part = { readonly text: string } | { readonly value: unknown };

export class LongJson {
  readonly #parts: Part[] = [];
  readonly #measure = new JsonMeasure();
  readonly #maxBytes: number;
  #bytes = 0;
  #unwritten = 0;

  private constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns null if the value's JSON is longer than `maxBytes` of UTF-8, found out without writing it */
  static async measure(value: unknown, maxBytes: number): Promise<LongJson | null> {
    const json = new LongJson(maxBytes);
    if (!json.#addWhole(value)) await json.#addMembers(value as object);
    return json.#isTooLong ? null : json;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes that are not JsonText yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  async write(): Promise<JsonText> {
    const chunks: Buffer[] = [];
    let text = '';
    for (const part of this.#parts) {
      const json = 'text' in part ? part.text : encodeJson(part.value);
      if (typeof json === 'string') {
        text += json;
        if (text.length < PIECE_BYTES) continue;
      }
      chunks.push(Buffer.from(text));
      text = '';
      if (typeof json !== 'string') chunks.push(json);
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
    chunks.push(Buffer.from(text));
    return new JsonText(chunks);
  }

  get #isTooLong(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** @returns false, with nothing added, for an array or object that is too long for one piece */
  #addWhole(value: unknown): boolean {
    const isOpen = typeof value === 'object' && value !== null && !(value instanceof JsonText);
    const bytes = this.#measure.bytesOf(value, isOpen ? PIECE_BYTES : Number.POSITIVE_INFINITY);
    if (bytes === null) return false;
    this.#parts.push({ value });
    this.#bytes += bytes;
    if (!(value instanceof JsonText)) this.#unwritten += bytes;
    return true;
  }

  async #addMembers(container: object): Promise<void> {
    const isArray = Array.isArray(container);
    const members = isArray ? container.map((item: unknown) => ['', item] as const) : namedMembers(container);
    let before = isArray ? '[' : '{';
    for (const [name, value] of members) {
      this.#addText(before + name);
      before = ',';
      if (!this.#addWhole(value)) await this.#addMembers(value as object);
      if (this.#isTooLong) return;
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
    this.#addText(isArray ? ']' : '}');
  }

  #addText(text: string): void {
    this.#parts.push({ text });
    const bytes = Buffer.byteLength(text);
    this.#bytes += bytes;
    this.#unwritten += bytes;
  }
}

function namedMembers(object: object): (readonly [name: string, value: unknown])[] {
  return Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
    value === undefined ? [] : [[`${JSON.stringify(key)}:`, value] as const],
  );
}
