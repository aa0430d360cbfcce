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

  /** In UTF-8. */
  get byteLength(): number {
    return this.bytes.length;
  }

  /** Stands for the text: equal texts, equal digests. */
  get digest(): string {
    this.#digest ??= createHash('sha1').update(this.bytes).digest('base64url');
    return this.#digest;
  }

  /** The value itself; inside of {@link stringifyJson} and {@link encodeJson} a place for the text. */
  toJSON(): unknown {
    if (open === null) return JSON.parse(this.text) as unknown;
    open.push(this);
    return PLACE;
  }
}

/** No client knows it, so no other string of an answer can be it. */
const PLACE = `json-text-${randomBytes(16).toString('hex')}`;
const QUOTED_PLACE = `"${PLACE}"`;

/** The texts met so far, while a value is being written. */
let open: JsonText[] | null = null;

/** As `JSON.stringify`, with the texts of {@link JsonText} in it as they are. */
export function stringifyJson(value: unknown): string {
  const { between, texts } = writeAround(value);
  return between.map((part, index) => part + (texts[index]?.text ?? '')).join('');
}

/** The same in UTF-8 where it holds a {@link JsonText}, whose bytes are then not made a string of; else a string. */
export function encodeJson(value: unknown): string | Buffer {
  const { between, texts } = writeAround(value);
  if (texts.length === 0) return between.join('');
  return Buffer.concat(
    between.flatMap((part, index) => [Buffer.from(part), texts[index]?.bytes ?? NO_BYTES]),
  );
}

const NO_BYTES = Buffer.alloc(0);

/** The texts in a value, in their order, and the JSON before, between and behind them. */
function writeAround(value: unknown): {
  readonly between: readonly string[];
  readonly texts: readonly JsonText[];
} {
  const texts: JsonText[] = [];
  open = texts;
  try {
    const json = JSON.stringify(value);
    return { between: texts.length === 0 ? [json] : json.split(QUOTED_PLACE), texts };
  } finally {
    open = null;
  }
}
