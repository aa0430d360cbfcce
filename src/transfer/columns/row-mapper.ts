/** Maps the rows of a file to location inputs, and collects the column report. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import { isJsonObject } from '../../domain/json/json.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import { addressFieldOf } from '../../domain/map.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { isBlank } from '../../domain/text.ts';
import { ServiceError } from '../../errors.ts';
import type { Message } from '../message.ts';
import { message, rowError } from '../message.ts';
import type { RecordValues, RowValues, TableValues } from '../reader.ts';
import type { AddressTemplate } from './address-template.ts';
import { fillAddress } from './address-template.ts';
import { ColumnReport } from './column-report.ts';
import type { ColumnMapping, ColumnUse, MappingOptions, NamedColumns } from './mapping.ts';
import { findColumn, mapColumns, namedColumns, verbatimMapping } from './mapping.ts';
import { EXPORT_COLUMN } from './export-table.ts';
import type { Point } from './point.ts';
import { altitudeNote, withPlaceId, readPoint, readPointText } from './point.ts';

/** The location input of a row. Rows cannot set the id. */
export interface RowInput {
  readonly fields: JsonObject;
  readonly position: GivenPoint | null;
  readonly order: string | null;
  /** True if the order comes from an existing list, and is kept exactly. */
  readonly isOrderKept: boolean;
  readonly externalId: string | null;
}

export interface RowOptions {
  /** Updates existing locations, found by external id. */
  readonly isUpsert?: boolean;
  /** The caller's decisions, by column name. */
  readonly uses?: ReadonlyMap<string, ColumnUse>;
  /** Joins several columns to the address. */
  readonly address?: AddressTemplate | null;
  /** Fills the address of a row that has only a point with its coordinates. */
  readonly fillsAddress?: boolean;
}

interface CompiledMapping {
  readonly kind: MappingKind;
  readonly mapping: ColumnMapping;
  readonly named: NamedColumns;
  readonly moreAt: readonly number[];
}

/** `export`: an export wrote the record; `point`: the record has a geometry. */
type MappingKind = 'export' | 'point' | '';

/** Records with other names need other mappings, of which this many are cached. */
const CACHED_MAPPINGS = 500;

export const FILL_ADDRESS_ADVICE = message(
  'optionFill',
  'Use --fill-address coordinates to fill it with the coordinates.',
);
const UPSERT_ADVICE = message('optionUpsert', 'With --upsert, the record id becomes the external id.');

export class RowMapper {
  readonly report: ColumnReport;
  readonly #fields: readonly FieldDefinition[];
  readonly #options: RowOptions;
  readonly #mappingOptions: MappingOptions;
  readonly #addressField: string | undefined;
  /** Null for records. */
  readonly #table: CompiledMapping | null;
  readonly #compiled = new Map<string, CompiledMapping>();
  #last: CompiledMapping | null = null;
  #altitudes = 0;
  #withoutAddress = 0;
  #unusedIds = 0;

  /** @param columns the header of a table; null for records */
  constructor(
    columns: readonly string[] | null,
    fields: readonly FieldDefinition[],
    options: RowOptions = {},
  ) {
    this.#fields = fields;
    this.#options = options;
    this.#addressField = addressFieldOf(fields);
    this.#mappingOptions = { uses: options.uses, findsExternalId: options.isUpsert };
    this.#table = columns === null ? null : compile(mapColumns(columns, fields, this.#mappingOptions), '');
    this.report = new ColumnReport(this.table);
  }

  /** The mapping of the file's table; null for records. */
  get table(): ColumnMapping | null {
    return this.#table?.mapping ?? null;
  }

  /** @returns the error of a row that cannot become a location */
  read(values: RowValues): RowInput | ServiceError {
    try {
      return 'cells' in values ? this.#readTable(values) : this.#readRecord(values);
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  /** Sentences about changes and possible improvements. */
  notes(): readonly Message[] {
    const notes = [...altitudeNote(this.#altitudes)];
    const withoutAddress = this.#withoutAddress;
    if (withoutAddress > 0) {
      const text = `${rowsOf(withoutAddress)} had a point but no address.`;
      notes.push(message('rowsWithoutAddress', text, { count: withoutAddress }), FILL_ADDRESS_ADVICE);
    }
    const unusedIds = this.#unusedIds;
    if (unusedIds > 0) {
      const text = `${rowsOf(unusedIds)} had a record id, which was ignored.`;
      notes.push(message('recordIds', text, { count: unusedIds }));
      if (this.#options.isUpsert !== true) notes.push(UPSERT_ADVICE);
    }
    return notes;
  }

  #readTable({ columns, cells }: TableValues): RowInput {
    const compiled = columns === undefined ? this.#table : this.#compiledFor(columns, '');
    if (compiled === null) throw new Error('A row of cells has no columns.');
    const { mapping, named, moreAt } = compiled;
    this.report.add(mapping, cells);
    const text = (index: number) => cells[index] ?? '';
    const fields: Record<string, JsonValue> = {};
    // A plain loop, because it runs for a million rows.
    for (let at = 0; at < named.indices.length; at += 1) {
      const cell = cells[named.indices[at] ?? -1] ?? '';
      if (cell !== '' || named.skipsEmpty[at] !== true) set(fields, named.names[at] ?? '', cell);
    }
    const more = moreAt.map(text).join('');
    if (more.trim() !== '') {
      for (const [key, value] of Object.entries(readMore(more))) set(fields, key, value);
    }
    const { isFromExport } = mapping;
    return this.#finish(
      fields,
      {
        position: withPlaceId(
          this.#pointOf(mapping, text),
          isFromExport ? orNull(text(EXPORT_COLUMN.placeId)) : null,
        ),
        order: isFromExport ? orNull(text(EXPORT_COLUMN.order)) : null,
        isOrderKept: isFromExport,
        externalId: orNull(text(mapping.externalIdAt)),
      },
      (name) => text(findColumn(mapping.columns, name)),
    );
  }

  #readRecord(record: RecordValues): RowInput {
    const { properties, point, isFromExport = false, placeId = null, order = null, recordId = null } = record;
    const columns = Object.keys(properties);
    const kind = isFromExport ? 'export' : point === null ? '' : 'point';
    const { mapping, named } = this.#compiledFor(columns, kind);
    const values = Object.values(properties);
    this.report.add(mapping, values);
    const text = (index: number) => textOf(values[index], columns[index] ?? '');
    let fields: Record<string, JsonValue> = properties;
    if (!named.isIdentity) {
      fields = {};
      for (let at = 0; at < named.indices.length; at += 1) {
        set(fields, named.names[at] ?? '', values[named.indices[at] ?? -1] ?? null);
      }
    }
    const externalId = record.externalId ?? orNull(text(mapping.externalIdAt));
    const usesRecordId = this.#options.isUpsert === true && externalId === null;
    // In an export, it is the id of the exported location.
    if (recordId !== null && !usesRecordId && !isFromExport) this.#unusedIds += 1;
    return this.#finish(
      fields,
      {
        position: withPlaceId(point ?? this.#pointOf(mapping, text), placeId),
        order,
        isOrderKept: true,
        externalId: usesRecordId ? recordId : externalId,
      },
      (name) => text(findColumn(columns, name)),
    );
  }

  /** Most records of a file have the same names as the one before. */
  #compiledFor(columns: readonly string[], kind: MappingKind): CompiledMapping {
    const last = this.#last;
    if (last?.kind === kind && areEqual(last.mapping.columns, columns)) return last;
    const key = JSON.stringify([kind, ...columns]);
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) {
      if (this.#compiled.size >= CACHED_MAPPINGS) this.#compiled.clear();
      const mapping =
        kind === 'export' && (this.#options.uses?.size ?? 0) === 0
          ? verbatimMapping(columns, this.#fields)
          : mapColumns(columns, this.#fields, { ...this.#mappingOptions, hasPoint: kind !== '' });
      compiled = compile(mapping, kind);
      this.#compiled.set(key, compiled);
    }
    this.#last = compiled;
    return compiled;
  }

  #pointOf(
    { columns, latitudeAt, longitudeAt, pointAt }: ColumnMapping,
    text: (index: number) => string,
  ): Point | null {
    if (pointAt !== -1)
      return readPointText(text(pointAt), columns[pointAt] ?? 'the point', () => (this.#altitudes += 1));
    if (latitudeAt === -1 && longitudeAt === -1) return null;
    const [latitude, longitude] = [columns[latitudeAt], columns[longitudeAt]];
    if (latitude === undefined || longitude === undefined) {
      if (isBlank(text(Math.max(latitudeAt, longitudeAt)))) return null;
      const column = latitude ?? longitude ?? '';
      throw latitude === undefined
        ? rowError('noLatitude', `${column} is half of a point; no column is the latitude.`, { column })
        : rowError('noLongitude', `${column} is half of a point; no column is the longitude.`, { column });
    }
    const names = { latitude, longitude };
    return readPoint(text(latitudeAt), text(longitudeAt), names);
  }

  #finish(
    fields: Record<string, JsonValue>,
    rest: Omit<RowInput, 'fields'>,
    textOfColumn: (name: string) => string,
  ): RowInput {
    const { address = null, fillsAddress = false } = this.#options;
    const name = this.#addressField;
    if (name !== undefined) {
      if (address !== null) set(fields, name, fillAddress(address, address.columns.map(textOfColumn)));
      if (rest.position !== null && isMissing(fields[name])) {
        if (fillsAddress) set(fields, name, coordinatesOf(rest.position));
        else this.#withoutAddress += 1;
      }
    }
    return { fields, ...rest };
  }
}

function compile(mapping: ColumnMapping, kind: MappingKind): CompiledMapping {
  const moreAt = [...mapping.uses.keys()].filter((index) => mapping.uses[index]?.kind === 'more');
  return { kind, mapping, named: namedColumns(mapping), moreAt };
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/** @throws ServiceError BAD_USER_INPUT */
function readMore(cell: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    // Reported below.
  }
  if (!isJsonObject(value)) throw rowError('moreNotObject', 'more must be a JSON object or empty.');
  return value;
}

function rowsOf(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function coordinatesOf({ latitude, longitude }: Point): string {
  return `${toPlainDecimal(latitude)}, ${toPlainDecimal(longitude)}`;
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

/** @throws ServiceError BAD_USER_INPUT for an array or a boolean */
function textOf(value: JsonValue | undefined, column: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return toPlainDecimal(value);
  if (isJsonObject(value)) return JSON.stringify(value);
  throw rowError('textOrNumber', `${column} must be a string or a number.`, { column });
}

function set(fields: Record<string, JsonValue>, name: string, value: JsonValue): void {
  // Assigning to `__proto__` would change the object's prototype.
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}
