/**
 * A location as MongoDB sends it (BSON, https://bsonspec.org), of which only what is asked for is read: of a page that
 * becomes JSON the driver would make a hundred objects, each with a string for every field, to be written out again.
 */

import type { TemplateSource } from '../../domain/location-template.ts';
import type { LocationDocument } from './documents.ts';

type Field = keyof LocationDocument;

/** The types of BSON that the driver makes of our documents' values, by their first byte. */
const DOUBLE = 0x01;
const STRING = 0x02;
const DATE = 0x09;
const INT32 = 0x10;

const INT32_BYTES = 4;
const DOUBLE_BYTES = 8;

interface Element {
  readonly type: number;
  /** Where its value begins. */
  readonly start: number;
}

/** Fields that the projection left out cannot be read. */
export class RawLocation implements TemplateSource {
  readonly #bytes: Buffer;
  readonly #elements = new Map<string, Element>();

  /** @throws TypeError for a document that is none of ours */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = this.#bytes.length - 1;
    let at = INT32_BYTES;
    while (at < end) {
      const nameEnd = this.#bytes.indexOf(0, at + 1);
      const element = { type: this.#bytes[at] ?? 0, start: nameEnd + 1 };
      this.#elements.set(this.#bytes.toString('latin1', at + 1, nameEnd), element);
      at = element.start + this.#sizeOf(element);
    }
  }

  get id(): string {
    return this.#text('_id');
  }

  get place(): string {
    return this.#text('place');
  }

  get order(): string {
    return this.#text('order');
  }

  get name(): string {
    return this.#text('name');
  }

  get placeId(): string {
    return this.#text('placeId');
  }

  get latitude(): number {
    return this.#number('latitude');
  }

  get longitude(): number {
    return this.#number('longitude');
  }

  /** As JSON. */
  get properties(): string {
    return this.#text('properties');
  }

  /** Milliseconds since the epoch. */
  get createdAt(): number {
    return Number(this.#bytes.readBigInt64LE(this.#startOf('createdAt', DATE)));
  }

  get geocoding(): { readonly provider: string; readonly precision: string } {
    return { provider: this.#text('provider'), precision: this.#text('precision') };
  }

  /** Of a value, in bytes. */
  #sizeOf({ type, start }: Element): number {
    if (type === STRING) return INT32_BYTES + this.#bytes.readInt32LE(start);
    if (type === DOUBLE || type === DATE) return DOUBLE_BYTES;
    if (type === INT32) return INT32_BYTES;
    throw new TypeError(`A location holds a value of BSON's type ${type}.`);
  }

  #text(field: Field): string {
    const start = this.#startOf(field, STRING);
    // Its size counts a zero at its end.
    return this.#bytes.toString(
      'utf8',
      start + INT32_BYTES,
      start + this.#sizeOf({ type: STRING, start }) - 1,
    );
  }

  /** The driver stores a whole number that fits as such. */
  #number(field: Field): number {
    if (this.#elements.get(field)?.type === INT32)
      return this.#bytes.readInt32LE(this.#startOf(field, INT32));
    return this.#bytes.readDoubleLE(this.#startOf(field, DOUBLE));
  }

  #startOf(field: Field, type: number): number {
    const element = this.#elements.get(field);
    if (element?.type !== type) throw new TypeError(`A location's ${field} is not of BSON's type ${type}.`);
    return element.start;
  }
}
