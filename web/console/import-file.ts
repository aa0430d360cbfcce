/** Rows of a file that is imported: CSV, GeoJSON or NDJSON, and what each becomes. */

import { chooseDelimiter } from '../../src/transfer/csv/delimiter.ts';
import { OWN_COLUMN, readOwnTable } from '../../src/transfer/columns/own-table.ts';
import { addressFieldOf, nameFieldOf } from '../../src/domain/map.ts';
import { formatOfPath } from '../../src/transfer/formats.ts';
import { assertDegrees } from '../../src/domain/point.ts';
import type { RejectedFormat, RejectedRow } from '../../src/transfer/rejected-rows.ts';
import { mapColumns } from '../../src/transfer/columns/mapping.ts';
import { placeAt, readPoint } from '../../src/transfer/columns/point.ts';
import { ServiceError } from '../../src/errors.ts';
import type { FieldDefinition } from './field-inputs.ts';
import { valueOfText } from './field-inputs.ts';
import type { RowReport } from './import-run.ts';

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
  /** What stood in the file. */
  readonly content: () => { readonly cells: readonly string[] } | { readonly text: string };
}

export interface SourceFile {
  readonly rows: readonly SourceRow[];
  /** How rows of it are written that were not stored, and what such a file is called. */
  readonly rejections: RejectedFormat;
  readonly rejectedName: string;
}

/** What a column becomes. */
export type Target = `field:${string}` | 'externalId' | 'none';
export type Matching = Readonly<Record<string, Target>>;

const EXTERNAL_ID = /^external ?_?id$/i;

/**
 * @param fields the map's
 * @throws Error with a message for the reader
 */
export async function readFile(
  fileName: string,
  text: string,
  fields: readonly FieldDefinition[],
): Promise<SourceFile> {
  // Written and read by the same rules as those of the command line.
  const rejected = await import('../../src/transfer/rejected-rows.ts');
  const format = formatOfPath(fileName) ?? 'csv';
  const rejectedName = rejected.rejectedPathOf(fileName, format);
  if (format === 'geojson')
    return { rows: readFeatures(parse(text)), rejections: rejected.GEOJSON_REJECTIONS, rejectedName };
  if (format === 'ndjson')
    return { rows: readLines(text), rejections: rejected.NDJSON_REJECTIONS, rejectedName };
  const { parse: parseCsv } = await import('csv-parse/browser/esm/sync');
  const delimiter = chooseDelimiter(text) ?? ',';
  const records = parseCsv(text, { delimiter, info: true, relax_column_count: true, skip_empty_lines: true });
  const [head, ...rest] = records as unknown as { record: string[]; info: { lines: number } }[];
  if (head === undefined) throw new Error('The file is empty.');
  const first = rest[0] === undefined ? null : { cells: rest[0].record };
  const added = rejected.countAddedColumns(fileName, head.record, first, fields);
  const columns = head.record.slice(0, head.record.length - added).map((name) => name.trim());
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two columns are called “${twice}”.`);
  const read = tableReader(columns, fields);
  const rows = rest.map(({ record }, index) => {
    const cells = record.toSpliced(columns.length, added);
    // Where the record before it ends, one line more.
    const place = (rest[index - 1] ?? head).info.lines + 1;
    return { place, content: () => ({ cells }), ...read(cells) };
  });
  return { rows, rejections: rejected.csvRejections({ columns, delimiter }, fields), rejectedName };
}

/** The rows that were not stored as a file, to be corrected and imported again. */
export function rejectedText({ rows, rejections }: SourceFile, reports: readonly RowReport[]): string {
  const { head, separator, tail, write } = rejections;
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  const written = reports.flatMap(({ place, outcome, message }) => {
    const content = byPlace.get(place)?.content();
    const row: RejectedRow | undefined = content && {
      ...content,
      line: place,
      code: outcome,
      reason: message,
    };
    return row === undefined ? [] : [write(row)];
  });
  return head + written.join(separator) + tail;
}

type Cells = readonly string[];
type ReadCells = (cells: Cells) => Omit<SourceRow, 'place' | 'content'>;

/** A table whose first columns are ours is one of our exports; any other one is somebody's own. */
function tableReader(columns: readonly string[], defined: readonly FieldDefinition[]): ReadCells {
  const own = readOwnTable(columns);
  if (own === null) return theirReader(columns, defined);
  const { fields, moreAt } = own;
  return (cells) => {
    const more = moreAt.map((index) => cells[index] ?? '').join('');
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

/** Fields and coordinates are known by their names without regard to case, as {@link matchColumns} knows them. */
function theirReader(columns: readonly string[], defined: readonly FieldDefinition[]): ReadCells {
  const { latitudeAt, longitudeAt } = mapColumns(columns, defined);
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
    const [longitude, latitude] = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
    const isPoint = type === 'Point' && typeof latitude === 'number' && typeof longitude === 'number';
    const position = geometry && !isPoint ? 'wrong' : toPosition(latitude, longitude, placeId);
    return {
      place: index + 1,
      values: toObject(properties),
      position,
      order: textOrNull(order),
      externalId: textOrNull(externalId),
      featureId: idOf(id),
      content: () => ({ text: JSON.stringify(withoutReason(toObject(feature))) }),
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
    const object = withoutReason(toObject(parse(line)));
    const { properties, latLngLiteral, externalId, placeId, order } = object;
    const { lat, lng } = toObject(latLngLiteral);
    const row: SourceRow = {
      place: index + 1,
      values: properties === undefined ? object : toObject(properties),
      position: toPosition(lat, lng, placeId),
      order: properties === undefined ? null : textOrNull(order),
      externalId: textOrNull(externalId),
      featureId: null,
      content: () => ({ text: JSON.stringify(object) }),
    };
    return [row];
  });
}

/** Why an earlier import refused it stands in it, where it is of a file of rejected rows. */
function withoutReason(object: Record<string, unknown>): Record<string, unknown> {
  const { rejected, ...rest } = object;
  return typeof toObject(rejected)['reason'] === 'string' ? rest : object;
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

/** By the rules of the command line. */
function toPosition(latitude: unknown, longitude: unknown, placeId?: unknown): SourceRow['position'] {
  try {
    const names = { latitude: 'latitude', longitude: 'longitude' };
    const point = placeAt(readPoint(degreesOf(latitude), degreesOf(longitude), names), textOrNull(placeId));
    if (point === null) return null;
    assertDegrees(point.latitude, 90, names.latitude);
    assertDegrees(point.longitude, 180, names.longitude);
    const { placeId: id, ...at } = point;
    return { ...at, ...(id !== null && id !== undefined && { placeId: id }) };
  } catch (error) {
    if (error instanceof ServiceError) return 'wrong';
    throw error;
  }
}

/** Nothing is an empty text; what is neither text nor number is none of degrees either. */
function degreesOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'no number';
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
