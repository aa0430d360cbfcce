/** What each column of a file becomes. Decided here alone, for the command line and the console. */

import type { FieldDefinition } from '../../domain/map.ts';
import { columnLetters } from '../table.ts';
import { EXPORT_COLUMN, readExportTable } from './export-table.ts';

/** What the values of a column become. */
export type ColumnUse =
  /** The map's field of that name. */
  | { readonly kind: 'field'; readonly name: string }
  /** A property that the map does not define. */
  | { readonly kind: 'property'; readonly name: string }
  /** A property called by the column's letters, since it has no header; where all cells are empty, nothing. */
  | { readonly kind: 'unnamed'; readonly name: string }
  | { readonly kind: 'latitude' | 'longitude' }
  /** Both numbers in one value. */
  | { readonly kind: 'point' }
  | { readonly kind: 'externalId' }
  /** Columns that only an export of ours has. */
  | { readonly kind: 'order' | 'placeId' | 'more' | 'id' }
  | { readonly kind: 'none' };

export interface MappingOptions {
  /** What the caller has decided, by the columns' names. */
  readonly uses?: ReadonlyMap<string, ColumnUse>;
  /** Whether columns are looked for whose names are those of external ids. */
  readonly findsExternalId?: boolean;
  /** Whether the record has a point of its own: then none is looked for among its values. */
  readonly hasPoint?: boolean;
}

export interface ColumnMapping {
  readonly columns: readonly string[];
  /** One for each column. */
  readonly uses: readonly ColumnUse[];
  /** Indices; -1 where no column has the use. */
  readonly latitudeAt: number;
  readonly longitudeAt: number;
  readonly pointAt: number;
  /** The column may be a field as well. */
  readonly externalIdAt: number;
  /** Whether an export of ours wrote the table. */
  readonly isFromExport: boolean;
}

/** The columns whose values are stored under names. */
export interface NamedColumns {
  readonly indices: readonly number[];
  readonly names: readonly string[];
  /** Whether the column is left out where it is empty. */
  readonly skipsEmpty: readonly boolean[];
  /** Whether all columns are stored, under their own names. */
  readonly isIdentity: boolean;
}

export function namedColumns({ columns, uses, isFromExport }: ColumnMapping): NamedColumns {
  const named = uses.flatMap((use, index) => ('name' in use ? [{ use, index }] : []));
  return {
    indices: named.map(({ index }) => index),
    names: named.map(({ use }) => use.name),
    // An exported table leaves the cells of absent fields empty.
    skipsEmpty: named.map(({ use }) => isFromExport || use.kind === 'unnamed'),
    isIdentity:
      named.length === columns.length && named.every(({ use, index }) => use.name === columns[index]),
  };
}

/** How a header is compared with other names: in NFC, without case, and without white space around it. */
export function headerKey(header: string): string {
  return header.normalize('NFC').trim().toLowerCase();
}

/**
 * The index of the column of that very name, else of the first one whose name differs in case and white space alone. A
 * column without a header is found by its letters: `Column G`.
 *
 * @returns -1 where there is none
 */
export function findColumn(columns: readonly string[], name: string): number {
  const exact = columns.indexOf(name);
  if (exact !== -1) return exact;
  const key = headerKey(name);
  const index = columns.findIndex((column) => headerKey(column) === key);
  if (index !== -1) return index;
  return columns.findIndex((column, at) => column.trim() === '' && headerKey(unnamedColumn(at)) === key);
}

/** What a column without a header is called. */
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
 * Decides in this order: what the caller has decided; fields of the very name; the columns of the point and of the
 * external id; fields of the same name without case; properties.
 */
export function mapColumns(
  columns: readonly string[],
  fields: readonly Pick<FieldDefinition, 'name'>[],
  { uses: given = new Map(), findsExternalId = false, hasPoint = false }: MappingOptions = {},
): ColumnMapping {
  const own = readExportTable(columns);
  if (own !== null) return exportMapping(columns, own, fields);
  return new Mapper(columns, fields, given).map({ findsExternalId, hasPoint });
}

/** Of a record that an export of ours wrote: every name is the property's own. */
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
  readonly #given: ReadonlyMap<string, ColumnUse>;
  readonly #uses: (ColumnUse | null)[];
  /** Names that locations get values under. */
  readonly #taken = new Set<string>();
  #externalIdAt = -1;

  constructor(
    columns: readonly string[],
    fields: readonly Pick<FieldDefinition, 'name'>[],
    given: ReadonlyMap<string, ColumnUse>,
  ) {
    this.#columns = columns;
    this.#keys = columns.map(headerKey);
    this.#fields = fields.map(({ name }) => name);
    this.#given = given;
    this.#uses = columns.map(() => null);
  }

  map({ findsExternalId, hasPoint }: Required<Omit<MappingOptions, 'uses'>>): ColumnMapping {
    this.#useGiven();
    this.#useFieldsOfTheVeryName();
    if (!hasPoint && !this.#hasUse('latitude', 'longitude', 'point')) this.#findPoint();
    if (findsExternalId && this.#externalIdAt === -1) this.#findExternalId();
    this.#useFieldsWithoutCase();
    const uses = this.#columns.map((_, index) => this.#uses[index] ?? this.#ownName(index));
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

  #useGiven(): void {
    for (const [column, use] of this.#given) {
      const index = this.#indexOf(column);
      if (index === -1) continue;
      if (use.kind === 'externalId') this.#externalIdAt = index;
      else this.#set(index, use);
    }
    // What is the external id may be a field as well; else it is nothing more.
    const index = this.#externalIdAt;
    if (index === -1 || this.#uses[index] !== null) return;
    const isField = this.#fields.some((name) => headerKey(name) === this.#keys[index]);
    if (!isField) this.#set(index, { kind: 'externalId' });
  }

  #indexOf(name: string): number {
    return findColumn(this.#columns, name);
  }

  #useFieldsOfTheVeryName(): void {
    for (const name of this.#fields) {
      const index = this.#columns.indexOf(name);
      if (index !== -1 && this.#uses[index] === null && !this.#taken.has(name)) {
        this.#set(index, { kind: 'field', name });
      }
    }
  }

  #useFieldsWithoutCase(): void {
    for (const name of this.#fields) {
      if (this.#taken.has(name)) continue;
      const index = this.#find([headerKey(name)]);
      if (index !== -1) this.#set(index, { kind: 'field', name });
    }
  }

  /** A pair of columns, else one column for both numbers. `lat` or `lng` alone is half a pair: each row lacks the other. */
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

  /** The first of the names, by preference, that a column without a use has. */
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

  #ownName(index: number): ColumnUse {
    const column = this.#columns[index] ?? '';
    const trimmed = column.trim();
    if (trimmed === '') {
      return { kind: 'unnamed', name: this.#free(unnamedColumn(index)) };
    }
    // Where another column has the name already, white space around it tells the two apart.
    return { kind: 'property', name: this.#free(this.#isTaken(trimmed) ? column : trimmed) };
  }

  /** No two columns go under one name. */
  #free(name: string): string {
    let free = name;
    for (let number = 2; this.#isTaken(free); number += 1) free = `${name} (${number})`;
    this.#taken.add(free);
    return free;
  }

  #isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  #set(index: number, use: ColumnUse): void {
    this.#uses[index] = use;
    if ('name' in use) this.#taken.add(use.name);
  }
}
