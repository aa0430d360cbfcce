/** One property out of the JSON of all. To parse that takes ten times as long. */

import type { JsonObject, JsonValue } from '../../../domain/json.ts';

/** Whether a name stands in JSON as it is, and nothing else can be taken for it: a comma also stands between two texts. */
export function isPlainName(name: string): boolean {
  return JSON.stringify(name) === `"${name}"` && !/[,:]/.test(name);
}

/**
 * @param json an object, as JSON.stringify writes it
 * @param name a plain one
 * @returns an object of that property alone, or of several; empty where it is not there
 */
export function onlyProperty(json: string, name: string): JsonObject {
  const key = `"${name}":`;
  const at = json.indexOf(key);
  if (at === -1) return {};
  const value = isAtTop(json, at) ? scalarAt(json, at + key.length) : undefined;
  return value === undefined ? (JSON.parse(json) as JsonObject) : { [name]: value };
}

/** Whether the key there is surely one of the object itself, and not the end of a longer one. */
function isAtTop(json: string, at: number): boolean {
  return json[at - 1] !== '\\' && json.lastIndexOf('{', at) === 0;
}

const NUMBER = /-?[0-9][^,}]*/y;

/** A text without escapes, or a number; undefined for another value. */
function scalarAt(json: string, at: number): JsonValue | undefined {
  if (json[at] === '"') {
    const text = json.slice(at + 1, json.indexOf('"', at + 1));
    return text.includes('\\') ? undefined : text;
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(json)?.[0];
  return number === undefined ? undefined : Number(number);
}
