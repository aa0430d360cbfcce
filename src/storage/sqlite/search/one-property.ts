/** One property out of the JSON of all. To parse that takes ten times as long. */

import type { JsonObject, JsonValue } from '../../../domain/json/json.ts';

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
