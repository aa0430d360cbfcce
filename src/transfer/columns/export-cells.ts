/** A location as a row of an exported table: values in cells, the rest as JSON in `more`. */

import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import { publicJson } from '../../domain/public-view.ts';
import type { LineSource } from '../writer.ts';

export interface ExportCells {
  /** All columns except `more`. Numbers and booleans are values of fields. */
  readonly cells: readonly (string | number | boolean)[];
  /** A JSON object, or empty. */
  readonly more: string;
}

/**
 * @param fields names of the map's fields, in order
 * @param defined the same names
 * @param maxLength maximum UTF-16 units of a cell; longer strings go to `more`
 * @param isAllowed whether a cell can hold the string; others go to `more`
 */
export function exportCells(
  { id, externalId, order, lat, lng, placeId, properties }: LineSource,
  fields: readonly string[],
  defined: ReadonlySet<string>,
  maxLength = Infinity,
  isAllowed: (text: string) => boolean = always,
): ExportCells {
  const fits = (text: string) => text.length <= maxLength && isAllowed(text);
  const values = JSON.parse(properties) as JsonObject;
  const cells: (string | number | boolean)[] = [id, externalId ?? '', order, lat, lng, placeId];
  let inCells = 0;
  for (const name of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    cells.push(cellOf(value, fits));
    if (isInCell(value, fits)) inCells += 1;
  }
  // Nearly every location fits in the cells.
  const isComplete = inCells === Object.keys(values).length;
  return { cells, more: isComplete ? '' : moreOf(values, defined, fits) };
}

/** The public view of the location. */
export function publicLine(source: LineSource, names: ReadonlySet<string>): LineSource {
  return { ...source, externalId: null, properties: publicJson(source.properties, names) };
}

function always(): boolean {
  return true;
}

type Fits = (text: string) => boolean;

function cellOf(value: JsonValue | undefined, fits: Fits): string | number | boolean {
  if (typeof value === 'object' || value === undefined) return '';
  return typeof value === 'string' && !fits(value) ? '' : value;
}

/** True if the cell alone restores the value: an empty cell means an absent field, and any other a string. */
function isInCell(value: JsonValue | undefined, fits: Fits): boolean {
  return typeof value === 'string' && value !== '' && fits(value);
}

/** The values that are not in cells, as a JSON object. Built by hand, because a key may be `__proto__`. */
function moreOf(values: JsonObject, defined: ReadonlySet<string>, fits: Fits): string {
  const more = Object.entries(values).filter(([key, value]) => !defined.has(key) || !isInCell(value, fits));
  return `{${more.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}
