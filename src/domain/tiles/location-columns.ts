/**
 * The locations of a tile as columns, as stores collect them. Each distinct value of a field is kept once, as in a vector
 * tile, so that what is kept does not exceed a few tiles.
 */

import type { JsonObject, JsonValue } from '../json/json.ts';

/** What a vector tile can hold. */
export type TileValue = string | number | boolean;

export interface Column {
  /** Each once. */
  readonly values: readonly TileValue[];
  /** For each location the index of its value; -1 for none. */
  readonly at: readonly number[];
}

export interface LocationColumns {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  /** One entry per field asked for; null for a field that is too large for a tile. */
  readonly fields: readonly (Column | null)[];
}

export interface ColumnsLocation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: JsonObject;
}

/** All fields together may have this many times the bytes of one. */
const FIELDS_OF_MAX_BYTES = 8;

export class ColumnsCollector {
  readonly #names: readonly string[];
  readonly #maxBytes: number;
  readonly #fields: (GrowingColumn | null)[];
  readonly #columns = {
    ids: [] as string[],
    names: [] as string[],
    latitudes: [] as number[],
    longitudes: [] as number[],
  };

  /** @param maxBytes of a field's distinct values */
  constructor(fields: readonly string[], maxBytes: number) {
    this.#names = fields;
    this.#maxBytes = maxBytes;
    this.#fields = fields.map(() => new GrowingColumn());
  }

  get count(): number {
    return this.#columns.ids.length;
  }

  add({ id, name, latitude, longitude, properties }: ColumnsLocation): void {
    const { ids, names, latitudes, longitudes } = this.#columns;
    ids.push(id);
    names.push(name);
    latitudes.push(latitude);
    longitudes.push(longitude);
    let bytes = 0;
    for (const [index, field] of this.#names.entries()) {
      const column = this.#fields[index] ?? null;
      // A property may be called __proto__.
      column?.add(Object.hasOwn(properties, field) ? toTileValue(properties[field]) : null);
      if (column !== null && column.bytes > this.#maxBytes) this.#fields[index] = null;
      else bytes += column?.bytes ?? 0;
    }
    if (bytes > FIELDS_OF_MAX_BYTES * this.#maxBytes) this.#removeLargest();
  }

  finish(): LocationColumns {
    return { ...this.#columns, fields: this.#fields.map((column) => column?.finish() ?? null) };
  }

  #removeLargest(): void {
    const sizes = this.#fields.map((column) => column?.bytes ?? 0);
    this.#fields[sizes.indexOf(Math.max(...sizes))] = null;
  }
}

class GrowingColumn {
  /** Of the distinct values. */
  bytes = 0;
  readonly #at: number[] = [];
  readonly #indexes = new Map<TileValue, number>();

  add(value: TileValue | null): void {
    if (value === null) {
      this.#at.push(-1);
      return;
    }
    let index = this.#indexes.get(value);
    if (index === undefined) {
      this.#indexes.set(value, (index = this.#indexes.size));
      this.bytes += bytesOfValue(value);
    }
    this.#at.push(index);
  }

  finish(): Column {
    return { values: [...this.#indexes.keys()], at: this.#at };
  }
}

/** About the bytes of a value in a vector tile. */
export function bytesOfValue(value: TileValue): number {
  return 4 + (typeof value === 'string' ? Buffer.byteLength(value) : 8);
}

/** Encoders of vector tiles write larger whole numbers wrongly. */
const MAX_NUMBER = 2 ** 52;

/** Lists, objects and huge numbers become JSON text. */
function toTileValue(value: JsonValue | undefined): TileValue | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Math.abs(value) <= MAX_NUMBER) return value;
  return JSON.stringify(value);
}
