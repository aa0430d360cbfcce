/** Maps the columns of a file to fields, properties, points and external ids, for all importers. */

import type { FieldDefinition } from '../../domain/map.ts';
import { columnLetters } from '../table.ts';
import { EXPORT_COLUMN, readExportTable } from './export-table.ts';

/** What a column becomes. */
export type ColumnUse =
  /** A field of the map. */
  | { readonly kind: 'field'; readonly name: string }
  /** A property without a field. */
  | { readonly kind: 'property'; readonly name: string }
  /** A property named after the column's letters, because it has no header; dropped if all its cells are empty. */
  | { readonly kind: 'unnamed'; readonly name: string }
  | { readonly kind: 'latitude' | 'longitude' }
  /** Both coordinates in one value. */
  | { readonly kind: 'point' }
  | { readonly kind: 'externalId' }
  /** Columns that only an export has. */
  | { readonly kind: 'order' | 'placeId' | 'more' | 'id' }
  | { readonly kind: 'none' };

export interface MappingOptions {
  /** The caller's decisions, by column name. */
  readonly uses?: ReadonlyMap<string, ColumnUse>;
  /** Whether to recognise an external id by its column name. */
  readonly findsExternalId?: boolean;
  /** True if the record has a geometry: then no column becomes the point. */
  readonly hasPoint?: boolean;
}

export interface ColumnMapping {
  readonly columns: readonly string[];
  /** One per column. */
  readonly uses: readonly ColumnUse[];
  /** Column indices; -1 for none. */
  readonly latitudeAt: number;
  readonly longitudeAt: number;
  readonly pointAt: number;
  /** The column may also be a field. */
  readonly externalIdAt: number;
  /** True for a table or record that an export wrote. */
  readonly isFromExport: boolean;
}

/** The columns that become fields or properties. */
export interface NamedColumns {
  readonly indices: readonly number[];
  readonly names: readonly string[];
  /** True if empty cells of the column are skipped. */
  readonly skipsEmpty: readonly boolean[];
  /** True if every column keeps its name. */
  readonly isIdentity: boolean;
}

export function namedColumns({ columns, uses, isFromExport }: ColumnMapping): NamedColumns {
  const named = uses.flatMap((use, index) => ('name' in use ? [{ use, index }] : []));
  return {
    indices: named.map(({ index }) => index),
    names: named.map(({ use }) => use.name),
    // In an export, an empty cell is an absent field.
    skipsEmpty: named.map(({ use }) => isFromExport || use.kind === 'unnamed'),
    isIdentity:
      named.length === columns.length && named.every(({ use, index }) => use.name === columns[index]),
  };
}

/** The form in which headers are compared: NFC, lower case, trimmed. */
export function headerKey(header: string): string {
  return header.normalize('NFC').trim().toLowerCase();
}

/**
 * Finds a column by its exact name, else by {@link headerKey}, else, if it has no header, by its letters: `Column G`.
 *
 * @returns -1 for none
 */
export function findColumn(columns: readonly string[], name: string): number {
  const exact = columns.indexOf(name);
  if (exact !== -1) return exact;
  const key = headerKey(name);
  const index = columns.findIndex((column) => headerKey(column) === key);
  if (index !== -1) return index;
  return columns.findIndex((column, at) => column.trim() === '' && headerKey(unnamedColumn(at)) === key);
}

/** The name of a column without a header. */
export function unnamedColumn(index: number): string {
  return `Column ${columnLetters(index)}`;
}

/** By preference. */
const LATITUDES = ['lat', 'latitude', 'y'];
const LONGITUDES = ['lng', 'longitude', 'lon', 'long', 'x'];
const PREFIXES = ['', 'geo_', 'gps_'];
const POINTS = ['coordinates', 'latlng', 'lat_lng', 'point', 'wkt', 'geom', 'geometry', 'the_geom'];
export const EXTERNAL_IDS = ['externalid', 'external_id', 'external id'];

/**
 * Assigns uses in this order: the caller's decisions; fields by exact name; the point and the external id; fields by
 * {@link headerKey}; properties.
 */
export function mapColumns(
  columns: readonly string[],
  fields: readonly Pick<FieldDefinition, 'name'>[],
  { uses: decisions = new Map(), findsExternalId = false, hasPoint = false }: MappingOptions = {},
): ColumnMapping {
  const own = readExportTable(columns);
  if (own !== null) return exportMapping(columns, own, fields);
  return new Mapper(columns, fields, decisions).map({ findsExternalId, hasPoint });
}

/** For a record that an export wrote: every column keeps its name. */
export function verbatimMapping(
  columns: readonly string[],
  fields: readonly Pick<FieldDefinition, 'name'>[],
): ColumnMapping {
  const defined = new Set(fields.map(({ name }) => name));
  const uses = columns.map((name): ColumnUse => ({ kind: defined.has(name) ? 'field' : 'property', name }));
  return {
    columns,
    uses,
    latitudeAt: -1,
    longitudeAt: -1,
    pointAt: -1,
    externalIdAt: -1,
    isFromExport: true,
  };
}

function exportMapping(
  columns: readonly string[],
  own: NonNullable<ReturnType<typeof readExportTable>>,
  fields: readonly Pick<FieldDefinition, 'name'>[],
): ColumnMapping {
  const defined = new Set(fields.map(({ name }) => name));
  const uses = columns.map((): ColumnUse => ({ kind: 'none' }));
  uses[EXPORT_COLUMN.id] = { kind: 'id' };
  uses[EXPORT_COLUMN.externalId] = { kind: 'externalId' };
  uses[EXPORT_COLUMN.order] = { kind: 'order' };
  uses[EXPORT_COLUMN.lat] = { kind: 'latitude' };
  uses[EXPORT_COLUMN.lng] = { kind: 'longitude' };
  uses[EXPORT_COLUMN.placeId] = { kind: 'placeId' };
  for (const [index, name] of own.fields) {
    uses[index] = { kind: defined.has(name) ? 'field' : 'property', name };
  }
  for (const index of own.moreAt) uses[index] = { kind: 'more' };
  const { lat: latitudeAt, lng: longitudeAt, externalId: externalIdAt } = EXPORT_COLUMN;
  return { columns, uses, latitudeAt, longitudeAt, pointAt: -1, externalIdAt, isFromExport: true };
}

class Mapper {
  readonly #columns: readonly string[];
  readonly #keys: readonly string[];
  readonly #fields: readonly string[];
  readonly #decisions: ReadonlyMap<string, ColumnUse>;
  readonly #uses: (ColumnUse | null)[];
  /** Names in use. */
  readonly #taken = new Set<string>();
  #externalIdAt = -1;

  constructor(
    columns: readonly string[],
    fields: readonly Pick<FieldDefinition, 'name'>[],
    decisions: ReadonlyMap<string, ColumnUse>,
  ) {
    this.#columns = columns;
    this.#keys = columns.map(headerKey);
    this.#fields = fields.map(({ name }) => name);
    this.#decisions = decisions;
    this.#uses = columns.map(() => null);
  }

  map({ findsExternalId, hasPoint }: Required<Omit<MappingOptions, 'uses'>>): ColumnMapping {
    this.#useDecisions();
    this.#useFieldsByName();
    if (!hasPoint && !this.#hasUse('latitude', 'longitude', 'point')) this.#findPoint();
    if (findsExternalId && this.#externalIdAt === -1) this.#findExternalId();
    this.#useFieldsByKey();
    const uses = this.#columns.map((_, index) => this.#uses[index] ?? this.#propertyOf(index));
    const find = (kind: ColumnUse['kind']) => uses.findIndex((use) => use.kind === kind);
    return {
      columns: this.#columns,
      uses,
      latitudeAt: find('latitude'),
      longitudeAt: find('longitude'),
      pointAt: find('point'),
      externalIdAt: this.#externalIdAt,
      isFromExport: false,
    };
  }

  #useDecisions(): void {
    for (const [column, use] of this.#decisions) {
      const index = this.#indexOf(column);
      if (index === -1) continue;
      if (use.kind === 'externalId') this.#externalIdAt = index;
      else this.#set(index, use);
    }
    // The external id may also be a field, but not a property.
    const index = this.#externalIdAt;
    if (index === -1 || this.#uses[index] !== null) return;
    const isField = this.#fields.some((name) => headerKey(name) === this.#keys[index]);
    if (!isField) this.#set(index, { kind: 'externalId' });
  }

  #indexOf(name: string): number {
    return findColumn(this.#columns, name);
  }

  #useFieldsByName(): void {
    for (const name of this.#fields) {
      const index = this.#columns.indexOf(name);
      if (index !== -1 && this.#uses[index] === null && !this.#taken.has(name)) {
        this.#set(index, { kind: 'field', name });
      }
    }
  }

  #useFieldsByKey(): void {
    for (const name of this.#fields) {
      if (this.#taken.has(name)) continue;
      const index = this.#find([headerKey(name)]);
      if (index !== -1) this.#set(index, { kind: 'field', name });
    }
  }

  /** Two columns, else one column with both coordinates, else `lat` or `lng` alone, which makes each row report the other. */
  #findPoint(): void {
    for (const prefix of PREFIXES) {
      const [latitude, longitude] = [LATITUDES, LONGITUDES].map((names) =>
        this.#find(names.map((name) => prefix + name)),
      );
      if (latitude === undefined || longitude === undefined || latitude === -1 || longitude === -1) continue;
      this.#set(latitude, { kind: 'latitude' });
      this.#set(longitude, { kind: 'longitude' });
      return;
    }
    const point = this.#find(POINTS);
    if (point !== -1) return this.#set(point, { kind: 'point' });
    this.#findHalf();
  }

  #findHalf(): void {
    if (this.#fields.some((name) => ['lat', 'lng'].includes(name))) return;
    const [latitude, longitude] = [this.#find(['lat']), this.#find(['lng'])];
    if (latitude !== -1) this.#set(latitude, { kind: 'latitude' });
    if (longitude !== -1) this.#set(longitude, { kind: 'longitude' });
  }

  #findExternalId(): void {
    const index = this.#find(EXTERNAL_IDS);
    if (index === -1) return;
    this.#externalIdAt = index;
    this.#set(index, { kind: 'externalId' });
  }

  /** The unused column with the first matching name. */
  #find(names: readonly string[]): number {
    for (const name of names) {
      const index = this.#keys.findIndex((key, at) => key === name && this.#uses[at] === null);
      if (index !== -1) return index;
    }
    return -1;
  }

  #hasUse(...kinds: readonly ColumnUse['kind'][]): boolean {
    return this.#uses.some((use) => use !== null && kinds.includes(use.kind));
  }

  #propertyOf(index: number): ColumnUse {
    const column = this.#columns[index] ?? '';
    const trimmed = column.trim();
    if (trimmed === '') {
      return { kind: 'unnamed', name: this.#unique(unnamedColumn(index)) };
    }
    // White space around the name distinguishes it from another column's.
    return { kind: 'property', name: this.#unique(this.#isTaken(trimmed) ? column : trimmed) };
  }

  /** Makes a name unique. */
  #unique(name: string): string {
    let unique = name;
    for (let number = 2; this.#isTaken(unique); number += 1) unique = `${name} (${number})`;
    this.#taken.add(unique);
    return unique;
  }

  #isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  #set(index: number, use: ColumnUse): void {
    this.#uses[index] = use;
    if ('name' in use) this.#taken.add(use.name);
  }
}
