/**
 * A location as MongoDB sends it (BSON, https://bsonspec.org), of which only what is asked for is read: of a page that
 * becomes JSON the driver would make a hundred objects, each with a string for every field, to be written out again.
 */

import type { TemplateSource } from '../../domain/location-template.ts';
import type { LocationDocument } from './documents.ts';

/** In the order in which they are stored: after one that was found comes most likely the next. */
const FIELDS = [
  '_id',
  'mapId',
  'place',
  'order',
  'name',
  'placeId',
  'latitude',
  'longitude',
  'properties',
  'createdAt',
  'provider',
  'precision',
  'claimedUntil',
] as const satisfies readonly (keyof LocationDocument)[];

type Field = (typeof FIELDS)[number];

/** The types of BSON that the driver makes of our documents' values, by their first byte. */
const DOUBLE = 0x01;
const STRING = 0x02;
const DATE = 0x09;
const INT32 = 0x10;

const INT32_BYTES = 4;
const DOUBLE_BYTES = 8;

/** Fields that the projection left out cannot be read. */
export class RawLocation implements TemplateSource {
  readonly #bytes: Buffer;
  /** Where the values begin, in the order of {@link FIELDS}; 0 for one that is not there. */
  readonly #starts: number[] = new Array<number>(FIELDS.length).fill(0);

  /** @throws TypeError for a document that is none of ours */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = this.#bytes.length - 1;
    let at = INT32_BYTES;
    let likely = 0;
    while (at < end) {
      const index = indexOfName(this.#bytes, at + 1, likely);
      const start = at + 1 + nameAt(index).length + 1;
      this.#starts[index] = start;
      likely = index + 1;
      at = start + this.#sizeOf(this.#bytes[at], start);
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
  #sizeOf(type: number | undefined, start: number): number {
    if (type === STRING) return INT32_BYTES + this.#bytes.readInt32LE(start);
    if (type === DOUBLE || type === DATE) return DOUBLE_BYTES;
    if (type === INT32) return INT32_BYTES;
    throw new TypeError(`A location holds a value of BSON's type ${type}.`);
  }

  #text(field: Field): string {
    const start = this.#startOf(field, STRING);
    // Its size counts a zero at its end.
    return this.#bytes.toString('utf8', start + INT32_BYTES, start + this.#sizeOf(STRING, start) - 1);
  }

  /** The driver stores a whole number that fits as such. */
  #number(field: Field): number {
    if (this.#typeOf(field) === INT32) return this.#bytes.readInt32LE(this.#startOf(field, INT32));
    return this.#bytes.readDoubleLE(this.#startOf(field, DOUBLE));
  }

  /** @throws TypeError where the field is of another type, or not there */
  #startOf(field: Field, type: number): number {
    if (this.#typeOf(field) !== type)
      throw new TypeError(`A location's ${field} is not of BSON's type ${type}.`);
    return this.#starts[FIELDS.indexOf(field)] ?? 0;
  }

  /** Undefined where the field is not there. */
  #typeOf(field: Field): number | undefined {
    const start = this.#starts[FIELDS.indexOf(field)] ?? 0;
    // Before the value stand its type, its name and a zero.
    return start === 0 ? undefined : this.#bytes[start - 1 - field.length - 1];
  }
}

function nameAt(index: number): string {
  return FIELDS[index] ?? '';
}

/**
 * The place in {@link FIELDS} of the field whose name is there.
 *
 * @throws TypeError for a name that is none of them
 */
function indexOfName(bytes: Buffer, at: number, likely: number): number {
  for (let tried = 0; tried < FIELDS.length; tried += 1) {
    const index = (likely + tried) % FIELDS.length;
    if (isNameAt(bytes, at, nameAt(index))) return index;
  }
  throw new TypeError(
    `A location has a field ${JSON.stringify(bytes.toString('latin1', at, bytes.indexOf(0, at)))}.`,
  );
}

/** Our names are of one byte a character. */
function isNameAt(bytes: Buffer, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name.charCodeAt(index)) return false;
  }
  return bytes[at + name.length] === 0;
}
