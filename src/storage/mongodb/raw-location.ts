/**
 * A location in the bytes that MongoDB sends (BSON, https://bsonspec.org). A page that becomes JSON needs few of the
 * fields, and each of them once. So a field is read when it is asked for, and the driver need not make a hundred objects
 * with a string for every field.
 */

import type { LocationRecord } from '../../domain/location.ts';
import type { TemplateSource } from '../../domain/location-template.ts';
import type { LocationDocument } from './documents.ts';

/** In the order in which they are stored: the field after the one just found is looked for first. */
const FIELDS = [
  '_id',
  'mapId',
  'place',
  'sequence',
  'order',
  'name',
  'placeId',
  'latitude',
  'longitude',
  'properties',
  'createdAt',
  'provider',
  'precision',
  'externalId',
  'version',
  'updatedAt',
  'claimedUntil',
] as const satisfies readonly (keyof LocationDocument)[];

type Field = (typeof FIELDS)[number];

/** BSON's types of the values in our documents; each is the byte before the field's name. */
const DOUBLE = 0x01;
const STRING = 0x02;
const DATE = 0x09;
const INT32 = 0x10;

const INT32_BYTES = 4;
const DOUBLE_BYTES = 8;

/** Reading a field that the projection left out is an error. */
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

  get rank(): string {
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

  get externalId(): string | null {
    return this.#typeOf('externalId') === undefined ? null : this.#text('externalId');
  }

  get version(): number {
    return this.#typeOf('version') === undefined ? 1 : this.#number('version');
  }

  /** Milliseconds since the epoch. */
  get createdAt(): number {
    return this.#date('createdAt');
  }

  /** Milliseconds since the epoch. */
  get updatedAt(): number {
    return this.#date(this.#typeOf('updatedAt') === undefined ? 'createdAt' : 'updatedAt');
  }

  /** Each member is read when it is asked for, since a projection may hold one of them alone. */
  get geocoding(): LocationRecord['geocoding'] {
    const text = (field: Field) => this.#text(field);
    return {
      get provider() {
        return text('provider');
      },
      get precision() {
        return text('precision');
      },
    };
  }

  /** The bytes that a value takes. */
  #sizeOf(type: number | undefined, start: number): number {
    if (type === STRING) return INT32_BYTES + this.#bytes.readInt32LE(start);
    if (type === DOUBLE || type === DATE) return DOUBLE_BYTES;
    if (type === INT32) return INT32_BYTES;
    throw new TypeError(`A location holds a value of BSON's type ${type}.`);
  }

  #text(field: Field): string {
    const start = this.#startOf(field, STRING);
    // A string ends with a zero, which its size counts.
    return this.#bytes.toString('utf8', start + INT32_BYTES, start + this.#sizeOf(STRING, start) - 1);
  }

  #date(field: Field): number {
    return Number(this.#bytes.readBigInt64LE(this.#startOf(field, DATE)));
  }

  /** The driver stores a whole number as an int32 where it fits. */
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
    // A value stands after its type, its name and a zero.
    return start === 0 ? undefined : this.#bytes[start - 1 - field.length - 1];
  }
}

function nameAt(index: number): string {
  return FIELDS[index] ?? '';
}

/**
 * The index in {@link FIELDS} of the field whose name stands at that byte.
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

/** Every character of our names is one byte. */
function isNameAt(bytes: Buffer, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name.charCodeAt(index)) return false;
  }
  return bytes[at + name.length] === 0;
}
