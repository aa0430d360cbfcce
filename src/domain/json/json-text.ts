/** JSON text that is passed on as it is, without being parsed. */

import { createHash, randomBytes } from 'node:crypto';

const NO_BYTES = Buffer.alloc(0);

/** A value given as its JSON text. It can stand in a result wherever the value itself could. */
export class JsonText {
  #text: string | null = null;
  #chunks: readonly Buffer[] | null = null;
  #digest: string | null = null;

  /** @param json valid JSON, as a string, as UTF-8 bytes, or as several pieces of these */
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

  /** The bytes in pieces. */
  get chunks(): readonly Buffer[] {
    this.#chunks ??= [Buffer.from(this.#text ?? '')];
    return this.#chunks;
  }

  /** In UTF-8. */
  get byteLength(): number {
    return this.chunks.reduce((sum, { length }) => sum + length, 0);
  }

  /** Stands for the text: equal texts have equal digests. */
  get digest(): string {
    this.#digest ??= createHash('sha1').update(this.bytes).digest('base64url');
    return this.#digest;
  }

  /** The value itself; within {@link stringifyJson} and {@link encodeJson} a marker that the text later replaces. */
  toJSON(): unknown {
    if (open === null) return JSON.parse(this.text) as unknown;
    open.push(this);
    return MARKER;
  }
}

/** Clients do not know this marker, so no other string of an answer can be equal to it. */
const MARKER = `json-text-${randomBytes(16).toString('hex')}`;
const QUOTED_MARKER = `"${MARKER}"`;

/** The texts found so far while a value is being written; null at any other time. */
let open: JsonText[] | null = null;

/** As `JSON.stringify`, but each {@link JsonText} is written as the text that it holds. */
export function stringifyJson(value: unknown): string {
  const { between, texts } = writeAround(value);
  return between.map((part, index) => part + (texts[index]?.text ?? '')).join('');
}

/**
 * The same in UTF-8 when the value holds a {@link JsonText}: its bytes are then not decoded to a string. Otherwise a
 * string.
 */
export function encodeJson(value: unknown): string | Buffer {
  const { between, texts } = writeAround(value);
  if (texts.length === 0) return between.join('');
  return Buffer.concat(
    between.flatMap((part, index) => [Buffer.from(part), ...(texts[index]?.chunks ?? [])]),
  );
}

/** The texts in a value, in their order, and the JSON before, between and after them. */
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
