/**
 * A location in the bytes that MongoDB sends (BSON, https://bsonspec.org). A JSON page needs each of a few fields once, so a
 * field is decoded on access, and the driver need not create objects for all fields of all locations.
 */

import type { TemplateSource } from '../../../domain/location-template.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { LOCATION_FIELDS } from './location-records.ts';

/** In stored order: the field after the last one found is tried first. */
const FIELDS = [...LOCATION_FIELDS, 'claimedUntil'] as const;

type Field = (typeof FIELDS)[number];

/** The BSON types in our documents: the byte before the field's name. */
const DOUBLE = 0x01;
const STRING = 0x02;
const BOOLEAN = 0x08;
const DATE = 0x09;
const INT32 = 0x10;

const INT32_BYTES = 4;
const DOUBLE_BYTES = 8;
const BOOLEAN_BYTES = 1;

/** Access to a field that the projection left out throws. */
export class RawLocation implements TemplateSource {
  readonly #bytes: Buffer;
  /** The offsets of the values, in the order of {@link FIELDS}; 0 for a missing field. */
  readonly #starts: number[] = new Array<number>(FIELDS.length).fill(0);

  /** @throws TypeError for an unknown field or BSON type */
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

  get sortKey(): string {
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

  /** Decoded on access too: a projection may have only one of them. */
  get geocoding(): LocationRecord['geocoding'] {
    const text = (field: Field) => this.#text(field);
    const has = (field: Field) => this.#typeOf(field) !== undefined;
    return {
      get provider() {
        return text('provider');
      },
      get precision() {
        return text('precision');
      },
      get label() {
        return has('label') ? text('label') : null;
      },
      // Stored only if true.
      get isAmbiguous() {
        return has('isAmbiguous');
      },
      get isChecked() {
        return has('isChecked');
      },
    };
  }

  /** The size of a value in bytes. */
  #sizeOf(type: number | undefined, start: number): number {
    if (type === STRING) return INT32_BYTES + this.#bytes.readInt32LE(start);
    if (type === DOUBLE || type === DATE) return DOUBLE_BYTES;
    if (type === INT32) return INT32_BYTES;
    if (type === BOOLEAN) return BOOLEAN_BYTES;
    throw new TypeError(`A stored location has a value of BSON type ${type}.`);
  }

  #text(field: Field): string {
    const start = this.#startOf(field, STRING);
    // The size includes the terminating zero.
    return this.#bytes.toString('utf8', start + INT32_BYTES, start + this.#sizeOf(STRING, start) - 1);
  }

  #date(field: Field): number {
    return Number(this.#bytes.readBigInt64LE(this.#startOf(field, DATE)));
  }

  /** The driver stores a whole number as an int32 if it fits. */
  #number(field: Field): number {
    if (this.#typeOf(field) === INT32) return this.#bytes.readInt32LE(this.#startOf(field, INT32));
    return this.#bytes.readDoubleLE(this.#startOf(field, DOUBLE));
  }

  /** @throws TypeError if the field has another type or is missing */
  #startOf(field: Field, type: number): number {
    if (this.#typeOf(field) !== type)
      throw new TypeError(`The field ${field} of a stored location is not of BSON type ${type}.`);
    return this.#starts[FIELDS.indexOf(field)] ?? 0;
  }

  /** Undefined for a missing field. */
  #typeOf(field: Field): number | undefined {
    const start = this.#starts[FIELDS.indexOf(field)] ?? 0;
    // The type, the name and a zero precede the value.
    return start === 0 ? undefined : this.#bytes[start - 1 - field.length - 1];
  }
}

function nameAt(index: number): string {
  return FIELDS[index] ?? '';
}

/**
 * The index in {@link FIELDS} of the field whose name is at this offset.
 *
 * @throws TypeError for an unknown field
 */
function indexOfName(bytes: Buffer, at: number, likely: number): number {
  for (let tried = 0; tried < FIELDS.length; tried += 1) {
    const index = (likely + tried) % FIELDS.length;
    if (isNameAt(bytes, at, nameAt(index))) return index;
  }
  throw new TypeError(
    `A stored location has an unknown field ${JSON.stringify(bytes.toString('latin1', at, bytes.indexOf(0, at)))}.`,
  );
}

/** Our field names are ASCII. */
function isNameAt(bytes: Buffer, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name.charCodeAt(index)) return false;
  }
  return bytes[at + name.length] === 0;
}
