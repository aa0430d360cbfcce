/** A location as a row of a table of ours: what stands in the cells, and what `more` says instead. */

import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import { publicJson } from '../../domain/public-view.ts';
import type { LineSource } from '../writer.ts';

export interface ExportCells {
  /** Of all columns but `more`. Numbers and booleans are values of fields. */
  readonly cells: readonly (string | number | boolean)[];
  /** A JSON object, or empty. */
  readonly more: string;
}

/**
 * @param fields names of the map's fields, in their order
 * @param defined the same names
 * @param maxLength UTF-16 units of a cell. A longer text stands in `more`
 * @param isAllowed whether a cell can hold a text. Another one stands in `more`
 */
export function exportCells(
  { id, externalId, order, lat, lng, placeId, properties }: LineSource,
  fields: readonly string[],
  defined: ReadonlySet<string>,
  maxLength = Infinity,
  isAllowed: (text: string) => boolean = always,
): ExportCells {
  const isSayable = (text: string) => text.length <= maxLength && isAllowed(text);
  const values = JSON.parse(properties) as JsonObject;
  const cells: (string | number | boolean)[] = [id, externalId ?? '', order, lat, lng, placeId];
  let said = 0;
  for (const name of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    cells.push(cellOf(value, isSayable));
    if (isSaidByCell(value, isSayable)) said += 1;
  }
  // Of nearly every location the cells say all.
  const isComplete = said === Object.keys(values).length;
  return { cells, more: isComplete ? '' : moreOf(values, defined, isSayable) };
}

/** The same location in the public view. */
export function publicLine(source: LineSource, names: ReadonlySet<string>): LineSource {
  return { ...source, externalId: null, properties: publicJson(source.properties, names) };
}

function always(): boolean {
  return true;
}

type IsSayable = (text: string) => boolean;

function cellOf(value: JsonValue | undefined, isSayable: IsSayable): string | number | boolean {
  if (typeof value === 'object' || value === undefined) return '';
  return typeof value === 'string' && !isSayable(value) ? '' : value;
}

/** An empty cell is an absent field, and every other one a string. */
function isSaidByCell(value: JsonValue | undefined, isSayable: IsSayable): boolean {
  return typeof value === 'string' && value !== '' && isSayable(value);
}

/** What the cells do not say, as an object's JSON, whatever its keys are called. */
function moreOf(values: JsonObject, defined: ReadonlySet<string>, isSayable: IsSayable): string {
  const more = Object.entries(values).filter(
    ([key, value]) => !defined.has(key) || !isSaidByCell(value, isSayable),
  );
  return `{${more.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}
