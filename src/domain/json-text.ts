/** JSON that is written already, and need not be read to be passed on. */

import { createHash, randomBytes } from 'node:crypto';

/** A value as its JSON text. It stands in a result wherever the value would. */
export class JsonText {
  #text: string | null;
  #bytes: Buffer | null;
  #digest: string | null = null;

  /** @param json valid JSON, as text or as its UTF-8 */
  constructor(json: string | Uint8Array) {
    this.#text = typeof json === 'string' ? json : null;
    this.#bytes =
      typeof json === 'string' ? null : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  }

  get text(): string {
    this.#text ??= this.#bytes?.toString() ?? '';
    return this.#text;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.#text ?? '');
    return this.#bytes;
  }

  /** Stands for the text: equal texts, equal digests. */
  get digest(): string {
    this.#digest ??= createHash('sha1').update(this.bytes).digest('base64url');
    return this.#digest;
  }

  /** The value itself; inside of {@link stringifyJson} a place for the text. */
  toJSON(): unknown {
    if (open === null) return JSON.parse(this.text) as unknown;
    open.push(this.text);
    return PLACE;
  }
}

/** No client knows it, so no other string of an answer can be it. */
const PLACE = `json-text-${randomBytes(16).toString('hex')}`;
const QUOTED_PLACE = `"${PLACE}"`;

/** The texts met so far, while a value is being written. */
let open: string[] | null = null;

/** As `JSON.stringify`, with the texts of {@link JsonText} in it as they are. */
export function stringifyJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const texts: string[] = [];
  open = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    open = null;
  }
  if (texts.length === 0) return json;
  const between = json.split(QUOTED_PLACE);
  return between.map((part, index) => part + (texts[index] ?? '')).join('');
}
