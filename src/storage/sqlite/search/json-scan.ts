/** One property out of the JSON of all. To parse that takes ten times as long. */

import type { JsonObject, JsonValue } from '../../../domain/json.ts';

/** Whether a name stands in JSON as it is, and nothing else can be taken for it: a comma also stands between two texts. */
export function isPlainName(name: string): boolean {
  return JSON.stringify(name) === `"${name}"` && !/[,:]/.test(name);
}

/**
 * UTF-8, one character for each byte. To make text of a hundred locations' properties takes longer than all that is done
 * with it, and the bytes that JSON is looked through for stand for themselves.
 */
export type ByteText = string;

export function byteTextOf({ buffer, byteOffset, length }: Uint8Array): ByteText {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/**
 * @param name a plain one
 * @returns reads an object, as JSON.stringify writes it, as one of that property alone, or of several; empty where it is
 *   not there
 */
export function propertyReader(name: string): (json: ByteText) => JsonObject {
  const key = byteTextOf(Buffer.from(`"${name}":`));
  return (json) => {
    const at = json.indexOf(key);
    if (at === -1) return {};
    const value = isAtTop(json, at) ? scalarAt(json, at + key.length) : undefined;
    return value === undefined ? (JSON.parse(textOf(json)) as JsonObject) : { [name]: value };
  };
}

const BEYOND_ASCII = /[\x80-\xff]/;

function textOf(bytes: ByteText): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}

/** Whether the key there is surely one of the object itself, and not the end of a longer one. */
function isAtTop(json: ByteText, at: number): boolean {
  return json[at - 1] !== '\\' && json.lastIndexOf('{', at) === 0;
}

const NUMBER = /-?[0-9][^,}]*/y;

/** A text without escapes, or a number; undefined for another value. */
function scalarAt(json: ByteText, at: number): JsonValue | undefined {
  if (json[at] === '"') {
    const text = json.slice(at + 1, json.indexOf('"', at + 1));
    return text.includes('\\') ? undefined : textOf(text);
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(json)?.[0];
  return number === undefined ? undefined : Number(number);
}

const LINE_BREAK = 0x0a;
const [BEGIN, COMMA, END] = Buffer.from('[,]') as unknown as readonly [number, number, number];

/** One line. */
export interface JsonLine {
  /** UTF-8, of all lines. */
  readonly text: Uint8Array;
  readonly start: number;
  /** Where the line break stands, or the end. */
  readonly end: number;
}

export function linesOf(text: Uint8Array): readonly JsonLine[] {
  // A Buffer's search takes a seventh of the time.
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  const lines: JsonLine[] = [];
  for (let start = 0; start <= text.length;) {
    const found = bytes.indexOf(LINE_BREAK, start);
    const end = found === -1 ? text.length : found;
    lines.push({ text, start, end });
    start = end + 1;
  }
  return lines;
}

/** @returns a list in JSON, UTF-8. Its memory is its own, so that it can be sent to another thread */
export function listOf(lines: readonly JsonLine[]): Uint8Array {
  const size = lines.reduce((sum, { start, end }) => sum + end - start + 1, 1);
  const list = new Uint8Array(Math.max(size, 2));
  list[0] = BEGIN;
  let at = 1;
  for (const { text, start, end, ends } of runsOf(lines)) {
    list.set(text.subarray(start, end), at);
    // In the place of the line breaks.
    for (const each of ends) list[at + each - start] = COMMA;
    at += end - start + 1;
  }
  list[list.length - 1] = END;
  return list;
}

/** Lines that follow one another, with the line breaks between them. */
interface Run extends JsonLine {
  /** Of its lines. */
  readonly ends: readonly number[];
}

function runsOf(lines: readonly JsonLine[]): readonly Run[] {
  const runs: { text: Uint8Array; start: number; end: number; ends: number[] }[] = [];
  for (const { text, start, end } of lines) {
    const run = runs.at(-1);
    if (run?.text === text && run.end + 1 === start) {
      run.end = end;
      run.ends.push(end);
    } else runs.push({ text, start, end, ends: [end] });
  }
  return runs;
}
