/** Streams the Features of a GeoJSON FeatureCollection, or the items of an array: the file may be larger than memory. */

import { Buffer, isUtf8 } from 'node:buffer';

import { message, untranslated } from '../message.ts';
import { FileDamage, notText, UnreadableFileError } from '../text/damage.ts';
import type { JsonRecord } from './json-lines.ts';
import { MAX_JSON_BYTES } from './json-lines.ts';
import { crsProblem, foreignCrs } from './crs.ts';
import { isBlank, JsonValueBytes } from './json-value.ts';
import { notEncoding, readable, TextDamage } from '../text/lines.ts';

const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Yields the items of the member `features`, or of an array, of any type. Their lines are numbers from 1. Memory is
 * bounded by one chunk and one item.
 *
 * @param chunks UTF-8, cut anywhere
 * @throws UnreadableFileError for a file that is neither, or not in WGS 84, before the first item; FileDamage after all
 *   items before the damage
 */
export async function* readFeatures(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonRecord, void, undefined> {
  const scanner = new Scanner();
  try {
    for await (const chunk of readable(chunks)) yield* scanner.read(chunk);
    scanner.end();
  } catch (error) {
    throw scanner.failureOf(error);
  }
}

/** What the scanner expects next. */
type State =
  | 'start'
  | 'first key or end'
  | 'key'
  | 'colon'
  | 'value'
  | 'comma or end'
  | 'first feature or end'
  | 'feature'
  | 'feature comma or end'
  | 'nothing';

/** An error without its position. */
class StructureError extends Error {}

class CrsError extends StructureError {}

/** @throws CrsError for a coordinate system other than WGS 84 */
function assertCrs(crs: unknown): void {
  const name = foreignCrs(crs);
  if (name !== null) throw new CrsError(crsProblem(name));
}

class Scanner {
  #state: State = 'start';
  /** The value being read: a key, the value of a member other than `features`, or a Feature. */
  #value: JsonValueBytes | null = null;
  #key = '';
  /** Null until the member is read. */
  #type: unknown = null;
  #hasFeatures = false;
  #isArray = false;
  #features = 0;
  /** Byte offset of the chunk. */
  #offset = 0;
  /** Bytes of a byte order mark read so far. */
  #marked = 0;

  *read(chunk: Buffer): Generator<JsonRecord, void, undefined> {
    let index = 0;
    while (index < chunk.length) {
      if (this.#value === null) {
        index = this.#step(chunk, index);
        continue;
      }
      const end = this.#value.take(chunk, index);
      if (end === -1) break;
      index = end;
      const { bytes } = this.#value;
      this.#value = null;
      const feature = this.#finish(bytes);
      if (feature !== undefined) {
        this.#features += 1;
        yield { line: this.#features, text: feature, end: this.#offset + index };
      }
    }
    this.#offset += chunk.length;
  }

  end(): void {
    if (this.#state !== 'nothing') throw new StructureError('it ends before it is complete');
    if (!this.#hasFeatures) throw new StructureError('it has no member "features"');
  }

  failureOf(error: unknown): unknown {
    if (!(error instanceof StructureError) && !(error instanceof TextDamage)) return error;
    const isEncoding = error instanceof TextDamage && error.isEncoding;
    const reason = error instanceof TextDamage ? error.detail : untranslated(error.message);
    if (this.#features > 0) return new FileDamage(this.#features + 1, reason, { isEncoding });
    const problem =
      error instanceof CrsError
        ? message('unreadable', `The file cannot be read: ${reason.text}.`, { reason })
        : isEncoding
          ? notText(reason)
          : message('notFeatureCollection', `The file is not a GeoJSON FeatureCollection: ${reason.text}.`, {
              reason,
            });
    return new UnreadableFileError([problem], { isEncoding });
  }

  /** Reads a byte between two values, or starts a value. @returns the index of the next byte */
  #step(chunk: Buffer, index: number): number {
    const byte = chunk[index];
    if (isBlank(byte)) return index + 1;
    switch (this.#state) {
      case 'start':
        if (this.#marked < BYTE_ORDER_MARK.length && byte === BYTE_ORDER_MARK[this.#marked]) {
          this.#marked += 1;
          return index + 1;
        }
        if (byte === OPEN_BRACKET) {
          this.#isArray = true;
          this.#hasFeatures = true;
          return this.#go('first feature or end', index);
        }
        return this.#expect(byte, OPEN_BRACE, 'first key or end', index);
      case 'first key or end':
        if (byte === CLOSE_BRACE) return this.#go('nothing', index);
        return this.#beginKey(byte, index);
      case 'key':
        return this.#beginKey(byte, index);
      case 'colon':
        return this.#expect(byte, COLON, 'value', index);
      case 'value':
        if (this.#key !== 'features') return this.#begin(index);
        if (this.#hasFeatures) throw new StructureError('it has the member "features" twice');
        this.#hasFeatures = true;
        return this.#expect(byte, OPEN_BRACKET, 'first feature or end', index);
      case 'comma or end':
        if (byte === CLOSE_BRACE) return this.#go('nothing', index);
        return this.#expect(byte, COMMA, 'key', index);
      case 'first feature or end':
        if (byte === CLOSE_BRACKET) return this.#go(this.#isArray ? 'nothing' : 'comma or end', index);
        this.#assertType();
        this.#state = 'feature';
        return this.#begin(index);
      case 'feature':
        return this.#begin(index);
      case 'feature comma or end':
        if (byte === CLOSE_BRACKET) return this.#go(this.#isArray ? 'nothing' : 'comma or end', index);
        return this.#expect(byte, COMMA, 'feature', index);
      case 'nothing':
        throw new StructureError('it continues after its end');
    }
  }

  #expect(byte: number | undefined, wanted: number, next: State, index: number): number {
    if (byte !== wanted)
      throw new StructureError(`it is not valid JSON: ${String.fromCharCode(wanted)} is missing`);
    return this.#go(next, index);
  }

  #go(next: State, index: number): number {
    this.#state = next;
    return index + 1;
  }

  #beginKey(byte: number | undefined, index: number): number {
    if (byte !== QUOTE) throw new StructureError('it is not valid JSON: a key is missing');
    this.#state = 'key';
    return this.#begin(index);
  }

  #begin(index: number): number {
    this.#value = new JsonValueBytes(MAX_JSON_BYTES);
    return index;
  }

  /** @returns the text of a Feature; undefined for any other value */
  #finish(bytes: Buffer | null): string | null | undefined {
    const state = this.#state;
    if (bytes !== null && !isUtf8(bytes)) throw new TextDamage(notEncoding('UTF-8'), { isEncoding: true });
    const text = bytes?.toString() ?? null;
    if (state === 'feature') {
      if (text === '') throw new StructureError('it is not valid JSON: a Feature is missing');
      this.#state = 'feature comma or end';
      return text;
    }
    const value = text === null ? null : parse(text);
    if (state === 'key') {
      this.#key = String(value);
      this.#state = 'colon';
      return undefined;
    }
    if (this.#key === 'type') {
      this.#type = value;
      this.#assertType();
    }
    if (this.#key === 'crs') assertCrs(value);
    this.#state = 'comma or end';
    return undefined;
  }

  /** Called twice, because the type may follow the Features. */
  #assertType(): void {
    if (this.#type === null || this.#type === 'FeatureCollection') return;
    throw new StructureError(`its type is ${JSON.stringify(this.#type).slice(0, 60)}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StructureError('it is not valid JSON');
  }
}
