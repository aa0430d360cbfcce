/** Rows of a file that is imported: CSV, GeoJSON or NDJSON, and what each becomes. */

import { addressFieldOf, nameFieldOf } from '../../src/domain/map.ts';
import type { FieldDefinition } from './field-inputs.ts';
import { valueOfText } from './field-inputs.ts';

export interface SourceRow {
  /** The line where it begins, or a feature's number; from 1. */
  readonly place: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly position: { readonly latitude: number; readonly longitude: number } | null;
  readonly externalId: string | null;
}

/** A column's field; null leaves it out. */
export type Matching = Readonly<Record<string, string | null>>;

const LATITUDE = /^(lat|latitude)$/i;
const LONGITUDE = /^(lng|lon|long|longitude)$/i;
const OUR_COLUMNS = ['id', 'externalId', 'order', 'lat', 'lng', 'placeId'];

/** @throws Error with a message for the reader */
export async function readRows(fileName: string, text: string): Promise<readonly SourceRow[]> {
  const content = text.replace(/^\uFEFF/, '');
  if (/\.(geo)?json$/i.test(fileName)) return readFeatures(parse(content));
  if (/\.(nd|l)?jsonl?$|\.ndjson$/i.test(fileName)) return readLines(content);
  return readTable(content);
}

async function readTable(text: string): Promise<readonly SourceRow[]> {
  const { parse: parseCsv } = await import('csv-parse/browser/esm/sync');
  const delimiter = [',', ';', '\t'];
  const records = parseCsv(text, { delimiter, info: true, relax_column_count: true, skip_empty_lines: true });
  const rows = records as unknown as { record: string[]; info: { lines: number } }[];
  const [head, ...rest] = rows;
  if (head === undefined) throw new Error('The file is empty.');
  const columns = head.record.map((name) => name.trim());
  const isOurs = OUR_COLUMNS.every((name, index) => columns[index] === name);
  return rest.map(({ record }, index) => {
    const cells = columns.map((name, index) => [name, record[index] ?? ''] as const);
    const own = isOurs ? new Map(cells.slice(0, OUR_COLUMNS.length)) : null;
    const others = isOurs ? cells.slice(OUR_COLUMNS.length) : cells;
    const find = (pattern: RegExp) => cells.find(([name]) => pattern.test(name))?.[1] ?? '';
    const fields = others.filter(
      ([name, cell]) =>
        cell !== '' && !LATITUDE.test(name) && !LONGITUDE.test(name) && !(isOurs && name === 'more'),
    );
    const more = isOurs ? (new Map(others).get('more') ?? '') : '';
    return {
      // Where the record before it ends, one line more.
      place: (rows[index]?.info.lines ?? 0) + 1,
      values: { ...Object.fromEntries(fields), ...(more === '' ? {} : toObject(parse(more))) },
      position: toPosition(find(LATITUDE), find(LONGITUDE)),
      externalId: textOrNull(own?.get('externalId')),
    };
  });
}

function readFeatures(content: unknown): readonly SourceRow[] {
  const { features } = toObject(content);
  if (!Array.isArray(features)) throw new Error('The file is no GeoJSON FeatureCollection.');
  return features.map((feature: unknown, index) => {
    const { properties, geometry, externalId } = toObject(feature);
    const { type, coordinates } = toObject(geometry);
    const point = type === 'Point' && Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
    const [longitude, latitude] = point;
    return {
      place: index + 1,
      values: toObject(properties),
      position: toPosition(latitude, longitude),
      externalId: textOrNull(externalId),
    };
  });
}

function readLines(text: string): readonly SourceRow[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const object = toObject(parse(line));
    const { properties, latLngLiteral, externalId } = object;
    const { lat, lng } = toObject(latLngLiteral);
    const row = {
      place: index + 1,
      values: properties === undefined ? object : toObject(properties),
      position: toPosition(lat, lng),
      externalId: textOrNull(externalId),
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

function toPosition(latitude: unknown, longitude: unknown): SourceRow['position'] {
  const [north, east] = [latitude, longitude].map((degrees) =>
    degrees === '' || degrees === null || degrees === undefined ? Number.NaN : Number(degrees),
  );
  if (north === undefined || east === undefined || !Number.isFinite(north) || !Number.isFinite(east))
    return null;
  return { latitude: north, longitude: east };
}

export function columnsOf(rows: readonly SourceRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
}

/** By name, without regard to case; the map's name and address by what such columns are usually called. */
export function matchColumns(columns: readonly string[], fields: readonly FieldDefinition[]): Matching {
  const same = (column: string) =>
    fields.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name;
  const matching = new Map(columns.map((column) => [column, same(column) ?? column]));
  const roles = [
    [nameFieldOf(fields), /^(name|title|label|place)$/i],
    [addressFieldOf(fields), /^(address|adresse|street|location)$/i],
  ] as const;
  for (const [field, pattern] of roles) {
    if (field === undefined || [...matching.values()].includes(field)) continue;
    const column = columns.find((one) => pattern.test(one));
    if (column !== undefined) matching.set(column, field);
  }
  return Object.fromEntries(matching);
}

export interface LocationInput {
  readonly fields: Record<string, unknown>;
  readonly position?: { readonly latitude: number; readonly longitude: number };
  readonly externalId?: string;
}

export function toInput(
  row: SourceRow,
  matching: Matching,
  definitions: readonly FieldDefinition[],
): LocationInput {
  const types = new Map(definitions.map(({ name, type }) => [name, type]));
  const fields: [string, unknown][] = Object.entries(row.values).flatMap(([column, value]) => {
    const name = matching[column] ?? null;
    if (name === null) return [];
    return [[name, typeof value === 'string' ? valueOfText(types.get(name) ?? 'text', value) : value]];
  });
  return {
    fields: Object.fromEntries(fields),
    ...(row.position && { position: row.position }),
    ...(row.externalId !== null && { externalId: row.externalId }),
  };
}

export interface RowReport {
  readonly place: number;
  readonly outcome: string;
  readonly message: string;
}

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
export function reportCsv(reports: readonly RowReport[]): string {
  const cell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
  const lines = reports.map(({ place, outcome, message }) => `${place},${cell(outcome)},${cell(message)}`);
  return ['row,outcome,message', ...lines, ''].join('\r\n');
}
