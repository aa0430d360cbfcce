/** JSON text that is embedded without being parsed. */

import { createHash, randomBytes } from 'node:crypto';

const NO_BYTES = Buffer.alloc(0);

/** A value given as JSON text. It can be used in a result wherever the value itself could. */
export class JsonText {
  #text: string | null = null;
  #chunks: readonly Buffer[] | null = null;
  #digest: string | null = null;

  /** @param json valid JSON: a string, UTF-8 bytes, or chunks of UTF-8 bytes */
  constructor(json: string | Uint8Array | readonly Buffer[]) {
    if (typeof json === 'string') this.#text = json;
    else if (json instanceof Uint8Array)
      this.#chunks = [Buffer.from(json.buffer, json.byteOffset, json.byteLength)];
    else this.#chunks = json;
  }

  get text(): string {
    this.#text ??= this.bytes.toString();
    return this.#text;
  }

  get bytes(): Buffer {
    const [first = NO_BYTES, ...more] = this.chunks;
    if (more.length === 0) return first;
    const bytes = Buffer.concat([first, ...more]);
    this.#chunks = [bytes];
    return bytes;
  }

  /** The bytes in chunks. */
  get chunks(): readonly Buffer[] {
    this.#chunks ??= [Buffer.from(this.#text ?? '')];
    return this.#chunks;
  }

  /** Length in UTF-8. */
  get byteLength(): number {
    return this.chunks.reduce((sum, { length }) => sum + length, 0);
  }

  /** Equal texts have equal digests. */
  get digest(): string {
    this.#digest ??= createHash('sha1').update(this.bytes).digest('base64url');
    return this.#digest;
  }

  /** The parsed value; within {@link stringifyJson} and {@link encodeJson}, a marker that the text replaces. */
  toJSON(): unknown {
    if (open === null) return JSON.parse(this.text) as unknown;
    open.push(this);
    return MARKER;
  }
}

/** Random, so that no other string of a response equals it. */
const MARKER = `json-text-${randomBytes(16).toString('hex')}`;
const QUOTED_MARKER = `"${MARKER}"`;

/** The texts found so far while a value is being written; null otherwise. */
let open: JsonText[] | null = null;

/** As `JSON.stringify`, but writes the text of each {@link JsonText}. */
export function stringifyJson(value: unknown): string {
  const { between, texts } = writeAround(value);
  return between.map((part, index) => part + (texts[index]?.text ?? '')).join('');
}

/**
 * The same as UTF-8 bytes if the value contains a {@link JsonText}, whose bytes then need no decoding; else a string.
 */
export function encodeJson(value: unknown): string | Buffer {
  const { between, texts } = writeAround(value);
  if (texts.length === 0) return between[0] ?? '';
  return Buffer.concat(
    between.flatMap((part, index) => [Buffer.from(part), ...(texts[index]?.chunks ?? [])]),
  );
}

/** The texts of a value in order, and the JSON before, between and after them. */
function writeAround(value: unknown): {
  readonly between: readonly string[];
  readonly texts: readonly JsonText[];
} {
  const texts: JsonText[] = [];
  open = texts;
  try {
    const json = JSON.stringify(value);
    return { between: texts.length === 0 ? [json] : json.split(QUOTED_MARKER), texts };
  } finally {
    open = null;
  }
}
