/** Rows of a file that is imported: CSV, GeoJSON or NDJSON, and what each becomes. */

import { OWN_COLUMN, readOwnTable } from '../../src/domain/location-table.ts';
import { addressFieldOf, nameFieldOf } from '../../src/domain/map.ts';
import type { FieldDefinition } from './field-inputs.ts';
import { valueOfText } from './field-inputs.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly placeId?: string;
}

export interface SourceRow {
  /** The line where it begins, or a feature's number; from 1. */
  readonly place: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** `wrong` where it gives a point that is none. */
  readonly position: Position | 'wrong' | null;
  readonly order: string | null;
  readonly externalId: string | null;
  /** A Feature's own id, which an upsert takes where there is no external one. */
  readonly featureId: string | null;
}

/** What a column becomes. */
export type Target = `field:${string}` | 'externalId' | 'none';
export type Matching = Readonly<Record<string, Target>>;

const LATITUDE = /^(lat|latitude)$/i;
const LONGITUDE = /^(lng|lon|long|longitude)$/i;
const EXTERNAL_ID = /^external ?_?id$/i;

/** @throws Error with a message for the reader */
export async function readRows(fileName: string, text: string): Promise<readonly SourceRow[]> {
  if (/\.(geo)?json$/i.test(fileName)) return readFeatures(parse(text));
  if (/\.(ndjson|jsonl)$/i.test(fileName)) return readLines(text);
  return readTable(text);
}

async function readTable(text: string): Promise<readonly SourceRow[]> {
  const { parse: parseCsv } = await import('csv-parse/browser/esm/sync');
  const delimiter = [',', ';', '\t'];
  const records = parseCsv(text, { delimiter, info: true, relax_column_count: true, skip_empty_lines: true });
  const rows = records as unknown as { record: string[]; info: { lines: number } }[];
  const [head, ...rest] = rows;
  if (head === undefined) throw new Error('The file is empty.');
  const columns = head.record.map((name) => name.trim());
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two columns are called “${twice}”.`);
  const read = tableReader(columns);
  return rest.map(({ record }, index) => ({
    // Where the record before it ends, one line more.
    place: (rows[index]?.info.lines ?? 0) + 1,
    ...read(record),
  }));
}

type Cells = readonly string[];
type ReadCells = (cells: Cells) => Omit<SourceRow, 'place'>;

/** A table whose first columns are ours is one of our exports; any other one is somebody's own. */
function tableReader(columns: readonly string[]): ReadCells {
  const own = readOwnTable(columns);
  if (own === null) return theirReader(columns);
  const { fields, moreAt } = own;
  return (cells) => {
    const more = cells[moreAt] ?? '';
    const { lat, lng, placeId, order, externalId } = OWN_COLUMN;
    return {
      values: { ...filled(fields, cells), ...(more.trim() === '' ? {} : toObject(parse(more))) },
      position: toPosition(cells[lat], cells[lng], cells[placeId]),
      order: textOrNull(cells[order]),
      externalId: textOrNull(cells[externalId]),
      featureId: null,
    };
  };
}

function theirReader(columns: readonly string[]): ReadCells {
  const find = (pattern: RegExp) => columns.findIndex((name) => pattern.test(name));
  const [latitudeAt, longitudeAt] = [find(LATITUDE), find(LONGITUDE)];
  const fields = [...columns.entries()].filter(([index]) => index !== latitudeAt && index !== longitudeAt);
  return (cells) => ({
    values: filled(fields, cells),
    position: toPosition(cells[latitudeAt], cells[longitudeAt]),
    order: null,
    externalId: null,
    featureId: null,
  });
}

function filled(fields: readonly (readonly [index: number, name: string])[], cells: Cells) {
  return Object.fromEntries(
    fields.flatMap(([index, name]) => (cells[index] ? [[name, cells[index]] as const] : [])),
  );
}

function readFeatures(content: unknown): readonly SourceRow[] {
  const { features } = toObject(content);
  if (!Array.isArray(features)) throw new Error('The file is no GeoJSON FeatureCollection.');
  return features.map((feature: unknown, index) => {
    const { properties, geometry, externalId, id, placeId, order } = toObject(feature);
    const { type, coordinates } = toObject(geometry);
    const isPoint = type === 'Point' && Array.isArray(coordinates);
    const [longitude, latitude] = isPoint ? (coordinates as unknown[]) : [];
    const position = geometry && !isPoint ? 'wrong' : toPosition(latitude, longitude, placeId);
    return {
      place: index + 1,
      values: toObject(properties),
      position,
      order: textOrNull(order),
      externalId: textOrNull(externalId),
      featureId: idOf(id),
    };
  });
}

/** RFC 7946, 3.2: a string or a number. */
function idOf(id: unknown): string | null {
  return typeof id === 'number' ? String(id) : textOrNull(id);
}

function readLines(text: string): readonly SourceRow[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const object = toObject(parse(line));
    const { properties, latLngLiteral, externalId, placeId, order } = object;
    const { lat, lng } = toObject(latLngLiteral);
    const row: SourceRow = {
      place: index + 1,
      values: properties === undefined ? object : toObject(properties),
      position: toPosition(lat, lng, placeId),
      order: properties === undefined ? null : textOrNull(order),
      externalId: textOrNull(externalId),
      featureId: null,
    };
    return [row];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('The file holds what is no JSON.');
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function toPosition(latitude: unknown, longitude: unknown, placeId?: unknown): SourceRow['position'] {
  const isNothing = (degrees: unknown) => degrees === '' || degrees === null || degrees === undefined;
  if (isNothing(latitude) && isNothing(longitude)) return null;
  const [north, east] = [latitude, longitude].map((degrees) =>
    isNothing(degrees) ? Number.NaN : Number(degrees),
  );
  const isIn = (degrees: number | undefined, most: number) => Math.abs(degrees ?? Number.NaN) <= most;
  if (north === undefined || east === undefined || !isIn(north, 90) || !isIn(east, 180)) return 'wrong';
  const id = textOrNull(placeId);
  return { latitude: north, longitude: east, ...(id !== null && { placeId: id }) };
}

export function columnsOf(rows: readonly SourceRow[]): readonly string[] {
  const names = new Set<string>();
  for (const { values } of rows) for (const name of Object.keys(values)) names.add(name);
  return [...names];
}

/** By name, without regard to case; the map's name and address by what such columns are usually called. */
export function matchColumns(columns: readonly string[], fields: readonly FieldDefinition[]): Matching {
  const same = (column: string) =>
    fields.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name;
  const matching = new Map<string, Target>(columns.map((column) => [column, usual(column, same(column))]));
  const roles = [
    [nameFieldOf(fields), /^(name|title|label|place)$/i],
    [addressFieldOf(fields), /^(address|adresse|street|location)$/i],
  ] as const;
  for (const [field, pattern] of roles) {
    if (field === undefined || [...matching.values()].includes(`field:${field}`)) continue;
    const column = columns.find((one) => pattern.test(one));
    if (column !== undefined) matching.set(column, `field:${field}`);
  }
  return Object.fromEntries(matching);
}

function usual(column: string, field: string | undefined): Target {
  if (field !== undefined) return `field:${field}`;
  if (EXTERNAL_ID.test(column)) return 'externalId';
  return column === '' ? 'none' : `field:${column}`;
}

/** `upsert` changes the locations that have the rows' external ids; a row without one is created. */
export type ImportMode = 'create' | 'upsert';

/** Of the column that was matched, or of the row itself. */
export function externalIdOf(
  { externalId, featureId, values }: SourceRow,
  matching: Matching,
  mode: ImportMode,
): string | null {
  const column = Object.keys(values).find((name) => matching[name] === 'externalId');
  const own = externalId ?? (mode === 'upsert' ? featureId : null);
  return column === undefined ? own : idOf(values[column]);
}

export interface LocationInput {
  readonly fields: Record<string, unknown>;
  readonly position?: Position;
  readonly order?: string;
  readonly externalId?: string;
}

/** Null where the row gives a point that is none. */
export function toInput(
  row: SourceRow,
  matching: Matching,
  definitions: readonly FieldDefinition[],
  mode: ImportMode,
): LocationInput | null {
  const { position, order } = row;
  if (position === 'wrong') return null;
  const types = new Map(definitions.map(({ name, type }) => [name, type]));
  const fields: [string, unknown][] = Object.entries(row.values).flatMap(([column, value]) => {
    const target = matching[column] ?? 'none';
    if (!target.startsWith('field:')) return [];
    const name = target.slice('field:'.length);
    return [[name, typeof value === 'string' ? valueOfText(types.get(name) ?? 'text', value) : value]];
  });
  const externalId = externalIdOf(row, matching, mode);
  return {
    fields: Object.fromEntries(fields),
    ...(position !== null && { position }),
    ...(order !== null && { order }),
    ...(externalId !== null && { externalId }),
  };
}
